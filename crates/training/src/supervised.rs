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
//! - [`SupervisedTrainer`]: one step at a time.

mod config;
mod data;
mod record;
mod sample;
mod shuffle;
mod stream;
mod trainer;

pub use config::SupervisedConfig;
pub use data::TrainingData;
pub use record::{RecordMismatch, sample_of};
pub use sample::Sample;
pub use shuffle::Shuffle;
pub use stream::{DataCounts, DataError, SampleStream};
pub use trainer::{SupervisedError, SupervisedMetrics, SupervisedTrainer};
