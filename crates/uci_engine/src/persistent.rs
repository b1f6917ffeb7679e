//! An engine that is started again when it fails.

use std::time::Duration;

use chess::Game;

use crate::command::EngineCommand;
use crate::engine::UciEngine;
use crate::error::EngineError;
use crate::search::{Search, SearchLimit};

/// Positions one after another at which the engine may fail; then it is taken for broken.
const MOST_FAILURES: u32 = 20;

/// An engine for many positions that have nothing to do with one another: each is searched with
/// nothing remembered, and one at which it fails costs that position only.
#[derive(Debug)]
pub struct PersistentEngine {
    command: EngineCommand,
    engine: UciEngine,
    /// Positions without an answer since the last one with it.
    failures: u32,
    restarts: u64,
}

impl PersistentEngine {
    /// Starts the engine.
    ///
    /// # Errors
    ///
    /// Where it cannot be started.
    pub fn start(command: EngineCommand) -> Result<PersistentEngine, EngineError> {
        let engine = UciEngine::start(&command)?;
        Ok(PersistentEngine { command, engine, failures: 0, restarts: 0 })
    }

    /// The engine's name for itself.
    pub fn name(&self) -> &str {
        self.engine.name()
    }

    /// How often it was started again.
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    /// Lets it search as [`UciEngine::search`], as the first position of a new game. Where it fails
    /// it is started again and asked once more; where it fails again, the inner error says how, and
    /// it is ready for the next position.
    ///
    /// # Errors
    ///
    /// Where it cannot be started again, or fails at one position after another.
    pub fn search(
        &mut self,
        game: &Game,
        limit: SearchLimit,
        patience: Duration,
    ) -> Result<Result<Search, EngineError>, EngineError> {
        let search = match self.searched(game, limit, patience) {
            Ok(search) => Ok(search),
            Err(_) => {
                self.restart()?;
                self.searched(game, limit, patience)
            }
        };
        match search {
            Ok(search) => {
                self.failures = 0;
                Ok(Ok(search))
            }
            Err(error) => {
                self.failures += 1;
                if self.failures >= MOST_FAILURES {
                    return Err(error);
                }
                self.restart()?;
                Ok(Err(error))
            }
        }
    }

    fn searched(
        &mut self,
        game: &Game,
        limit: SearchLimit,
        patience: Duration,
    ) -> Result<Search, EngineError> {
        self.engine.new_game()?;
        self.engine.search(game, limit, patience)
    }

    fn restart(&mut self) -> Result<(), EngineError> {
        self.restarts += 1;
        self.engine = UciEngine::start(&self.command)?;
        Ok(())
    }
}
