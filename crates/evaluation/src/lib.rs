//! What a network can do, measured.
//!
//! A [`Suite`] is a file of puzzles; [`score()`] lets a network try them and folds every [`Attempt`]
//! into a [`Score`]. What counts as solved is a [`Rule`]. Nothing is guessed: rows that are no
//! puzzles are counted by reason, a damaged file is an error, and a score carries its
//! [interval](wilson_interval).

mod acceptable;
mod attempt;
mod interval;
mod rule;
mod score;
#[cfg(test)]
mod scripted;
pub mod suite;

pub use acceptable::{AcceptableMoves, prove};
pub use attempt::{Attempt, PositionAttempt, attempt};
pub use interval::{Interval, wilson_interval};
pub use rule::{Rule, UnknownRule};
pub use score::{Score, ScoreError, score};
pub use suite::{Reading, SkippedReason, SkippedRows, Suite, SuiteError, SuitePuzzles};
