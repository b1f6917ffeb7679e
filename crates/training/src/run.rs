//! A whole fine-tuning run, from a base network to a directory.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lc0::NetworkFile;
use network::{Engine, HeadSelection, LoadError, Network, StoreError, TrainableEngine};

use crate::config::FinetuneConfig;
use crate::error::TrainingError;
use crate::materials::Materials;
use crate::metrics::StepMetrics;
use crate::step::Trainer;

mod directory;
mod record;

pub use directory::{RunDirectory, RunDirectoryError};
pub use record::{BaseMismatch, BaseRecord, RunConfig, Settings};

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
    /// Steps made.
    pub steps: u64,
    /// True if it was stopped before its last step.
    pub stopped: bool,
    /// File of the averaged network; absent where a run was stopped before its first step.
    pub network: Option<PathBuf>,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum FinetuneError {
    /// The run could not begin: settings out of range, or a directory that cannot be used.
    #[error(transparent)]
    Start(#[from] StopCause),
    /// The run broke off.
    #[error("{cause}; {rescue}")]
    BrokenOff {
        /// What went wrong.
        #[source]
        cause: StopCause,
        /// What became of the steps made before.
        rescue: Rescue,
    },
    /// All steps were made, but their network could not be written.
    #[error("the network of step {step} could not be saved: {source}")]
    Save {
        /// The last step.
        step: u64,
        /// Why.
        source: Box<SaveError>,
    },
}

/// What stops a run.
#[derive(Debug, thiserror::Error)]
pub enum StopCause {
    /// A step could not be made.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// A file could not be written.
    #[error(transparent)]
    Directory(#[from] RunDirectoryError),
}

/// What became of the last good weights when a run broke off.
#[derive(Debug)]
pub enum Rescue {
    /// No step had been made.
    Nothing,
    /// The averaged network of the last good step is in this file.
    Saved(PathBuf),
    /// It could not be written.
    Failed(Box<SaveError>),
}

/// Why a network could not be written.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The base file cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The weights do not go into it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] lc0::NetworkFileError),
}

impl fmt::Display for Rescue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => write!(formatter, "no step had been made"),
            Self::Saved(path) => {
                write!(formatter, "the network of the last good step is in {}", path.display())
            }
            Self::Failed(error) => {
                write!(formatter, "the network of the last good step could not be saved: {error}")
            }
        }
    }
}

/// Fine-tunes a network into a new run directory (see [`RunDirectory`]).
///
/// `observe` hears of every step. Once `stop` is true, the step under way is finished and the
/// network written. The averaged network is written also where the run breaks off. The run's
/// files appear after the warm start: a run stopped before leaves none.
///
/// # Errors
///
/// Where the directory already holds a run, nothing is touched. Otherwise as [`FinetuneError`].
pub fn finetune(
    directory: &Path,
    setup: Finetuning,
    stop: &AtomicBool,
    mut observe: impl FnMut(Progress<'_>),
) -> Result<FinetuneSummary, FinetuneError> {
    let Finetuning { config, file, heads, theta, base, materials, program } = setup;
    let base_record = BaseRecord::new(&file, heads);
    let record = RunConfig { program, base: base_record, finetune: config.clone() };
    let steps = config.steps;
    let trainer = Trainer::with_materials(config, theta, base, &materials);
    let mut trainer = trainer.map_err(StopCause::from)?;
    RunDirectory::prepare(directory).map_err(StopCause::from)?;

    let mut run = None;
    let begin = || RunDirectory::create(directory, &record);
    let ended = play_and_learn(&mut trainer, begin, &mut run, steps, stop, &mut observe);
    let saved = match (&run, trainer.steps()) {
        (None, _) | (_, 0) => Ok(None),
        (Some(run), step) => save(&trainer, file, heads, &run.network_path(step)).map(Some),
    };
    match (ended, saved) {
        (Ok(()), Ok(network)) => {
            let stopped = trainer.steps() < steps;
            Ok(FinetuneSummary { steps: trainer.steps(), stopped, network })
        }
        (Ok(()), Err(source)) => {
            Err(FinetuneError::Save { step: trainer.steps(), source: Box::new(source) })
        }
        (Err(cause), saved) => {
            let rescue = match saved {
                Ok(None) => Rescue::Nothing,
                Ok(Some(path)) => Rescue::Saved(path),
                Err(error) => Rescue::Failed(Box::new(error)),
            };
            Err(FinetuneError::BrokenOff { cause, rescue })
        }
    }
}

fn play_and_learn(
    trainer: &mut Trainer,
    begin: impl FnOnce() -> Result<RunDirectory, RunDirectoryError>,
    run: &mut Option<RunDirectory>,
    steps: u64,
    stop: &AtomicBool,
    observe: &mut impl FnMut(Progress<'_>),
) -> Result<(), StopCause> {
    let go_on = || !stop.load(Ordering::Relaxed);
    while go_on() && trainer.play_warm_start_ply()? {
        observe(Progress::WarmStart { plies_left: trainer.warm_start_plies_left() });
    }
    if !go_on() {
        return Ok(());
    }
    // Not before the warm start, so that a run interrupted there can be started again.
    let run = run.insert(begin()?);
    while go_on() && trainer.steps() < steps {
        let metrics = trainer.step()?;
        run.append(&metrics)?;
        observe(Progress::Step(&metrics));
    }
    Ok(())
}

/// Writes the averaged network in the form of the base's file.
fn save(
    trainer: &Trainer,
    mut file: NetworkFile,
    heads: HeadSelection,
    path: &Path,
) -> Result<PathBuf, SaveError> {
    let network = Network::load(&file, heads)?;
    network.store(&trainer.engine().state().average, &mut file)?;
    file.write(path)?;
    Ok(path.to_owned())
}
