//! What a network can do, measured.
//!
//! A [`Suite`] is a file of puzzles; [`score()`] lets a network try them and folds every [`Attempt`]
//! into a [`Score`]. What counts as solved is a [`Rule`]. Nothing is guessed: rows that are no
//! puzzles are counted by reason, a damaged file is an error, and a score carries its
//! [interval](wilson_interval).
//!
//! [`coverage`] measures how concentrated a network's own play is.

mod attempt;
pub mod coverage;
mod interval;
mod rule;
mod sampling;
mod score;
#[cfg(test)]
mod scripted;
mod suite;
#[cfg(test)]
mod varied;

pub use attempt::{Attempt, PositionAttempt, attempt};
pub use interval::{Interval, wilson_interval};
pub use rule::{Rule, UnknownRule};
pub use sampling::Sampling;
pub use score::{Score, ScoreError, score};
pub use suite::{Reading, SkippedReason, SkippedRows, Suite, SuiteError, SuitePuzzles};
