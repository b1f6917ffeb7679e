//! The positions of a puzzle in which the solver is to move.

#[cfg(test)]
mod tests;

use chess::puzzle::Puzzle;
use chess::{Game, Move};

use crate::{ByRule, Rule};

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
    /// the line whatever the solver plays. `acceptable` holds for each of them the moves that are
    /// accepted under the multi-solution rule, in any order.
    ///
    /// # Panics
    ///
    /// Where `acceptable` does not hold the marked move of every position.
    pub fn all(puzzle: &Puzzle, acceptable: &[Vec<Move>]) -> Vec<SolverPosition> {
        assert_eq!(acceptable.len(), puzzle.line.len().div_ceil(2), "{}", puzzle.id);
        let mut game = puzzle.start.clone();
        let mut positions = Vec::with_capacity(acceptable.len());
        for (ply, &mv) in (0..).zip(&puzzle.line) {
            // The solver's moves are at even places.
            if ply % 2 == 0 {
                let acceptable = &acceptable[positions.len()];
                assert!(acceptable.contains(&mv), "{}, ply {ply}", puzzle.id);
                let accepted = ByRule {
                    strict: Rule::Strict.accepted(&game, mv),
                    immediate_mate: Rule::ImmediateMate.accepted(&game, mv),
                    multi_solution: marked_first(mv, acceptable),
                };
                positions.push(SolverPosition { game: game.clone(), ply, marked: mv, accepted });
            }
            game.play(mv).expect("the line of a puzzle is legal");
        }
        positions
    }
}

fn marked_first(marked: Move, moves: &[Move]) -> Vec<Move> {
    let others = moves.iter().copied().filter(|&mv| mv != marked);
    std::iter::once(marked).chain(others).collect()
}
