//! Results of games, by players and colours.

use std::collections::{BTreeMap, HashMap};

use chess::Outcome;

use super::score::Score;

/// Who played whom with which colours, and how the games ended.
///
/// Players are named; their order, and that of the games, does not matter for anything that is
/// computed of results.
#[derive(Clone, Debug, Default)]
pub struct Results {
    names: Vec<String>,
    players: HashMap<String, usize>,
    /// Scores of White, by White and Black.
    scores: BTreeMap<(usize, usize), Score>,
}

/// A game of a player against itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" plays both sides")]
pub struct SamePlayerError {
    /// The player.
    pub name: String,
}

impl Results {
    /// No games.
    pub fn new() -> Results {
        Results::default()
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// A player against itself tells nothing; the game is not added.
    pub fn add(
        &mut self,
        white: &str,
        black: &str,
        outcome: Outcome,
    ) -> Result<(), SamePlayerError> {
        if white == black {
            return Err(SamePlayerError { name: white.to_owned() });
        }
        let sides = (self.player(white), self.player(black));
        let score = self.scores.entry(sides).or_default();
        match outcome {
            Outcome::WhiteWins => score.wins += 1,
            Outcome::Draw => score.draws += 1,
            Outcome::BlackWins => score.losses += 1,
        }
        Ok(())
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.scores.values().map(|score| score.games()).sum()
    }

    /// The names of the players, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// The score of one player against another, with both colours.
    pub fn direct(&self, player: &str, opponent: &str) -> Score {
        let mut score = self.with_colours(player, opponent);
        score += self.with_colours(opponent, player).reversed();
        score
    }

    /// The score of `white` in the games in which it had White against `black`.
    pub fn with_colours(&self, white: &str, black: &str) -> Score {
        let find = |name| self.players.get(name).copied();
        let sides = find(white).zip(find(black));
        sides.and_then(|sides| self.scores.get(&sides).copied()).unwrap_or_default()
    }

    /// Names of White and Black, and White's score, of each pairing that was played.
    pub(super) fn pairings(&self) -> impl Iterator<Item = (&str, &str, Score)> {
        self.scores.iter().map(|(&(white, black), &score)| {
            (self.names[white].as_str(), self.names[black].as_str(), score)
        })
    }

    fn player(&mut self, name: &str) -> usize {
        if let Some(&player) = self.players.get(name) {
            return player;
        }
        self.names.push(name.to_owned());
        self.players.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }
}
