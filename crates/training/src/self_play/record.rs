//! The games as they go into a checkpoint.

use chess::Game;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{GamePool, LiveGame, PoolRules};
use crate::checkpoint::InvalidSnapshot;

/// One of the games played side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameRecord {
    /// FEN of its start; absent for the initial position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// Moves in UCI notation, separated by spaces.
    moves: String,
    /// The first moves that were drawn from a book.
    #[serde(default)]
    opening_plies: u32,
    /// Seed, stream and place in it.
    generator: ChaCha8Rng,
    /// Plies that are still to be played ahead.
    pub(crate) warm_start_plies: u32,
}

impl GamePool {
    /// All that the games are.
    pub(crate) fn records(&self) -> Vec<GameRecord> {
        let initial = Game::new().start_fen();
        let record = |live: &LiveGame| {
            let game = &live.game;
            let moves: Vec<String> = game.moves().iter().map(|&played| game.uci(played)).collect();
            let start = game.start_fen();
            GameRecord {
                start: (start != initial).then_some(start),
                moves: moves.join(" "),
                opening_plies: live.opening_plies,
                generator: live.generator.clone(),
                warm_start_plies: live.warm_start_plies,
            }
        };
        self.games.iter().map(record).collect()
    }

    /// Puts the games that `records` were made of in the place of these.
    pub(crate) fn restore(&mut self, records: Vec<GameRecord>) -> Result<(), InvalidSnapshot> {
        if records.len() != self.games.len() {
            let (found, expected) = (records.len(), self.games.len());
            return Err(InvalidSnapshot(format!("{found} games, expected {expected}")));
        }
        let rules = self.rules.clone();
        let games = records.into_par_iter().enumerate().map(|(number, record)| {
            let named = |problem| InvalidSnapshot(format!("game {number}: {problem}"));
            record.restore(&rules).map_err(named)
        });
        let games: Vec<Result<LiveGame, InvalidSnapshot>> = games.collect();
        self.games = games.into_iter().collect::<Result<_, _>>()?;
        Ok(())
    }
}

impl GameRecord {
    fn restore(self, rules: &PoolRules) -> Result<LiveGame, String> {
        let mut game = match &self.start {
            None => Game::new(),
            Some(fen) => Game::from_fen(fen).map_err(|error| error.to_string())?,
        };
        for uci in self.moves.split_terminator(' ') {
            game.play_uci(uci).map_err(|error| error.to_string())?;
        }
        if let Some(ending) = game.ending(&rules.rules) {
            return Err(format!("it is over: {ending}"));
        }
        let position = rules.encode(&game).map_err(|error| error.to_string())?;
        let Self { opening_plies, generator, warm_start_plies, .. } = self;
        if opening_plies > game.ply() {
            return Err(format!("{opening_plies} plies of a book, of {} in all", game.ply()));
        }
        Ok(LiveGame { game, opening_plies, position, generator, warm_start_plies })
    }
}
