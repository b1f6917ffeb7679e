//! A network's tries at puzzles.

#[cfg(test)]
mod tests;

use chess::puzzle::Puzzle;
use chess::{Game, Move};
use network::{EvaluationError, Evaluator};

use crate::Rule;

/// What a network plays in each position of a puzzle where the solver is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The solver's positions in the order of the marked line; at least one.
    pub positions: Vec<PositionAttempt>,
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
///
/// # Errors
///
/// Where the network cannot be shown a position, or says something that is not a number.
pub fn attempt(
    evaluator: &Evaluator,
    rule: Rule,
    puzzles: &[Puzzle],
) -> Result<Vec<Attempt>, EvaluationError> {
    let lines: Vec<Vec<SolverPosition>> = puzzles.iter().map(solver_positions).collect();
    let games: Vec<&Game> = lines.iter().flatten().map(|position| &position.game).collect();
    let mut evaluations = evaluator.evaluate(&games)?.into_iter().enumerate();
    let mut attempts = Vec::with_capacity(puzzles.len());
    for line in &lines {
        let mut positions = Vec::with_capacity(line.len());
        // In this order, or the end of a line would take an evaluation of the next one with it.
        for (SolverPosition { game, marked }, (index, evaluation)) in
            line.iter().zip(&mut evaluations)
        {
            // There is a legal move, the marked one, so only a bad number can be wrong.
            let played = evaluation
                .best_move()
                .map_err(|source| EvaluationError::NonFinite { game: index, source })?;
            let accepted = rule.accepts(game, *marked, played);
            positions.push(PositionAttempt { marked: *marked, played, accepted });
        }
        attempts.push(Attempt { positions });
    }
    Ok(attempts)
}

/// A position in which the solver is to move, and the solution.
struct SolverPosition {
    game: Game,
    marked: Move,
}

fn solver_positions(puzzle: &Puzzle) -> Vec<SolverPosition> {
    let mut game = puzzle.start.clone();
    let mut positions = Vec::with_capacity(puzzle.line.len().div_ceil(2));
    for (place, &mv) in puzzle.line.iter().enumerate() {
        // The solver's moves are at even places.
        if place % 2 == 0 {
            positions.push(SolverPosition { game: game.clone(), marked: mv });
        }
        game.play(mv).expect("the line of a puzzle is legal");
    }
    positions
}
