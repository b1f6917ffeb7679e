//! A distribution over the legal moves of one position.

use std::cmp::Reverse;

use rand::{Rng, RngExt};

use crate::error::finite_logits;
use crate::expectation::entropy;
use crate::{PolicyError, Temperature};

#[cfg(test)]
mod tests;

/// A probability for each legal move of a position, in the order of its list of legal moves.
///
/// There is at least one move, and the probabilities sum to 1 (to rounding).
#[derive(Clone, Debug, PartialEq)]
pub struct MovePolicy {
    /// Log-probability of each move relative to the most probable one: at most 0, exactly 0 there
    /// and `-inf` for an impossible move. Kept apart from the normaliser because subtracting that
    /// could round two different logits to one log-probability and so invent a tie.
    relative: Vec<f64>,
    /// `ln sum exp(relative)`, in `[0, ln n]`: minus the log-probability of the most probable move.
    log_normaliser: f64,
}

impl MovePolicy {
    /// `softmax(logits / temperature)` over the legal moves.
    ///
    /// The largest logit is subtracted before dividing, so no finite logits and no temperature
    /// overflow. At temperature 0 this is the limit: the largest logits share everything evenly.
    ///
    /// # Errors
    ///
    /// [`PolicyError::NoMoves`] if `logits` is empty, [`PolicyError::NonFiniteLogit`] naming the
    /// first logit that is NaN or infinite.
    pub fn from_logits(
        logits: &[f32],
        temperature: Temperature,
    ) -> Result<MovePolicy, PolicyError> {
        let logits = finite_logits(logits)?;
        let largest = logits.clone().reduce(f64::max).ok_or(PolicyError::NoMoves)?;
        let scale = |logit: f64| {
            let difference = logit - largest;
            // Written out because the quotient is NaN for the largest logit at temperature 0.
            if difference == 0.0 { 0.0 } else { difference / temperature.get() }
        };
        Ok(MovePolicy::from_log_weights(logits.map(scale).collect()))
    }

    /// Probabilities in proportion to weights of at least 0, such as visit counts.
    ///
    /// # Errors
    ///
    /// [`PolicyError::NoMoves`] if `weights` is empty, [`PolicyError::InvalidWeight`] naming the
    /// first that is negative or not finite, [`PolicyError::ZeroWeights`] if all are 0.
    pub fn from_weights(weights: &[f64]) -> Result<MovePolicy, PolicyError> {
        if weights.is_empty() {
            return Err(PolicyError::NoMoves);
        }
        let invalid = |weight: &f64| !(weight.is_finite() && *weight >= 0.0);
        if let Some(index) = weights.iter().position(invalid) {
            return Err(PolicyError::InvalidWeight { index, value: weights[index] });
        }
        if weights.iter().all(|&weight| weight == 0.0) {
            return Err(PolicyError::ZeroWeights { count: weights.len() });
        }
        Ok(MovePolicy::from_log_weights(weights.iter().map(|weight| weight.ln()).collect()))
    }

    /// `sum_k w_k p_k`, the mixture of `policies` with `weights` divided by their sum: what comes
    /// of drawing a policy by its weight, then a move from it. One policy that has all the weight
    /// is the mixture, to the bit.
    ///
    /// # Errors
    ///
    /// [`PolicyError::InvalidWeight`] naming the first weight that is negative or not finite,
    /// [`PolicyError::ZeroWeights`] if all are 0.
    ///
    /// # Panics
    ///
    /// Unless there is one weight for each policy, and all are over the same number of moves.
    pub fn mixture(weights: &[f64], policies: &[&MovePolicy]) -> Result<MovePolicy, PolicyError> {
        assert_eq!(weights.len(), policies.len(), "one weight for each policy");
        // As shares of the whole, from log space: their sum may be beyond f64.
        let shares = MovePolicy::from_weights(weights)?;
        let shares = shares.log_probabilities().zip(policies);
        let parts: Vec<_> = shares.filter(|(share, _)| *share > f64::NEG_INFINITY).collect();
        if let [(_, only)] = parts.as_slice() {
            return Ok((**only).clone());
        }
        let moves = parts[0].1.move_count();
        let same = parts.iter().all(|(_, policy)| policy.move_count() == moves);
        assert!(same, "a mixture needs policies over the same legal moves");
        let log_sum = |index| {
            let terms = parts.iter().map(|(share, policy)| share + policy.log_probability(index));
            let largest = terms.clone().fold(f64::NEG_INFINITY, f64::max);
            if largest == f64::NEG_INFINITY {
                return largest;
            }
            largest + terms.map(|term| (term - largest).exp()).sum::<f64>().ln()
        };
        Ok(MovePolicy::from_log_weights((0..moves).map(log_sum).collect()))
    }

