//! An engine that labels, started again when it fails.

use chess::InputFormat;
use lc0::training_data::TrainingRecord;
use uci_engine::{EngineError, PersistentEngine, SearchLimit};

use super::config::TeacherConfig;
use super::counts::LabelCounts;
use super::positions::LabelPosition;
use super::record::record_of;
use super::target::SearchTarget;

/// An engine and the way it is asked.
pub struct Teacher {
    config: TeacherConfig,
    engine: PersistentEngine,
}

impl Teacher {
    /// Starts the engine.
    ///
    /// # Errors
    ///
    /// Where it cannot be started.
    pub fn start(config: &TeacherConfig) -> Result<Teacher, EngineError> {
        let engine = PersistentEngine::start(config.command())?;
        Ok(Teacher { config: config.clone(), engine })
    }

    /// The engine's name for itself.
    pub fn name(&self) -> &str {
        self.engine.name()
    }

    /// The record of a position, which is also counted; `None` where there is no label: the engine
    /// failed twice, or the format cannot express the position.
    ///
    /// # Errors
    ///
    /// Where the engine cannot be started again, or fails at one position after another.
    pub fn label(
        &mut self,
        position: &LabelPosition,
        format: InputFormat,
        counts: &mut LabelCounts,
    ) -> Result<Option<TrainingRecord>, EngineError> {
        let limit = SearchLimit::Nodes(self.config.nodes);
        let restarts = self.engine.restarts();
        let search = self.engine.search(&position.game, limit, self.config.patience())?;
        counts.restarts += self.engine.restarts() - restarts;
        let search = match search {
            Ok(search) => search,
            Err(error) => {
                counts.skip(error.problem.kind());
                return Ok(None);
            }
        };
        let Some(target) = SearchTarget::of(&search, self.config.temperature) else {
            counts.skip("the engine showed no line");
            return Ok(None);
        };
        match record_of(position, &target, format) {
            Ok(record) => {
                counts.add(&target);
                Ok(Some(record))
            }
            Err(_) => {
                counts.skip("the input format cannot express the position");
                Ok(None)
            }
        }
    }
}
