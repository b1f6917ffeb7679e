//! Two networks on the same puzzles.

#[cfg(test)]
mod tests;

use crate::{Bootstrap, BootstrapInterval, Trial};

/// How a network differs from a reference on the puzzles that both have tried.
///
/// Puzzles differ far more than networks do: what is solved and retained is compared puzzle by
/// puzzle, which takes the puzzles' spread out of the intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Puzzles that the network solves and the reference does not.
    pub gained: u64,
    /// Puzzles that the reference solves and the network does not.
    pub lost: u64,
    /// Exact two-sided p-value of McNemar's test: the probability that `gained` and `lost` are at
    /// least so uneven if each of these puzzles fell to either side with probability 1/2.
    pub p_value: f64,
    /// Accuracy less that of the reference, in `[-1, 1]`.
    pub accuracy_difference: PairedEstimate,
    /// Geometric mean of the solution probability over that of the reference:
    /// `exp(mean(l_reference - l))`.
    pub geometric_ratio: PairedEstimate,
    /// Arithmetic mean of the solution probability over that of the reference; NaN where every
    /// probability of the reference is below the smallest number.
    pub arithmetic_ratio: PairedEstimate,
}

/// A number and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedEstimate {
    /// The number.
    pub value: f64,
    /// Its bootstrap interval over puzzles, where one can be stated.
    pub interval: Option<BootstrapInterval>,
}

impl Comparison {
    /// Compares the trials of a network, `trials`, with those of a reference on the same puzzles
    /// in the same order. `None` without puzzles.
    ///
    /// # Panics
    ///
    /// Unless there are as many of the one as of the other.
    pub fn new(reference: &[Trial], trials: &[Trial], bootstrap: Bootstrap) -> Option<Comparison> {
        assert_eq!(reference.len(), trials.len(), "the same puzzles");
        if trials.is_empty() {
            return None;
        }
        let rows: Vec<[f64; 4]> = reference.iter().zip(trials).map(differences).collect();
        let intervals = bootstrap.intervals(&rows, statistics);
        let mut sums = [0.0; 4];
        for row in &rows {
            sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        }
        let values = statistics(sums.map(|sum| sum / rows.len() as f64));
        let [accuracy_difference, geometric_ratio, arithmetic_ratio] =
            std::array::from_fn(|place| PairedEstimate {
                value: values[place],
                interval: intervals[place],
            });
        let count = |difference: f64| rows.iter().filter(|row| row[0] == difference).count() as u64;
        let (gained, lost) = (count(1.0), count(-1.0));
        Some(Comparison {
            gained,
            lost,
            p_value: mcnemar(gained, lost),
            accuracy_difference,
            geometric_ratio,
            arithmetic_ratio,
        })
    }
}

/// Of one puzzle: solved less solved by the reference, the log of the ratio of the solution
/// probabilities, the network's probability, the reference's.
fn differences((reference, trial): (&Trial, &Trial)) -> [f64; 4] {
    [
        f64::from(u8::from(trial.solved)) - f64::from(u8::from(reference.solved)),
        trial.log_probability - reference.log_probability,
        trial.log_probability.exp(),
        reference.log_probability.exp(),
    ]
}

/// Accuracy difference, geometric and arithmetic ratio from the means of [`differences`].
fn statistics([solved, log_ratio, probability, of_reference]: [f64; 4]) -> [f64; 3] {
    [solved, log_ratio.exp(), probability / of_reference]
}

/// `min(1, 2 P(X <= k))` for `X` binomial over `n = gained + lost` with probability 1/2 and `k` the
/// smaller of the two.
fn mcnemar(gained: u64, lost: u64) -> f64 {
    let (n, k) = (gained + lost, gained.min(lost));
    // log(C(n, k) / 2^n), then the terms below it, each C(n, i-1) / C(n, i) = i / (n - i + 1) of the
    // one above: they fall from k on, since k <= n/2.
    let log_combinations: f64 = (1..=k).map(|j| ((n - k + j) as f64 / j as f64).ln()).sum();
    let largest = log_combinations - n as f64 * std::f64::consts::LN_2;
    let (mut term, mut sum) = (1.0, 1.0);
    for i in (1..=k).rev() {
        term *= i as f64 / (n - i + 1) as f64;
        sum += term;
        if term < f64::EPSILON * sum * 1e-3 {
            break;
        }
    }
    (2.0 * (largest + sum.ln()).exp()).min(1.0)
}
