//! An engine that judges positions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chess::Game;
use evaluation::suite::mine::{Analyst, AnalystError, Choice, Prospect, Verdict};
use uci_engine::{
    EngineCommand, EngineError, PersistentEngine, Score, Search, SearchLimit, Variation,
};

/// An engine with two variations, started again where it fails.
pub(super) struct EngineAnalyst {
    engine: PersistentEngine,
    patience: Duration,
    /// Of this engine and those beside it.
    restarts: Arc<AtomicU64>,
}

impl EngineAnalyst {
    /// Starts the engine; `restarts` are counted up.
    pub(super) fn start(
        command: &EngineCommand,
        patience: Duration,
        restarts: Arc<AtomicU64>,
    ) -> Result<EngineAnalyst, EngineError> {
        let engine = PersistentEngine::start(command.clone())?;
        Ok(EngineAnalyst { engine, patience, restarts })
    }

    /// The engine's name for itself.
    pub(super) fn name(&self) -> &str {
        self.engine.name()
    }
}

impl Analyst for EngineAnalyst {
    fn analyse(&mut self, game: &Game, nodes: u64) -> Result<Verdict, AnalystError> {
        let before = self.engine.restarts();
        let search = self.engine.search(game, SearchLimit::Nodes(nodes), self.patience);
        self.restarts.fetch_add(self.engine.restarts() - before, Ordering::Relaxed);
        let search = search
            .map_err(|error| AnalystError::Broken(Box::new(error)))?
            .map_err(|error| AnalystError::Passed(error.problem.kind()))?;
        verdict(&search, nodes).ok_or(AnalystError::Passed("the engine showed no line"))
    }
}

/// The first two variations; nodes are those asked for where the engine does not count them.
fn verdict(search: &Search, nodes: u64) -> Option<Verdict> {
    let choice = |variation: &Variation| Choice {
        played: variation.first,
        prospect: match variation.score {
            Score::Mates(moves) => Prospect::Mates(moves),
            Score::Mated(moves) => Prospect::Mated(moves),
            Score::Centipawns(_) => Prospect::Score(variation.score.expected_score()),
        },
    };
    let best = choice(search.variations.first()?);
    Some(Verdict {
        best,
        second: search.variations.get(1).map(choice),
        nodes: search.nodes.unwrap_or(nodes),
        settled: search.settled.filter(|_| search.best == best.played),
    })
}
