//! `searchless train`: supervised training of a network.

mod arguments;
mod report;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use lc0::NetworkFile;
use network::{HeadSelection, Network};
use training::BaseRecord;
use training::supervised::{
    SupervisedConfig, SupervisedDirectory, SupervisedMetrics, SupervisedProgress,
    SupervisedSummary, Supervision, resume, train,
};

use self::arguments::{DataArguments, SettingArguments};
use self::report::report;
use super::runs::{
    self, ComparisonArguments, FINISHING_STEP, LengthArguments, SavingArguments, quoted,
    stop_on_interrupt,
};
use crate::arguments::HeadArguments;
use crate::device::DeviceArguments;
use crate::files::read_network;
use crate::progress::Progress;

/// What a command must have: clap would only say that nothing is required in every case.
const USAGE: &str =
    "searchless train --network <FILE> --out <DIRECTORY> --puzzles <FILE>... [OPTIONS]
       searchless train --network <FILE> --out <DIRECTORY> --chunks <PATH>... [OPTIONS]
       searchless train --network <FILE> --out <DIRECTORY> --config <FILE> [OPTIONS]
       searchless train --resume <DIRECTORY> [OPTIONS]";

/// Trains a network on puzzles or on Lc0's training data, and writes the tuned network for lc0.
///
/// The run's directory receives config.toml, metrics.jsonl (a line for each step), checkpoints,
/// TensorBoard's events and networks/step-N.pb.gz, the average of the weights. Ctrl-C finishes the
/// step under way and writes checkpoint and network. A run that was interrupted or killed goes on
/// from its newest checkpoint by --resume, with the results it would have had: it reads its files
/// again up to where it was, so that they must not have changed. A run depends on its settings,
/// its files and the base network alone, not on the number of threads; with libtorch it depends on
/// the device too.
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE)]
pub(crate) struct TrainArguments {
    /// Lc0 network file to start from (.pb.gz, .pb, or `embedded`); with --resume only needed where
    /// it is no longer in the place that the run has recorded
    #[arg(long, value_name = "FILE", required_unless_present = "resume")]
    network: Option<PathBuf>,
    /// Directory for the run; must not hold one already
    #[arg(long, value_name = "DIRECTORY", required_unless_present = "resume")]
    out: Option<PathBuf>,
    /// Go on with the run in this directory, with its own settings and files
    #[arg(long, value_name = "DIRECTORY", conflicts_with_all = ["out", "SettingArguments", "DataArguments", "HeadArguments"])]
    resume: Option<PathBuf>,
    #[command(flatten)]
    length: LengthArguments,
    #[command(flatten)]
    data: DataArguments,
    #[command(flatten)]
    settings: SettingArguments,
    #[command(flatten)]
    saving: SavingArguments,
    #[command(flatten)]
    comparison: ComparisonArguments,
    #[command(flatten)]
    heads: HeadArguments,
    #[command(flatten)]
    device: DeviceArguments,
}

/// A run before it computes.
struct Start {
    /// Path of the base network.
    base: PathBuf,
    file: NetworkFile,
    heads: HeadSelection,
    config: SupervisedConfig,
    /// The run to go on with; absent for a new one.
    begun: Option<SupervisedDirectory>,
}

