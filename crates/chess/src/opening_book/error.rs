//! What is wrong with a book of openings, and where.

use std::io;

use crate::ending::Ending;
use crate::fen::FenError;
use crate::pgn::PgnProblem;

/// A book that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpeningBookError {
    /// The file cannot be opened or read.
    #[error("{file}: {source}")]
    Read {
        /// The file.
        file: String,
        /// The system's reason.
        source: io::Error,
    },
    /// The file, or what it is a compressed form of, is too large.
    #[error("{file}: larger than {limit} bytes, compressed or not")]
    TooLarge {
        /// The file.
        file: String,
        /// Bytes that a book may have.
        limit: u64,
    },
    /// A compressed file that is damaged or cut off.
    #[error("{file}: cannot be decompressed: {problem}")]
    Damaged {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A zip archive that holds no file or several.
    #[error("{file}: the archive holds {found} files, expected one")]
    Archive {
        /// The archive.
        file: String,
        /// Files in it.
        found: usize,
    },
    /// There is no opening in it.
    #[error("{file}: holds no opening, expected EPD or PGN")]
    Empty {
        /// The file.
        file: String,
    },
    /// A line is no part of a book.
    #[error("{file}, line {line}: {problem}")]
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: OpeningProblem,
    },
}

/// Why a line is no part of a book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningProblem {
    /// The position is none.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The value of an EPD operation that sets a clock.
    #[error("expected a number after {operation}, found \"{found}\"")]
    Clock {
        /// `hmvc` or `fmvn`.
        operation: &'static str,
        /// What stands there.
        found: String,
    },
    /// A game of a PGN file cannot be read.
    #[error(transparent)]
    Pgn(#[from] PgnProblem),
    /// The game is over where it should begin.
    #[error("the opening ends the game: {0}")]
    Over(Ending),
    /// More openings than any book has.
    #[error("more than {limit} openings")]
    TooMany {
        /// Openings that a book may have.
        limit: usize,
    },
}
