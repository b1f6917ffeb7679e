//! Calibration: whether games end as the value head says they will.
//!
//! Positions are drawn from finished games ([`predict`]); each [`Prediction`] is what the network
//! says of one, from the view of the side to move, beside how the game ended. Positions of a game
//! share their outcome, so the games are what is counted as independent: all errors and intervals
//! are clustered by game.

mod predictions;
mod reliability;
#[cfg(test)]
mod tests;

use policy::{ValueLogits, Wdl};

pub use predictions::{CalibrationError, PositionSampling, Predictions, SkippedGames, predict};
pub use reliability::{BINS, Bin, BinScores, RESAMPLES, Reliability};

use crate::{Cluster, Estimate};

/// What a network said of a position, and what happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The number of the game: predictions of one are consecutive.
    pub game: u64,
    /// What the value head said, from the view of the side to move.
    pub predicted: ValueLogits,
    /// How the game ended, from the same view.
    pub outcome: Wdl,
}

/// How far predictions are from outcomes; each is 0 for certainty that is always right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// The Brier score over win, draw and loss, `sum_k (p_k - o_k)^2`, in `[0, 2]`.
    pub brier_wdl: Estimate,
    /// The Brier score of the expected score, `(v - s)^2` with `s` 1, 1/2 or 0, in `[0, 1]`.
    pub brier_score: Estimate,
    /// The log loss `-ln p(outcome)` in nats. A classical head knows no draws and has the
    /// cross-entropy of its expected score instead ([`ValueLogits::cross_entropy`]).
    pub log_loss: Estimate,
    /// The mean of `v - s`: above 0 where the side to move is thought better than it does.
    pub bias: Estimate,
}

/// Scores of a forecaster who knows how often the side to move wins, draws and loses in these
/// positions, and says so of every one: what a network has to beat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Climatology {
    /// The shares of wins, draws and losses.
    pub outcome: Wdl,
    /// As [`Scores::brier_wdl`].
    pub brier_wdl: f64,
    /// As [`Scores::brier_score`].
    pub brier_score: f64,
    /// As [`Scores::log_loss`] of a head that knows draws: the entropy of the shares.
    pub log_loss: f64,
}

impl Prediction {
    /// The expected score that was predicted, `W + D/2`.
    pub fn expected_score(&self) -> f64 {
        self.predicted.outcome().expected_score()
    }

    /// The score that was made: 1, 1/2 or 0.
    pub fn score(&self) -> f64 {
        self.outcome.expected_score()
    }

    fn brier_wdl(&self) -> f64 {
        let predicted = self.predicted.outcome().probabilities();
        let pairs = predicted.into_iter().zip(self.outcome.probabilities());
        pairs.map(|(predicted, happened)| (predicted - happened).powi(2)).sum()
    }
}

impl Scores {
    /// The scores of predictions in the order of their games; `None` without any.
    pub fn of(predictions: &[Prediction]) -> Option<Self> {
        let mean = |of: fn(&Prediction) -> f64| Estimate::of_clusters(by_game(predictions, of));
        Some(Self {
            brier_wdl: mean(Prediction::brier_wdl)?,
            brier_score: mean(|made| (made.expected_score() - made.score()).powi(2))?,
            log_loss: mean(|made| made.predicted.cross_entropy(&made.outcome))?,
            bias: mean(|made| made.expected_score() - made.score())?,
        })
    }
}

impl Climatology {
    /// Of the outcomes of these predictions; `None` without any.
    pub fn of(predictions: &[Prediction]) -> Option<Self> {
        let mut shares = [0.0; 3];
        for prediction in predictions {
            for (share, happened) in shares.iter_mut().zip(prediction.outcome.probabilities()) {
                *share += happened / predictions.len() as f64;
            }
        }
        let outcome = Wdl::new(shares[0], shares[1], shares[2]).ok()?;
        let [win, draw, loss] = outcome.probabilities();
        let mean = outcome.expected_score();
        Some(Self {
            outcome,
            // sum_k f_k (1 - f_k), and the variance of the score.
            brier_wdl: 1.0 - win * win - draw * draw - loss * loss,
            brier_score: win * (1.0 - mean).powi(2)
                + draw * (0.5 - mean).powi(2)
                + loss * mean.powi(2),
            log_loss: outcome.entropy(),
        })
    }
}

/// The values of each game, summed.
fn by_game(
    predictions: &[Prediction],
    of: impl Fn(&Prediction) -> f64,
) -> impl Iterator<Item = Cluster> {
    let games = predictions.chunk_by(|one, next| one.game == next.game);
    games.map(move |game| {
        let mut cluster = Cluster::default();
        game.iter().for_each(|prediction| cluster.add(of(prediction)));
        cluster
    })
}
