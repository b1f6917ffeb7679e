//! What is wrong with a sweep.

use std::io;
use std::path::PathBuf;

use super::grid::MAXIMUM_CELLS;
use crate::config::ConfigError;
use crate::run::{BaseMismatch, RunDirectoryError};

/// Why a sweep cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The settings of all cells, or a value of the grid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// There is no grid.
    #[error("there is no table [grid], expected keys with lists of values")]
    NoGrid,
    /// A key of the grid that spans nothing.
    #[error("line {line}: grid.{key} = {value}, expected a list of at least one value")]
    NotAList {
        /// Counted from 1.
        line: usize,
        /// The key.
        key: String,
        /// What was given.
        value: String,
    },
    /// A value that the list has already.
    #[error("line {line}: grid.{key} has the value {value} twice")]
    Twice {
        /// Counted from 1.
        line: usize,
        /// The key.
        key: String,
        /// The value.
        value: String,
    },
    /// Two keys that set the same.
    #[error("grid.{key} is a part of grid.{table}; give one of them")]
    Overlap {
        /// The key.
        key: String,
        /// The table or list that it is in.
        table: String,
    },
    /// More cells than anyone runs.
    #[error("the grid has more than {MAXIMUM_CELLS} cells")]
    TooManyCells,
    /// The settings of one cell.
    #[error("cell {cell}: {source}")]
    Cell {
        /// Its name.
        cell: String,
        /// What is wrong.
        source: ConfigError,
    },
    /// There is no sweep to go on with.
    #[error("{} holds no sweep (there is no sweep.toml)", directory.display())]
    NoSweep {
        /// The directory.
        directory: PathBuf,
    },
    /// There is a sweep of something else.
    #[error(
        "{} holds another sweep: {what} differs; choose another directory, or leave out --config \
         to go on with it",
        directory.display()
    )]
    Other {
        /// The directory.
        directory: PathBuf,
        /// What differs.
        what: String,
    },
    /// The base is another network.
    #[error(transparent)]
    Base(#[from] BaseMismatch),
    /// The directory of a cell holds something else than its run.
    #[error("{} holds another run than the sweep's cell: {what} differs", directory.display())]
    OtherRun {
        /// The directory.
        directory: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// A record that cannot be read.
    #[error("{}: {problem}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: String,
    },
    /// The directory cannot be used.
    #[error(transparent)]
    Directory(#[from] RunDirectoryError),
    /// A file that cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}
