//! The folder of a run's checkpoints.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use network::Layout;

use super::atomic::{self, Existing};
use super::underway::RunTrainer;
use crate::checkpoint::{self, Checkpoint, CheckpointError, Snapshot};

/// Checkpoints by their step: `step-000123.safetensors`.
#[derive(Clone, Debug)]
pub(super) struct Checkpoints {
    folder: PathBuf,
}

impl Checkpoints {
    /// Those in `folder`, which is there.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Where the checkpoint of a step goes.
    pub(super) fn path(&self, step: u64) -> PathBuf {
        self.folder.join(name(step))
    }

    /// Writes one and then removes older ones, but for the newest `keep`.
    pub(super) fn save(
        &self,
        trainer: &impl RunTrainer,
        keep: usize,
    ) -> Result<(), CheckpointError> {
        let step = trainer.steps();
        let path = self.path(step);
        atomic::write(&path, Existing::Replace, |file| {
            checkpoint::write(file, trainer.engine(), trainer.snapshot())
        })
        .map_err(at(&path))?;
        let mut steps = self.steps()?;
        // Later ones are none that could be used, or this one would not have been made.
        steps.retain(|&other| other <= step);
        for &old in steps.iter().rev().skip(keep) {
            let path = self.path(old);
            fs::remove_file(&path).map_err(at(&path))?;
        }
        Ok(())
    }

    /// The newest one that is as it was written; `None` where there are no checkpoints at all.
    /// `damaged` hears of those that are not.
    pub(super) fn newest<S: Snapshot>(
        &self,
        layout: &Layout,
        mut damaged: impl FnMut(&CheckpointError),
    ) -> Result<Option<Checkpoint<S>>, CheckpointError> {
        let mut first_error = None;
        for step in self.steps()?.into_iter().rev() {
            match checkpoint::read::<S>(&self.path(step), layout) {
                Ok(checkpoint) if checkpoint.trainer.steps() == step => {
                    return Ok(Some(checkpoint));
                }
                Ok(checkpoint) => {
                    let found = checkpoint.trainer.steps();
                    let problem = format!("it is of step {found}, its name says {step}");
                    return Err(CheckpointError::Invalid { path: self.path(step), problem });
                }
                Err(error @ CheckpointError::Damaged { .. }) => {
                    damaged(&error);
                    first_error.get_or_insert(error);
                }
                Err(error) => return Err(error),
            }
        }
        first_error.map_or(Ok(None), Err)
    }

    /// Steps of those that are there, ascending.
    pub(super) fn steps(&self) -> Result<Vec<u64>, CheckpointError> {
        let mut steps = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(at(&self.folder))? {
            let file = entry.map_err(at(&self.folder))?.file_name();
            let step = file.to_str().and_then(|file| {
                let digits = file.strip_prefix("step-")?.split('.').next()?;
                let step = digits.parse().ok()?;
                (name(step) == file).then_some(step)
            });
            steps.extend(step);
        }
        steps.sort_unstable();
        Ok(steps)
    }
}

fn name(step: u64) -> String {
    format!("step-{step:06}.safetensors")
}

fn at(path: &Path) -> impl Fn(io::Error) -> CheckpointError {
    let path = path.to_owned();
    move |source| CheckpointError::Io { path: path.clone(), source }
}
