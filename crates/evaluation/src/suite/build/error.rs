//! Why a suite cannot be built.

use std::io;

use chess::pgn::PgnError;
use chess::puzzle::{HeaderError, RowError};

/// Why a suite cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum SuiteBuildError {
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// No row of a source can be read.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// A row is no puzzle, and none may be left out.
    #[error(transparent)]
    Row(#[from] RowError),
    /// A file of puzzles to leave out is damaged, so that it is not known which.
    #[error("{0}; puzzles behind it would not be excluded")]
    DamagedExclusion(#[source] RowError),
    /// A file of games cannot be opened or, where nothing may be left out, read.
    #[error(transparent)]
    Pgn(#[from] Box<PgnError>),
    /// A line of a file of histories is none, and none may be left out.
    #[error("{path}, line {line}: {problem}")]
    Malformed {
        /// The file.
        path: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        problem: String,
    },
    /// More moves than are kept in memory.
    #[error("{path}: the histories take more than {limit} bytes; take only those of the puzzles")]
    TooManyHistories {
        /// The file with which the limit was passed.
        path: String,
        /// Bytes that they may take.
        limit: usize,
    },
    /// Every row was left out.
    #[error("no puzzle is left of {rows} rows: {reasons}")]
    NothingLeft {
        /// Rows read.
        rows: u64,
        /// How many were left out why.
        reasons: String,
    },
}
