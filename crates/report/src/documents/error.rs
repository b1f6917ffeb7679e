//! Files that do not hold what they should.

use std::io;
use std::path::PathBuf;

use study::StudyError;

/// A file of a study cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// One of the files that say what the study is.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// A measurement.
    #[error("{}: {problem}", path.display())]
    Measurement {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        problem: DocumentProblem,
    },
}

/// What is wrong with a measurement.
#[derive(Debug, thiserror::Error)]
pub enum DocumentProblem {
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line does not hold what it should.
    #[error("line {line}: {message}")]
    Line {
        /// Counted from 1.
        line: u64,
        /// What is wrong.
        message: String,
    },
}
