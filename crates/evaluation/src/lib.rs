//! What a network can do, measured.
//!
//! A [`Suite`] is a file of puzzles; [`score()`] lets a network try them and folds every [`Attempt`]
//! into a [`Score`]. What counts as solved is a [`Rule`]. Nothing is guessed: rows that are no
//! puzzles are counted by reason, a damaged file is an error, and a score carries its
//! [interval](wilson_interval).

mod answer;
mod attempt;
mod bootstrap;
mod breakdown;
mod by_rule;
mod census;
mod comparison;
mod examiner;
mod interval;
mod position_key;
mod puzzle_record;
mod rule;
mod score;
#[cfg(test)]
mod scripted;
mod solver_position;
mod suite;
mod tally;

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
pub use solver_position::SolverPosition;
pub use suite::{Reading, SkippedReason, SkippedRows, Suite, SuiteError, SuitePuzzles};
pub use tally::{Tally, Trial};
