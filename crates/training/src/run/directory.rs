//! The directory of one run.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::record::RunConfig;
use crate::metrics::StepMetrics;

const CONFIG: &str = "config.toml";
const METRICS: &str = "metrics.jsonl";
const NETWORKS: &str = "networks";

/// The files of a run.
///
/// - `config.toml`: a [`RunConfig`].
/// - `metrics.jsonl`: one [`StepMetrics`] a line; a line is written at once, so that a run killed
///   at any instant leaves at most the last line incomplete.
/// - `networks/step-000123.pb.gz`: the averaged network after a step, for lc0.
#[derive(Debug)]
pub struct RunDirectory {
    path: PathBuf,
    metrics: File,
}

/// Why a run's directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunDirectoryError {
    /// There is a run already, which must not be overwritten.
    #[error("{} already holds a run ({} is there); choose another directory", directory.display(), file)]
    Occupied {
        /// The directory.
        directory: PathBuf,
        /// What was found in it.
        file: &'static str,
    },
    /// There is a file where the directory should be.
    #[error("{} is a file, expected a directory or a new name for one; choose another", path.display())]
    NotADirectory {
        /// The file.
        path: PathBuf,
    },
    /// A file or directory that cannot be made or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl RunDirectory {
    /// Makes the directory and sees that a run could be written there, but writes none.
    ///
    /// # Errors
    ///
    /// Where there is a run already, or no file can be made.
    pub fn prepare(path: &Path) -> Result<(), RunDirectoryError> {
        if path.is_file() {
            return Err(RunDirectoryError::NotADirectory { path: path.to_owned() });
        }
        for file in [CONFIG, METRICS, NETWORKS] {
            if path.join(file).exists() {
                return Err(RunDirectoryError::Occupied { directory: path.to_owned(), file });
            }
        }
        fs::create_dir_all(path).map_err(at(path))?;
        tempfile::NamedTempFile::new_in(path).map(drop).map_err(at(path))
    }

    /// Makes the directory, which may exist as long as it holds no run, and writes `config`.
    ///
    /// # Errors
    ///
    /// Where there is a run already, or a file cannot be made.
    pub fn create(path: &Path, config: &RunConfig) -> Result<Self, RunDirectoryError> {
        Self::prepare(path)?;
        let text = toml::to_string(config).expect("strings, numbers and tables are TOML");
        write_new(path, CONFIG, &text)?;
        let metrics_path = path.join(METRICS);
        let metrics = OpenOptions::new().append(true).create_new(true).open(&metrics_path);
        let metrics = metrics.map_err(at(&metrics_path))?;
        let networks = path.join(NETWORKS);
        fs::create_dir(&networks).map_err(at(&networks))?;
        Ok(Self { path: path.to_owned(), metrics })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a step's record.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn append(&mut self, metrics: &StepMetrics) -> Result<(), RunDirectoryError> {
        let mut line = serde_json::to_string(metrics).expect("numbers and names are JSON");
        line.push('\n');
        // Not buffered here, so that the line is out when this returns.
        self.metrics.write_all(line.as_bytes()).map_err(at(&self.path.join(METRICS)))
    }

    /// Where the averaged network of a step goes.
    pub fn network_path(&self, step: u64) -> PathBuf {
        self.path.join(NETWORKS).join(format!("step-{step:06}.pb.gz"))
    }
}

/// Writes a file in whole or not at all, and never over another.
fn write_new(directory: &Path, name: &'static str, text: &str) -> Result<(), RunDirectoryError> {
    let write = || -> io::Result<tempfile::NamedTempFile> {
        let mut file = tempfile::NamedTempFile::new_in(directory)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        Ok(file)
    };
    let path = directory.join(name);
    let written = write().map_err(at(&path))?;
    written.persist_noclobber(&path).map(drop).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => {
            RunDirectoryError::Occupied { directory: directory.to_owned(), file: name }
        }
        _ => at(&path)(error.error),
    })
}

fn at(path: &Path) -> impl Fn(io::Error) -> RunDirectoryError {
    let path = path.to_owned();
    move |source| RunDirectoryError::Io { path: path.clone(), source }
}

#[cfg(test)]
mod tests;
