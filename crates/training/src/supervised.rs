//! Supervised training from the same engine as self-play: on puzzle solutions (the paper's
//! puzzle-tuned control, Section 3.6) or on Lc0's training chunks.
//!
//! With `t` the target of the policy and `w` that of the value, where a position has one:
//!
//! ```text
//! L(s) = CE(t, pi(.|s)) + c_v CE(w, WDL(s)),   means over the batch
//! ```
//!
//! - [`Sample`]: a position with its targets.
//! - [`TrainingData`], [`SampleStream`]: samples from files, over and over.
//! - [`Shuffle`]: a bounded buffer out of which they are drawn.
//! - [`Batches`]: what a step learns from, drawn out of it.
//! - [`SupervisedTrainer`]: one step at a time.
//! - [`train`]: a whole run, into a directory; [`resume`] goes on with it.

mod batches;
mod config;
mod data;
mod mirror;
mod record;
mod run;
mod sample;
mod shuffle;
mod stream;
mod trainer;

pub use batches::Batches;
pub use config::SupervisedConfig;
pub use data::TrainingData;
pub use record::{RecordMismatch, sample_of};
pub use run::{
    SupervisedDirectory, SupervisedProgress, SupervisedRecord, SupervisedSettings,
    SupervisedSummary, Supervision, resume, train,
};
pub use sample::Sample;
pub use shuffle::Shuffle;
pub use stream::{DataCounts, DataError, SampleStream};
pub use trainer::{SupervisedError, SupervisedMetrics, SupervisedTrainer};
