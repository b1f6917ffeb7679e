//! Reading a puzzle file row by row.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::Puzzle;
use super::error::{HeaderError, RowError, RowProblem};
use super::lines::Lines;
use super::row::{Columns, Splitter};
use crate::compression::decompressed;

/// The puzzles of a file, in its order.
///
/// Columns are found by the names in the first line: `PuzzleId`, `FEN` and `Moves` must be
/// there, the other columns of Lichess may be, unknown ones are passed over. A row that is no
/// puzzle is an error that names its line; the next call goes on behind it, so that a lenient
/// caller can count what it drops. After [`RowProblem::Read`] nothing follows. A last row without
/// a line end is a puzzle if it has all its fields and every move is legal, else
/// [`RowProblem::Unterminated`].
///
/// Memory is bounded whatever the file holds: a line by 64 KiB, a Zstandard window by 128 MiB.
pub struct PuzzleReader {
    file: Arc<str>,
    lines: Lines,
    splitter: Splitter,
    columns: Columns,
}

impl PuzzleReader {
    /// Opens a file, plain or compressed (told by its first bytes, not its name).
    ///
    /// # Errors
    ///
    /// [`HeaderError`] if it cannot be opened or its first line does not name the columns.
    pub fn open(path: &Path) -> Result<PuzzleReader, HeaderError> {
        let file = path.display().to_string();
        match File::open(path) {
            Ok(source) => PuzzleReader::new(&file, source),
            Err(source) => Err(HeaderError::Open { file, source }),
        }
    }

    /// Reads from `source`, which errors call `file`.
    ///
    /// # Errors
    ///
    /// [`HeaderError`] if the first line cannot be read or does not name the columns.
    pub fn new(
        file: &str,
        source: impl Read + Send + 'static,
    ) -> Result<PuzzleReader, HeaderError> {
        let in_header = |problem| HeaderError::Line { file: file.to_owned(), problem };
        let mut lines =
            Lines::new(decompressed(source).map_err(RowProblem::Read).map_err(in_header)?);
        let mut splitter = Splitter::new();
        let Some(header) = lines.next() else {
            return Err(HeaderError::Empty { file: file.to_owned() });
        };
        let names = header.and_then(|line| match line.terminated {
            true => splitter.split(line.text),
            false => Err(RowProblem::Unterminated),
        });
        let names = names.map_err(in_header)?;
        let columns = Columns::of_header(file, &names)?;
        Ok(PuzzleReader { file: file.into(), lines, splitter, columns })
    }

    /// The line of the row that came last, counted from 1.
    pub fn line(&self) -> u64 {
        self.lines.number()
    }
}

impl Iterator for PuzzleReader {
    type Item = Result<Puzzle, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let puzzle = loop {
            match self.lines.next()? {
                Ok(line) if line.text.is_empty() => {}
                Ok(line) => {
                    let fields = self.splitter.split(line.text);
                    let puzzle = fields.and_then(|fields| self.columns.puzzle(&fields));
                    break if line.terminated {
                        puzzle
                    } else {
                        // All fields and a legal line: only the line end was not written.
                        puzzle.map_err(|_| RowProblem::Unterminated)
                    };
                }
                Err(problem) => break Err(problem),
            }
        };
        Some(puzzle.map_err(|problem| RowError {
            file: Arc::clone(&self.file),
            line: self.lines.number(),
            problem,
        }))
    }
}
