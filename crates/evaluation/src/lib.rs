//! What a network can do, measured.
//!
//! A [`Suite`] is a file of puzzles; [`score()`] lets a network try them and folds every [`Attempt`]
//! into a [`Score`]. What counts as solved is a [`Rule`]. Nothing is guessed: rows that are no
//! puzzles are counted by reason, a damaged file is an error, and a score carries its
//! [interval](wilson_interval).
//!
//! [`coverage`] measures how concentrated a network's own play is; [`shape()`]
//! measures its policy in the positions to which that play leads, against its base's.
//! [`calibration`] asks whether games end as its value head says.

mod acceptable;
mod attempt;
pub mod calibration;
pub mod coverage;
mod estimate;
mod interval;
mod play;
mod rule;
mod sampling;
mod score;
#[cfg(test)]
mod scripted;
pub mod suite;
mod shape;
#[cfg(test)]
mod varied;

pub use acceptable::{AcceptableMoves, prove};
pub use attempt::{Attempt, PositionAttempt, attempt};
pub use estimate::{Cluster, Estimate};
pub use interval::{Interval, wilson_interval};
pub use play::{FinishedGame, SampledPlay, Visit};
pub use rule::{Rule, UnknownRule};
pub use sampling::Sampling;
pub use score::{Score, ScoreError, score};
pub use shape::{PolicyShape, Shape, TOP_MOVES, shape};
pub use suite::{Reading, SkippedReason, SkippedRows, Suite, SuiteError, SuitePuzzles};
