//! Lines of a file that nobody vouches for.

use std::io::{self, BufRead};

use super::error::RowProblem;

/// Bytes that a line may have; the longest puzzles of Lichess stay under a thousand.
const LIMIT: usize = 64 * 1024;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads lines one at a time, in memory bounded by [`LIMIT`].
pub(super) struct Lines {
    source: Box<dyn BufRead + Send>,
    line: Vec<u8>,
    number: u64,
    failed: bool,
}

/// A line that is text.
pub(super) struct Line<'a> {
    /// The line without its end (LF or CRLF).
    pub(super) text: &'a str,
    /// False for a last line that has no end, of which a part may be missing.
    pub(super) terminated: bool,
}

impl Lines {
    pub(super) fn new(source: Box<dyn BufRead + Send>) -> Lines {
        Lines { source, line: Vec::new(), number: 0, failed: false }
    }

    /// The number of the line read last, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The next line, or `None` after the last one.
    pub(super) fn next(&mut self) -> Option<Result<Line<'_>, RowProblem>> {
        if self.failed {
            return None;
        }
        self.number += 1;
        self.line.clear();
        match self.read_to_end_of_line() {
            Err(error) => {
                self.failed = true;
                Some(Err(RowProblem::Read(error)))
            }
            Ok(0) => None,
            Ok(length) if length > LIMIT => Some(Err(RowProblem::TooLong { limit: LIMIT })),
            Ok(_) => Some(self.text()),
        }
    }

    /// Reads up to a line feed or the end of the file into `self.line`, as much as [`LIMIT`]
    /// allows, and returns how many bytes it was.
    fn read_to_end_of_line(&mut self) -> io::Result<usize> {
        let mut length: usize = 0;
        loop {
            let bytes = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let taken = end.map_or(bytes.len(), |end| end + 1);
            if length + taken <= LIMIT {
                self.line.extend_from_slice(&bytes[..taken]);
            }
            self.source.consume(taken);
            length = length.saturating_add(taken);
            if end.is_some() || taken == 0 {
                return Ok(length);
            }
        }
    }

    fn text(&self) -> Result<Line<'_>, RowProblem> {
        let terminated = self.line.strip_suffix(b"\n");
        let line = terminated.unwrap_or(&self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = match line.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) if self.number == 1 => rest,
            _ => line,
        };
        match str::from_utf8(line) {
            Ok(text) => Ok(Line { text, terminated: terminated.is_some() }),
            // The end of the file may have come within a character.
            Err(_) if terminated.is_none() => Err(RowProblem::Unterminated),
            Err(_) => Err(RowProblem::NotText),
        }
    }
}
