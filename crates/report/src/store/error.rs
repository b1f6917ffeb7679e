//! What can be wrong with a file of results.

use std::path::Path;

use rusqlite::ErrorCode;

/// What is wrong, and with which file.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct StoreError {
    /// The file.
    pub path: String,
    /// What is wrong.
    pub problem: StoreProblem,
}

/// What is wrong with a file of results.
#[derive(Debug, thiserror::Error)]
pub enum StoreProblem {
    /// The file is something else.
    #[error("is not an SQLite file; --results names the file for results")]
    NotSqlite,
    /// An SQLite file of another program.
    #[error("is an SQLite file of another program; --results names the file for results")]
    Foreign,
    /// A file with tables that we do not know yet.
    #[error(
        "was written by a later version of searchless (schema {found}; this one knows {known}); \
         update searchless, or choose another file"
    )]
    Newer {
        /// Its version.
        found: i64,
        /// The last one that we know.
        known: i64,
    },
    /// Another process has it locked for longer than we wait.
    #[error("is locked by another process; what was measured before is saved")]
    Busy,
    /// Another process has added answers to a measurement that this one is working on.
    #[error(
        "another process works on the same measurement and has answered {puzzles} puzzles; let it \
         finish, what this one measured before is saved"
    )]
    TakenOver {
        /// Puzzles answered.
        puzzles: u64,
    },
    /// The puzzles of the suite were other ones when they were measured.
    #[error(
        "puzzle {number} of the suite (counted from 0) is {id} now and was another one when it was \
         measured: another version of searchless read the suite differently; choose another file"
    )]
    OtherPuzzle {
        /// Place in the suite, counted from 0.
        number: u64,
        /// Its id now.
        id: String,
    },
    /// The file is damaged.
    #[error("is damaged ({0}); move it away to measure anew")]
    Damaged(#[source] rusqlite::Error),
    /// The file can be read but holds what no measurement writes.
    #[error("is damaged ({0}); move it away to measure anew")]
    Contents(String),
    /// Anything else that SQLite says.
    #[error(transparent)]
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreProblem {
    fn from(error: rusqlite::Error) -> StoreProblem {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreProblem::NotSqlite,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreProblem::Busy,
            Some(ErrorCode::DatabaseCorrupt) => StoreProblem::Damaged(error),
            Some(_) => StoreProblem::Sqlite(error),
            // Not from SQLite but about what it found: a value of another type or out of range.
            None => StoreProblem::Contents(error.to_string()),
        }
    }
}

/// Names the file in an error.
pub(super) trait AtPath<T> {
    fn at(self, path: &Path) -> Result<T, StoreError>;
}

impl<T> AtPath<T> for Result<T, StoreProblem> {
    fn at(self, path: &Path) -> Result<T, StoreError> {
        self.map_err(|problem| StoreError { path: path.display().to_string(), problem })
    }
}
