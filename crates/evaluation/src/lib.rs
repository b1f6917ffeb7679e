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
//!
//! Measures that are kept go through records: an [`Examiner`] puts [posed puzzles](PosedPuzzle) to a
//! network and shows it no position twice; a [`PuzzleRecord`] holds all that the measures need of its
//! [`Answer`]s. What follows needs no network: the [`PuzzleOutcome`] of a record under every rule, the
//! [`Tally`] and the paired [`Comparison`] over outcomes, by [`Groups`] of puzzles.
//!
//! [`recovery`] says which positions and puzzles a tuned network gets right that its base did not,
//! and the other way round.

mod acceptable;
mod answer;
mod attempt;
mod bootstrap;
mod breakdown;
mod by_rule;
pub mod calibration;
mod census;
mod comparison;
pub mod coverage;
mod estimate;
mod examiner;
#[cfg(test)]
mod hand_scored;
mod interval;
mod openings;
mod play;
mod position_key;
mod puzzle_record;
mod ranks;
pub mod recovery;
mod rule;
mod sampling;
mod score;
#[cfg(test)]
mod scripted;
mod shape;
mod solutions;
mod solver_position;
pub mod suite;
mod tally;
#[cfg(test)]
mod varied;

pub use acceptable::{AcceptableMoves, prove};
pub use answer::Answer;
pub use attempt::{Attempt, PositionAttempt, attempt};
pub use bootstrap::{Bootstrap, BootstrapInterval};
pub use breakdown::{Breakdown, Group, Groups, UnknownBreakdown};
pub use by_rule::ByRule;
pub use census::{Census, CensusError};
pub use comparison::{Comparison, PairedEstimate};
pub use estimate::{Cluster, Estimate};
pub use examiner::{ExaminationError, ExaminationProblem, Examiner, PosedPuzzle};
pub use interval::{Interval, wilson_interval};
pub use openings::{MadeOpenings, SampledOpenings};
pub use play::{FinishedGame, SampledPlay, Visit};
pub use puzzle_record::{PuzzleFacts, PuzzleOutcome, PuzzleRecord};
pub use ranks::Ranks;
pub use rule::{Rule, UnknownRule};
pub use sampling::Sampling;
pub use score::{Score, ScoreError, score};
pub use shape::{PolicyShape, Shape, TOP_MOVES, shape};
pub use solutions::Solutions;
pub use solver_position::SolverPosition;
pub use suite::{Reading, SkippedReason, SkippedRows, Suite, SuiteError, SuitePuzzles};
pub use tally::{Tally, Trial};
