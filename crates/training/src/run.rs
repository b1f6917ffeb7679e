//! A whole fine-tuning run, from a base network to a directory.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lc0::NetworkFile;
use network::{Engine, HeadSelection, Network, StateVector, TrainableEngine};

use crate::checkpoint::CheckpointError;
use crate::config::FinetuneConfig;
use crate::materials::Materials;
use crate::metrics::StepMetrics;
use crate::step::Trainer;

pub(crate) mod atomic;
mod checkpoints;
mod directory;
mod error;
mod log;
mod record;

pub use directory::{RunDirectory, RunDirectoryError};
pub(crate) use directory::{is_finished, lock, metrics_path, network_path, refuse_a_run};
pub use error::{FinetuneError, Rescue, ResumeError, SaveError, StopCause};
use log::RunLog;
pub use record::{BaseMismatch, BaseRecord, Resumption, RunConfig, Settings};

/// What a run starts from.
pub struct Finetuning {
    /// The settings.
    pub config: FinetuneConfig,
    /// The base network's file, into which the trained weights go.
    pub file: NetworkFile,
    /// The heads of the file that are trained.
    pub heads: HeadSelection,
    /// The network to train, loaded from the file.
    pub theta: Box<dyn TrainableEngine>,
    /// The same network, which stays as it is.
    pub base: Arc<dyn Engine>,
    /// The files that the settings name.
    pub materials: Materials,
    /// Name and version of the program, for the run's record.
    pub program: String,
}

