//! Pairs of games from one opening, with colours reversed.

#[cfg(test)]
mod tests;

use super::normal;
use super::score::EloEstimate;

/// The pairs of one side by the points that it made in both games: 0, 1/2, 1, 3/2 and 2.
///
/// The two games of a pair are not independent, as an opening may favour one colour; pairs are. So
/// an interval from pairs is right where one from games is too wide or too narrow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial {
    /// Pairs, from both games lost to both won.
    pub pairs: [u64; 5],
}

/// Normalised Elo of a score that is one standard deviation of a game above 1/2, 800 / ln 10: near
/// 1/2 and without draws it is then the logistic Elo (M. Van den Bergh, "Normalized Elo").
pub(super) const NORMALISED: f64 = 800.0 / std::f64::consts::LN_10;

/// Mean, standard deviation, skewness and kurtosis of the points of a pair, taken as a fraction.
struct Moments {
    mean: f64,
    deviation: f64,
    skewness: f64,
    kurtosis: f64,
}

impl Pentanomial {
    /// The number of pairs.
    pub fn count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Points per game, in [0, 1]; `None` without pairs.
    pub fn mean(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.moments().mean)
    }

    /// The same pairs as the opponent sees them.
    #[must_use]
    pub fn reversed(&self) -> Pentanomial {
        let [lost, worse, even, better, won] = self.pairs;
        Pentanomial { pairs: [won, better, even, worse, lost] }
    }

    /// The difference in *logistic* Elo that the mean score means, with its interval by the standard
    /// error over pairs; `None` without pairs.
    pub fn logistic_elo(&self, confidence: f64) -> Option<EloEstimate> {
        let mean = self.mean()?;
        let error = self.moments().deviation / (self.count() as f64).sqrt();
        Some(EloEstimate::of_mean(mean, error, confidence))
    }

    /// The difference in *normalised* Elo with its interval: 800 / ln 10 times t, where t is the mean
    /// score's distance from 1/2 in standard deviations of a game, for which those of a pair's mean
    /// count sqrt(2) fold. `None` where no two pairs differ.
    ///
    /// The interval comes from the variance of the estimate of t for a pair, by the delta method:
    /// with errors of mean and variance that have the covariances of a sample's first two moments
    /// it is (1 - t g + t^2 (k - 1) / 4) / pairs, g the skewness and k the kurtosis.
    pub fn normalised_elo(&self, confidence: f64) -> Option<EloEstimate> {
        let Moments { mean, deviation, skewness, kurtosis } = self.moments();
        if self.count() == 0 || deviation == 0.0 {
            return None;
        }
        let t = (mean - 0.5) / deviation;
        let variance = (1.0 - t * skewness + t * t * (kurtosis - 1.0) / 4.0).max(0.0);
        let half = normal::two_sided(confidence) * (variance / self.count() as f64).sqrt();
        let elo = |t: f64| NORMALISED * t / std::f64::consts::SQRT_2;
        Some(EloEstimate { elo: elo(t), low: elo(t - half), high: elo(t + half) })
    }

    /// The likelihood that this side is the stronger one, by the mean score and its standard error
    /// over pairs; `None` where no two pairs differ.
    pub fn superiority(&self) -> Option<f64> {
        let Moments { mean, deviation, .. } = self.moments();
        let error = deviation / (self.count() as f64).sqrt();
        (self.count() > 0 && error > 0.0).then(|| normal::below((mean - 0.5) / error))
    }

    fn moments(&self) -> Moments {
        let total = self.count() as f64;
        let average = |value: &dyn Fn(f64) -> f64| {
            let terms = self.pairs.iter().zip(points()).map(|(&pairs, x)| pairs as f64 * value(x));
            terms.sum::<f64>() / total
        };
        let mean = average(&|x| x);
        let deviation = average(&|x| (x - mean).powi(2)).sqrt();
        Moments {
            mean,
            deviation,
            skewness: average(&|x| ((x - mean) / deviation).powi(3)),
            kurtosis: average(&|x| ((x - mean) / deviation).powi(4)),
        }
    }
}

/// Points of a pair as a fraction of those to be made.
pub(super) fn points() -> [f64; 5] {
    [0.0, 0.25, 0.5, 0.75, 1.0]
}
