//! Lines of a file that nobody vouches for.

use std::io::{self, BufRead};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads lines one at a time, in bounded memory.
pub(crate) struct Lines {
    source: Box<dyn BufRead + Send>,
    limit: usize,
    line: Vec<u8>,
    number: u64,
    failed: bool,
}

/// A line as it stands in the file.
pub(crate) struct Line<'a> {
    /// The line without its end (LF or CRLF), the first one without a byte-order mark.
    pub(crate) bytes: &'a [u8],
    /// False for a last line that has no end, of which a part may be missing.
    pub(crate) terminated: bool,
}

/// A line that cannot be had.
pub(crate) enum LineError {
    /// The file cannot be read on. Nothing follows.
    Read(io::Error),
    /// More bytes than a line may have. The next line follows.
    TooLong,
}

impl Lines {
    /// The lines of `source`, each of at most `limit` bytes with its end.
    pub(crate) fn new(source: Box<dyn BufRead + Send>, limit: usize) -> Lines {
        Lines { source, limit, line: Vec::new(), number: 0, failed: false }
    }

    /// The number of the line read last, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The next line, or `None` after the last one.
    pub(crate) fn next(&mut self) -> Option<Result<Line<'_>, LineError>> {
        if self.failed {
            return None;
        }
        self.number += 1;
        self.line.clear();
        match self.read_to_end_of_line() {
            Err(error) => {
                self.failed = true;
                Some(Err(LineError::Read(error)))
            }
            Ok(0) => None,
            Ok(length) if length > self.limit => Some(Err(LineError::TooLong)),
            Ok(_) => Some(Ok(self.line())),
        }
    }

    /// Reads up to a line feed or the end of the file into `self.line`, as much as the limit
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
            if length + taken <= self.limit {
                self.line.extend_from_slice(&bytes[..taken]);
            }
            self.source.consume(taken);
            length = length.saturating_add(taken);
            if end.is_some() || taken == 0 {
                return Ok(length);
            }
        }
    }

    fn line(&self) -> Line<'_> {
        let terminated = self.line.strip_suffix(b"\n");
        let bytes = terminated.unwrap_or(&self.line);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let bytes = match bytes.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) if self.number == 1 => rest,
            _ => bytes,
        };
        Line { bytes, terminated: terminated.is_some() }
    }
}
