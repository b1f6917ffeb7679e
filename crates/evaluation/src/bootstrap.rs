//! Confidence intervals by drawing puzzles again.

#[cfg(test)]
mod tests;

use std::num::NonZeroU32;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

/// The percentile bootstrap at 95% (Efron): how far a statistic moves when as many puzzles as there
/// are are drawn from them with replacement.
///
/// Depends on the puzzles, the seed and the number of resamples alone: neither on the order of the
/// puzzles nor on the number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    /// Draws of all puzzles. Of 2000, 50 lie beyond either end of an interval.
    pub resamples: NonZeroU32,
    /// Of the generator; each resample has a stream of its own.
    pub seed: u64,
}

/// The range that holds the middle 95% of a statistic's resampled values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BootstrapInterval {
    /// Its 0.025 quantile.
    pub low: f64,
    /// Its 0.975 quantile.
    pub high: f64,
}

/// Probability beyond either end of an interval.
const TAIL: f64 = 0.025;

impl Bootstrap {
    /// The intervals of statistics that depend on means: each row holds `K` quantities of one
    /// puzzle, `statistics` computes `N` numbers from the means over the puzzles drawn. `None`
    /// where a number is not finite in some resample, and without rows.
    pub fn intervals<const K: usize, const N: usize>(
        &self,
        rows: &[[f64; K]],
        statistics: impl Fn([f64; K]) -> [f64; N] + Sync,
    ) -> [Option<BootstrapInterval>; N] {
        let Some(count) = u32::try_from(rows.len()).ok().filter(|&count| count > 0) else {
            assert!(rows.is_empty(), "at most 2^32 puzzles");
            return [None; N];
        };
        // What is drawn is a place, so the places must not depend on the order in which puzzles came.
        let mut rows = rows.to_vec();
        rows.sort_unstable_by(|one, other| {
            let orders = one.iter().zip(other).map(|(one, other)| one.total_cmp(other));
            orders.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        });
        let resample = |number: u32| {
            let mut generator = ChaCha8Rng::seed_from_u64(self.seed);
            generator.set_stream(number.into());
            let mut sums = [0.0; K];
            for _ in 0..count {
                let row = &rows[generator.random_range(0..count) as usize];
                sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
            }
            statistics(sums.map(|sum| sum / f64::from(count)))
        };
        let resampled: Vec<[f64; N]> =
            (0..self.resamples.get()).into_par_iter().map(resample).collect();
        std::array::from_fn(|statistic| {
            let mut values: Vec<f64> = resampled.iter().map(|values| values[statistic]).collect();
            if !values.iter().all(|value| value.is_finite()) {
                return None;
            }
            values.sort_unstable_by(f64::total_cmp);
            Some(BootstrapInterval {
                low: quantile(&values, TAIL),
                high: quantile(&values, 1.0 - TAIL),
            })
        })
    }
}

/// The quantile of ascending values, of which there is at least one: linear between the two
/// nearest, the lowest value being the quantile 0 and the highest the quantile 1.
fn quantile(values: &[f64], probability: f64) -> f64 {
    let place = probability * (values.len() - 1) as f64;
    let (below, share) = (place.floor() as usize, place.fract());
    let above = (below + 1).min(values.len() - 1);
    values[below] + share * (values[above] - values[below])
}
