//! Wins, draws and losses.

#[cfg(test)]
mod tests;

use std::ops::AddAssign;

use super::normal;

/// The games of one side: how many it won, drew and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// An Elo difference with the ends of its interval. The scale is what the function that returned it
/// says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloEstimate {
    /// The estimate; infinite where every game was won or lost.
    pub elo: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Score {
    /// The games played.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points per game, in [0, 1]; `None` without games.
    pub fn mean(self) -> Option<f64> {
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        (self.games() > 0).then(|| points / self.games() as f64)
    }

    /// The same games as the opponent sees them.
    #[must_use]
    pub fn reversed(self) -> Score {
        Score { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The likelihood that this side is the stronger one, Phi((W - L) / sqrt(W + L)) (paper,
    /// Table 1): draws tell nothing of who is stronger, and under equal strength a decided game
    /// is won or lost with the same probability. 1/2 without decided games.
    pub fn superiority(self) -> f64 {
        let (wins, losses) = (self.wins as f64, self.losses as f64);
        if wins + losses == 0.0 {
            return 0.5;
        }
        normal::below((wins - losses) / (wins + losses).sqrt())
    }

    /// The difference in *logistic* Elo that the mean score means, with its interval for games that
    /// are independent of each other; `None` without games.
    ///
    /// The interval is that of the mean, by its standard error, on the scale of Elo.
    pub fn logistic_elo(self, confidence: f64) -> Option<EloEstimate> {
        let (mean, games) = (self.mean()?, self.games() as f64);
        let square = |points: f64| (points - mean) * (points - mean);
        let sum = self.wins as f64 * square(1.0)
            + self.draws as f64 * square(0.5)
            + self.losses as f64 * square(0.0);
        Some(EloEstimate::of_mean(mean, (sum / games / games).sqrt(), confidence))
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Score) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

impl EloEstimate {
    /// Logistic Elo of a mean score with its standard error.
    pub(super) fn of_mean(mean: f64, standard_error: f64, confidence: f64) -> EloEstimate {
        let half = normal::two_sided(confidence) * standard_error;
        EloEstimate {
            elo: logistic(mean),
            low: logistic((mean - half).max(0.0)),
            high: logistic((mean + half).min(1.0)),
        }
    }
}

/// The difference in logistic Elo at which `mean` points a game are expected.
fn logistic(mean: f64) -> f64 {
    400.0 * (mean / (1.0 - mean)).log10()
}
