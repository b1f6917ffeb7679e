//! The moves that solve a puzzle, whatever the rule.

#[cfg(test)]
mod tests;

use chess::Move;
use chess::mate::MateSolver;
use chess::puzzle::{Acceptance, Puzzle};

use crate::{AcceptableMoves, ByRule, Rule};

/// The moves that each rule accepts in a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solutions {
    /// For each of the solver's positions, in the order of the marked line: the marked move, then
    /// the others, none twice.
    pub positions: ByRule<Vec<Vec<Move>>>,
    /// How those of the multi-solution rule were found.
    pub acceptance: Acceptance,
}

impl Solutions {
    /// Finds them; see [`Rule::acceptable`].
    pub fn find(puzzle: &Puzzle, solver: &mut MateSolver) -> Solutions {
        let AcceptableMoves { positions: multi_solution, acceptance, .. } =
            Rule::MultiSolution.acceptable(puzzle, solver);
        Solutions { positions: with_others(puzzle, multi_solution, solver), acceptance }
    }

    /// Those that were found before: `found` holds the moves of the multi-solution rule in UCI
    /// notation. `None` where they do not fit the puzzle. `solver` is not asked.
    pub fn recall(
        puzzle: &Puzzle,
        acceptance: Acceptance,
        found: &[Vec<String>],
        solver: &mut MateSolver,
    ) -> Option<Solutions> {
        let solver_positions = puzzle.solver_positions();
        if solver_positions.len() != found.len() {
            return None;
        }
        let read = |((game, marked), ucis): (&(chess::Game, Move), &Vec<String>)| {
            let moves: Vec<Move> =
                ucis.iter().map(|uci| game.parse_uci(uci)).collect::<Result<_, _>>().ok()?;
            (moves.first() == Some(marked)).then_some(moves)
        };
        let multi_solution: Vec<Vec<Move>> =
            solver_positions.iter().zip(found).map(read).collect::<Option<_>>()?;
        // The other rules do not search.
        let positions = with_others(puzzle, multi_solution, solver);
        Some(Solutions { positions, acceptance })
    }
}

/// The moves of all rules, from those of the multi-solution rule.
fn with_others(
    puzzle: &Puzzle,
    multi_solution: Vec<Vec<Move>>,
    solver: &mut MateSolver,
) -> ByRule<Vec<Vec<Move>>> {
    ByRule {
        strict: Rule::Strict.acceptable(puzzle, solver).positions,
        immediate_mate: Rule::ImmediateMate.acceptable(puzzle, solver).positions,
        multi_solution,
    }
}
