//! The directory of one run.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::atomic::{self, Existing};
use super::checkpoints::Checkpoints;
use super::log::RunLog;
use super::record::{RunConfig, RunRecord};
use crate::config::ConfigError;

const CONFIG: &str = "config.toml";
const METRICS: &str = "metrics.jsonl";
const CHECKPOINTS: &str = "checkpoints";
const NETWORKS: &str = "networks";
const TENSORBOARD: &str = "tensorboard";
const LOCK: &str = "lock";

/// The files of a run, which belong to this process as long as this lives.
///
/// - `config.toml`: the run's record `R`, there before anything else.
/// - `metrics.jsonl`: what is recorded of a step ([`StepMetrics`](crate::StepMetrics) or
///   [`SupervisedMetrics`](crate::supervised::SupervisedMetrics)), one a line; a line is written at
///   once, so that a run killed at any instant leaves at most the last line incomplete.
/// - `checkpoints/step-000123.safetensors`: all that is needed to go on after a step.
/// - `networks/step-000123.pb.gz`: the averaged network after a step, for lc0.
/// - `tensorboard/`: the metrics for TensorBoard.
/// - `lock`: locked while a process works on the run; the file stays.
#[derive(Debug)]
pub struct Directory<R> {
    path: PathBuf,
    record: R,
    /// Given back by the operating system however the process ends.
    _lock: File,
}

/// The directory of a fine-tuning run.
pub type RunDirectory = Directory<RunConfig>;

/// Why a run's directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunDirectoryError {
    /// There is a run already, which must not be overwritten.
    #[error(
        "{} already holds a run ({} is there); resume it or choose another directory",
        directory.display(),
        file
    )]
    Occupied {
        /// The directory.
        directory: PathBuf,
        /// What was found in it.
        file: &'static str,
    },
    /// There is no run to go on with.
    #[error("{} holds no run (there is no {CONFIG})", directory.display())]
    NoRun {
        /// The directory.
        directory: PathBuf,
    },
    /// The run is of another kind.
    #[error(
        "{0} holds a run of another kind; to go on with it: searchless {command} --resume {0}",
        directory.display()
    )]
    OtherRun {
        /// The directory.
        directory: PathBuf,
        /// The command of such runs.
        command: &'static str,
    },
    /// Another process works on the run.
    #[error("{} is in use by another process", directory.display())]
    InUse {
        /// The directory.
        directory: PathBuf,
    },
    /// There is a file where the directory should be.
    #[error("{} is a file, expected a directory or a new name for one; choose another", path.display())]
    NotADirectory {
        /// The file.
        path: PathBuf,
    },
    /// The run's record cannot be read.
    #[error("{}: {source}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ConfigError,
    },
    /// The run's record is not one.
    #[error("{}: settings without the record of a run", path.display())]
    NoRecord {
        /// The file.
        path: PathBuf,
    },
    /// Metrics that a checkpoint was made after are missing.
    #[error(
        "{}, line {line}: expected the record of step {line}; the run's checkpoint is of step {checkpoint}",
        path.display()
    )]
    Metrics {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// The checkpoint's step.
        checkpoint: u64,
    },
    /// A file or directory that cannot be made, read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl<R: RunRecord> Directory<R> {
    /// Makes the directory, which may exist as long as it holds no run, and writes its record.
    ///
    /// # Errors
    ///
    /// Where there is a run already, or a file cannot be made.
    pub fn create(path: &Path, record: R) -> Result<Self, RunDirectoryError> {
        if path.is_file() {
            return Err(RunDirectoryError::NotADirectory { path: path.to_owned() });
        }
        refuse_a_run(path)?;
        fs::create_dir_all(path).map_err(at(path))?;
        let lock = lock(path)?;
        // Another process may have made one in the meantime.
        refuse_a_run(path)?;
        atomic::remove_strays(path).map_err(at(path))?;
        let run = Self { path: path.to_owned(), record, _lock: lock };
        run.write_record(Existing::Keep)?;
        run.make_folders()?;
        Ok(run)
    }

    /// Opens the directory of a run that was begun.
    ///
    /// # Errors
    ///
    /// Where there is none, another process works on it, or its record cannot be read.
    pub fn open(path: &Path) -> Result<Self, RunDirectoryError> {
        let config = path.join(CONFIG);
        if !config.is_file() {
            return Err(RunDirectoryError::NoRun { directory: path.to_owned() });
        }
        let lock = lock(path)?;
        let text = fs::read_to_string(&config).map_err(at(&config))?;
        let record = match R::read(&text) {
            Ok(Some(record)) => record,
            Ok(None) => return Err(RunDirectoryError::NoRecord { path: config }),
            Err(ConfigError::OtherRun { command }) => {
                return Err(RunDirectoryError::OtherRun { directory: path.to_owned(), command });
            }
            Err(source) => return Err(RunDirectoryError::Config { path: config, source }),
        };
        let run = Self { path: path.to_owned(), record, _lock: lock };
        run.make_folders()?;
        for folder in [run.path.clone(), run.path.join(CHECKPOINTS), run.path.join(NETWORKS)] {
            atomic::remove_strays(&folder).map_err(at(&folder))?;
        }
        Ok(run)
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the run is.
    pub fn record(&self) -> &R {
        &self.record
    }

    /// Where the averaged network of a step goes.
    pub fn network_path(&self, step: u64) -> PathBuf {
        network_path(&self.path, step)
    }

    /// The checkpoints.
    pub(super) fn checkpoints(&self) -> Checkpoints {
        Checkpoints::new(self.path.join(CHECKPOINTS))
    }

    /// Opens what is said of the steps, to go on after `step`.
    pub(super) fn log_after(&self, step: u64) -> Result<RunLog, RunDirectoryError> {
        RunLog::open(&self.path.join(METRICS), &self.path.join(TENSORBOARD), step)
    }

    /// Replaces the run's record.
    pub(super) fn set_record(&mut self, record: R) -> Result<(), RunDirectoryError> {
        self.record = record;
        self.write_record(Existing::Replace)
    }

    fn write_record(&self, existing: Existing) -> Result<(), RunDirectoryError> {
        let path = self.path.join(CONFIG);
        let text = toml::to_string(&self.record).expect("strings, numbers and tables are TOML");
        let fill = |file: &mut File| file.write_all(text.as_bytes());
        atomic::write(&path, existing, fill).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                RunDirectoryError::Occupied { directory: self.path.clone(), file: CONFIG }
            }
            _ => at(&path)(error),
        })
    }

    fn make_folders(&self) -> Result<(), RunDirectoryError> {
        for name in [CHECKPOINTS, NETWORKS, TENSORBOARD] {
            let folder = self.path.join(name);
            fs::create_dir_all(&folder).map_err(at(&folder))?;
        }
        Ok(())
    }
}

