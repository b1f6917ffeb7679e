//! The shortest forced mate for the side to move, proved by exhaustion, and every move that keeps it.
//!
//! ```
//! use chess::Game;
//! use chess::mate::{MateSearch, MateSolver};
//!
//! let game = Game::from_fen("6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1")?;
//! let mut solver = MateSolver::new(100_000);
//! let MateSearch::Mate(mate) = solver.solve(game.position(), 3) else { panic!("back rank") };
//! assert_eq!(mate.moves, 1);
//! let keeping: Vec<String> = mate.keeping.iter().map(|&mv| game.uci(mv)).collect();
//! assert_eq!(keeping, ["a1a8", "e1e8"]);
//! # Ok::<(), chess::FenError>(())
//! ```
//!
//! # What is proved
//!
//! "Mate in n" means that the side to move mates by its n-th move or earlier, whatever the other
//! side replies. All legal moves of both sides count: quiet moves, underpromotions, castling,
//! en-passant captures. Stalemate is no mate. A [`ForcedMate`] says that there is a mate in
//! [`ForcedMate::moves`], none in fewer, and which root moves leave one in that number; a
//! [`MateSearch::NoMate`] that there is none within the moves asked for.
//!
//! Draws by repetition and by the fifty-move rule are left out, for a position has no history:
//!
//! * A line of a shortest mate never repeats a position of its own, since the moves to mate fall
//!   with each move. Only positions from before the root could make a draw.
//! * The mating move of a mate in 6 is the eleventh ply, and mate on the hundredth ply is mate. So
//!   the fifty-move rule cannot matter while the half-move clock of the root is at most 89.
//!   With a higher clock a mate may be reported that comes too late, though not one that a capture
//!   or a pawn move on the way makes good.
//!
//! # How sure it is
//!
//! The search tries everything; what it leaves out cannot change an answer (moves without check
//! where only mate at once would help; results already proved). Results are kept under 128-bit
//! Zobrist keys and nothing else identifies a position, so two positions with one key would
//! be mixed up. Among *m* positions that happens with a probability of at most m²/2¹²⁹: for the
//! 10⁹ nodes of an hour's search that is 1.5·10⁻²¹.

mod checks;
mod ordering;
mod search;
mod table;
#[cfg(test)]
mod tests;

use shakmaty::{Chess, Move, Position};

use ordering::Ordering;
use search::{Node, OutOfBudget, Search};
use table::Table;

/// Proves mates; see the [module](self).
///
/// One solver serves any number of calls on one thread. It owns a table of 48 MiB, of which only
/// the pages that searches have touched take memory. No call sees what an earlier one left there or in
/// the ordering of moves, so the answer and the nodes depend on the position, the moves asked for
/// and the budget alone.
#[derive(Debug)]
pub struct MateSolver {
    node_budget: u64,
    table: Table,
    ordering: Ordering,
}

/// The answer of [`MateSolver::solve`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateSearch {
    /// There is a forced mate, and everything about it is proved.
    Mate(ForcedMate),
    /// Proved: the side to move has no forced mate within the moves asked for. So too where it has
    /// no legal move.
    NoMate {
        /// Nodes of the search.
        nodes: u64,
    },
    /// The budget ran out before the shortest mate and every move that keeps it were known.
    Unproved {
        /// Nodes of the search.
        nodes: u64,
    },
}

/// The shortest forced mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedMate {
    /// Moves of the mating side to mate, the mating move included: 1 or more, and minimal.
    pub moves: u8,
    /// Every move after which mate is still forced in that number, this move included; in the
    /// order of [`Game::legal_moves`](crate::Game::legal_moves). Never empty.
    pub keeping: Vec<Move>,
    /// Nodes of the search.
    pub nodes: u64,
}

impl MateSolver {
    /// The longest mate that can be asked for, in moves of the mating side.
    pub const MOST_MOVES: u8 = 6;

    /// A solver that visits at most `node_budget` nodes in each call of [`MateSolver::solve`].
    ///
    /// A node is a move played on the board of the search. On a present-day core there are some
    /// millions a second.
    pub fn new(node_budget: u64) -> MateSolver {
        MateSolver::with_table(node_budget, Table::new(Table::DEFAULT_BUCKETS))
    }

    fn with_table(node_budget: u64, table: Table) -> MateSolver {
        MateSolver { node_budget, table, ordering: Ordering::new() }
    }

    /// The shortest forced mate of the side to move in at most `most_moves` of its moves.
    ///
    /// # Panics
    ///
    /// `most_moves` is not from 1 to [`MateSolver::MOST_MOVES`].
    pub fn solve(&mut self, position: &Chess, most_moves: u8) -> MateSearch {
        assert!(
            (1..=MateSolver::MOST_MOVES).contains(&most_moves),
            "a mate in {most_moves} asked for, expected 1 to {}",
            MateSolver::MOST_MOVES
        );
        self.table.forget();
        self.ordering.forget();
        let mut search = Search::new(&mut self.table, &mut self.ordering, self.node_budget);
        let found = shortest(&mut search, position, most_moves);
        let nodes = search.nodes();
        match found {
            Ok(Some((moves, keeping))) => MateSearch::Mate(ForcedMate { moves, keeping, nodes }),
            Ok(None) => MateSearch::NoMate { nodes },
            Err(OutOfBudget) => MateSearch::Unproved { nodes },
        }
    }
}

/// Tries mate in 1, 2, 3 and so on: the first number with a mate is the smallest, and the moves
/// that reach it are all that keep it.
fn shortest(
    search: &mut Search<'_>,
    position: &Chess,
    most_moves: u8,
) -> Result<Option<(u8, Vec<Move>)>, OutOfBudget> {
    let root = Node::root(position.clone());
    let legal = position.legal_moves();
    for moves in 1..=most_moves {
        let mut keeping = Vec::new();
        for &mv in &legal {
            if search.mates_after(&root, mv, moves)? {
                keeping.push(mv);
            }
        }
        if !keeping.is_empty() {
            return Ok(Some((moves, keeping)));
        }
    }
    Ok(None)
}
