//! A run under way, of whatever kind: when it is saved, and how it ends.

use std::path::PathBuf;

use lc0::NetworkFile;
use network::{HeadSelection, Network, StateVector, TrainableEngine, TrainingState};

use super::directory::{Directory, RunDirectoryError};
use super::error::{Rescue, ResumeError, RunError, SaveError, StopCause};
use super::log::RunLog;
use super::record::RunRecord;
use crate::checkpoint::{CheckpointError, InvalidSnapshot, Snapshot};

/// What a run trains with.
pub(crate) trait RunTrainer {
    /// What such a run writes of itself.
    type Record: RunRecord;
    /// What goes into its checkpoints beside the network's vectors.
    type Snapshot: Snapshot;

    /// Steps made so far.
    fn steps(&self) -> u64;

    /// The network that is trained, with its average.
    fn engine(&self) -> &dyn TrainableEngine;

    /// The state as it is, beside the network's.
    fn snapshot(&self) -> Self::Snapshot;

    /// Goes on from `snapshot` and the network's `state` at that time.
    ///
    /// # Errors
    ///
    /// Where a trainer of these settings cannot have made them; it must not be used then.
    fn restore(
        &mut self,
        snapshot: Self::Snapshot,
        state: &TrainingState,
    ) -> Result<(), InvalidSnapshot>;
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSummary {
    /// Steps made, those before the run was resumed included.
    pub steps: u64,
    /// Of these, made by this process.
    pub new_steps: u64,
    /// True if it was stopped before its last step.
    pub stopped: bool,
    /// File of the averaged network; absent where a run was stopped before its first step.
    pub network: Option<PathBuf>,
}

/// A run under way.
pub(crate) struct Run<T: RunTrainer> {
    directory: Directory<T::Record>,
    /// What it trains with. Whoever changes its state says so by [`Run::note_progress`] or
    /// [`Run::note_step`].
    pub(crate) trainer: T,
    file: NetworkFile,
    heads: HeadSelection,
    /// Whether the newest checkpoint is of the trainer as it is.
    is_checkpointed: bool,
}

impl<T: RunTrainer> Run<T> {
    /// A run at its beginning.
    pub(crate) fn new(
        directory: Directory<T::Record>,
        trainer: T,
        file: NetworkFile,
        heads: HeadSelection,
    ) -> Self {
        Self { directory, trainer, file, heads, is_checkpointed: false }
    }

    /// A run at its newest checkpoint, or at its beginning where there is none. `damaged` hears of
    /// the checkpoints that were passed over.
    pub(crate) fn restore(
        directory: Directory<T::Record>,
        mut trainer: T,
        file: NetworkFile,
        heads: HeadSelection,
        damaged: impl FnMut(&CheckpointError),
    ) -> Result<Self, ResumeError> {
        let layout = trainer.engine().architecture().layout.clone();
        let checkpoint = directory.checkpoints().newest::<T::Snapshot>(&layout, damaged)?;
        let is_checkpointed = checkpoint.is_some();
        if let Some(checkpoint) = checkpoint {
            let path = directory.checkpoints().path(checkpoint.trainer.steps());
            let restored = trainer.restore(checkpoint.trainer, &checkpoint.state);
            restored
                .map_err(|error| CheckpointError::Invalid { path, problem: error.to_string() })?;
        }
        Ok(Self { directory, trainer, file, heads, is_checkpointed })
    }

    /// Writes the run's record where it has changed.
    pub(crate) fn set_record(&mut self, record: T::Record) -> Result<(), StopCause> {
        if record != *self.directory.record() {
            self.directory.set_record(record)?;
        }
        Ok(())
    }

    /// Whether all steps are made.
    pub(crate) fn is_complete(&self) -> bool {
        self.trainer.steps() >= self.directory.record().steps()
    }

    /// Opens what is said of the steps, to go on where the trainer is.
    pub(crate) fn log(&self) -> Result<RunLog, RunDirectoryError> {
        self.directory.log_after(self.trainer.steps())
    }

    /// The trainer has changed; a checkpoint is written where one is due after `count` steps, or
    /// plies of a warm start.
    pub(crate) fn note_progress(&mut self, count: u64, log: &mut RunLog) -> Result<(), StopCause> {
        self.is_checkpointed = false;
        if self.directory.record().saving().is_checkpoint_due(count) {
            self.save_checkpoint(log)?;
        }
        Ok(())
    }

    /// The trainer has made a step, which is in the log; checkpoint and network are written where
    /// they are due.
    pub(crate) fn note_step(&mut self, log: &mut RunLog) -> Result<(), StopCause> {
        let step = self.trainer.steps();
        self.note_progress(step, log)?;
        if self.directory.record().saving().is_network_due(step) {
            self.save_network(true).map_err(Box::new)?;
        }
        Ok(())
    }

    /// Writes the checkpoint that the run can go on from after this.
    pub(crate) fn save_last(&mut self, log: &mut RunLog) -> Result<(), StopCause> {
        if self.is_checkpointed { Ok(()) } else { self.save_checkpoint(log) }
    }

    /// Lets the run `learn` and writes the averaged network, also where it breaks off.
    pub(crate) fn finish(
        mut self,
        learn: impl FnOnce(&mut Self) -> Result<(), StopCause>,
    ) -> Result<RunSummary, RunError> {
        let before = self.trainer.steps();
        let ended = learn(&mut self);
        let steps = self.trainer.steps();
        let saved = match steps {
            0 => Ok(None),
            _ => self.save_network(steps > before).map(Some),
        };
        match (ended, saved) {
            (Ok(()), Ok(network)) => {
                let stopped = !self.is_complete();
                Ok(RunSummary { steps, new_steps: steps - before, stopped, network })
            }
            (Ok(()), Err(source)) => Err(RunError::Save { step: steps, source: Box::new(source) }),
            (Err(cause), saved) => {
                let rescue = match saved {
                    Ok(None) => Rescue::Nothing,
                    Ok(Some(path)) => Rescue::Saved(path),
                    Err(error) => Rescue::Failed(Box::new(error)),
                };
                // Where even that cannot be found out, less is promised.
                let checkpoint = self.directory.checkpoints().steps().unwrap_or_default();
                let checkpoint = checkpoint.last().copied();
                Err(RunError::BrokenOff { cause: Box::new(cause), rescue, checkpoint })
            }
        }
    }

    fn save_checkpoint(&mut self, log: &mut RunLog) -> Result<(), StopCause> {
        log.sync()?;
        let keep = self.directory.record().saving().keep_checkpoints;
        self.directory.checkpoints().save(&self.trainer, keep)?;
        self.is_checkpointed = true;
        Ok(())
    }

    /// Writes the averaged network in the form of the base's file; one that is there already, only
    /// where it is to be `replaced`.
    fn save_network(&self, replaced: bool) -> Result<PathBuf, SaveError> {
        let path = self.directory.network_path(self.trainer.steps());
        if replaced || !path.exists() {
            let mut file = self.file.clone();
            let average = self.trainer.engine().state_vector(StateVector::Average);
            Network::load(&file, self.heads)?.store(&average, &mut file)?;
            file.write(&path)?;
        }
        Ok(path)
    }
}