/// The file of metrics of the run in a directory.
pub(crate) fn metrics_path(directory: &Path) -> PathBuf {
    directory.join(METRICS)
}

/// Whether the run in a directory has left all that it leaves after its last step, `steps`: the
/// averaged network is written after the checkpoint.
pub(crate) fn is_finished(directory: &Path, steps: u64) -> bool {
    let checkpoints = Checkpoints::new(directory.join(CHECKPOINTS));
    checkpoints.path(steps).is_file() && network_path(directory, steps).is_file()
}

/// The averaged network of a step of the run in a directory.
pub(crate) fn network_path(directory: &Path, step: u64) -> PathBuf {
    directory.join(NETWORKS).join(format!("step-{step:06}.pb.gz"))
}

/// Sees that a directory holds no run.
pub(crate) fn refuse_a_run(path: &Path) -> Result<(), RunDirectoryError> {
    for file in [CONFIG, METRICS, CHECKPOINTS, NETWORKS, TENSORBOARD] {
        if path.join(file).exists() {
            return Err(RunDirectoryError::Occupied { directory: path.to_owned(), file });
        }
    }
    Ok(())
}

/// Takes a directory for this process, as long as the result lives.
pub(crate) fn lock(directory: &Path) -> Result<File, RunDirectoryError> {
    let path = directory.join(LOCK);
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(at(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(RunDirectoryError::InUse { directory: directory.to_owned() })
        }
        Err(TryLockError::Error(source)) => Err(RunDirectoryError::Io { path, source }),
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> RunDirectoryError {
    let path = path.to_owned();
    move |source| RunDirectoryError::Io { path: path.clone(), source }
}

#[cfg(test)]
mod tests;
