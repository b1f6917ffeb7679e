//! Histories as lines of JSON.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

use serde::Deserialize;

use super::{Fingerprint, Histories, HistoryFile};
use crate::suite::build::error::SuiteBuildError;

/// Bytes that a line may have: a game of 5,000 moves has under 60,000.
const LONGEST_LINE: u64 = 1 << 20;

/// A line.
#[derive(Deserialize)]
struct History {
    id: String,
    moves: String,
}

impl Histories {
    /// Reads lines of JSON, `{"id": puzzle, "moves": "e2e4 e7e5 ..."}`.
    pub(in crate::suite::build) fn read_side_file(
        &mut self,
        path: &Path,
        strict: bool,
    ) -> Result<HistoryFile, SuiteBuildError> {
        let mut file = HistoryFile::new(path)?;
        let name = file.path.clone();
        let failed = |source| SuiteBuildError::Io { path: name.clone(), source };
        let source = File::open(path).map_err(failed)?;
        let mut lines = chess::decompressed(source).map_err(failed)?;
        for number in 1.. {
            let line = match next_line(&mut lines) {
                Ok(None) => break,
                Ok(Some(line)) => line,
                Err(error) if strict => {
                    return Err(malformed(&file.path, number, error.to_string()));
                }
                Err(error) => {
                    file.read += 1;
                    file.skipped.add_row("damaged file", number, || error.to_string());
                    break;
                }
            };
            if line.as_ref().is_some_and(|line| line.trim_ascii().is_empty()) {
                continue;
            }
            file.read += 1;
            let history =
                line.ok_or_else(|| format!("longer than {LONGEST_LINE} bytes")).and_then(|line| {
                    serde_json::from_slice::<History>(&line).map_err(|error| error.to_string())
                });
            let History { id, moves } = match history {
                Ok(history) => history,
                Err(problem) if strict => return Err(malformed(&file.path, number, problem)),
                Err(problem) => {
                    file.skipped.add_row("not a history", number, || problem);
                    continue;
                }
            };
            let key = Fingerprint::of(&[id.as_bytes()]);
            if self.by_puzzle.contains_key(&key) {
                file.skipped.add_row("second history of its id", number, || id);
                continue;
            }
            self.reserve(path, moves.len())?;
            self.by_puzzle.insert(key, moves.into());
            file.kept += 1;
        }
        Ok(file)
    }
}

fn malformed(path: &str, line: u64, problem: String) -> SuiteBuildError {
    let problem = format!("expected {{\"id\": \"...\", \"moves\": \"e2e4 ...\"}}: {problem}");
    SuiteBuildError::Malformed { path: path.to_owned(), line, problem }
}

/// The next line, its end included; inside, `None` for one that is too long. `None` at the end.
fn next_line(lines: &mut impl BufRead) -> io::Result<Option<Option<Vec<u8>>>> {
    let mut line = Vec::new();
    if lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
        // Passes over the rest of the line, which nothing keeps.
        while !line.is_empty() && !line.ends_with(b"\n") {
            line.clear();
            lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        }
        return Ok(Some(None));
    }
    Ok(Some(Some(line)))
}
