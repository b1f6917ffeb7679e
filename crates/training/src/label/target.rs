//! From a search to targets.

use chess::{Move, MoveIndex};
use policy::{MovePolicy, Wdl};
use uci_engine::{Score, Search, Variation};

#[cfg(test)]
mod tests;

/// What a search says of a position.
///
/// With `e(a)` the expected score of move `a` by the logistic curve of [`Score::expected_score`]
/// and `T` the temperature, moves are weighed by
///
/// ```text
/// t(a) ~ exp(e(a) / T) 2^(-n(a))
/// ```
///
/// where `n(a)` is the number of moves to a mate that `a` leads to: so the shortest mate has most,
/// and the longest defence. (`n` is 0 without a mate, and -n counts for the side that is mated.)
/// Moves that the search did not show have no weight.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchTarget {
    /// The moves that the search showed, best first; at least one.
    pub moves: Vec<Move>,
    /// The target over `moves`.
    pub policy: MovePolicy,
    /// The outcome from the mover's view: the engine's own WDL of its best line; without one, the
    /// expected score as wins and losses.
    pub value: Wdl,
    /// Nodes searched, where the engine counts them.
    pub nodes: Option<u64>,
}

impl SearchTarget {
    /// The target of a search; a search that shows no line has its move as the only one, and no
    /// value: `None`.
    pub fn of(search: &Search, temperature: f64) -> Option<SearchTarget> {
        let best = search.variations.first()?;
        // exp(e / T) alone would overflow for a small temperature.
        let logits: Vec<f64> =
            search.variations.iter().map(|variation| logit(variation.score, temperature)).collect();
        let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logits.iter().map(|logit| (logit - largest).exp()).collect();
        let policy = MovePolicy::from_weights(&weights).expect("the largest weight is 1");
        Some(SearchTarget {
            moves: search.variations.iter().map(|variation| variation.first).collect(),
            policy,
            value: value(best),
            nodes: search.nodes,
        })
    }

    /// The move of the highest target, and of several the one that the search put first.
    pub fn best(&self) -> Move {
        self.moves[self.policy.argmax()]
    }

    /// The targets of `legal`, moves by their index, in that order.
    pub(crate) fn over(&self, legal: &[(MoveIndex, Move)]) -> Vec<f64> {
        let target = |played: &Move| {
            let place = self.moves.iter().position(|known| known == played);
            place.map_or(0.0, |place| self.policy.probability(place))
        };
        legal.iter().map(|(_, played)| target(played)).collect()
    }
}

fn logit(score: Score, temperature: f64) -> f64 {
    let moves_to_mate = match score {
        Score::Centipawns(_) => 0.0,
        Score::Mates(moves) => f64::from(moves),
        Score::Mated(moves) => -f64::from(moves),
    };
    score.expected_score() / temperature - moves_to_mate * std::f64::consts::LN_2
}

fn value(variation: &Variation) -> Wdl {
    let parts = match variation.wdl {
        Some(parts) => parts.map(|part| f64::from(part) / 1000.0),
        None => {
            let score = variation.score.expected_score();
            [score, 0.0, 1.0 - score]
        }
    };
    let [win, draw, loss] = parts;
    Wdl::new(win, draw, loss).expect("three parts of 1")
}
