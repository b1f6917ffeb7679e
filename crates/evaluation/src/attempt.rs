//! A network's tries at puzzles.

#[cfg(test)]
mod tests;

use chess::mate::MateSolver;
use chess::puzzle::{Acceptance, Puzzle};
use chess::{Game, Move};
use network::{EvaluationError, Evaluator};
use rayon::prelude::*;

use crate::{AcceptableMoves, Rule};

/// What a network plays in each position of a puzzle where the solver is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The solver's positions in the order of the marked line; at least one.
    pub positions: Vec<PositionAttempt>,
    /// How the accepted moves were found.
    pub acceptance: Acceptance,
}

/// What a network plays in one position of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionAttempt {
    /// The solution.
    pub marked: Move,
    /// The most probable move; of several, the one of the lowest index.
    pub played: Move,
    /// Whether the rule accepts `played`.
    pub accepted: bool,
}

impl Attempt {
    /// Whether every move is accepted.
    pub fn solved(&self) -> bool {
        self.positions.iter().all(|position| position.accepted)
    }
}

/// Lets the network try each puzzle.
///
/// The opponent's replies are those of the marked line whatever the network plays, so all the
/// positions of a puzzle are known beforehand and all those of `puzzles` are evaluated together.
/// Proofs that the rule asks for may take [`Rule::NODE_BUDGET`] nodes a position.
///
/// # Errors
///
/// Where the network cannot be shown a position, or says something that is not a number.
pub fn attempt(
    evaluator: &Evaluator,
    rule: Rule,
    puzzles: &[Puzzle],
) -> Result<Vec<Attempt>, EvaluationError> {
    let accepted: Vec<AcceptableMoves> = puzzles
        .par_iter()
        .map_init(
            || MateSolver::new(Rule::NODE_BUDGET),
            |solver, puzzle| rule.acceptable(puzzle, solver),
        )
        .collect();
    let lines: Vec<Vec<(Game, Move)>> = puzzles.iter().map(Puzzle::solver_positions).collect();
    let games: Vec<&Game> = lines.iter().flatten().map(|(game, _)| game).collect();
    let mut evaluations = evaluator.evaluate(&games)?.into_iter().enumerate();
    let mut attempts = Vec::with_capacity(puzzles.len());
    for (line, accepted) in lines.iter().zip(accepted) {
        let mut positions = Vec::with_capacity(line.len());
        // In this order, or the end of a line would take an evaluation of the next one with it.
        for (((_, marked), accepted), (index, evaluation)) in
            line.iter().zip(&accepted.positions).zip(&mut evaluations)
        {
            // There is a legal move, the marked one, so only a bad number can be wrong.
            let played = evaluation
                .best_move()
                .map_err(|source| EvaluationError::NonFinite { game: index, source })?;
            let accepted = accepted.contains(&played);
            positions.push(PositionAttempt { marked: *marked, played, accepted });
        }
        attempts.push(Attempt { positions, acceptance: accepted.acceptance });
    }
    Ok(attempts)
}