/// What a run is doing.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// A checkpoint cannot be used; the one before it is tried.
    Damaged(&'a CheckpointError),
    /// The run goes on after this many steps.
    Resumed {
        /// Steps made before.
        steps: u64,
    },
    /// Playing the games ahead before the first step.
    WarmStart {
        /// Plies still to be played, at most.
        plies_left: u32,
    },
    /// A step has been made and recorded.
    Step(&'a StepMetrics),
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinetuneSummary {
    /// Steps made, those before the run was resumed included.
    pub steps: u64,
    /// Of these, made by this process.
    pub new_steps: u64,
    /// True if it was stopped before its last step.
    pub stopped: bool,
    /// File of the averaged network; absent where a run was stopped before its first step.
    pub network: Option<PathBuf>,
}

/// Fine-tunes a network into a new run directory (see [`RunDirectory`]).
///
/// `observe` hears of every step. Once `stop` is true, the step under way is finished, and
/// checkpoint and network are written. The averaged network is written also where the run breaks
/// off. However it ends, [`resume`] goes on with it bit for bit.
///
/// # Errors
///
/// Where the directory already holds a run, nothing is touched. Otherwise as [`FinetuneError`].
pub fn finetune(
    directory: &Path,
    setup: Finetuning,
    stop: &AtomicBool,
    observe: impl FnMut(Progress<'_>),
) -> Result<FinetuneSummary, FinetuneError> {
    let Finetuning { config, file, heads, theta, base, materials, program } = setup;
    let finetune = config.clone();
    let base_record = BaseRecord::new(&file, heads);
    let record = RunConfig { program, base: base_record, finetune, resumed: Vec::new() };
    // What cannot begin leaves no directory.
    let trainer = Trainer::with_materials(config, theta, base, &materials);
    let trainer = trainer.map_err(StopCause::from)?;
    let directory = RunDirectory::create(directory, record).map_err(StopCause::from)?;
    Run { directory, trainer, file, heads, is_checkpointed: false }.finish(stop, observe)
}

/// Goes on with a run from its newest checkpoint, or from its beginning where there is none, as if
/// it had never been interrupted: with the same weights and the same metrics but for the timings.
///
/// What the run had written of later steps is overruled. The settings must be those of its record,
/// but for `steps` and `saving`, which are recorded where they change.
///
/// # Errors
///
/// Where base, settings or checkpoint are not those of the run. Otherwise as [`FinetuneError`].
pub fn resume(
    mut directory: RunDirectory,
    setup: Finetuning,
    stop: &AtomicBool,
    mut observe: impl FnMut(Progress<'_>),
) -> Result<FinetuneSummary, FinetuneError> {
    let Finetuning { config, file, heads, theta, base, materials, program } = setup;
    let mut record = directory.record().clone();
    record.base.check(&BaseRecord::new(&file, heads)).map_err(ResumeError::from)?;
    let FinetuneConfig { steps, saving, .. } = record.finetune;
    if (FinetuneConfig { steps, saving, ..config.clone() }) != record.finetune {
        return Err(ResumeError::OtherSettings.into());
    }
    let layout = theta.architecture().layout.clone();
    let trainer = Trainer::with_materials(config.clone(), theta, base, &materials);
    let mut trainer = trainer.map_err(StopCause::from)?;
    let damaged = |error: &CheckpointError| observe(Progress::Damaged(error));
    let checkpoint = directory.checkpoints().newest(&layout, damaged).map_err(ResumeError::from)?;
    let is_checkpointed = checkpoint.is_some();
    if let Some(checkpoint) = checkpoint {
        let path = directory.checkpoints().path(checkpoint.trainer.steps);
        let restored = trainer.restore(checkpoint.trainer, &checkpoint.state);
        restored.map_err(|error| {
            ResumeError::from(CheckpointError::Invalid { path, problem: error.to_string() })
        })?;
    }

    let (made, asked) = (trainer.steps(), config.steps);
    if asked < made {
        return Err(ResumeError::StepsMade { made, asked }.into());
    }
    record.finetune = config;
    if made < asked {
        record.note_program(made, program);
    }
    if record != *directory.record() {
        directory.set_record(record).map_err(StopCause::from)?;
    }
    observe(Progress::Resumed { steps: made });
    Run { directory, trainer, file, heads, is_checkpointed }.finish(stop, observe)
}

/// A run under way.
struct Run {
    directory: RunDirectory,
    trainer: Trainer,
    file: NetworkFile,
    heads: HeadSelection,
    /// Whether the newest checkpoint is of the trainer as it is.
    is_checkpointed: bool,
}

impl Run {
    fn finish(
        mut self,
        stop: &AtomicBool,
        mut observe: impl FnMut(Progress<'_>),
    ) -> Result<FinetuneSummary, FinetuneError> {
        let before = self.trainer.steps();
        let ended = self.play_and_learn(stop, &mut observe);
        let steps = self.trainer.steps();
        let saved = match steps {
            0 => Ok(None),
            _ => self.save_network(steps > before).map(Some),
        };
        match (ended, saved) {
            (Ok(()), Ok(network)) => {
                let stopped = steps < self.steps();
                Ok(FinetuneSummary { steps, new_steps: steps - before, stopped, network })
            }
            (Ok(()), Err(source)) => {
                Err(FinetuneError::Save { step: steps, source: Box::new(source) })
            }
            (Err(cause), saved) => {
                let rescue = match saved {
                    Ok(None) => Rescue::Nothing,
                    Ok(Some(path)) => Rescue::Saved(path),
                    Err(error) => Rescue::Failed(Box::new(error)),
                };
                // Where even that cannot be found out, less is promised.
                let checkpoint = self.directory.checkpoints().steps().unwrap_or_default();
                let checkpoint = checkpoint.last().copied();
                Err(FinetuneError::BrokenOff { cause: Box::new(cause), rescue, checkpoint })
            }
        }
    }

    fn play_and_learn(
        &mut self,
        stop: &AtomicBool,
        observe: &mut impl FnMut(Progress<'_>),
    ) -> Result<(), StopCause> {
        if self.trainer.steps() == self.steps() {
            return Ok(());
        }
        let saving = self.directory.record().finetune.saving;
        let mut log = self.directory.log_after(self.trainer.steps())?;
        let go_on = || !stop.load(Ordering::Relaxed);
        while go_on() && self.trainer.play_warm_start_ply()? {
            self.is_checkpointed = false;
            let plies_left = self.trainer.warm_start_plies_left();
            observe(Progress::WarmStart { plies_left });
            if saving.is_checkpoint_due(plies_left.into()) {
                self.save_checkpoint(&mut log)?;
            }
        }
        while go_on() && self.trainer.steps() < self.steps() {
            let metrics = self.trainer.step()?;
            self.is_checkpointed = false;
            log.append(&metrics)?;
            observe(Progress::Step(&metrics));
            if saving.is_checkpoint_due(metrics.step) {
                self.save_checkpoint(&mut log)?;
            }
            if saving.is_network_due(metrics.step) {
                self.save_network(true).map_err(Box::new)?;
            }
        }
        if !self.is_checkpointed {
            self.save_checkpoint(&mut log)?;
        }
        Ok(())
    }

    /// Steps that the run is to make.
    fn steps(&self) -> u64 {
        self.directory.record().finetune.steps
    }

    fn save_checkpoint(&mut self, log: &mut RunLog) -> Result<(), StopCause> {
        log.sync()?;
        let keep = self.directory.record().finetune.saving.keep_checkpoints;
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
