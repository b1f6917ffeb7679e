//! A whole supervised run, from a base network to a directory.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use lc0::NetworkFile;
use network::{HeadSelection, TrainableEngine, TrainingState};
use serde::{Deserialize, Serialize};

use super::batches::Batches;
use super::config::SupervisedConfig;
use super::stream::DataCounts;
use super::trainer::{SupervisedMetrics, SupervisedTrainer};
use crate::checkpoint::{CheckpointError, InvalidSnapshot, Snapshot};
use crate::error::TrainingError;
use crate::run::{
    BaseRecord, Directory, ResumeError, Run, RunError, RunSummary, RunTrainer, StopCause,
};

mod record;
#[cfg(test)]
mod tests;

pub use record::{SupervisedRecord, SupervisedSettings};

/// The directory of a supervised run.
pub type SupervisedDirectory = Directory<SupervisedRecord>;

/// What a run starts from.
pub struct Supervision {
    /// The settings.
    pub config: SupervisedConfig,
    /// The base network's file, into which the trained weights go.
    pub file: NetworkFile,
    /// The heads of the file that are trained.
    pub heads: HeadSelection,
    /// The network to train, loaded from the file.
    pub theta: Box<dyn TrainableEngine>,
    /// Name and version of the program, for the run's record.
    pub program: String,
}

