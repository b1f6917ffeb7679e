//! Self-play fine-tuning of a searchless network (paper, Section 2.3).
//!
//! - [`Trainer`]: the algorithm, one step at a time.
//! - [`Objective`]: the loss and its gradient with respect to the logits.
//! - [`FinetuneConfig`]: everything that determines a run.
//! - [`StepMetrics`]: what is recorded of each step.
//! - [`finetune`]: a whole run, into a directory; [`resume`] goes on with it.
//! - [`sweep`]: a grid of runs.
//! - [`label`]: positions with search-derived targets from a UCI engine.
//! - [`supervised`]: training on puzzles and on Lc0's training data instead, with runs of its own.
//!
//! A run depends on its configuration and its base network alone: not on the number of threads,
//! and not on the order in which games are served.

mod behaviour;
mod beta;
mod checkpoint;
mod config;
mod error;
pub mod label;
mod materials;
mod metrics;
mod objective;
mod openings;
mod references;
mod run;
mod self_play;
mod start;
mod step;
pub mod supervised;
pub mod sweep;
mod tensorboard;
#[cfg(test)]
mod testing;

pub use beta::{BetaSchedule, BetaScheduleKind, DriftAverage};
pub use checkpoint::CheckpointError;
pub use config::{
    ConfigBuilder, ConfigError, FinetuneConfig, KEYS, Key, OptimiserConstants, PeakLearningRates,
    PlyCapOutcome, Preset, SamplingTemperature, SavingConfig, TemperatureSource, UnknownPreset,
};
pub use error::TrainingError;
pub use materials::{FileMismatch, Materials};
pub use metrics::{
    AdvantageMetrics, GameMetrics, ImportanceMetrics, LossMetrics, PolicyMetrics, Spread,
    StepMetrics, Timing,
};
pub use objective::{ExplorationTerm, LossTerms, Objective, Transition, ValueWeighting, advantage};
pub use openings::{OPENING_WINDOW, OpeningDiversity, OpeningMetrics};
pub use references::ReferenceConfig;
pub use run::{
    BaseMismatch, BaseRecord, Directory, Finetuning, Progress, Rescue, ResumeError, Resumption,
    RunConfig, RunDirectory, RunDirectoryError, RunError, RunRecord, RunSummary, SaveError,
    Settings, StopCause, finetune, resume,
};
pub use start::OpeningBookConfig;
pub use step::Trainer;
