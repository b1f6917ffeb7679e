//! How ratings are computed.

use super::error::RatingError;

/// How ratings are computed. The default is what BayesElo does with `mm` and `exactdist`.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Elo of the first move: 32.8, BayesElo's default, or fitted (`mm 1`).
    pub advantage: Parameter,
    /// The draw parameter: 97.3, BayesElo's default, or fitted (`mm 0 1`).
    pub draw: Parameter,
    /// Virtual draws: each player plays half as many against its opponents, in proportion to their
    /// games, and so do its opponents against it. Keeps a player finite who won every game.
    pub prior_draws: f64,
    /// How intervals are computed.
    pub intervals: IntervalMethod,
    /// Probability that intervals hold, in (0, 1).
    pub confidence: f64,
    /// Iterations end once no rating's 10^(Elo / 400) changes by more than this fraction. BayesElo
    /// stops at [`Settings::BAYESELO_TOLERANCE`], short of the maximum by up to a few hundredths of
    /// an Elo in small pools; the default goes on to where no digit changes that anyone prints.
    pub tolerance: f64,
    /// What the ratings are anchored to.
    pub anchor: Anchor,
}

/// A parameter of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Parameter {
    /// This value, in Elo.
    Fixed(f64),
    /// The value under which the results are most probable.
    Fitted,
}

/// How intervals of ratings are computed. Differences and likelihoods of superiority always come
/// from the covariance matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntervalMethod {
    /// From the likelihood of a player's results along its rating, all others moving by the same
    /// amount the other way (`exactdist`): as skewed as the likelihood is.
    #[default]
    Exact,
    /// From the inverse of the information matrix (`covariance`): symmetric, and right about what
    /// the opponents' own uncertainty adds.
    Covariance,
}

/// What ratings, of which only differences have a meaning, are anchored to.
#[derive(Clone, Debug, PartialEq)]
pub enum Anchor {
    /// The mean over all players.
    Mean(f64),
    /// A player.
    Player {
        /// Its name.
        name: String,
        /// Its rating.
        elo: f64,
    },
}

impl Settings {
    /// Where BayesElo stops.
    pub const BAYESELO_TOLERANCE: f64 = 1e-5;

    /// Refuses numbers outside of their ranges.
    pub(super) fn check(&self) -> Result<(), RatingError> {
        let fixed = |parameter| match parameter {
            Parameter::Fixed(elo) => elo,
            Parameter::Fitted => 0.0,
        };
        let anchor = match self.anchor {
            Anchor::Mean(elo) | Anchor::Player { elo, .. } => elo,
        };
        let require = |setting, value: f64, valid: bool| match valid && value.is_finite() {
            true => Ok(()),
            false => Err(RatingError::Setting { setting, value }),
        };
        let (advantage, draw) = (fixed(self.advantage), fixed(self.draw));
        require("the advantage of the first move", advantage, advantage.abs() <= 10_000.0)?;
        require("the draw parameter", draw, (0.0..=10_000.0).contains(&draw))?;
        require("the prior", self.prior_draws, self.prior_draws >= 0.0)?;
        let confidence = self.confidence;
        require("the confidence", confidence, confidence > 0.0 && confidence < 1.0)?;
        require("the tolerance", self.tolerance, self.tolerance > 0.0)?;
        require("the anchor", anchor, true)
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            advantage: Parameter::Fixed(32.8),
            draw: Parameter::Fixed(97.3),
            prior_draws: 2.0,
            intervals: IntervalMethod::default(),
            confidence: 0.95,
            tolerance: 1e-11,
            anchor: Anchor::Mean(0.0),
        }
    }
}
