//! Why a suite cannot be mined.

use std::io;

use chess::pgn::PgnError;

use super::super::build::SuiteBuildError;

/// Why a suite cannot be mined. What was mined stays in the work file.
#[derive(Debug, thiserror::Error)]
pub enum MineError {
    /// A setting is out of its range.
    #[error("{setting} is {value}, expected {expected}")]
    OutOfRange {
        /// Its name.
        setting: &'static str,
        /// What it is.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// A suite to exclude cannot be read, or the new one not written.
    #[error(transparent)]
    Suite(#[from] SuiteBuildError),
    /// A file of games cannot be opened or, where nothing may be left out, read.
    #[error(transparent)]
    Pgn(#[from] Box<PgnError>),
    /// There is nothing to mine.
    #[error("the files hold no game that can be mined: {reasons}")]
    NoGames {
        /// How many were left out why.
        reasons: String,
    },
    /// No puzzle was found.
    #[error("no puzzle was found in {games} games, {candidates} candidates: {reasons}")]
    NoPuzzles {
        /// Games mined.
        games: u64,
        /// Moves that were looked into.
        candidates: u64,
        /// How many were left out why.
        reasons: String,
    },
    /// The work file is damaged.
    #[error("{path}: {problem}")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong.
        problem: String,
    },
    /// The work file is of other games, or another way to mine.
    #[error("{path}: was begun with {difference}; remove it to begin anew")]
    OtherWork {
        /// The file.
        path: String,
        /// The first difference.
        difference: String,
    },
    /// The work file is in use.
    #[error("{path}: another process is mining into it")]
    InUse {
        /// The file.
        path: String,
    },
    /// The engine does not answer any more.
    #[error(transparent)]
    Analyst(Box<dyn std::error::Error + Send + Sync>),
}
