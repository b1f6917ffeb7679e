//! Intervals from the likelihood along one rating.

use super::fit::Fit;
use super::pool::{Counts, Pool};

/// Distance of the points at which the likelihood is computed, in Elo before scaling: BayesElo's,
/// which has the middles of 1,001 cells from -1,500 to 1,500.
const STEP: f64 = 3_000.0 / 1_001.0;
/// Points on each side of the mean, unless ratings come near the ends.
const STEPS: f64 = 500.0;
/// How far the range goes beyond the ratings at least.
const MARGIN: f64 = 900.0;

/// How far the interval of each player's rating reaches above and below it, in Elo before scaling.
///
/// A player's rating runs over a grid while all others move by the same amount the other way, so
/// that the mean stays; its likelihood, taken for a density, is integrated by trapezoids from both
/// ends until the tails have `1 - confidence` together.
pub(super) fn exact(pool: &Pool, fit: &Fit, confidence: f64) -> Vec<(f64, f64)> {
    let farthest = fit.elos.iter().fold(0.0f64, |farthest, elo| farthest.max(elo.abs()));
    let steps = STEPS.max(((farthest + MARGIN) / STEP).ceil());
    let grid: Vec<f64> =
        (0..=2 * steps as usize).map(|index| (index as f64 - steps) * STEP).collect();
    let tail = (1.0 - confidence) / 2.0;
    let mut densities = vec![0.0; grid.len()];
    let mut interval = |player: usize| {
        for (density, &elo) in densities.iter_mut().zip(&grid) {
            *density = log_likelihood(pool, fit, player, elo);
        }
        let largest = densities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        densities.iter_mut().for_each(|density| *density = (*density - largest).exp());
        let total: f64 = densities.iter().sum();
        let points = || grid.iter().copied().zip(densities.iter().map(|density| density / total));
        let rating = fit.elos[player];
        (end_of_tail(points().rev(), tail) - rating, rating - end_of_tail(points(), tail))
    };
    (0..pool.names.len()).map(&mut interval).collect()
}

/// The value up to which a density, followed from its end, has the probability `tail`.
fn end_of_tail(points: impl Iterator<Item = (f64, f64)>, tail: f64) -> f64 {
    let (mut probability, mut previous) = (0.0, None);
    for (value, density) in points {
        let (before, density_before) = previous.unwrap_or((value, 0.0));
        let next = probability + (density_before + density) / 2.0;
        if next >= tail {
            return before + (value - before) * (tail - probability) / (next - probability);
        }
        (probability, previous) = (next, Some((value, density)));
    }
    unreachable!("half of all is more than a tail")
}

/// The logarithm of the likelihood of a player's results if its rating were `elo`, but for what
/// does not depend on that.
fn log_likelihood(pool: &Pool, fit: &Fit, player: usize, elo: f64) -> f64 {
    // Every other rating moves by this much the other way.
    let others = (elo - fit.elos[player]) / (pool.names.len() - 1) as f64;
    let terms = pool.opponents[player].iter().map(|opponent| {
        let difference = elo - (fit.elos[opponent.player] - others);
        of_pairing(fit, opponent.white, difference) + of_pairing(fit, opponent.black, -difference)
    });
    terms.sum()
}

/// With x = difference + advantage in units of 400 / ln 10 and y the draw parameter in the same,
/// ln P(White wins) = -ln(1 + e^(y - x)), ln P(Black wins) = -ln(1 + e^(y + x)), and a draw has the
/// sum of both and a constant.
fn of_pairing(fit: &Fit, counts: Counts, difference: f64) -> f64 {
    let natural = std::f64::consts::LN_10 / 400.0;
    let (x, y) = ((difference + fit.model.advantage) * natural, fit.model.draw * natural);
    let times = |count: f64, exponent: f64| {
        // No games tell nothing, however improbable they are.
        if count == 0.0 { 0.0 } else { -count * exponent.exp().ln_1p() }
    };
    times(counts.white_wins + counts.draws, y - x) + times(counts.black_wins + counts.draws, y + x)
}
