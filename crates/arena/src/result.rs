//! What a table needs to know of a game.

use chess::Outcome;

use crate::record::{PlayedGame, Termination};
use crate::schedule::Pairing;

/// A game's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Which of the schedule it is.
    pub pairing: Pairing,
    /// Who won.
    pub outcome: Outcome,
    /// How it ended.
    pub termination: Termination,
    /// The rule that ended it, or what a player did.
    pub reason: String,
    /// Its length.
    pub plies: u32,
}

impl From<&PlayedGame> for GameResult {
    fn from(played: &PlayedGame) -> GameResult {
        GameResult {
            pairing: played.pairing.clone(),
            outcome: played.end.outcome(),
            termination: played.end.termination(),
            reason: played.end.to_string(),
            plies: played.game.ply(),
        }
    }
}
