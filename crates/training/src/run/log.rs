//! What a run says of its steps: metrics.jsonl and TensorBoard's events.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::directory::RunDirectoryError;
use crate::metrics::StepRecord;
use crate::tensorboard::EventWriter;

#[cfg(test)]
mod tests;

/// Bytes of a step's record, at the most.
const MAXIMUM_LINE: u64 = 1 << 20;

/// The open files.
#[derive(Debug)]
pub(crate) struct RunLog {
    path: PathBuf,
    metrics: File,
    events: EventWriter,
}

/// What is needed of a record to find a step.
#[derive(Deserialize)]
struct Numbered {
    step: u64,
}

impl RunLog {
    /// Goes on after `step`: what is said of later steps, or in part, is cut off `metrics`, and
    /// overruled in the folder `events`.
    pub(super) fn open(
        metrics: &Path,
        events: &Path,
        step: u64,
    ) -> Result<Self, RunDirectoryError> {
        let path = metrics.to_owned();
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(&path);
        let mut metrics = file.map_err(at(&path))?;
        let end = end_of(step, &metrics, &path)?;
        metrics.set_len(end).map_err(at(&path))?;
        metrics.seek(SeekFrom::Start(end)).map_err(at(&path))?;
        let events = EventWriter::create(events, step + 1).map_err(at(events))?;
        Ok(Self { path, metrics, events })
    }

    /// Appends a step's record.
    pub(crate) fn append(&mut self, metrics: &impl StepRecord) -> Result<(), RunDirectoryError> {
        let mut line = serde_json::to_string(metrics).expect("numbers and names are JSON");
        line.push('\n');
        // Not buffered here, so that the line is out when this returns.
        self.metrics.write_all(line.as_bytes()).map_err(at(&self.path))?;
        self.events.append(metrics).map_err(at(self.events.path()))
    }

    /// Makes the metrics last through a loss of power: a checkpoint needs those before it.
    pub(super) fn sync(&mut self) -> Result<(), RunDirectoryError> {
        self.metrics.sync_data().map_err(at(&self.path))
    }
}

/// Where the record of `step` ends: steps are numbered from 1, one a line.
fn end_of(step: u64, file: &File, path: &Path) -> Result<u64, RunDirectoryError> {
    let mut reader = BufReader::new(file);
    let mut end = 0;
    let mut line = Vec::new();
    for number in 1..=step {
        line.clear();
        let mut limited = reader.by_ref().take(MAXIMUM_LINE);
        end += limited.read_until(b'\n', &mut line).map_err(at(path))? as u64;
        let is_whole = line.ends_with(b"\n");
        let found = serde_json::from_slice(&line).ok().filter(|_| is_whole);
        if found.map(|Numbered { step }| step) != Some(number) {
            let path = path.to_owned();
            return Err(RunDirectoryError::Metrics { path, line: number, checkpoint: step });
        }
    }
    Ok(end)
}

fn at(path: &Path) -> impl Fn(io::Error) -> RunDirectoryError {
    let path = path.to_owned();
    move |source| RunDirectoryError::Io { path: path.clone(), source }
}
