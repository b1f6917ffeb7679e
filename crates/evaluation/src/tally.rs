//! Accuracy and solution probability of one network over puzzles.

#[cfg(test)]
mod tests;

use crate::{Interval, wilson_interval};

/// One network's result on one puzzle under one rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Whether it is solved.
    pub solved: bool,
    /// Logarithm of the solution probability; finite.
    pub log_probability: f64,
}

/// The trials of one network, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    total: u64,
    solved: u64,
    sum_of_logs: f64,
    sum_of_probabilities: f64,
}

impl Tally {
    /// Adds a trial.
    pub fn add(&mut self, trial: Trial) {
        self.total += 1;
        self.solved += u64::from(trial.solved);
        self.sum_of_logs += trial.log_probability;
        self.sum_of_probabilities += trial.log_probability.exp();
    }

    /// Puzzles tried.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Puzzles solved.
    pub fn solved(&self) -> u64 {
        self.solved
    }

    /// `solved / total`; `None` without puzzles. So for the means below.
    pub fn accuracy(&self) -> Option<f64> {
        self.mean(self.solved as f64)
    }

    /// Wilson's 95% interval of the accuracy.
    pub fn interval(&self) -> Interval {
        wilson_interval(self.solved, self.total)
    }

    /// The geometric mean of the solution probabilities, the paper's `p* = exp(-mean l)`.
    ///
    /// One puzzle that is given up weighs heavily: it shows what a policy has dropped.
    pub fn geometric_mean(&self) -> Option<f64> {
        self.mean(self.sum_of_logs).map(f64::exp)
    }

    /// The arithmetic mean of the solution probabilities, `mean exp(-l)`: the share of puzzles
    /// that one sample of each line would solve.
    pub fn arithmetic_mean(&self) -> Option<f64> {
        self.mean(self.sum_of_probabilities)
    }

    fn mean(&self, sum: f64) -> Option<f64> {
        (self.total > 0).then(|| sum / self.total as f64)
    }
}

impl Extend<Trial> for Tally {
    fn extend<I: IntoIterator<Item = Trial>>(&mut self, trials: I) {
        trials.into_iter().for_each(|trial| self.add(trial));
    }
}

impl FromIterator<Trial> for Tally {
    fn from_iter<I: IntoIterator<Item = Trial>>(trials: I) -> Tally {
        let mut tally = Tally::default();
        tally.extend(trials);
        tally
    }
}
