//! What is wrong with a puzzle file, and where.

use std::io;
use std::sync::Arc;

use super::epd::EpdProblem;
use crate::fen::FenError;
use crate::game::IllegalMoveError;

/// A puzzle file of which no row can be read.
#[derive(Debug, thiserror::Error)]
pub enum HeaderError {
    /// It cannot be opened.
    #[error("{file}: cannot be opened")]
    Open {
        /// The file.
        file: String,
        /// The system's reason.
        source: io::Error,
    },
    /// Its first line cannot be read.
    #[error("{file}, line 1: {problem}")]
    Line {
        /// The file.
        file: String,
        /// What is wrong with the line.
        problem: RowProblem,
    },
    /// It holds nothing.
    #[error("{file}: is empty, expected a line with the names of the columns")]
    Empty {
        /// The file.
        file: String,
    },
    /// A column is not there that every puzzle needs.
    #[error("{file}, line 1: expected a column \"{column}\", found \"{found}\"")]
    MissingColumn {
        /// The file.
        file: String,
        /// The name of the column.
        column: &'static str,
        /// The columns that are there.
        found: String,
    },
    /// Two columns have the same name.
    #[error("{file}, line 1: two columns are named \"{column}\"")]
    DuplicateColumn {
        /// The file.
        file: String,
        /// Their name.
        column: &'static str,
    },
}

/// A row that is not a puzzle.
#[derive(Debug, thiserror::Error)]
#[error("{file}, line {line}: {problem}")]
pub struct RowError {
    /// The file.
    pub file: Arc<str>,
    /// The line, counted from 1, the names of the columns included.
    pub line: u64,
    /// What is wrong.
    pub problem: RowProblem,
}

/// Why a row is not a puzzle.
#[derive(Debug, thiserror::Error)]
pub enum RowProblem {
    /// The file cannot be read on: a damaged or cut-off compressed file, or a failing disk.
    /// No row follows.
    #[error("cannot be read on, damaged or cut off: {0}")]
    Read(#[source] io::Error),
    /// The file ends within a line: the last one has no line end and is no puzzle, or is the
    /// header.
    #[error("the file ends without a line end, so that the row may be cut off")]
    Unterminated,
    /// A line longer than any puzzle.
    #[error("longer than {limit} bytes")]
    TooLong {
        /// Bytes a line may have.
        limit: usize,
    },
    /// Bytes that are not text.
    #[error("not UTF-8 text")]
    NotText,
    /// A quotation mark opens a field and none closes it.
    #[error("a quotation mark is not closed")]
    OpenQuote,
    /// More fields than any puzzle file has.
    #[error("more than 256 fields")]
    TooManyFields,
    /// More or fewer fields than there are columns.
    #[error("expected {expected} fields, found {found}")]
    FieldCount {
        /// Columns of the file.
        expected: usize,
        /// Fields of the row.
        found: usize,
    },
    /// The puzzle has no name.
    #[error("the PuzzleId is empty")]
    NoId,
    /// A number is expected in the column.
    #[error("expected a number in column \"{column}\", found \"{found}\"")]
    NotANumber {
        /// The column.
        column: &'static str,
        /// What stands there.
        found: String,
    },
    /// The position is none.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move of the line cannot be played.
    #[error("move {number} of the line: {error}")]
    IllegalMove {
        /// Its place in the row's moves, from 1.
        number: usize,
        /// The move and the position.
        error: IllegalMoveError,
    },
    /// The opponent's move and one of the solver are the least.
    #[error("expected at least two moves, found {found}")]
    TooFewMoves {
        /// Moves in the row.
        found: usize,
    },
    /// An odd number of moves: the last one is the opponent's.
    #[error("expected an even number of moves, the last the solver's, found {found}")]
    EndsWithOpponent {
        /// Moves in the row.
        found: usize,
    },
    /// A puzzle that begins with the solver's move has none.
    #[error("expected at least one move, found none")]
    NoMove,
    /// A puzzle that begins with the solver's move ends with the opponent's.
    #[error("expected an odd number of moves, the first and the last the solver's, found {found}")]
    EvenMoves {
        /// Moves in the row.
        found: usize,
    },
    /// The column `FirstMove` holds neither of its words.
    #[error("expected \"opponent\" or \"solver\" in column \"FirstMove\", found \"{found}\"")]
    FirstMove {
        /// What stands there.
        found: String,
    },
    /// A move of the history cannot be played.
    #[error("history: {0}")]
    HistoryMove(#[source] IllegalMoveError),
    /// The history leads to another position than the row's.
    #[error("the history leads to \"{reached}\", not to \"{fen}\"")]
    HistoryElsewhere {
        /// Where it leads.
        reached: String,
        /// The position of the row.
        fen: String,
    },
    /// Groups of acceptable moves are missing or too many.
    #[error("expected acceptable moves of {expected} positions, found {found} groups")]
    AcceptableCount {
        /// Positions of the line in which the solver is to move.
        expected: usize,
        /// Groups of moves.
        found: usize,
    },
    /// An acceptable move cannot be played.
    #[error("acceptable moves of position {number}: {error}")]
    AcceptableMove {
        /// The solver's position, from 1.
        number: usize,
        /// The move and the position.
        error: IllegalMoveError,
    },
    /// An acceptable move stands twice.
    #[error("acceptable moves of position {number}: \"{uci}\" stands twice")]
    AcceptableTwice {
        /// The solver's position, from 1.
        number: usize,
        /// The move.
        uci: String,
    },
    /// The marked move is not the first of the acceptable ones.
    #[error("acceptable moves of position {number}: expected the marked move {marked} first")]
    AcceptableMarked {
        /// The solver's position, from 1.
        number: usize,
        /// The marked move.
        marked: String,
    },
    /// The column `Acceptance` holds none of its words.
    #[error(
        "expected how the acceptable moves were found in column \"Acceptance\" (proved, marked, unproved or given), found \"{found}\""
    )]
    Acceptance {
        /// What stands there.
        found: String,
    },
    /// It is said how the acceptable moves were found, but not which they are.
    #[error("the column \"Acceptance\" says \"{found}\" of acceptable moves that are not there")]
    AcceptanceAlone {
        /// What stands there.
        found: String,
    },
    /// A line of EPD lacks its moves, or they are wrong.
    #[error(transparent)]
    Epd(#[from] EpdProblem),
}
