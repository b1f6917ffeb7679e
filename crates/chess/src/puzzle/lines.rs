//! The lines of a puzzle file: UTF-8, none longer than a puzzle can be.

use std::io::BufRead;

use super::error::RowProblem;
use crate::lines::{self, LineError};

/// Bytes that a line may have; the longest puzzles of Lichess stay under a thousand.
const LIMIT: usize = 64 * 1024;

pub(super) struct Lines(lines::Lines);

/// A line that is text.
pub(super) struct Line<'a> {
    /// The line without its end (LF or CRLF).
    pub(super) text: &'a str,
    /// False for a last line that has no end, of which a part may be missing.
    pub(super) terminated: bool,
}

impl Lines {
    pub(super) fn new(source: Box<dyn BufRead + Send>) -> Lines {
        Lines(lines::Lines::new(source, LIMIT))
    }

    /// The number of the line read last, from 1.
    pub(super) fn number(&self) -> u64 {
        self.0.number()
    }

    /// The next line, or `None` after the last one.
    pub(super) fn next(&mut self) -> Option<Result<Line<'_>, RowProblem>> {
        let line = match self.0.next()? {
            Ok(line) => line,
            Err(LineError::Read(error)) => return Some(Err(RowProblem::Read(error))),
            Err(LineError::TooLong) => return Some(Err(RowProblem::TooLong { limit: LIMIT })),
        };
        Some(match str::from_utf8(line.bytes) {
            Ok(text) => Ok(Line { text, terminated: line.terminated }),
            // The end of the file may have come within a character.
            Err(_) if !line.terminated => Err(RowProblem::Unterminated),
            Err(_) => Err(RowProblem::NotText),
        })
    }
}