/// What a run is doing.
#[derive(Clone, Copy, Debug)]
pub enum SupervisedProgress<'a> {
    /// A checkpoint cannot be used; the one before it is tried.
    Damaged(&'a CheckpointError),
    /// Drawing again the samples that a run to be resumed has learnt from, without learning.
    Replay {
        /// Samples drawn.
        drawn: u64,
        /// Samples to draw.
        samples: u64,
    },
    /// The run goes on after this many steps.
    Resumed {
        /// Steps made before.
        steps: u64,
    },
    /// The files have been read to their end for the first time. Not said again of a round that
    /// ended before the run was resumed.
    FirstRound(&'a DataCounts),
    /// A step has been made and recorded.
    Step(&'a SupervisedMetrics),
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupervisedSummary {
    /// Its steps and its network.
    pub run: RunSummary,
    /// What was read, by the run's earlier processes too; absent where there was nothing to do.
    pub data: Option<DataCounts>,
}

/// Trains a network on the samples of files into a new run directory (see [`Directory`]).
///
/// `observe` hears of every step. Once `stop` is true, the step under way is finished, and
/// checkpoint and network are written. The averaged network is written also where the run breaks
/// off. However it ends, [`resume`] goes on with it bit for bit.
///
/// # Errors
///
/// Where the directory already holds a run, or the files have no sample, nothing is touched.
/// Otherwise as [`RunError`].
pub fn train(
    directory: &Path,
    setup: Supervision,
    stop: &AtomicBool,
    observe: impl FnMut(SupervisedProgress<'_>),
) -> Result<SupervisedSummary, RunError> {
    let Supervision { config, file, heads, theta, program } = setup;
    config.validate().map_err(|error| StopCause::from(TrainingError::from(error)))?;
    // What cannot begin leaves no directory.
    let format = theta.architecture().input_format;
    let mut batches = Batches::open(&config, format).map_err(StopCause::from)?;
    let learner = Learner::new(SupervisedTrainer::new(config.clone(), theta));
    let base = BaseRecord::new(&file, heads);
    let record = SupervisedRecord { program, base, train: config, resumed: Vec::new() };
    let directory = SupervisedDirectory::create(directory, record).map_err(StopCause::from)?;
    let run = Run::new(directory, learner, file, heads);
    let run = run.finish(|run| learn(run, &mut batches, stop, observe))?;
    Ok(SupervisedSummary { run, data: Some(batches.counts().clone()) })
}

/// Goes on with a run from its newest checkpoint, or from its beginning where there is none, as if
/// it had never been interrupted: with the same weights and the same metrics but for the speeds.
///
/// A checkpoint has no samples. The files are read again from their beginning, and as many samples
/// are drawn as the run has learnt from; they must be the same. That takes the time of reading, a
/// small part of that of learning.
///
/// What the run had written of later steps is overruled. The settings must be those of its record,
/// but for `steps` and `saving`, which are recorded where they change.
///
/// # Errors
///
/// Where base, settings, files or checkpoint are not those of the run. Otherwise as [`RunError`].
pub fn resume(
    directory: SupervisedDirectory,
    setup: Supervision,
    stop: &AtomicBool,
    mut observe: impl FnMut(SupervisedProgress<'_>),
) -> Result<SupervisedSummary, RunError> {
    let Supervision { config, file, heads, theta, program } = setup;
    let mut record = directory.record().clone();
    record.base.check(&BaseRecord::new(&file, heads)).map_err(ResumeError::from)?;
    config.validate().map_err(|error| StopCause::from(TrainingError::from(error)))?;
    let SupervisedConfig { steps, saving, .. } = record.train;
    if (SupervisedConfig { steps, saving, ..config.clone() }) != record.train {
        return Err(ResumeError::OtherSettings.into());
    }
    let format = theta.architecture().input_format;
    let learner = Learner::new(SupervisedTrainer::new(config.clone(), theta));
    let damaged = |error: &CheckpointError| observe(SupervisedProgress::Damaged(error));
    let mut run = Run::restore(directory, learner, file, heads, damaged)?;
    let (made, asked) = (run.trainer.steps(), config.steps);
    if asked < made {
        return Err(ResumeError::StepsMade { made, asked }.into());
    }
    let mut batches = None;
    if made < asked {
        let mut begun = Batches::open(&config, format).map_err(ResumeError::from)?;
        replay(&run.trainer, &mut begun, config.batch as u64, stop, &mut observe)?;
        batches = Some(begun);
        record.note_program(made, program);
    }
    record.train = config;
    run.set_record(record)?;
    observe(SupervisedProgress::Resumed { steps: made });
    let run = run.finish(|run| match &mut batches {
        Some(batches) => learn(run, batches, stop, observe),
        None => Ok(()),
    })?;
    Ok(SupervisedSummary { run, data: batches.map(|batches| batches.counts().clone()) })
}

/// Draws what the run has learnt from, unless it is stopped meanwhile; then it learns no more.
fn replay(
    learner: &Learner,
    batches: &mut Batches,
    batch: u64,
    stop: &AtomicBool,
    observe: &mut impl FnMut(SupervisedProgress<'_>),
) -> Result<(), ResumeError> {
    let samples = learner.steps() * batch;
    for step in 1..=learner.steps() {
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        batches.next_batch()?;
        observe(SupervisedProgress::Replay { drawn: step * batch, samples });
    }
    if learner.steps() > 0 && batches.sha256() != learner.samples_sha256 {
        return Err(ResumeError::OtherSamples { samples });
    }
    Ok(())
}

fn learn(
    run: &mut Run<Learner>,
    batches: &mut Batches,
    stop: &AtomicBool,
    mut observe: impl FnMut(SupervisedProgress<'_>),
) -> Result<(), StopCause> {
    let mut log = run.log()?;
    while !stop.load(Ordering::Relaxed) && !run.is_complete() {
        let in_first_round = batches.counts().epochs == 0;
        let metrics = run.trainer.step(batches)?;
        log.append(&metrics)?;
        if in_first_round && batches.counts().epochs > 0 {
            observe(SupervisedProgress::FirstRound(batches.counts()));
        }
        observe(SupervisedProgress::Step(&metrics));
        run.note_step(&mut log)?;
    }
    run.save_last(&mut log)
}

/// A trainer, and what it has learnt from.
struct Learner {
    trainer: SupervisedTrainer,
    /// See [`Batches::sha256`]; empty before the first step.
    samples_sha256: String,
}

impl Learner {
    fn new(trainer: SupervisedTrainer) -> Self {
        Self { trainer, samples_sha256: String::new() }
    }

    fn step(&mut self, batches: &mut Batches) -> Result<SupervisedMetrics, StopCause> {
        let samples = batches.next_batch()?;
        let metrics = self.trainer.step(&samples).map_err(StopCause::from)?;
        self.samples_sha256 = batches.sha256();
        Ok(metrics)
    }
}

/// What a checkpoint has beside the network's vectors.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LearnerSnapshot {
    steps: u64,
    samples_sha256: String,
}

impl Snapshot for LearnerSnapshot {
    fn steps(&self) -> u64 {
        self.steps
    }
}

impl RunTrainer for Learner {
    type Record = SupervisedRecord;
    type Snapshot = LearnerSnapshot;

    fn steps(&self) -> u64 {
        self.trainer.steps()
    }

    fn engine(&self) -> &dyn TrainableEngine {
        self.trainer.engine()
    }

    fn snapshot(&self) -> LearnerSnapshot {
        let samples_sha256 = self.samples_sha256.clone();
        LearnerSnapshot { steps: self.steps(), samples_sha256 }
    }

    fn restore(
        &mut self,
        snapshot: LearnerSnapshot,
        state: &TrainingState,
    ) -> Result<(), InvalidSnapshot> {
        self.trainer.restore(snapshot.steps, state)?;
        self.samples_sha256 = snapshot.samples_sha256;
        Ok(())
    }
}
