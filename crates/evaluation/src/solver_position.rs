//! The positions of a puzzle in which the solver is to move.

use chess::puzzle::Puzzle;
use chess::{Game, Move};

use crate::{ByRule, Solutions};

/// A position in which the solver is to move, and the moves that solve it.
#[derive(Clone, Debug)]
pub struct SolverPosition {
    /// The position with its history: that of the puzzle and the marked line so far.
    pub game: Game,
    /// Place in the puzzle's line, counted from 0: even.
    pub ply: u32,
    /// The solution.
    pub marked: Move,
    /// The moves accepted under each rule, the marked one first; at least that one.
    pub accepted: ByRule<Vec<Move>>,
}

impl SolverPosition {
    /// The positions of `puzzle` in the order of its line, the opponent's replies being those of
    /// the line whatever the solver plays.
    ///
    /// # Panics
    ///
    /// Unless `solutions` are the puzzle's.
    pub fn all(puzzle: &Puzzle, solutions: &Solutions) -> Vec<SolverPosition> {
        let positions = puzzle.solver_positions();
        let position = |(number, (game, marked)): (usize, (Game, Move))| {
            let accepted = ByRule::each(|rule| solutions.positions[rule][number].clone());
            let ply = u32::try_from(2 * number).expect("a line of under 2^32 moves");
            SolverPosition { game, ply, marked, accepted }
        };
        positions.into_iter().enumerate().map(position).collect()
    }
}
