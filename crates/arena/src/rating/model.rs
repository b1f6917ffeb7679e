//! How probable a result is, given the ratings.

/// BayesElo's model of a game: with a difference `d` of White's rating to Black's,
///
/// - P(White wins) = 1 / (1 + 10^((-d - advantage + draw) / 400)),
/// - P(Black wins) = 1 / (1 + 10^((d + advantage + draw) / 400)),
/// - P(draw) is the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// Elo that the first move is worth.
    pub advantage: f64,
    /// Elo by which a side must be better for it to win half of its games; draws are the more
    /// frequent the larger it is. Not negative.
    pub draw: f64,
}

impl Model {
    /// The probabilities that White wins, that nobody wins, and that Black wins, where White's
    /// rating is `difference` above Black's.
    pub fn probabilities(&self, difference: f64) -> [f64; 3] {
        let expected = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let win = expected(difference + self.advantage - self.draw);
        let loss = expected(-difference - self.advantage - self.draw);
        [win, 1.0 - win - loss, loss]
    }

    /// What BayesElo multiplies differences by before it prints them, so that small ones mean the
    /// same score as in logistic Elo whatever the draw parameter is: the ratio of the slopes of
    /// the two expected scores at equal strength, 4 x / (1 + x)^2 with x = 10^(-draw / 400).
    pub fn scale(&self) -> f64 {
        let x = 10f64.powf(-self.draw / 400.0);
        4.0 * x / ((1.0 + x) * (1.0 + x))
    }
}
