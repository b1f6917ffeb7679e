//! Positions to start from, as arguments.

use chess::Game;
use evaluation::coverage::Tabiya;

/// The name of the initial position.
const INITIAL: &str = "initial";

/// A position, what the user calls it, and its history.
#[derive(Clone, Debug)]
pub(super) struct Start {
    name: String,
    game: Game,
}

impl Start {
    /// The initial position.
    pub(super) fn initial() -> Self {
        Self { name: INITIAL.to_owned(), game: Game::new() }
    }

    /// The position that `text` names, or of which it is the FEN.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let name = text.to_owned();
        if text == INITIAL {
            return Ok(Self::initial());
        }
        match text.parse::<Tabiya>() {
            Ok(tabiya) => Ok(Self { name, game: tabiya.game() }),
            // A FEN has several fields; a single word is a name.
            Err(error) if !text.trim().contains(char::is_whitespace) => {
                Err(format!("{error}, {INITIAL}, or a FEN"))
            }
            Err(_) => match Game::from_fen(text) {
                Ok(game) => Ok(Self { name, game }),
                Err(error) => Err(error.to_string()),
            },
        }
    }

    /// Plays moves in UCI notation.
    pub(super) fn play(&mut self, moves: &[String]) -> anyhow::Result<()> {
        // An empty argument, as a script passes for no moves, or two blanks between moves.
        for uci in moves.iter().filter(|uci| !uci.is_empty()) {
            self.game.play_uci(uci)?;
            self.name += &format!(" {uci}");
        }
        Ok(())
    }

    /// What it is called: a name or FEN, and the moves played from there.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The position with its history.
    pub(super) fn game(&self) -> &Game {
        &self.game
    }
}
