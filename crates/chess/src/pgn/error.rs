//! What is wrong with a PGN file, and where.

use std::io;
use std::sync::Arc;

use crate::fen::FenError;

/// Characters of a word that an error shows.
const SHOWN: usize = 40;

/// A PGN file or a game of it that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// The file cannot be opened.
    #[error("{file}: cannot be opened: {source}")]
    Open {
        /// The file.
        file: Arc<str>,
        /// The system's reason.
        source: io::Error,
    },
    /// The file cannot be read on: a damaged or cut-off compressed file, or a failing disk. No
    /// game follows; one of which a part was read is lost.
    #[error("{file}, line {line}: cannot be read on, damaged or cut off: {source}")]
    Read {
        /// The file.
        file: Arc<str>,
        /// The line, from 1.
        line: u64,
        /// The system's or the decompressor's reason.
        source: io::Error,
    },
    /// A game cannot be read. The next one follows.
    #[error("{file}, line {line}: {problem}")]
    Game {
        /// The file.
        file: Arc<str>,
        /// The line of the first problem in the game, from 1.
        line: u64,
        /// What is wrong.
        problem: PgnProblem,
    },
}

/// Why a game cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnProblem {
    /// A line that begins as a tag and is none.
    #[error("not a tag, expected [Name \"value\"]")]
    Tag,
    /// A tag larger than any.
    #[error("a tag of more than {limit} bytes")]
    LongTag {
        /// Bytes that the name and the value of a tag may have together.
        limit: usize,
    },
    /// More tags than any game has.
    #[error("more than {limit} tags")]
    TooManyTags {
        /// Tags that a game may have.
        limit: usize,
    },
    /// The position of the `FEN` tag is none.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A game of other rules.
    #[error("a game of the variant {variant}, expected chess")]
    Variant {
        /// Its name.
        variant: String,
    },
    /// A word among the moves that is no move.
    #[error("\"{word}\" is not a move")]
    NotAMove {
        /// The word, or its beginning.
        word: String,
    },
    /// A move that the rules do not allow, or that fits several.
    #[error("the move {san} is {problem} in \"{fen}\"")]
    Move {
        /// The move as it stands in the file.
        san: String,
        /// `not legal` or `ambiguous`.
        problem: &'static str,
        /// The position in which it should be played.
        fen: String,
    },
    /// A comment that nothing closes.
    #[error("the comment that begins here is not closed")]
    OpenComment,
    /// A variation that nothing closes.
    #[error("the variation that begins here is not closed")]
    OpenVariation,
    /// The end of a variation that did not begin.
    #[error("a closing bracket without an opening one")]
    NoVariation,
    /// More moves than a game may have.
    #[error("more than {limit} half-moves")]
    TooManyMoves {
        /// Half-moves that a game may have.
        limit: usize,
    },
    /// A line longer than any.
    #[error("a line of more than {limit} bytes")]
    LongLine {
        /// Bytes that a line may have.
        limit: usize,
    },
}

/// The beginning of a word that may be of any length.
pub(super) fn shown(word: &str) -> String {
    match word.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &word[..end]),
        None => word.to_owned(),
    }
}
