//! What was measured, kept, so that nothing is measured twice.
//!
//! [`ResultsStore`] is the SQLite file that holds the answers of networks to the positions of
//! suites, one row each; docs of its tables are in `store/schema.sql`, which is also what
//! `sqlite3 results.sqlite .schema` prints.
//!
//! [`Board`] draws positions.

mod board;
mod store;

pub use board::{Arrow, Board};
pub use store::{
    Measurement, MeasurementKey, ResultsStore, StoreError, StoreProblem, StoredSolutions,
};
