//! Results added up.

use std::collections::BTreeMap;

use chess::Outcome;

use crate::rating::Score;
use crate::record::Termination;
use crate::result::GameResult;
use crate::schedule::PlayerIndex;

#[cfg(test)]
mod tests;

/// What results of games add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    /// The first player's games against the second, in the order of the schedule's pairs.
    pub pairs: BTreeMap<[PlayerIndex; 2], Score>,
    /// Games that each player has forfeited.
    pub forfeits: BTreeMap<PlayerIndex, u64>,
    /// How games ended.
    pub reasons: BTreeMap<String, u64>,
    /// All games.
    pub games: u64,
    /// All half-moves.
    pub plies: u64,
}

impl Standings {
    /// Adds a game.
    pub fn add(&mut self, result: &GameResult) {
        let [white, black] = [result.pairing.white, result.pairing.black];
        let winner = match result.outcome {
            Outcome::WhiteWins => Some(white),
            Outcome::BlackWins => Some(black),
            Outcome::Draw => None,
        };
        let pair = [white.min(black), white.max(black)];
        let won = winner.map(|winner| winner == pair[0]);
        let score = self.pairs.entry(pair).or_default();
        match won {
            Some(true) => score.wins += 1,
            Some(false) => score.losses += 1,
            None => score.draws += 1,
        }
        if !matches!(result.termination, Termination::Normal | Termination::Adjudication) {
            let loser = winner.map(|winner| if winner == white { black } else { white });
            if let Some(loser) = loser {
                *self.forfeits.entry(loser).or_default() += 1;
            }
        }
        let reason = match result.termination {
            Termination::Normal | Termination::Adjudication => result.reason.clone(),
            termination => termination.name().to_owned(),
        };
        *self.reasons.entry(reason).or_default() += 1;
        self.games += 1;
        self.plies += u64::from(result.plies);
    }

    /// All of a player's games.
    pub fn player(&self, player: PlayerIndex) -> Score {
        let mut score = Score::default();
        for ([one, two], pair) in &self.pairs {
            if player == *one {
                score += *pair;
            } else if player == *two {
                score += pair.reversed();
            }
        }
        score
    }
}

impl<'a> FromIterator<&'a GameResult> for Standings {
    fn from_iter<I: IntoIterator<Item = &'a GameResult>>(results: I) -> Standings {
        let mut standings = Standings::default();
        results.into_iter().for_each(|result| standings.add(result));
        standings
    }
}
