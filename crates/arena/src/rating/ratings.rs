//! Ratings of a pool of players.

use super::comparisons::Comparisons;
use super::error::RatingError;
use super::fit::{Fit, fit};
use super::model::Model;
use super::pool::Pool;
use super::results::Results;
use super::score::Score;
use super::settings::{Anchor, IntervalMethod, Parameter, Settings};
use super::{groups, interval};

/// The most probable ratings of a pool of players.
#[derive(Clone, Debug)]
pub struct Ratings {
    players: Vec<PlayerRating>,
    pool: Pool,
    fit: Fit,
    /// Players of the pool, the strongest first.
    order: Vec<usize>,
    confidence: f64,
}

/// A player's rating. All Elo are BayesElo's, scaled and anchored.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerRating {
    /// The player.
    pub name: String,
    /// Its rating.
    pub elo: f64,
    /// How far its interval, which is one against the mean of the pool, reaches upwards.
    pub plus: f64,
    /// How far it reaches downwards.
    pub minus: f64,
    /// Its games.
    pub score: Score,
    /// The mean rating of its opponents, weighted by games.
    pub opponents_elo: f64,
}

/// Rates the players.
///
/// The same results in any order give the same bits.
///
/// # Errors
///
/// [`RatingError`]: no games, players that no chain of games links, a setting out of range, or
/// ratings that do not converge.
pub fn rate(results: &Results, settings: &Settings) -> Result<Ratings, RatingError> {
    settings.check()?;
    if results.games() == 0 {
        return Err(RatingError::NoGames);
    }
    check_parameters(results, settings)?;
    let pool = Pool::new(results, settings.prior_draws);
    groups::check(&pool)?;
    let fit = fit(&pool, settings)?;
    let scale = fit.model.scale();
    let offset = match &settings.anchor {
        Anchor::Mean(elo) => *elo,
        Anchor::Player { name, elo } => {
            let unknown = |_| RatingError::UnknownAnchor { name: name.clone() };
            elo - scale * fit.elos[pool.names.binary_search(name).map_err(unknown)?]
        }
    };
    // Names are sorted, and a stable sort keeps them so where ratings are equal.
    let mut order: Vec<usize> = (0..pool.names.len()).collect();
    order.sort_by(|&a, &b| fit.elos[b].total_cmp(&fit.elos[a]));
    let intervals: Vec<(f64, f64)> = match settings.intervals {
        IntervalMethod::Exact => {
            let all = interval::exact(&pool, &fit, settings.confidence);
            order.iter().map(|&player| (scale * all[player].0, scale * all[player].1)).collect()
        }
        IntervalMethod::Covariance => {
            let comparisons = Comparisons::new(&pool, &fit, &order, settings.confidence)?;
            let margins = (0..order.len()).map(|rank| comparisons.margin(rank));
            margins.map(|margin| (margin, margin)).collect()
        }
    };
    let player = |(&player, (plus, minus)): (&usize, (f64, f64))| {
        let score = pool.score(player);
        let weighted = pool.opponents[player].iter().map(|opponent| {
            opponent.score.games() as f64 / score.games() as f64 * fit.elos[opponent.player]
        });
        PlayerRating {
            name: pool.names[player].clone(),
            elo: scale * fit.elos[player] + offset,
            plus,
            minus,
            score,
            opponents_elo: scale * weighted.sum::<f64>() + offset,
        }
    };
    let players = order.iter().zip(intervals).map(player).collect();
    Ok(Ratings { players, pool, fit, order, confidence: settings.confidence })
}

/// Refuses to fit parameters that these games would make infinite.
fn check_parameters(results: &Results, settings: &Settings) -> Result<(), RatingError> {
    let (mut white_wins, mut black_wins) = (0, 0);
    for (_, _, score) in results.pairings() {
        white_wins += score.wins;
        black_wins += score.losses;
    }
    let fitted = (settings.advantage == Parameter::Fitted, settings.draw == Parameter::Fitted);
    match fitted {
        (_, true) if white_wins + black_wins == 0 => Err(RatingError::OnlyDraws),
        (true, true) if white_wins == 0 || black_wins == 0 => Err(RatingError::OneColour),
        _ => Ok(()),
    }
}

impl Ratings {
    /// The players, the strongest first; equals by name.
    pub fn players(&self) -> &[PlayerRating] {
        &self.players
    }

    /// The model's parameters, given or fitted, in Elo before [scaling](Model::scale), as BayesElo
    /// prints them.
    pub fn model(&self) -> Model {
        self.fit.model
    }

    /// Differences and likelihoods of superiority.
    ///
    /// # Errors
    ///
    /// [`RatingError::TooManyPlayers`].
    pub fn comparisons(&self) -> Result<Comparisons, RatingError> {
        Comparisons::new(&self.pool, &self.fit, &self.order, self.confidence)
    }
}
