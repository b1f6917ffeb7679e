//! Who plays.

mod choice;

use std::sync::Arc;

use network::Evaluator;
use uci_engine::{EngineCommand, SearchLimit};

pub use choice::{ChoiceError, LC0_TEMPERATURE, MoveChoice, UnknownMoveChoice};

/// A participant of a tournament.
#[derive(Clone)]
pub struct Player {
    /// The name in games and tables; no two players share one.
    pub name: String,
    /// What chooses its moves.
    pub kind: PlayerKind,
}

/// What chooses a player's moves.
#[derive(Clone)]
pub enum PlayerKind {
    /// A network in this process.
    Network(NetworkPlayer),
    /// An engine in a process of its own.
    Engine(EnginePlayer),
}

/// A network, and how its moves are chosen.
#[derive(Clone)]
pub struct NetworkPlayer {
    /// Evaluates positions.
    pub evaluator: Arc<Evaluator>,
    /// How a move comes of an evaluation.
    pub choice: MoveChoice,
}

/// An engine, and when it has to answer.
#[derive(Clone, Debug)]
pub struct EnginePlayer {
    /// How it is started.
    pub command: EngineCommand,
    /// Its limit.
    pub limit: EngineLimit,
}

/// When an engine has to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineLimit {
    /// The same for every move.
    Move(SearchLimit),
    /// A clock for the game: so much time at first, so much more after each move.
    Clock {
        /// Time at the beginning.
        base: std::time::Duration,
        /// Time gained by a move.
        increment: std::time::Duration,
    },
}

impl Player {
    /// The engine that plays, if one does.
    pub fn engine(&self) -> Option<&EnginePlayer> {
        match &self.kind {
            PlayerKind::Network(_) => None,
            PlayerKind::Engine(engine) => Some(engine),
        }
    }

    /// The network that plays, if one does.
    pub fn network(&self) -> Option<&NetworkPlayer> {
        match &self.kind {
            PlayerKind::Network(network) => Some(network),
            PlayerKind::Engine(_) => None,
        }
    }
}
