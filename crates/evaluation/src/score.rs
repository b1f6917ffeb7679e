//! How many puzzles of a suite a network solves.

#[cfg(test)]
mod tests;

use chess::puzzle::{Acceptance, Puzzle};
use network::{EvaluationError, Evaluator};

use crate::suite::{SkippedRows, SuiteError, SuitePuzzles};
use crate::{Attempt, Interval, Rule, attempt, wilson_interval};

/// Puzzles whose positions are evaluated together: bounds the memory of a long suite.
const BLOCK: usize = 256;

/// Puzzles tried and puzzles solved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Puzzles tried.
    pub total: u64,
    /// Puzzles solved, at most `total`.
    pub solved: u64,
    /// Puzzles tried in which the rule asks for a proof that did not come to an end: there only
    /// the marked move was accepted.
    pub unproved: u64,
    /// Rows that are no puzzles.
    pub skipped: SkippedRows,
}

/// Why a suite cannot be scored.
#[derive(Debug, thiserror::Error)]
pub enum ScoreError {
    /// The suite cannot be read.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// The network cannot evaluate a position.
    #[error("puzzles {first} to {last}: {source}")]
    Evaluation {
        /// The first puzzle of the block in which it happened.
        first: String,
        /// The last.
        last: String,
        /// What is wrong.
        source: EvaluationError,
    },
}

impl Score {
    /// `solved / total`; `None` where there are no puzzles.
    pub fn accuracy(&self) -> Option<f64> {
        (self.total > 0).then(|| self.solved as f64 / self.total as f64)
    }

    /// The 95% interval of the accuracy.
    pub fn interval(&self) -> Interval {
        wilson_interval(self.solved, self.total)
    }
}

/// Lets the network try all `puzzles`. `observe` sees every attempt, in the order of the suite,
/// before the result counts it.
///
/// # Errors
///
/// Where the suite is damaged, or the network cannot evaluate a position.
pub fn score(
    evaluator: &Evaluator,
    rule: Rule,
    mut puzzles: SuitePuzzles,
    mut observe: impl FnMut(&Puzzle, &Attempt),
) -> Result<Score, ScoreError> {
    let mut score = Score::default();
    loop {
        let block = puzzles.next_block(BLOCK)?;
        let (Some(first), Some(last)) = (block.first(), block.last()) else { break };
        let attempts = attempt(evaluator, rule, &block).map_err(|source| {
            ScoreError::Evaluation { first: first.id.clone(), last: last.id.clone(), source }
        })?;
        for (puzzle, attempt) in block.iter().zip(&attempts) {
            observe(puzzle, attempt);
            score.total += 1;
            score.solved += u64::from(attempt.solved());
            score.unproved += u64::from(attempt.acceptance == Acceptance::Unproved);
        }
    }
    score.skipped = puzzles.skipped().clone();
    Ok(score)
}
