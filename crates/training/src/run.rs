//! A whole fine-tuning run, from a base network to a directory.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lc0::NetworkFile;
use network::{Engine, HeadSelection, TrainableEngine, TrainingState};

use crate::checkpoint::{CheckpointError, InvalidSnapshot};
use crate::config::FinetuneConfig;
use crate::materials::Materials;
use crate::metrics::StepMetrics;
use crate::step::{Trainer, TrainerSnapshot};

pub(crate) mod atomic;
mod checkpoints;
mod directory;
mod error;
mod log;
mod record;
mod underway;

pub use directory::{Directory, RunDirectory, RunDirectoryError};
pub(crate) use directory::{is_finished, lock, metrics_path, network_path, refuse_a_run};
pub use error::{Rescue, ResumeError, RunError, SaveError, StopCause};
pub use record::{BaseMismatch, BaseRecord, Resumption, RunConfig, RunRecord, Settings};
pub use underway::RunSummary;
pub(crate) use underway::{Run, RunTrainer};

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

/// Fine-tunes a network into a new run directory (see [`RunDirectory`]).
///
/// `observe` hears of every step. Once `stop` is true, the step under way is finished, and
/// checkpoint and network are written. The averaged network is written also where the run breaks
/// off. However it ends, [`resume`] goes on with it bit for bit.
///
/// # Errors
///
/// Where the directory already holds a run, nothing is touched. Otherwise as [`RunError`].
pub fn finetune(
    directory: &Path,
    setup: Finetuning,
    stop: &AtomicBool,
    observe: impl FnMut(Progress<'_>),
) -> Result<RunSummary, RunError> {
    let Finetuning { config, file, heads, theta, base, materials, program } = setup;
    let finetune = config.clone();
    let base_record = BaseRecord::new(&file, heads);
    let record = RunConfig { program, base: base_record, finetune, resumed: Vec::new() };
    // What cannot begin leaves no directory.
    let trainer = Trainer::with_materials(config, theta, base, &materials);
    let trainer = trainer.map_err(StopCause::from)?;
    let directory = RunDirectory::create(directory, record).map_err(StopCause::from)?;
    let run = Run::new(directory, trainer, file, heads);
    run.finish(|run| play_and_learn(run, stop, observe))
}

/// Goes on with a run from its newest checkpoint, or from its beginning where there is none, as if
/// it had never been interrupted: with the same weights and the same metrics but for the timings.
///
/// What the run had written of later steps is overruled. The settings must be those of its record,
/// but for `steps` and `saving`, which are recorded where they change.
///
/// # Errors
///
/// Where base, settings or checkpoint are not those of the run. Otherwise as [`RunError`].
pub fn resume(
    directory: RunDirectory,
    setup: Finetuning,
    stop: &AtomicBool,
    mut observe: impl FnMut(Progress<'_>),
) -> Result<RunSummary, RunError> {
    let Finetuning { config, file, heads, theta, base, materials, program } = setup;
    let mut record = directory.record().clone();
    record.base.check(&BaseRecord::new(&file, heads)).map_err(ResumeError::from)?;
    let FinetuneConfig { steps, saving, .. } = record.finetune;
    if (FinetuneConfig { steps, saving, ..config.clone() }) != record.finetune {
        return Err(ResumeError::OtherSettings.into());
    }
    let trainer = Trainer::with_materials(config.clone(), theta, base, &materials);
    let trainer = trainer.map_err(StopCause::from)?;
    let damaged = |error: &CheckpointError| observe(Progress::Damaged(error));
    let mut run = Run::restore(directory, trainer, file, heads, damaged)?;
    let (made, asked) = (run.trainer.steps(), config.steps);
    if asked < made {
        return Err(ResumeError::StepsMade { made, asked }.into());
    }
    record.finetune = config;
    if made < asked {
        record.note_program(made, program);
    }
    run.set_record(record)?;
    observe(Progress::Resumed { steps: made });
    run.finish(|run| play_and_learn(run, stop, observe))
}

fn play_and_learn(
    run: &mut Run<Trainer>,
    stop: &AtomicBool,
    mut observe: impl FnMut(Progress<'_>),
) -> Result<(), StopCause> {
    if run.is_complete() {
        return Ok(());
    }
    let mut log = run.log()?;
    let go_on = || !stop.load(Ordering::Relaxed);
    while go_on() && run.trainer.play_warm_start_ply()? {
        let plies_left = run.trainer.warm_start_plies_left();
        observe(Progress::WarmStart { plies_left });
        run.note_progress(plies_left.into(), &mut log)?;
    }
    while go_on() && !run.is_complete() {
        let metrics = run.trainer.step()?;
        log.append(&metrics)?;
        observe(Progress::Step(&metrics));
        run.note_step(&mut log)?;
    }
    run.save_last(&mut log)
}

impl RunTrainer for Trainer {
    type Record = RunConfig;
    type Snapshot = TrainerSnapshot;

    fn steps(&self) -> u64 {
        self.steps()
    }

    fn engine(&self) -> &dyn TrainableEngine {
        self.engine()
    }

    fn snapshot(&self) -> TrainerSnapshot {
        self.snapshot()
    }

    fn restore(
        &mut self,
        snapshot: TrainerSnapshot,
        state: &TrainingState,
    ) -> Result<(), InvalidSnapshot> {
        self.restore(snapshot, state)
    }
}
