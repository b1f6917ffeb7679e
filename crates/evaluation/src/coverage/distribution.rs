//! The probabilities of all sequences, and what follows from them.

use chess::Move;
use rayon::prelude::*;

use super::CoverageError;

/// The largest number of draws that is told apart: far below 2^53, so that every whole number up to
/// it is an `f64`.
pub const MOST_DRAWS: u64 = 1_000_000_000_000_000;

/// How far the probabilities of all sequences may be from 1.
const SUM_TOLERANCE: f64 = 1e-9;

/// Terms summed by one thread: the sum's order does not depend on the number of threads.
const CHUNK: usize = 1 << 12;

/// The coverage at which a [curve](SequenceDistribution::curve) ends.
const CURVE_END: f64 = 0.999;

/// A distribution over all sequences of moves from a position.
#[derive(Clone, Debug, PartialEq)]
pub struct SequenceDistribution {
    /// By descending probability.
    sequences: Vec<Sequence>,
    entropy: f64,
    likeliest: Vec<Move>,
}

/// One sequence.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sequence {
    probability: f64,
    /// `ln(1 - probability)`, at most 0: how a draw's chance of missing it shrinks.
    log_missed: f64,
}

/// A point of the curve of coverage against draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoveragePoint {
    /// `K`, at least 1.
    pub draws: u64,
    /// `Omega_K`, in `[0, 1]`.
    pub coverage: f64,
}

impl SequenceDistribution {
    /// The distribution of the sequences with these log-probabilities, in any order, of which
    /// `likeliest` is a most probable one.
    ///
    /// # Errors
    ///
    /// [`CoverageError::NotADistribution`] unless the probabilities sum to 1 within 1e-9.
    pub fn new(
        mut log_probabilities: Vec<f64>,
        likeliest: Vec<Move>,
    ) -> Result<Self, CoverageError> {
        log_probabilities.sort_unstable_by(|a, b| b.total_cmp(a));
        let sequences: Vec<Sequence> =
            log_probabilities.into_iter().map(Sequence::from_log).collect();
        let sum = sum(&sequences, |sequence| sequence.probability);
        // A NaN is not within the tolerance either.
        let sums_to_one = (sum - 1.0).abs() <= SUM_TOLERANCE;
        if !sums_to_one {
            return Err(CoverageError::NotADistribution { sum });
        }
        let entropy = self::sum(
            &sequences,
            |&Sequence { probability: p, .. }| {
                if p == 0.0 { 0.0 } else { -p * p.ln() }
            },
        );
        // `abs` makes the -0.0 of a single sequence 0.0.
        Ok(Self { sequences, entropy: entropy.abs(), likeliest })
    }

    /// How many sequences there are, at least 1; those of probability 0 included.
    pub fn sequence_count(&self) -> u64 {
        self.sequences.len() as u64
    }

    /// A most probable sequence.
    pub fn likeliest(&self) -> &[Move] {
        &self.likeliest
    }

    /// Its probability.
    pub fn largest_probability(&self) -> f64 {
        self.sequences.first().map_or(0.0, |sequence| sequence.probability)
    }

    /// The entropy `-sum p ln p` in nats.
    pub fn entropy(&self) -> f64 {
        self.entropy
    }

    /// `Omega_K = sum_x p(x) (1 - (1 - p(x))^K)` for `K = draws`, in `[0, 1]` and growing with
    /// `draws`; the last `1 - (1 - p)^K = -expm1(K ln(1 - p))`, which keeps its digits where p is
    /// small.
    pub fn coverage(&self, draws: u64) -> f64 {
        if draws == 0 {
            return 0.0;
        }
        let draws = draws as f64;
        let sum = sum(&self.sequences, |seq| seq.probability * -(draws * seq.log_missed).exp_m1());
        sum.clamp(0.0, 1.0)
    }

    /// The smallest `K` at which [`SequenceDistribution::coverage`] reaches `share`, or `None`
    /// where that is more than [`MOST_DRAWS`].
    ///
    /// # Panics
    ///
    /// Unless `share` is above 0 and below 1.
    pub fn draws_to_cover(&self, share: f64) -> Option<u64> {
        check_share(share);
        // Reached at `enough`, not at `too_few`.
        let (mut too_few, mut enough) = (0, 1);
        while self.coverage(enough) < share {
            if enough == MOST_DRAWS {
                return None;
            }
            too_few = enough;
            enough = (2 * enough).min(MOST_DRAWS);
        }
        while enough - too_few > 1 {
            let middle = too_few + (enough - too_few) / 2;
            if self.coverage(middle) < share {
                too_few = middle;
            } else {
                enough = middle;
            }
        }
        Some(enough)
    }

    /// The size of the smallest set of sequences whose probabilities sum to `share` or more.
    ///
    /// # Panics
    ///
    /// Unless `share` is above 0 and below 1.
    pub fn smallest_set(&self, share: f64) -> u64 {
        check_share(share);
        let mut mass = 0.0;
        let reached = self.sequences.iter().position(|sequence| {
            mass += sequence.probability;
            mass >= share
        });
        // The sum may miss a share just below 1 by rounding.
        reached.map_or(self.sequence_count(), |last| last as u64 + 1)
    }

    /// Coverage at `per_decade` numbers of draws a decade, evenly spaced in their logarithm and
    /// rounded, from 1 up to the first that covers 0.999 or [`MOST_DRAWS`].
    pub fn curve(&self, per_decade: u32) -> Vec<CoveragePoint> {
        let mut points: Vec<CoveragePoint> = Vec::new();
        for step in 0_u32.. {
            let exponent = f64::from(step) / f64::from(per_decade);
            let draws = (10f64.powf(exponent).round() as u64).min(MOST_DRAWS);
            if points.last().is_some_and(|last| last.draws == draws) {
                continue;
            }
            let coverage = self.coverage(draws);
            points.push(CoveragePoint { draws, coverage });
            if coverage >= CURVE_END || draws == MOST_DRAWS {
                break;
            }
        }
        points
    }
}

impl Sequence {
    fn from_log(log_probability: f64) -> Self {
        let probability = log_probability.exp();
        // 1 - p loses its digits where p is near 1, -expm1(ln p) where it is small.
        let log_missed = if probability < 0.5 {
            (-probability).ln_1p()
        } else {
            (-log_probability.exp_m1()).ln()
        };
        Self { probability, log_missed }
    }
}

fn check_share(share: f64) {
    assert!(0.0 < share && share < 1.0, "a share of {share}");
}

/// The sum of `term` over all sequences, in an order that depends on their number alone.
fn sum(sequences: &[Sequence], term: impl Fn(&Sequence) -> f64 + Sync) -> f64 {
    let chunks = sequences.par_chunks(CHUNK);
    let sums: Vec<f64> = chunks.map(|chunk| chunk.iter().map(&term).sum()).collect();
    // From 0.0, as an empty sum of floats is -0.0.
    sums.into_iter().fold(0.0, |sum, chunk| sum + chunk)
}

#[cfg(test)]
mod tests;
