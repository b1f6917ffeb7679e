//! The moves that solve a puzzle.

#[cfg(test)]
mod tests;

use chess::mate::{MateSearch, MateSolver};
use chess::puzzle::{Acceptance, Puzzle};
use chess::{Chess, Game, Move, MoveIndex, Orientation, Position};

use crate::Rule;

/// The moves that a [`Rule`] accepts in a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptableMoves {
    /// For each position of the solver, in the order of the marked line: the marked move, then the
    /// others, none twice.
    pub positions: Vec<Vec<Move>>,
    /// How they were found. [`Acceptance::Marked`], too, where the rule asks for no proof.
    pub acceptance: Acceptance,
    /// Nodes of the mate solver that this took; zero where it was not asked.
    pub nodes: u64,
}

impl Rule {
    /// The nodes that a proof of one position may take where nobody says otherwise.
    pub const NODE_BUDGET: u64 = 1_000_000;

    /// The moves that the rule accepts in each position of `puzzle` in which the solver is to move.
    ///
    /// Moves that the puzzle's source gives ([`Acceptance::Given`]) count as marked under every
    /// rule. [`Rule::MultiSolution`] takes the list that the puzzle carries, where it does, else
    /// computes it as [`prove`]. The other rules never ask the solver.
    pub fn acceptable(self, puzzle: &Puzzle, solver: &mut MateSolver) -> AcceptableMoves {
        let known = |acceptance: Acceptance| {
            let positions = puzzle.acceptable.clone()?;
            Some(AcceptableMoves { positions, acceptance, nodes: 0 })
        };
        let given = puzzle.acceptance == Some(Acceptance::Given);
        match self {
            Rule::MultiSolution => known(puzzle.acceptance.unwrap_or(Acceptance::Given))
                .unwrap_or_else(|| prove(puzzle, solver)),
            Rule::Strict | Rule::ImmediateMate => {
                let mut moves = known(Acceptance::Given)
                    .filter(|_| given)
                    .unwrap_or_else(|| marked_only(puzzle));
                if self == Rule::ImmediateMate {
                    for ((game, _), accepted) in
                        puzzle.solver_positions().iter().zip(&mut moves.positions)
                    {
                        add(game, accepted, |mv| mates(game.position(), mv));
                    }
                }
                moves
            }
        }
    }
}

/// The moves of the multi-solution rule, by search, whatever list `puzzle` carries.
///
/// Where the marked line does not end in mate, they are the marked moves. Where it does, so that
/// the solver mates in `m` moves from a position if the opponent replies as marked, the shortest
/// forced mate of at most `m` moves is looked for: accepted are all moves that keep it, and the
/// marked move. So
///
/// * of a marked line that mates as fast as possible, all moves that mate as fast;
/// * where there is a faster mate, the moves that keep the faster one (and the marked one, but no
///   other of the slower moves);
/// * where mate in `m` is not forced, the marked move.
///
/// A position where `m` is more than [`MateSolver::MOST_MOVES`], or whose proof needs more nodes
/// than `solver` may visit, has the marked move only and makes the puzzle
/// [`Acceptance::Unproved`].
pub fn prove(puzzle: &Puzzle, solver: &mut MateSolver) -> AcceptableMoves {
    let mut moves = marked_only(puzzle);
    let Some(mate) = puzzle.marked_mate() else { return moves };
    moves.acceptance = Acceptance::Proved;
    for (place, (game, _)) in puzzle.solver_positions().iter().enumerate() {
        let most = u8::try_from(mate - place).ok().filter(|&most| most <= MateSolver::MOST_MOVES);
        let search = most.map(|most| solver.solve(game.position(), most));
        match search {
            Some(MateSearch::Mate(mate)) => {
                moves.nodes += mate.nodes;
                add(game, &mut moves.positions[place], |mv| mate.keeping.contains(&mv));
            }
            Some(MateSearch::NoMate { nodes }) => moves.nodes += nodes,
            Some(MateSearch::Unproved { nodes }) => {
                moves.nodes += nodes;
                moves.acceptance = Acceptance::Unproved;
            }
            None => moves.acceptance = Acceptance::Unproved,
        }
    }
    moves
}

fn marked_only(puzzle: &Puzzle) -> AcceptableMoves {
    // The solver's moves are at even places.
    let positions = puzzle.line.iter().step_by(2).map(|&marked| vec![marked]).collect();
    AcceptableMoves { positions, acceptance: Acceptance::Marked, nodes: 0 }
}

/// Adds the legal moves that `accepts`, by their index, to those accepted before.
fn add(game: &Game, accepted: &mut Vec<Move>, accepts: impl Fn(Move) -> bool) {
    let mut others: Vec<Move> = game.legal_moves().into_iter().collect();
    others.retain(|&mv| !accepted.contains(&mv) && accepts(mv));
    let orientation = Orientation::of_mover(game.turn());
    others.sort_by_key(|&mv| MoveIndex::of(mv, orientation));
    accepted.extend(others);
}

fn mates(position: &Chess, mv: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after.is_checkmate()
}
