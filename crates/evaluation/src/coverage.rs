//! Trajectory coverage: how concentrated a network's own play is (paper, Section 3.1).
//!
//! A *sequence* is `N` moves from a position, or fewer where the game ends before; its probability
//! `p(x)` is the product of the probabilities with which the network draws each of its moves. The
//! coverage `Omega_K` is the expected probability mass of the *distinct* sequences among `K`
//! independent draws. A sequence is missed by all draws with probability `(1 - p(x))^K`, so
//!
//! ```text
//! Omega_K = sum_x p(x) (1 - (1 - p(x))^K).
//! ```
//!
//! [`enumerate()`] finds the probability of every sequence, and [`SequenceDistribution`] answers
//! from them without chance; [`sample()`] estimates the same numbers from draws.
//!
//! A game ends as it does in self-play, by [`Game::ending`] without a cap on its length: mate,
//! stalemate, insufficient material, the third occurrence of a position, or a hundred plies
//! without capture or pawn move, all with the history that the start has.

mod distribution;
mod enumeration;
mod sampled;
mod tabiya;

use chess::{Ending, Game, Rules};
use network::EvaluationError;

pub use distribution::{CoveragePoint, MOST_DRAWS, SequenceDistribution};
pub use enumeration::{MOST_SEQUENCES, SequenceCount, Sequences, count, enumerate};
pub use sampled::{REPLICATES, SampledCoverage, sample};
pub use tabiya::{Tabiya, UnknownTabiya};

/// Positions evaluated at once: bounds the games held at each depth.
const BLOCK: usize = 256;

/// Why coverage cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum CoverageError {
    /// There is no move to draw.
    #[error("there are no moves from \"{fen}\": the game is over ({ending})")]
    Over {
        /// The position.
        fen: String,
        /// Why.
        ending: Ending,
    },
    /// Too many sequences to hold.
    #[error("more than {MOST_SEQUENCES} sequences of {depth} moves; choose a smaller depth")]
    TooManySequences {
        /// Moves of a sequence.
        depth: u32,
    },
    /// The probabilities of all sequences do not sum to 1.
    #[error("the probabilities of all sequences sum to {sum}, expected 1")]
    NotADistribution {
        /// Their sum.
        sum: f64,
    },
    /// The network cannot evaluate a position.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

/// Refuses a start from which nothing can be played.
fn check_start(start: &Game) -> Result<(), CoverageError> {
    match ending(start) {
        None => Ok(()),
        Some(ending) => Err(CoverageError::Over { fen: start.fen(), ending }),
    }
}

/// Why the game is over, or `None` if a sequence goes on.
fn ending(game: &Game) -> Option<Ending> {
    game.ending(&Rules { ply_cap: None })
}
