//! Coverage estimated from sequences that are drawn.

use std::collections::HashSet;
use std::num::NonZeroU32;

use chess::{Game, Move};
use network::{EvaluationError, Evaluator};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{BLOCK, CoverageError, check_start, ending};
use crate::{Estimate, Sampling};

/// Groups into which the draws are divided: their spread gives the standard errors.
pub const REPLICATES: u64 = 50;

/// What draws say of coverage and entropy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampledCoverage {
    /// `K`: the draws of each of the [`REPLICATES`].
    pub draws: u64,
    /// `Omega_K`: the mass of a replicate's distinct sequences.
    pub coverage: Estimate,
    /// The entropy in nats: the mean of `-ln p(x)`.
    pub entropy: Estimate,
    /// Positions that the network evaluated.
    pub positions: u64,
}

/// Draws [`REPLICATES`] times `draws` sequences of `depth` moves from the current position of
/// `start`, and estimates from them what [`enumerate`](super::enumerate()) finds exactly.
///
/// It takes its own way: positions are evaluated as draws come to them, and moves are drawn as they
/// are in sampled play. So the two check each other, and it also works at depths of which not all
/// sequences can be enumerated. Both means are unbiased. Each draw has its own stream of random
/// numbers, so that the estimate depends on `seed` alone.
///
/// # Errors
///
/// Where the game is over, or the network cannot evaluate a position.
pub fn sample(
    evaluator: &Evaluator,
    start: &Game,
    depth: NonZeroU32,
    sampling: Sampling,
    draws: NonZeroU32,
    seed: u64,
) -> Result<SampledCoverage, CoverageError> {
    check_start(start)?;
    let stream = |number| {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(number);
        Draw { path: Vec::new(), moves: Vec::new(), log_probability: 0.0, over: false, generator }
    };
    let mut all: Vec<Draw> = (0..REPLICATES * u64::from(draws.get())).map(stream).collect();
    let mut positions = 0;
    for _ in 0..depth.get() {
        positions += advance(evaluator, start, sampling, &mut all)?;
    }
    let estimate = |of: fn(&[Draw]) -> f64| {
        let replicates = all.chunks(draws.get() as usize);
        Estimate::of_values(replicates.map(of)).expect("replicates")
    };
    Ok(SampledCoverage {
        draws: draws.get().into(),
        coverage: estimate(distinct_mass),
        entropy: estimate(mean_surprise),
        positions,
    })
}

/// A sequence as far as it is drawn.
struct Draw {
    /// Each move as its index among the legal moves: what sequences are told apart by.
    path: Vec<usize>,
    moves: Vec<Move>,
    log_probability: f64,
    /// Whether the game is over.
    over: bool,
    generator: ChaCha8Rng,
}

/// Draws one more move of every sequence whose game is not over, and says how many positions were
/// evaluated for it. Sequences that are the same so far share their position.
fn advance(
    evaluator: &Evaluator,
    start: &Game,
    sampling: Sampling,
    draws: &mut [Draw],
) -> Result<u64, CoverageError> {
    let mut live: Vec<usize> = (0..draws.len()).filter(|&index| !draws[index].over).collect();
    live.sort_by(|&a, &b| draws[a].path.cmp(&draws[b].path));
    let same: Vec<&[usize]> = live.chunk_by(|&a, &b| draws[a].path == draws[b].path).collect();
    let mut positions = 0;
    for block in same.chunks(BLOCK) {
        let mut games = Vec::with_capacity(block.len());
        let mut drawing = Vec::with_capacity(block.len());
        for &members in block {
            let game = played(start, &draws[members[0]].moves);
            if ending(&game).is_some() {
                members.iter().for_each(|&index| draws[index].over = true);
            } else {
                games.push(game);
                drawing.push(members);
            }
        }
        let evaluations = evaluator.evaluate(&games)?;
        positions += games.len() as u64;
        for (game, (members, evaluation)) in drawing.into_iter().zip(&evaluations).enumerate() {
            let policy = sampling
                .policy(evaluation)
                .map_err(|source| EvaluationError::NonFinite { game, source })?;
            for &index in members {
                let draw = &mut draws[index];
                let chosen = policy.sample(&mut draw.generator);
                draw.path.push(chosen);
                draw.moves.push(evaluation.moves[chosen].1);
                draw.log_probability += policy.log_probability(chosen);
            }
        }
    }
    Ok(positions)
}

fn played(start: &Game, moves: &[Move]) -> Game {
    let mut game = start.clone();
    for &mv in moves {
        game.play(mv).expect("a legal move");
    }
    game
}

fn distinct_mass(draws: &[Draw]) -> f64 {
    let mut seen = HashSet::new();
    let distinct = draws.iter().filter(|draw| seen.insert(&draw.path));
    distinct.map(|draw| draw.log_probability.exp()).sum()
}

fn mean_surprise(draws: &[Draw]) -> f64 {
    draws.iter().map(|draw| -draw.log_probability).sum::<f64>() / draws.len() as f64
}

#[cfg(test)]
mod tests;
