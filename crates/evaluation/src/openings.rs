//! Openings made by a network's own play: for matches that must not depend on anybody's book.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroU32;

use chess::Game;
use network::{EvaluationError, Evaluator};

use crate::play::SampledPlay;
use crate::sampling::Sampling;

/// Games of a round: openings are taken from games in their order, round by round.
const ROUND: u32 = 512;

/// Which openings are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampledOpenings {
    /// How many.
    pub count: usize,
    /// Plies of an opening. Every second one is a ply longer, so that either side is to move.
    pub plies: NonZeroU32,
    /// The most by which the expected score of the side to move may differ from 1/2, as the
    /// network's value head sees it; in 0..=1/2.
    pub balance: f64,
    /// Games drawn at the most, in which so many openings must be found.
    pub most_games: u32,
    /// Seed of the draws.
    pub seed: u64,
}

/// Openings that were made, and those that were not.
#[derive(Clone, Debug, Default)]
pub struct MadeOpenings {
    /// In the order of the games from which they are, as many as were asked for or could be found.
    pub openings: Vec<Game>,
    /// Games drawn.
    pub games: u32,
    /// Openings passed over because another one led to their position.
    pub repeated: u32,
    /// Openings passed over because one side stands better.
    pub unbalanced: u32,
    /// Games that ended before the opening did.
    pub ended: u32,
}

impl SampledOpenings {
    /// Makes them. Moves are drawn from the raw policy. `progress` is told how many there are.
    ///
    /// # Errors
    ///
    /// Where the network cannot evaluate a position.
    pub fn make(
        &self,
        evaluator: &Evaluator,
        mut progress: impl FnMut(usize),
    ) -> Result<MadeOpenings, EvaluationError> {
        let mut made = MadeOpenings::default();
        let mut known = HashSet::new();
        for round in 0_u64.. {
            let left = ROUND.min(self.most_games - made.games);
            let Some(games) = NonZeroU32::new(left) else { break };
            if made.openings.len() == self.count {
                break;
            }
            let found = self.round(evaluator, games, round)?;
            made.games += left;
            made.ended += left - found.len() as u32;
            for (game, balanced) in found.into_values() {
                if made.openings.len() == self.count {
                    break;
                }
                if !balanced {
                    made.unbalanced += 1;
                } else if !known.insert(position(&game)) {
                    made.repeated += 1;
                } else {
                    made.openings.push(game);
                }
            }
            progress(made.openings.len());
        }
        Ok(made)
    }

    /// The ends of the openings of one round that were reached, by number: the game, and whether
    /// it is balanced.
    fn round(
        &self,
        evaluator: &Evaluator,
        games: NonZeroU32,
        round: u64,
    ) -> Result<BTreeMap<usize, (Game, bool)>, EvaluationError> {
        let play = SampledPlay {
            sampling: Sampling::Raw,
            games,
            // The position is judged when the next move is to be drawn.
            ply_cap: self.plies.saturating_add(2),
            openings: None,
            // Rounds have seeds of their own, far from the next seeds that a person may choose.
            seed: self.seed.wrapping_add(round << 32),
        };
        let mut found = BTreeMap::new();
        play.play(evaluator, |visits| {
            for visit in visits {
                let plies = self.plies.get() + visit.number as u32 % 2;
                if visit.game.ply() == plies {
                    let score = visit.evaluation.wdl().expected_score();
                    let balanced = (score - 0.5).abs() <= self.balance;
                    found.insert(visit.number, (visit.game.clone(), balanced));
                }
            }
            Ok::<(), EvaluationError>(())
        })?;
        Ok(found)
    }
}

/// What makes two positions one: pieces, the side to move, castling and en passant.
fn position(game: &Game) -> String {
    let fen = game.fen();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}
