//! Reading files of JSON, of lines of JSON, and of curves.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::Path;

use serde::de::DeserializeOwned;

use super::{CoverageSample, DocumentError, DocumentProblem, MetricsLine};

/// Reads a file that is one JSON value; `None` where there is no such file.
///
/// # Errors
///
/// With the file's name and line, where it cannot be read or is no `T`.
pub fn read_document<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, DocumentError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(at(path, error.into())),
    };
    match serde_json::from_slice(&text) {
        Ok(value) => Ok(Some(value)),
        Err(error) => Err(at(path, damaged(&error, error.line() as u64))),
    }
}

/// Reads a file that has one JSON value a line; `None` where there is no such file. Blank lines
/// are passed over.
///
/// # Errors
///
/// As [`read_document`].
pub fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<Option<Vec<T>>, DocumentError> {
    lines(path, |_| true)
}

/// Reads the metrics of a run, as [`read_lines`] does, but for a last line without its end: a run
/// that is under way, or was killed, may be in the middle of it.
///
/// # Errors
///
/// As [`read_document`].
pub fn read_metrics(path: &Path) -> Result<Option<Vec<MetricsLine>>, DocumentError> {
    lines(path, |line| line.ends_with(b"\n"))
}

/// Reads the curves of `searchless coverage --csv`; `None` where there is no such file.
///
/// # Errors
///
/// As [`read_document`].
pub fn read_curves(path: &Path) -> Result<Option<Vec<CoverageSample>>, DocumentError> {
    let Some(file) = open(path)? else { return Ok(None) };
    let mut samples = Vec::new();
    for record in csv::Reader::from_reader(BufReader::new(file)).into_deserialize() {
        let sample: CoverageSample = record.map_err(|error| {
            let line = error.position().map_or(1, csv::Position::line);
            let message = match error.kind() {
                csv::ErrorKind::Deserialize { err, .. } => err.to_string(),
                _ => error.to_string(),
            };
            at(path, DocumentProblem::Line { line, message })
        })?;
        if !(0.0..=1.0 + 1e-9).contains(&sample.coverage) || sample.draws == 0 {
            let message = format!("coverage {} of {} draws", sample.coverage, sample.draws);
            return Err(at(
                path,
                DocumentProblem::Line { line: samples.len() as u64 + 2, message },
            ));
        }
        samples.push(sample);
    }
    Ok(Some(samples))
}

fn lines<T: DeserializeOwned>(
    path: &Path,
    complete: impl Fn(&[u8]) -> bool,
) -> Result<Option<Vec<T>>, DocumentError> {
    let Some(file) = open(path)? else { return Ok(None) };
    let mut file = BufReader::new(file);
    let (mut values, mut line, mut number) = (Vec::new(), Vec::new(), 0);
    loop {
        line.clear();
        number += 1;
        let read = file.read_until(b'\n', &mut line).map_err(|error| at(path, error.into()))?;
        if read == 0 || !complete(&line) {
            return Ok(Some(values));
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let value =
            serde_json::from_slice(&line).map_err(|error| at(path, damaged(&error, number)))?;
        values.push(value);
    }
}

fn open(path: &Path) -> Result<Option<File>, DocumentError> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(at(path, error.into())),
    }
}

fn at(path: &Path, problem: DocumentProblem) -> DocumentError {
    DocumentError::Measurement { path: path.to_owned(), problem }
}

/// The error of a value that begins in line `line` of a file.
fn damaged(error: &serde_json::Error, line: u64) -> DocumentProblem {
    let whole = error.to_string();
    // Serde counts lines from the beginning of the value, which is not that of the file.
    let message = match whole.rsplit_once(" at line ") {
        Some((message, _)) => format!("{message} (column {})", error.column()),
        None => whole,
    };
    DocumentProblem::Line { line, message }
}
