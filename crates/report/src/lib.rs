//! What was measured: kept, read back, and shown.
//!
//! [`ResultsStore`] is the SQLite file that holds the answers of networks to the positions of
//! suites, one row each; docs of its tables are in `store/schema.sql`, which is also what
//! `sqlite3 results.sqlite .schema` prints.
//!
//! [`StudyReport`] is the report of a study: [`documents`] are the measurements it reads, [`Table`]
//! and [`Figure`] what it shows beside what [`paper`] printed, and [`Finding`] whether what the
//! paper found holds.
//!
//! [`Board`] draws positions.

mod board;
pub mod documents;
mod escape;
mod figures;
mod findings;
mod ink;
mod names;
mod numbers;
mod page;
pub mod paper;
mod store;
mod study_report;
mod tables;

pub use board::{Arrow, Board};
pub use figures::{Figure, Picture};
pub use findings::{Finding, Verdict};
pub use store::{
    Measurement, MeasurementKey, ResultsStore, StoreError, StoreProblem, StoredSolutions,
};
pub use study_report::StudyReport;
pub use tables::{Against, Cell, Number, Row, Table};
