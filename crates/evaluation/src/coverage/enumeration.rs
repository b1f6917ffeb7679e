//! All sequences of moves, and their probabilities.

use std::num::NonZeroU32;

use chess::{Game, Move};
use network::{Evaluation, EvaluationError, Evaluator};

use super::{BLOCK, CoverageError, SequenceDistribution, check_start, ending};
use crate::Sampling;

/// Sequences that can be enumerated: bounds the memory to about a gigabyte.
pub const MOST_SEQUENCES: u64 = 1 << 24;

/// How large an enumeration is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SequenceCount {
    /// Sequences.
    pub sequences: u64,
    /// Those among them that are shorter than the depth, because the game ends.
    pub ended_early: u64,
    /// Positions from which they branch, each of which the network has to evaluate.
    pub positions: u64,
}

/// The distributions over all sequences from a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequences {
    /// How many there are.
    pub count: SequenceCount,
    /// Moves drawn from pi.
    pub raw: SequenceDistribution,
    /// Moves drawn from mu.
    pub tempered: SequenceDistribution,
}

impl Sequences {
    /// The distribution of moves drawn so.
    pub fn distribution(&self, sampling: Sampling) -> &SequenceDistribution {
        match sampling {
            Sampling::Raw => &self.raw,
            Sampling::Tempered => &self.tempered,
        }
    }
}

/// Counts the sequences of `depth` moves from the current position of `start`, without a network.
///
/// # Errors
///
/// Where the game is over, or there are more than [`MOST_SEQUENCES`].
pub fn count(start: &Game, depth: NonZeroU32) -> Result<SequenceCount, CoverageError> {
    check_start(start)?;
    let mut count = SequenceCount::default();
    count_from(start, depth.get(), &mut count)
        .map(|()| count)
        .ok_or(CoverageError::TooManySequences { depth: depth.get() })
}

/// `None` where there are too many.
fn count_from(game: &Game, depth: u32, count: &mut SequenceCount) -> Option<()> {
    let moves = game.legal_moves();
    count.positions += 1;
    if depth == 1 {
        count.sequences += moves.len() as u64;
        return (count.sequences <= MOST_SEQUENCES).then_some(());
    }
    for mv in moves {
        let next = after(game, mv);
        if ending(&next).is_some() {
            count.sequences += 1;
            count.ended_early += 1;
        } else {
            count_from(&next, depth - 1, count)?;
        }
    }
    (count.sequences <= MOST_SEQUENCES).then_some(())
}

/// Finds the probability of every sequence of `depth` moves from the current position of `start`,
/// which the network sees with its history. `observe` is told how many positions are evaluated.
///
/// # Errors
///
/// As [`count`], and where the network cannot evaluate a position.
pub fn enumerate(
    evaluator: &Evaluator,
    start: &Game,
    depth: NonZeroU32,
    observe: impl FnMut(u64),
) -> Result<Sequences, CoverageError> {
    let expected = count(start, depth)?;
    let root = Node { game: start.clone(), log_probabilities: [0.0; 2] };
    let mut enumeration = Enumeration {
        evaluator,
        root_ply: start.moves().len(),
        observe,
        count: SequenceCount::default(),
        found: Sampling::ALL.map(|_| Found::default()),
    };
    enumeration.branch(vec![root], depth.get())?;
    assert_eq!(enumeration.count, expected, "every sequence is found once");
    let [raw, tempered] = enumeration
        .found
        .map(|found| SequenceDistribution::new(found.log_probabilities, found.likeliest));
    Ok(Sequences { count: expected, raw: raw?, tempered: tempered? })
}

/// A position on the way, from which the game goes on.
struct Node {
    game: Game,
    /// Of the moves up to here, in the order of [`Sampling::ALL`].
    log_probabilities: [f64; 2],
}

/// A move from a position on the way.
struct Branch {
    /// The position's index in its block.
    parent: usize,
    mv: Move,
    log_probabilities: [f64; 2],
}

