//! Why a run ends before its last step.

use std::fmt;
use std::path::PathBuf;

use network::{LoadError, StoreError};

use super::directory::RunDirectoryError;
use super::record::BaseMismatch;
use crate::checkpoint::CheckpointError;
use crate::error::TrainingError;
use crate::supervised::{DataError, SupervisedError};

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The run could not begin: settings out of range, or a directory that cannot be used.
    #[error(transparent)]
    Start(#[from] StopCause),
    /// The run could not go on from where it was.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// The run broke off.
    #[error("{cause}; {rescue}; {}", resumption(*.checkpoint))]
    BrokenOff {
        /// What went wrong.
        #[source]
        cause: Box<StopCause>,
        /// What became of the network of the steps made before.
        rescue: Rescue,
        /// Step of the newest checkpoint.
        checkpoint: Option<u64>,
    },
    /// All steps were made, but their network could not be written.
    #[error("the network of step {step} could not be saved: {source}; {}", resumption(Some(*.step)))]
    Save {
        /// The last step.
        step: u64,
        /// Why.
        source: Box<SaveError>,
    },
}

fn resumption(checkpoint: Option<u64>) -> String {
    match checkpoint {
        Some(step) => format!("the run can be resumed from its checkpoint of step {step}"),
        None => "there is no checkpoint; resumed, the run begins anew".to_owned(),
    }
}

/// What stops a run.
#[derive(Debug, thiserror::Error)]
pub enum StopCause {
    /// A step could not be made.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// A step of supervised training could not be made.
    #[error(transparent)]
    Supervised(#[from] SupervisedError),
    /// There are no samples, or no more of them.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A file could not be written.
    #[error(transparent)]
    Directory(#[from] RunDirectoryError),
    /// A checkpoint could not be written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A network could not be written.
    #[error(transparent)]
    Network(#[from] Box<SaveError>),
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// A checkpoint that cannot be used; where it is damaged, there is no other.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The base is another network.
    #[error(transparent)]
    Base(#[from] BaseMismatch),
    /// Settings that determine results are not those of the run.
    #[error("the settings are not those of the run; only steps and saving may change")]
    OtherSettings,
    /// The samples of a supervised run cannot be read again.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A supervised run's files give other samples than it has learnt from.
    #[error(
        "the files no longer give the {samples} samples that the run has learnt from; \
         going on with others would be another run"
    )]
    OtherSamples {
        /// Samples learnt from.
        samples: u64,
    },
    /// The run is to end before where it is.
    #[error("the run has made {made} steps, it cannot end after {asked}")]
    StepsMade {
        /// Steps made.
        made: u64,
        /// Steps wanted.
        asked: u64,
    },
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
