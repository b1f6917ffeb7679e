//! What the commands that train have in common.

mod comparison;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::files::read_network;
use anyhow::Context;
use lc0::NetworkFile;
use network::HeadSelection;
use training::{BaseRecord, PeakLearningRates, RunSummary, SavingConfig};

pub(super) use self::comparison::ComparisonArguments;

/// How long a run is; a resumed one may become longer.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Training")]
pub(super) struct LengthArguments {
    /// Optimiser steps; with --resume the run's new length, counted from its
    /// beginning
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
}

impl LengthArguments {
    /// Changes what is given.
    pub(super) fn apply(&self, steps: &mut u64) {
        replace(steps, self.steps);
    }
}

/// When a run is saved, which does not change its results.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Saving")]
pub(super) struct SavingArguments {
    /// Steps between two checkpoints [default: 50]
    #[arg(long, value_name = "N")]
    checkpoint_every: Option<u64>,
    /// Checkpoints to keep, the newest ones [default: 2]
    #[arg(long, value_name = "N")]
    keep_checkpoints: Option<usize>,
    /// Steps between two networks for lc0; 0 writes one at the end only [default: 0]
    #[arg(long, value_name = "N")]
    network_every: Option<u64>,
}

impl SavingArguments {
    /// Changes what is given.
    pub(super) fn apply(&self, saving: &mut SavingConfig) {
        replace(&mut saving.checkpoint_every, self.checkpoint_every);
        replace(&mut saving.keep_checkpoints, self.keep_checkpoints);
        replace(&mut saving.network_every, self.network_every);
    }
}

/// Changes a setting where another is given.
pub(super) fn replace<T: Copy>(setting: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *setting = given;
    }
}

/// Multiplies all four rates.
pub(super) fn scale(rates: &mut PeakLearningRates, factor: f64) {
    for rate in
        [&mut rates.backbone, &mut rates.final_block, &mut rates.policy_head, &mut rates.value_head]
    {
        *rate *= factor;
    }
}

/// The base of the run in `directory`, read from where it is `given` to be, else from where it was.
pub(super) fn base_of(
    directory: &Path,
    recorded: &BaseRecord,
    given: Option<&Path>,
) -> anyhow::Result<(PathBuf, NetworkFile, HeadSelection)> {
    let heads = HeadSelection {
        policy: recorded.policy_head.parse()?,
        value: recorded.value_head.parse()?,
    };
    let base = given.unwrap_or(Path::new(&recorded.file)).to_owned();
    let file = match read_network(&base) {
        Err(error) if given.is_none() && !base.exists() => {
            return Err(error).with_context(|| {
                let run = directory.display();
                format!("the base of {run} is not where it was; --network says where it is")
            });
        }
        read => read?,
    };
    Ok((base, file, heads))
}

/// Says how a run ended and how it can go on: by `resume`, a command.
pub(super) fn tell(
    summary: &RunSummary,
    resume: &str,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let steps = summary.steps;
    match &summary.network {
        None => writeln!(output, "stopped before the first step; there is no network yet")?,
        Some(network) => {
            let network = network.display();
            let ended = match (summary.stopped, summary.new_steps) {
                (true, _) => format!("stopped after {steps} steps"),
                (false, 0) => format!("the run has already made its {steps} steps"),
                (false, _) => format!("finished {steps} steps"),
            };
            writeln!(output, "{ended}; the network is {network}")?;
        }
    }
    if summary.stopped {
        writeln!(output, "to go on: {resume}")?;
    } else if summary.new_steps == 0 {
        writeln!(output, "for more steps: {resume} --steps N")?;
    }
    Ok(())
}

/// A path as a word of a shell's command.
pub(super) fn quoted(path: &Path) -> String {
    study::quoted(&path.display().to_string())
}

/// A flag that the first Ctrl-C raises; the second ends the process at once, as without us.
/// `consequence` says what happens meanwhile.
pub(super) fn stop_on_interrupt(consequence: &'static str) -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let raise = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        eprintln!("\ninterrupted: {consequence}");
    };
    ctrlc::set_handler(raise).context("watching for Ctrl-C")?;
    Ok(stop)
}

/// What happens to a run that is interrupted.
pub(super) const FINISHING_STEP: &str = "finishing the step, then writing checkpoint and network";

/// What a shell reports of a process that Ctrl-C ended.
pub(super) const INTERRUPTED: i32 = 130;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_words_of_a_shell() {
        let check = |path: &str, expected: &str| assert_eq!(quoted(Path::new(path)), expected);
        check("runs/first-2.1", "runs/first-2.1");
        check("my runs/first", "'my runs/first'");
        check("it's", r"'it'\''s'");
        check("$HOME", "'$HOME'");
        check("", "''");
    }
}