/// What is found so far for one way of drawing.
struct Found {
    log_probabilities: Vec<f64>,
    largest: f64,
    likeliest: Vec<Move>,
}

struct Enumeration<'a, O> {
    evaluator: &'a Evaluator,
    root_ply: usize,
    observe: O,
    count: SequenceCount,
    /// In the order of [`Sampling::ALL`].
    found: [Found; 2],
}

impl<O: FnMut(u64)> Enumeration<'_, O> {
    /// Evaluates a block of nodes and follows all their moves; `depth` moves are still to come.
    ///
    /// Games are held for one block of each depth only: branches become games when their own block
    /// comes up.
    fn branch(&mut self, nodes: Vec<Node>, depth: u32) -> Result<(), CoverageError> {
        let branches = self.evaluate(&nodes)?;
        if depth == 1 {
            for Branch { parent, mv, log_probabilities } in branches {
                self.add(&nodes[parent].game, Some(mv), log_probabilities);
            }
            return Ok(());
        }
        for block in branches.chunks(BLOCK) {
            let mut next = Vec::with_capacity(block.len());
            for &Branch { parent, mv, log_probabilities } in block {
                let game = after(&nodes[parent].game, mv);
                if ending(&game).is_some() {
                    self.count.ended_early += 1;
                    self.add(&game, None, log_probabilities);
                } else {
                    next.push(Node { game, log_probabilities });
                }
            }
            if !next.is_empty() {
                self.branch(next, depth - 1)?;
            }
        }
        Ok(())
    }

    /// The moves of `nodes`, node by node, those of a node by ascending index.
    fn evaluate(&mut self, nodes: &[Node]) -> Result<Vec<Branch>, EvaluationError> {
        let games: Vec<&Game> = nodes.iter().map(|node| &node.game).collect();
        let evaluations = self.evaluator.evaluate(&games)?;
        self.count.positions += nodes.len() as u64;
        (self.observe)(self.count.positions);
        let mut branches = Vec::new();
        for (parent, (node, evaluation)) in nodes.iter().zip(&evaluations).enumerate() {
            let before = node.log_probabilities;
            let [raw, tempered] = log_probabilities(evaluation, parent)?;
            let moves = evaluation.moves.iter().zip(raw.into_iter().zip(tempered));
            branches.extend(moves.map(|(&(_, mv), (raw, tempered))| Branch {
                parent,
                mv,
                log_probabilities: [before[0] + raw, before[1] + tempered],
            }));
        }
        Ok(branches)
    }

    /// Adds the sequence that led to `game`, and one more move where there is one.
    fn add(&mut self, game: &Game, last: Option<Move>, log_probabilities: [f64; 2]) {
        self.count.sequences += 1;
        for (found, log_probability) in self.found.iter_mut().zip(log_probabilities) {
            found.log_probabilities.push(log_probability);
            if log_probability > found.largest {
                found.largest = log_probability;
                let moves = game.moves()[self.root_ply..].iter().copied();
                found.likeliest = moves.chain(last).collect();
            }
        }
    }
}

impl Default for Found {
    fn default() -> Self {
        Self { log_probabilities: Vec::new(), largest: f64::NEG_INFINITY, likeliest: Vec::new() }
    }
}

/// The log-probabilities of the moves of an evaluation, in the order of [`Sampling::ALL`].
fn log_probabilities(
    evaluation: &Evaluation,
    position: usize,
) -> Result<[Vec<f64>; 2], EvaluationError> {
    let of = |sampling: Sampling| match sampling.policy(evaluation) {
        Ok(policy) => Ok(policy.log_probabilities().collect()),
        // The game goes on from here, so only a bad number can be wrong.
        Err(source) => Err(EvaluationError::NonFinite { game: position, source }),
    };
    Ok([of(Sampling::Raw)?, of(Sampling::Tempered)?])
}

fn after(game: &Game, mv: Move) -> Game {
    let mut next = game.clone();
    next.play(mv).expect("a legal move");
    next
}

#[cfg(test)]
mod tests;
