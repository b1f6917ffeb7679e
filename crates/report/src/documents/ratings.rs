//! The document of `searchless rate --json`.

use serde::Deserialize;

/// Ratings of a match.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RatingsDocument {
    /// Games rated.
    pub games: u64,
    /// Probability of the intervals.
    pub confidence: f64,
    /// The players, the strongest first.
    pub players: Vec<RatedPlayer>,
    /// Of every pair of players, the stronger first.
    pub differences: Vec<EloDifference>,
    /// Direct records, without a model.
    pub direct: Vec<DirectRecord>,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RatedPlayer {
    /// Its name.
    pub name: String,
    /// Its rating.
    pub elo: f64,
    /// Games played.
    pub games: u64,
}

/// A difference of ratings, with half of the width of its own interval.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct EloDifference {
    /// Who is better by `elo`.
    pub player: String,
    /// Than whom.
    pub opponent: String,
    /// The difference.
    pub elo: f64,
    /// Half of the interval's width.
    pub margin: f64,
}

/// What happened between two players.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct DirectRecord {
    /// Whose wins.
    pub player: String,
    /// Against whom.
    pub opponent: String,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Likelihood of superiority.
    pub los: f64,
}

impl RatingsDocument {
    /// By how much `player` is better than `opponent`, and half of the interval's width.
    pub fn difference(&self, player: &str, opponent: &str) -> Option<(f64, f64)> {
        self.differences.iter().find_map(|found| {
            if found.player == player && found.opponent == opponent {
                Some((found.elo, found.margin))
            } else if found.player == opponent && found.opponent == player {
                Some((-found.elo, found.margin))
            } else {
                None
            }
        })
    }

    /// The record of `player` against `opponent`, however it was written down.
    pub fn record(&self, player: &str, opponent: &str) -> Option<DirectRecord> {
        self.direct.iter().find_map(|found| {
            if found.player == player && found.opponent == opponent {
                Some(found.clone())
            } else if found.player == opponent && found.opponent == player {
                Some(DirectRecord {
                    player: player.to_owned(),
                    opponent: opponent.to_owned(),
                    wins: found.losses,
                    draws: found.draws,
                    losses: found.wins,
                    los: 1.0 - found.los,
                })
            } else {
                None
            }
        })
    }
}
