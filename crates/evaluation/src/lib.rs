//! What a network can do, measured.
//!
//! A [`Suite`] is a file of puzzles; [`score()`] lets a network try them and folds every [`Attempt`]
//! into a [`Score`]. What counts as solved is a [`Rule`]. Nothing is guessed: rows that are no
//! puzzles are counted by reason, a damaged file is an error, and a score carries its
//! [interval](wilson_interval).
//!
//! Measures that are kept go through records: an [`Examiner`] puts [posed puzzles](PosedPuzzle) to a
//! network and shows it no position twice; a [`PuzzleRecord`] holds all that the measures need of its
//! [`Answer`]s. What follows needs no network: the [`PuzzleOutcome`] of a record under every rule, the
//! [`Tally`] and the paired [`Comparison`] over outcomes, by [`Groups`] of puzzles.

mod acceptable;
mod answer;
mod attempt;
mod bootstrap;
mod breakdown;
mod by_rule;
mod census;
mod comparison;
mod examiner;
#[cfg(test)]
mod hand_scored;
mod interval;
mod position_key;
mod puzzle_record;
mod rule;
mod score;
#[cfg(test)]
mod scripted;
mod solutions;
mod solver_position;
mod suite;
mod tally;

pub use acceptable::{AcceptableMoves, prove};
pub use answer::Answer;
pub use attempt::{Attempt, PositionAttempt, attempt};
pub use bootstrap::{Bootstrap, BootstrapInterval};
pub use breakdown::{Breakdown, Group, Groups, UnknownBreakdown};
pub use by_rule::ByRule;
pub use census::{Census, CensusError};
pub use comparison::{Comparison, Estimate};
pub use examiner::{ExaminationError, ExaminationProblem, Examiner, PosedPuzzle};
pub use interval::{Interval, wilson_interval};
pub use puzzle_record::{PuzzleFacts, PuzzleOutcome, PuzzleRecord};
pub use rule::{Rule, UnknownRule};
pub use score::{Score, ScoreError, score};
pub use solutions::Solutions;
pub use solver_position::SolverPosition;
pub use suite::{Reading, SkippedReason, SkippedRows, Suite, SuiteError, SuitePuzzles};
pub use tally::{Tally, Trial};