    /// The distribution proportional to `exp(log_weights)`; the largest must be finite.
    pub(crate) fn from_log_weights(log_weights: Vec<f64>) -> MovePolicy {
        let mut relative = log_weights;
        let (top, &largest) = relative
            .iter()
            .enumerate()
            .max_by(|(_, a), (_, b)| a.total_cmp(b))
            .expect("a policy has at least one move");
        relative.iter_mut().for_each(|value| *value -= largest);
        // The largest contributes exactly 1. Leaving it to `ln_1p` keeps the log-probability of a
        // nearly certain move accurate where `ln(1 + tiny)` would be 0.
        let others: f64 = relative
            .iter()
            .enumerate()
            .filter(|&(index, _)| index != top)
            .map(|(_, value)| value.exp())
            .sum();
        MovePolicy { relative, log_normaliser: others.ln_1p() }
    }

    /// The number of legal moves, at least 1.
    pub fn move_count(&self) -> usize {
        self.relative.len()
    }

    /// The natural logarithm of the probability of move `index`: at most 0, `-inf` if impossible.
    ///
    /// # Panics
    ///
    /// If `index` is not below [`MovePolicy::move_count`].
    pub fn log_probability(&self, index: usize) -> f64 {
        self.relative[index] - self.log_normaliser
    }

    /// The log-probabilities of all moves, in order.
    pub fn log_probabilities(&self) -> impl ExactSizeIterator<Item = f64> {
        self.relative.iter().map(|value| value - self.log_normaliser)
    }

    /// The probability of move `index`, in `[0, 1]`.
    ///
    /// # Panics
    ///
    /// If `index` is not below [`MovePolicy::move_count`].
    pub fn probability(&self, index: usize) -> f64 {
        self.log_probability(index).exp()
    }

    /// The probabilities of all moves, in order.
    pub fn probabilities(&self) -> Vec<f64> {
        self.log_probabilities().map(f64::exp).collect()
    }

    /// The most probable move; of several, the one with the lowest index.
    pub fn argmax(&self) -> usize {
        self.relative
            .iter()
            .position(|&value| value == 0.0)
            .expect("the most probable move has relative log-probability 0")
    }

    /// The entropy `-sum p ln p` in nats, in `[0, ln n]` for n legal moves.
    pub fn entropy(&self) -> f64 {
        entropy(self.log_probabilities())
    }

    /// The `k` most probable moves, most probable first, ties by lowest index; all of them where
    /// there are no more than `k`.
    pub fn top(&self, k: usize) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..self.move_count()).collect();
        // Stable, so that equally probable moves stay in index order. No logarithm here is NaN.
        indices.sort_by(|&a, &b| {
            self.relative[b].partial_cmp(&self.relative[a]).expect("log-probabilities compare")
        });
        indices.truncate(k);
        indices
    }

    /// The place of move `index` among the most probable moves, counted from 0 for
    /// [`MovePolicy::argmax`]: `top(n)[rank_of(i)] == i`.
    ///
    /// # Panics
    ///
    /// If `index` is not below [`MovePolicy::move_count`].
    pub fn rank_of(&self, index: usize) -> usize {
        // Reversed indices rank the lower of two equally probable moves above the other.
        let own = (self.relative[index], Reverse(index));
        (0..self.move_count()).filter(|&other| (self.relative[other], Reverse(other)) > own).count()
    }

    /// Draws a move with its probability, never one with probability 0.
    ///
    /// Takes one `f64` from the generator: the same generator state gives the same move.
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> usize {
        self.quantile(rng.random::<f64>())
    }

    /// The inverse of the cumulative distribution at `level` in `[0, 1)`.
    fn quantile(&self, level: f64) -> usize {
        let probabilities = self.probabilities();
        // The probabilities sum to 1 only to rounding. Measured against their own sum, taken in
        // the same order, the level is always reached.
        let threshold = level * probabilities.iter().sum::<f64>();
        let mut cumulative = 0.0;
        let mut last_possible = self.argmax();
        for (index, &probability) in probabilities.iter().enumerate() {
            cumulative += probability;
            if probability > 0.0 {
                last_possible = index;
                if cumulative > threshold {
                    break;
                }
            }
        }
        last_possible
    }
}
