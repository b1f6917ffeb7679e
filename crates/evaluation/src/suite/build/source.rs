//! Files that puzzles are taken from.

use std::path::Path;

use chess::puzzle::{EpdReader, HeaderError, Puzzle, PuzzleReader, RowError};
use serde::Serialize;

use super::error::SuiteBuildError;

/// What a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceFormat {
    /// CSV in Lichess's columns, or a suite of our own.
    Csv,
    /// A suite of test positions.
    Epd,
}

/// The rows of a source.
pub(in crate::suite) enum Rows {
    Csv(Box<PuzzleReader>),
    Epd(EpdReader),
}

impl Rows {
    /// Opens a file as what its first line says it is.
    pub(in crate::suite) fn open(path: &Path) -> Result<Rows, SuiteBuildError> {
        match PuzzleReader::open(path) {
            Ok(reader) => Ok(Rows::Csv(Box::new(reader))),
            Err(error) if is_epd(path, &error) => Ok(Rows::Epd(EpdReader::open(path)?)),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn format(&self) -> SourceFormat {
        match self {
            Rows::Csv(_) => SourceFormat::Csv,
            Rows::Epd(_) => SourceFormat::Epd,
        }
    }

    /// The line of the row that came last, from 1.
    pub(super) fn line(&self) -> u64 {
        match self {
            Rows::Csv(reader) => reader.line(),
            Rows::Epd(reader) => reader.line(),
        }
    }
}

impl Iterator for Rows {
    type Item = Result<Puzzle, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Rows::Csv(reader) => reader.next(),
            Rows::Epd(reader) => reader.next(),
        }
    }
}

/// Whether a file that has no columns of puzzles is a suite of test positions: by the board with
/// which its first line begins, or by its name where that line is a comment or damaged.
fn is_epd(path: &Path, error: &HeaderError) -> bool {
    let begins_with_board = |line: &str| {
        let board = line.split_whitespace().next().unwrap_or_default();
        board.bytes().filter(|&byte| byte == b'/').count() == 7
    };
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase());
    let named = name.is_some_and(|name| name.split('.').skip(1).any(|part| part == "epd"));
    match error {
        HeaderError::MissingColumn { found, .. } => named || begins_with_board(found),
        HeaderError::Line { .. } => named,
        HeaderError::Open { .. }
        | HeaderError::Empty { .. }
        | HeaderError::DuplicateColumn { .. } => false,
    }
}
