//! A file of puzzles, and the rows of it that are none.

pub mod build;
mod exclusions;
mod identity;
pub mod mine;
mod output;
mod sha256;
mod skipped;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use chess::puzzle::{HeaderError, Puzzle, PuzzleReader, RowError, RowProblem};

use sha256::sha256;
pub use skipped::{SkippedReason, SkippedRows};

/// Puzzles held at once while a suite is checked.
const CHECKED: usize = 256;

/// A file of puzzles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    path: PathBuf,
    sha256: String,
}

/// What to do with a file that is damaged or cut off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// Refuse it: a score over half of a suite looks like one over all of it.
    #[default]
    Strict,
    /// Read what can be read, and count the fault as a skipped row.
    Lenient,
}

/// Why a suite cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// The file cannot be opened or read.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// No row can be read.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The file has a header and no puzzle behind it.
    #[error("{path}: holds no puzzle")]
    NoPuzzle {
        /// The file.
        path: String,
    },
    /// The file ends early.
    #[error("{0}; the rest of the file is lost, so the suite is not scored")]
    Damaged(#[source] RowError),
}

impl Suite {
    /// The suite at `path`: CSV as Lichess writes it, plain or compressed by gzip or Zstandard.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read.
    pub fn open(path: impl Into<PathBuf>) -> Result<Suite, SuiteError> {
        let path = path.into();
        let sha256 = sha256(&path)
            .map_err(|source| SuiteError::Io { path: path.display().to_string(), source })?;
        Ok(Suite { path, sha256 })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// SHA-256 of the file as it is on disk, in lower-case hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Sees whether [`Suite::puzzles`] with the same arguments would come to its end. All that
    /// would be scored is read and its moves are played, which takes far less than a network;
    /// [`Reading::Lenient`], which no row can stop, reads only up to the first puzzle.
    ///
    /// # Errors
    ///
    /// Where the file has no usable header, no puzzle, or is damaged and [`Reading::Strict`].
    pub fn check(&self, reading: Reading, limit: Option<u64>) -> Result<(), SuiteError> {
        let mut puzzles = self.puzzles(reading, limit)?;
        if puzzles.next_block(1)?.is_empty() && limit != Some(0) {
            return Err(SuiteError::NoPuzzle { path: self.path.display().to_string() });
        }
        while reading == Reading::Strict && !puzzles.next_block(CHECKED)?.is_empty() {}
        Ok(())
    }

    /// The first `limit` puzzles, or all.
    ///
    /// # Errors
    ///
    /// Where the file cannot be opened or has no usable header.
    pub fn puzzles(
        &self,
        reading: Reading,
        limit: Option<u64>,
    ) -> Result<SuitePuzzles, SuiteError> {
        let reader = PuzzleReader::open(&self.path)?;
        let left = limit.unwrap_or(u64::MAX);
        Ok(SuitePuzzles { reader, reading, left, skipped: SkippedRows::default() })
    }
}

/// The puzzles of a suite, in blocks.
pub struct SuitePuzzles {
    reader: PuzzleReader,
    reading: Reading,
    left: u64,
    skipped: SkippedRows,
}

impl SuitePuzzles {
    /// The next puzzles, at most `size`; empty at the end.
    ///
    /// # Errors
    ///
    /// [`SuiteError::Damaged`] where the file is damaged or cut off and [`Reading::Strict`].
    pub fn next_block(&mut self, size: usize) -> Result<Vec<Puzzle>, SuiteError> {
        let mut puzzles = Vec::new();
        while self.left > 0 && puzzles.len() < size {
            match self.reader.next() {
                None => break,
                Some(Ok(puzzle)) => {
                    self.left -= 1;
                    puzzles.push(puzzle);
                }
                Some(Err(error)) if self.reading == Reading::Strict && is_damage(&error) => {
                    return Err(SuiteError::Damaged(error));
                }
                Some(Err(error)) => self.skipped.add(&error),
            }
        }
        Ok(puzzles)
    }

    /// The rows so far that are no puzzles.
    pub fn skipped(&self) -> &SkippedRows {
        &self.skipped
    }
}

/// Whether rows may be missing behind the fault.
fn is_damage(error: &RowError) -> bool {
    matches!(error.problem, RowProblem::Read(_) | RowProblem::Unterminated)
}
