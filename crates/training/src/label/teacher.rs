//! An engine that labels, started again when it fails.

use chess::InputFormat;
use lc0::training_data::TrainingRecord;
use uci_engine::{EngineError, EngineProblem, SearchLimit, UciEngine};

use super::config::TeacherConfig;
use super::counts::LabelCounts;
use super::positions::LabelPosition;
use super::record::record_of;
use super::target::SearchTarget;

/// Positions one after another at which the engine may fail; then it is taken for broken.
const MOST_FAILURES: u32 = 20;

/// An engine and the way it is asked.
pub struct Teacher {
    config: TeacherConfig,
    engine: UciEngine,
    /// Positions without a label since the last one with it.
    failures: u32,
}

impl Teacher {
    /// Starts the engine.
    ///
    /// # Errors
    ///
    /// Where it cannot be started.
    pub fn start(config: &TeacherConfig) -> Result<Teacher, EngineError> {
        let engine = UciEngine::start(&config.command())?;
        Ok(Teacher { config: config.clone(), engine, failures: 0 })
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
        let target = match self.target(position) {
            Ok(target) => Ok(target),
            Err(_) => {
                self.restart(counts)?;
                self.target(position)
            }
        };
        match target {
            Err(error) => {
                counts.skip(reason(&error.problem));
                self.failures += 1;
                if self.failures >= MOST_FAILURES {
                    return Err(error);
                }
                self.restart(counts)?;
                Ok(None)
            }
            Ok(None) => {
                counts.skip("the engine showed no line");
                Ok(None)
            }
            Ok(Some(target)) => {
                self.failures = 0;
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
    }

    fn target(&mut self, position: &LabelPosition) -> Result<Option<SearchTarget>, EngineError> {
        self.engine.new_game()?;
        let limit = SearchLimit::Nodes(self.config.nodes);
        let search = self.engine.search(&position.game, limit, self.config.patience())?;
        Ok(SearchTarget::of(&search, self.config.temperature))
    }

    fn restart(&mut self, counts: &mut LabelCounts) -> Result<(), EngineError> {
        counts.restarts += 1;
        self.engine = UciEngine::start(&self.config.command())?;
        Ok(())
    }
}

/// The kind of a problem, the same for every position that meets it.
fn reason(problem: &EngineProblem) -> &'static str {
    match problem {
        EngineProblem::Ended { .. } => "the engine ended",
        EngineProblem::Silent { .. } => "the engine did not answer",
        EngineProblem::Flood { .. } => "the engine did not come to an end",
        EngineProblem::IllegalMove { .. } => "the engine played an illegal move",
        EngineProblem::Start(_)
        | EngineProblem::UnknownOption { .. }
        | EngineProblem::OptionText { .. } => "the engine could not be started",
    }
}
