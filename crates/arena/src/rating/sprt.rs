//! A sequential test of which of two hypotheses on a difference in strength holds.

#[cfg(test)]
mod tests;

use super::pentanomial::{NORMALISED, Pentanomial, points};

/// What stands for an empty class of pairs, so that its probability has a logarithm.
const REGULARISED: f64 = 1e-3;
/// The largest hypothesis in normalised Elo: far beyond what any test asks.
const LARGEST: f64 = 100.0;
const MOST_ITERATIONS: usize = 100;

/// A generalised sequential probability ratio test in *normalised* Elo, as Stockfish's fishtest
/// makes it: of H0, that the difference is `elo0`, against H1, that it is `elo1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    lower: f64,
    upper: f64,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// H0 is accepted.
    AcceptsH0,
    /// H1 is accepted.
    AcceptsH1,
    /// More games are needed.
    Continues,
}

/// Why there is no such test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not in order or not moderate.
    #[error(
        "the test needs elo0 < elo1, both between -100 and 100 in normalised Elo, found {elo0} and \
         {elo1}"
    )]
    Hypotheses {
        /// The first one.
        elo0: f64,
        /// The second one.
        elo1: f64,
    },
    /// The probabilities of errors are none.
    #[error("the test needs alpha and beta above 0, together below 1, found {alpha} and {beta}")]
    Errors {
        /// Of a false positive.
        alpha: f64,
        /// Of a false negative.
        beta: f64,
    },
}

impl Sprt {
    /// A test that accepts H1 with probability `alpha` at most where H0 holds, and H0 with
    /// probability `beta` at most where H1 does. `elo0` and `elo1` are normalised Elo.
    ///
    /// # Errors
    ///
    /// [`SprtError`], where these make no test.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let moderate = |elo: f64| elo.abs() <= LARGEST;
        if !(moderate(elo0) && moderate(elo1) && elo0 < elo1) {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors { alpha, beta });
        }
        let (lower, upper) = ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln());
        Ok(Sprt { elo0, elo1, lower, upper })
    }

    /// H0, in normalised Elo.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// H1, in normalised Elo.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// At this log-likelihood ratio or below H0 is accepted: ln(beta / (1 - alpha)) (A. Wald).
    pub fn lower(&self) -> f64 {
        self.lower
    }

    /// At this log-likelihood ratio or above H1 is accepted: ln((1 - beta) / alpha).
    pub fn upper(&self) -> f64 {
        self.upper
    }

    /// The logarithm of how much more probable the pairs are under the most probable distribution
    /// for which H1 holds than under that for which H0 does; `None` where the pairs hardly differ,
    /// so that no such distribution is found.
    ///
    /// M. Van den Bergh, "Comments on Normalized Elo", section 4.1: the distributions are those with
    /// a given t-value.
    pub fn log_likelihood_ratio(&self, pairs: &Pentanomial) -> Option<f64> {
        let counts = pairs.pairs.map(|count| if count == 0 { REGULARISED } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        // The standard deviation of a game is sqrt(2) times that of a pair's mean.
        let t = |elo: f64| elo / NORMALISED * std::f64::consts::SQRT_2;
        let under0 = most_probable(&observed, t(self.elo0))?;
        let under1 = most_probable(&observed, t(self.elo1))?;
        let terms = (0..5).map(|class| counts[class] * (under1[class] / under0[class]).ln());
        Some(terms.sum())
    }

    /// What a log-likelihood ratio decides.
    pub fn verdict(&self, log_likelihood_ratio: f64) -> Verdict {
        if log_likelihood_ratio <= self.lower {
            Verdict::AcceptsH0
        } else if log_likelihood_ratio >= self.upper {
            Verdict::AcceptsH1
        } else {
            Verdict::Continues
        }
    }
}

/// The distribution under which pairs with the frequencies `observed` are most probable, among
/// those with mean m and deviation s for which (m - 1/2) / s = t.
///
/// With Lagrange's multiplier x it is observed / (1 + x f), where f is the derivative of what the
/// constraint demands, m - 1/2 - t s, by the probabilities: f = a - 1/2 - t s (1 + ((a - m) / s)^2) / 2
/// for a pair with the points a. As m and s are those of the distribution that is looked for, it
/// is found by iteration.
fn most_probable(observed: &[f64; 5], t: f64) -> Option<[f64; 5]> {
    let mut distribution = [0.2; 5];
    for _ in 0..MOST_ITERATIONS {
        let (mean, deviation) = mean_and_deviation(&distribution);
        let gradient = points().map(|a| {
            let distance = (a - mean) / deviation;
            a - 0.5 - t * deviation * (1.0 + distance * distance) / 2.0
        });
        let x = multiplier(observed, &gradient)?;
        let mut next = [0.0; 5];
        for (class, probability) in next.iter_mut().enumerate() {
            *probability = observed[class] / (1.0 + x * gradient[class]);
        }
        let change = (0..5).map(|class| (next[class] - distribution[class]).abs());
        let change = change.fold(0.0, f64::max);
        distribution = next;
        if change < 1e-13 {
            break;
        }
    }
    let (mean, deviation) = mean_and_deviation(&distribution);
    (((mean - 0.5) / deviation - t).abs() < 1e-6).then_some(distribution)
}

/// The x at which the sum of p f / (1 + x f) is 0; the sum falls between the poles that enclose it.
fn multiplier(observed: &[f64; 5], gradient: &[f64; 5]) -> Option<f64> {
    let smallest = gradient.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = gradient.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(smallest < 0.0 && largest > 0.0) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return Some(middle);
        }
        let terms = observed.iter().zip(gradient).map(|(p, f)| p * f / (1.0 + middle * f));
        if terms.sum::<f64>() > 0.0 { low = middle } else { high = middle }
    }
}

fn mean_and_deviation(distribution: &[f64; 5]) -> (f64, f64) {
    let average = |value: &dyn Fn(f64) -> f64| -> f64 {
        points().iter().zip(distribution).map(|(&a, p)| p * value(a)).sum()
    };
    let mean = average(&|a| a);
    (mean, average(&|a| (a - mean) * (a - mean)).sqrt())
}
