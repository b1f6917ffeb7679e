//! Two ratings compared, by the covariance of all of them.

use nalgebra::DMatrix;

use super::error::RatingError;
use super::fit::Fit;
use super::normal;
use super::pool::Pool;

/// Players that a covariance matrix is computed for: its inversion takes their number cubed.
const MOST_PLAYERS: usize = 3_000;

/// What the results tell of differences between ratings. Players are numbered as in
/// [`Ratings::players`](super::Ratings::players).
#[derive(Clone, Debug)]
pub struct Comparisons {
    /// In squares of scaled Elo.
    covariance: DMatrix<f64>,
    /// Scaled.
    elos: Vec<f64>,
    /// Standard deviations that intervals reach to both sides.
    deviations: f64,
}

/// A difference between two ratings, on BayesElo's scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The first player's rating less the second's.
    pub elo: f64,
    /// Half of the width of the interval *of the difference*, which is not that of the two
    /// ratings' intervals taken together: they are correlated.
    pub margin: f64,
}

impl Comparisons {
    /// From the covariance of players in the order `order`, and a scale.
    pub(super) fn new(
        pool: &Pool,
        fit: &Fit,
        order: &[usize],
        confidence: f64,
    ) -> Result<Comparisons, RatingError> {
        let covariance = covariance(pool, fit)?;
        let scale = fit.model.scale();
        let players = order.len();
        Ok(Comparisons {
            covariance: DMatrix::from_fn(players, players, |row, column| {
                covariance[(order[row], order[column])] * scale * scale
            }),
            elos: order.iter().map(|&player| fit.elos[player] * scale).collect(),
            deviations: normal::two_sided(confidence),
        })
    }

    /// The first player's rating less the second's, with its interval.
    pub fn difference(&self, first: usize, second: usize) -> Difference {
        Difference {
            elo: self.elos[first] - self.elos[second],
            margin: self.deviations * self.deviation(first, second),
        }
    }

    /// The likelihood that the first player is stronger than the second; 1/2 for a player and
    /// itself.
    pub fn superiority(&self, first: usize, second: usize) -> f64 {
        if first == second {
            return 0.5;
        }
        normal::below((self.elos[first] - self.elos[second]) / self.deviation(first, second))
    }

    /// The likelihoods that the player of the row is stronger than that of the column.
    pub fn superiorities(&self) -> Vec<Vec<f64>> {
        let players = 0..self.elos.len();
        let row = |first| players.clone().map(|second| self.superiority(first, second)).collect();
        players.clone().map(row).collect()
    }

    /// Half of the width of the interval of a player's rating against the mean of the pool.
    pub(super) fn margin(&self, player: usize) -> f64 {
        self.deviations * self.covariance[(player, player)].max(0.0).sqrt()
    }

    /// The standard deviation of a difference.
    fn deviation(&self, first: usize, second: usize) -> f64 {
        let at = |row, column| self.covariance[(row, column)];
        (at(first, first) + at(second, second) - 2.0 * at(first, second)).max(0.0).sqrt()
    }
}

/// The covariance of the ratings, in squares of Elo before scaling, with their mean held at 0 and
/// the parameters taken for known.
///
/// The information matrix H (the second derivatives of the negative log-likelihood) has rows that
/// sum to 0, since only differences matter. With the matrix J of ones and any c > 0 its
/// pseudo-inverse, which is that covariance, is (H + c J)^-1 - J / (c n^2).
fn covariance(pool: &Pool, fit: &Fit) -> Result<DMatrix<f64>, RatingError> {
    let players = pool.names.len();
    if players > MOST_PLAYERS {
        return Err(RatingError::TooManyPlayers { players, limit: MOST_PLAYERS });
    }
    let natural = std::f64::consts::LN_10 / 400.0;
    let mut information = DMatrix::zeros(players, players);
    for (player, opponents) in pool.opponents.iter().enumerate() {
        for opponent in opponents {
            let difference = fit.elos[player] - fit.elos[opponent.player];
            // White's and Black's logarithms of 1 + e^z have the second derivative
            // e^z / (1 + e^z)^2 = 1 / (4 cosh^2(z / 2)), symmetric in z.
            let curvature = |z: f64| 0.25 / (z / 2.0).cosh().powi(2);
            let (draw, first) = (fit.model.draw * natural, fit.model.advantage * natural);
            let of = |counts: super::pool::Counts, x: f64| {
                (counts.white_wins + counts.draws) * curvature(draw - x)
                    + (counts.black_wins + counts.draws) * curvature(draw + x)
            };
            let known = of(opponent.white, difference * natural + first)
                + of(opponent.black, first - difference * natural);
            information[(player, player)] += known * natural * natural;
            information[(player, opponent.player)] -= known * natural * natural;
        }
    }
    let c = information.trace() / (players * players) as f64;
    information.add_scalar_mut(c);
    let Some(factors) = information.cholesky() else {
        // Positive definite in exact numbers, as the pool is connected.
        return Err(RatingError::NotConverged { iterations: 0, change: f64::NAN });
    };
    let mut covariance = factors.inverse();
    covariance.add_scalar_mut(-1.0 / (c * (players * players) as f64));
    Ok(covariance)
}