impl TrainArguments {
    /// Trains, says where the network is and what was read, and compares it with its base.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        // What is asked for at the end is checked before the work, not after it.
        let suite = self.comparison.open()?;
        let start = match &self.resume {
            Some(directory) => self.resumed(directory)?,
            None => self.new_run()?,
        };
        let (base, heads) = (start.base.clone(), start.heads);
        let fill = start.config.history_fill;
        let stop = stop_on_interrupt(FINISHING_STEP)?;
        let SupervisedSummary { run: summary, data } = self.train(start, &stop)?;
        runs::tell(&summary, &self.resume_command(), output)?;
        if let Some(counts) = data {
            writeln!(output, "{}", report(&counts))?;
        }
        let (Some(tuned), Some(suite)) = (&summary.network, suite) else { return Ok(()) };
        output.flush()?;
        if summary.stopped {
            // Whoever interrupts a run does not want to wait for its puzzles.
            suite.tell_how(&base, tuned, output)
        } else {
            suite.compare([&base, tuned], heads, fill, self.device, output)
        }
    }

    /// The command that goes on with the run.
    fn resume_command(&self) -> String {
        let directory = self.resume.as_ref().or(self.out.as_ref()).expect("one is required");
        let mut words = vec!["searchless train --resume".to_owned(), quoted(directory)];
        // A new run has recorded where its base is; one that was told where it has moved has not.
        if let (Some(_), Some(network)) = (&self.resume, &self.network) {
            words.extend(["--network".to_owned(), quoted(network)]);
        }
        words.extend(self.device.words());
        words.extend(self.comparison.words());
        words.join(" ")
    }

    fn new_run(&self) -> anyhow::Result<Start> {
        let (mut config, recorded) = self.settings.config(&self.data, self.heads.history_fill)?;
        self.length.apply(&mut config.steps);
        self.saving.apply(&mut config.saving);
        config.validate()?;
        let base = self.network.clone().expect("required without --resume");
        let heads = self.heads.selection();
        let file = read_network(&base)?;
        if let Some(recorded) = recorded {
            recorded.check(&BaseRecord::new(&file, heads))?;
        }
        Ok(Start { base, file, heads, config, begun: None })
    }

    fn resumed(&self, directory: &Path) -> anyhow::Result<Start> {
        let run = SupervisedDirectory::open(directory)?;
        let mut config = run.record().train.clone();
        self.length.apply(&mut config.steps);
        self.saving.apply(&mut config.saving);
        config.validate()?;
        let network = self.network.as_deref();
        let (base, file, heads) = runs::base_of(directory, &run.record().base, network)?;
        // Said of the file, before the work of making it ready.
        run.record().base.check(&BaseRecord::new(&file, heads))?;
        Ok(Start { base, file, heads, config, begun: Some(run) })
    }

    fn train(&self, start: Start, stop: &AtomicBool) -> anyhow::Result<SupervisedSummary> {
        let Start { file, heads, config, begun, .. } = start;
        let theta = self.device.trainer(Network::load(&file, heads)?)?;
        let mut progress = Progress::new("train", "steps", Some(config.steps));
        let program = format!("searchless {} on {}", env!("CARGO_PKG_VERSION"), self.device);
        let setup = Supervision { config, file, heads, theta, program };
        let observe = |event: SupervisedProgress<'_>| match event {
            SupervisedProgress::Damaged(error) => progress.say(&format!("warning: {error}")),
            SupervisedProgress::Replay { drawn, samples } => {
                let note = format!("reading again what was learnt from, {drawn} of {samples}");
                progress.report(0, &note);
            }
            SupervisedProgress::Resumed { steps } => {
                progress.say(&format!("going on after {steps} steps"));
                // The time of reading again says nothing of the steps'.
                progress.start_at(steps);
            }
            SupervisedProgress::FirstRound(counts) => progress.say(&report(counts)),
            SupervisedProgress::Step(metrics) => progress.report(metrics.step, &note(metrics)),
        };
        let summary = match begun {
            Some(run) => resume(run, setup, stop, observe),
            None => {
                let out = self.out.as_ref().expect("required without --resume");
                train(out, setup, stop, observe)
            }
        };
        Ok(summary?)
    }
}

/// What is worth watching while a run goes on.
fn note(metrics: &SupervisedMetrics) -> String {
    format!(
        "policy loss {:.4}, accuracy {:.1}%, value loss {:.4}, {:.0} positions/s",
        metrics.policy,
        100.0 * metrics.accuracy,
        metrics.value,
        metrics.positions_per_second
    )
}
