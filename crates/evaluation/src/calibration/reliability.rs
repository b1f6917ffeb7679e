//! Predicted against observed scores, in bins.

#[cfg(test)]
mod tests;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::{Prediction, by_game};
use crate::interval::wilson;
use crate::{Estimate, Interval};

/// Bins of equal width over the expected scores from 0 to 1.
pub const BINS: usize = 10;

/// Bootstrap resamples behind the interval of the expected calibration error.
pub const RESAMPLES: usize = 500;

/// The reliability table of a value head.
#[derive(Clone, Debug, PartialEq)]
pub struct Reliability {
    /// By ascending expected score, [`BINS`] of them; the last one includes 1.
    pub bins: Vec<Bin>,
    /// The expected calibration error: the mean over positions of the distance between predicted
    /// and observed score of their bin, `sum_b n_b/n |v_b - s_b|`, in `[0, 1]`.
    ///
    /// Chance alone makes it positive, the more so the fewer games there are.
    pub calibration_error: f64,
    /// The basic bootstrap 95% interval of it over games, cut off at 0: reflected at the
    /// estimate, so that a resample's upward bias, about that of the estimate itself, is taken off
    /// instead of added twice.
    pub interval: Interval,
}

/// Positions of similar expected scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Expected scores from here,
    pub from: f64,
    /// to here, excluded but for 1.
    pub to: f64,
    /// How many positions.
    pub positions: u64,
    /// From how many games.
    pub games: u64,
    /// What there is to say of them; `None` where there are none.
    pub scores: Option<BinScores>,
}

/// Scores of the positions of a bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BinScores {
    /// The mean of the predicted scores.
    pub predicted: f64,
    /// The mean of the observed scores.
    pub observed: f64,
    /// The 95% interval of the observed scores' expectation: Wilson's for as many independent wins
    /// and losses as would have the standard error clustered by game, or for as many as there are
    /// games where all of them scored the same.
    pub interval: Interval,
}

/// Sums over a game, or over many.
#[derive(Clone, Copy, Debug, Default)]
struct BinSums {
    positions: f64,
    predicted: f64,
    observed: f64,
}

impl Reliability {
    /// The table of predictions in the order of their games, at least one. The bootstrap draws
    /// from streams of `seed`.
    ///
    /// # Panics
    ///
    /// Without predictions.
    pub fn of(predictions: &[Prediction], seed: u64) -> Self {
        assert!(!predictions.is_empty(), "a table needs predictions");
        let games: Vec<[BinSums; BINS]> = predictions
            .chunk_by(|one, next| one.game == next.game)
            .map(|game| {
                let mut sums = [BinSums::default(); BINS];
                game.iter().for_each(|made| sums[bin_of(made.expected_score())].add(made));
                sums
            })
            .collect();
        let calibration_error = calibration_error(games.iter());
        Self {
            bins: (0..BINS).map(|index| Bin::of(predictions, index)).collect(),
            calibration_error,
            interval: basic_interval(calibration_error, resampled(&games, seed)),
        }
    }
}

impl Bin {
    fn of(predictions: &[Prediction], index: usize) -> Self {
        let inside: Vec<Prediction> = predictions
            .iter()
            .filter(|made| bin_of(made.expected_score()) == index)
            .copied()
            .collect();
        let games = by_game(&inside, Prediction::score).count() as u64;
        let scores = Estimate::of_clusters(by_game(&inside, Prediction::score)).map(|observed| {
            let predicted = inside.iter().map(Prediction::expected_score).sum::<f64>();
            BinScores {
                predicted: predicted / inside.len() as f64,
                observed: observed.mean,
                interval: score_interval(observed, games),
            }
        });
        Self {
            from: index as f64 / BINS as f64,
            to: (index + 1) as f64 / BINS as f64,
            positions: inside.len() as u64,
            games,
            scores,
        }
    }
}

impl BinSums {
    fn add(&mut self, made: &Prediction) {
        self.positions += 1.0;
        self.predicted += made.expected_score();
        self.observed += made.score();
    }

    fn add_all(&mut self, other: &Self) {
        self.positions += other.positions;
        self.predicted += other.predicted;
        self.observed += other.observed;
    }
}

fn bin_of(expected_score: f64) -> usize {
    ((expected_score * BINS as f64) as usize).min(BINS - 1)
}

/// The effective number of trials n has the variance `m (1 - m) / n` of the mean m, the largest
/// that scores in `[0, 1]` can have. Where games say nothing of the spread, or nothing but that
/// there is none, each is one trial.
fn score_interval(Estimate { mean, standard_error }: Estimate, games: u64) -> Interval {
    let trials = mean * (1.0 - mean) / (standard_error * standard_error);
    // Infinite or NaN where all games scored the same, 0 where there is one game.
    let trials = if trials.is_finite() && trials >= 1.0 { trials } else { games as f64 };
    wilson(mean * trials, trials)
}

fn calibration_error<'a>(games: impl Iterator<Item = &'a [BinSums; BINS]>) -> f64 {
    let mut sums = [BinSums::default(); BINS];
    for game in games {
        for (sum, of_game) in sums.iter_mut().zip(game) {
            sum.add_all(of_game);
        }
    }
    let positions: f64 = sums.iter().map(|sum| sum.positions).sum();
    // n_b |v_b - s_b| needs no means.
    sums.iter().map(|sum| (sum.predicted - sum.observed).abs()).sum::<f64>() / positions
}

/// Calibration errors of as many games as there are, drawn from them with replacement.
fn resampled(games: &[[BinSums; BINS]], seed: u64) -> Vec<f64> {
    let resample = |number: usize| {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(number as u64);
        calibration_error((0..games.len()).map(|_| &games[generator.random_range(0..games.len())]))
    };
    (0..RESAMPLES).into_par_iter().map(resample).collect()
}

/// `[2 e - q_97.5, 2 e - q_2.5]` for the estimate e and the quantiles of its resamples.
fn basic_interval(estimate: f64, mut resamples: Vec<f64>) -> Interval {
    resamples.sort_unstable_by(f64::total_cmp);
    let beyond = resamples.len() / 40;
    let (low, high) = (resamples[beyond], resamples[resamples.len() - 1 - beyond]);
    Interval {
        low: (2.0 * estimate - high).clamp(0.0, 1.0),
        high: (2.0 * estimate - low).clamp(0.0, 1.0),
    }
}
