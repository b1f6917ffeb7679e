//! The runs of a sweep's cells.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lc0::NetworkFile;
use network::{Engine, HeadSelection, Network};
use training::sweep::{Cell, CellStatus, SweepDirectory};
use training::{Finetuning, RunDirectory, RunError, StopCause, finetune, resume};

use super::progress::SweepProgress;
use crate::commands::finetune::materials;
use crate::device::DeviceArguments;
use crate::errors;

/// What all cells share.
pub(super) struct Runner<'a> {
    pub(super) directory: &'a SweepDirectory,
    pub(super) file: NetworkFile,
    pub(super) heads: HeadSelection,
    /// Loaded from the file.
    pub(super) network: Network,
    /// The same, ready on the device.
    pub(super) base: Arc<dyn Engine>,
    pub(super) device: DeviceArguments,
    pub(super) program: String,
    pub(super) stop: &'a AtomicBool,
    pub(super) progress: Mutex<SweepProgress>,
}

/// How the work on a cell ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// All of its steps are made.
    Finished,
    /// It was interrupted.
    Stopped,
    /// It cannot go on.
    Failed(String),
}

impl Runner<'_> {
    /// Makes the steps that a cell lacks.
    pub(super) fn run(&self, cell: &Cell) -> Ending {
        let ending =
            self.steps(cell).unwrap_or_else(|error| Ending::Failed(errors::one_line(&error)));
        let how = match &ending {
            Ending::Finished => "finished".to_owned(),
            Ending::Stopped => "stopped".to_owned(),
            Ending::Failed(reason) => format!("failed: {reason}"),
        };
        self.progress().end(&cell.name, ending == Ending::Finished, &how);
        ending
    }

    fn steps(&self, cell: &Cell) -> anyhow::Result<Ending> {
        let (name, total) = (cell.name.as_str(), cell.config.steps);
        let path = self.directory.cell_path(cell);
        let begun = match self.directory.status(cell)? {
            CellStatus::Begun { steps } => Some(steps),
            _ => None,
        };
        self.progress().begin(name, begun.unwrap_or_default(), total);
        let mut config = self.directory.config(cell);
        let materials = materials::load(&mut config, self.device)?;
        let setup = Finetuning {
            config,
            file: self.file.clone(),
            heads: self.heads,
            theta: self.device.trainer(self.network.clone())?,
            base: Arc::clone(&self.base),
            materials,
            program: self.program.clone(),
        };
        let observe = |event: training::Progress<'_>| match event {
            training::Progress::Damaged(error) => {
                self.progress().say(&format!("{name}: warning: {error}"));
            }
            training::Progress::Resumed { steps } => self.progress().report(name, steps, total),
            training::Progress::WarmStart { .. } => {}
            training::Progress::Step(metrics) => self.progress().report(name, metrics.step, total),
        };
        let ended = match begun {
            Some(_) => resume(RunDirectory::open(&path)?, setup, self.stop, observe),
            None => finetune(&path, setup, self.stop, observe),
        };
        match ended {
            Ok(summary) if summary.stopped => Ok(Ending::Stopped),
            Ok(_) => Ok(Ending::Finished),
            Err(error) => {
                if let Some(cause) = lasting(&error) {
                    self.directory.record_failure(cell, &cause.to_string())?;
                }
                Err(error.into())
            }
        }
    }

    fn progress(&self) -> MutexGuard<'_, SweepProgress> {
        // What is shown may be wrong where another thread broke down, not more.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What would stop the run again, if it is something that would: a step is the same each time, a
/// disk can have room the next time.
fn lasting(error: &RunError) -> Option<&StopCause> {
    let cause = match error {
        RunError::Start(cause) => cause,
        RunError::BrokenOff { cause, .. } => cause,
        RunError::Resume(_) | RunError::Save { .. } => return None,
    };
    matches!(cause, StopCause::Training(_)).then_some(cause)
}
