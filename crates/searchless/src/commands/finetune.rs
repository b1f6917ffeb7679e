//! `searchless finetune`: self-play fine-tuning of a network.

mod arguments;
pub(super) mod materials;
mod split;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use lc0::NetworkFile;
use network::{HeadSelection, Network};
use training::{
    BaseRecord, FinetuneConfig, Finetuning, RunConfig, RunDirectory, RunSummary, StepMetrics,
    finetune, resume,
};

use self::arguments::SettingArguments;
use self::split::TimeSplit;
use super::runs::{
    self, ComparisonArguments, FINISHING_STEP, LengthArguments, SavingArguments, quoted,
    stop_on_interrupt,
};
use crate::arguments::HeadArguments;
use crate::device::DeviceArguments;
use crate::files::{EMBEDDED, read_network};
use crate::progress::Progress;

/// What a command must have: clap would only say that nothing is required in every case.
const USAGE: &str = "searchless finetune [--network <FILE>] --out <DIRECTORY> [OPTIONS]
       searchless finetune --resume <DIRECTORY> [OPTIONS]";

/// Makes a network stronger by playing itself, and writes the tuned network for lc0.
///
/// The run's directory receives config.toml, metrics.jsonl (a line for each step), checkpoints,
/// TensorBoard's events and networks/step-N.pb.gz. Ctrl-C finishes the step under way and writes
/// checkpoint and network. A run that was interrupted, killed or without room on the disk goes on
/// from its newest checkpoint by --resume, with the results it would have had. A run depends on
/// its settings and the base network alone, not on the number of threads; with libtorch it depends
/// on the device too.
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE, after_long_help = arguments::keys())]
pub(crate) struct FinetuneArguments {
    /// Lc0 network file to start from (.pb.gz, .pb, or `embedded`); with --resume only needed where
    /// it is no longer in the place that the run has recorded [default: embedded]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Directory for the run; must not hold one already
    #[arg(long, value_name = "DIRECTORY", required_unless_present_any = ["resume", "print_config"])]
    out: Option<PathBuf>,
    /// Go on with the run in this directory, with its own settings
    #[arg(long, value_name = "DIRECTORY", conflicts_with_all = ["out", "SettingArguments", "HeadArguments"])]
    resume: Option<PathBuf>,
    /// Print all settings as a commented file for --config, and do nothing else
    #[arg(long, conflicts_with = "resume")]
    print_config: bool,
    #[command(flatten)]
    length: LengthArguments,
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
    config: FinetuneConfig,
    /// The run to go on with; absent for a new one.
    begun: Option<RunDirectory>,
}

impl FinetuneArguments {
    /// Trains, says where the network is, and compares it with its base.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        if self.print_config {
            let (config, _) = self.config()?;
            return Ok(write!(output, "{}", config.to_commented_toml())?);
        }
        // What is asked for at the end is checked before the work, not after it.
        let suite = self.comparison.open()?;
        let start = match &self.resume {
            Some(directory) => self.resumed(directory)?,
            None => self.new_run()?,
        };
        let (base, heads) = (start.base.clone(), start.heads);
        let fill = start.config.history_fill;
        let stop = stop_on_interrupt(FINISHING_STEP)?;
        let summary = self.train(start, &stop)?;
        runs::tell(&summary, &self.resume_command(), output)?;
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
        let mut words = vec!["searchless finetune --resume".to_owned(), quoted(directory)];
        // A new run has recorded where its base is; one that was told where it has moved has not.
        if let (Some(_), Some(network)) = (&self.resume, &self.network) {
            words.extend(["--network".to_owned(), quoted(network)]);
        }
        words.extend(self.device.words());
        words.extend(self.comparison.words());
        words.join(" ")
    }

    /// The settings of a new run, and the base of the record that they are from.
    fn config(&self) -> anyhow::Result<(FinetuneConfig, Option<BaseRecord>)> {
        let (mut config, recorded) = self.settings.config(self.heads.history_fill)?;
        self.length.apply(&mut config.steps);
        self.saving.apply(&mut config.saving);
        config.validate()?;
        Ok((config, recorded))
    }

    fn new_run(&self) -> anyhow::Result<Start> {
        let (config, recorded) = self.config()?;
        let base = self.network.clone().unwrap_or_else(|| EMBEDDED.into());
        let heads = self.heads.selection();
        let file = read_network(&base)?;
        if let Some(recorded) = recorded {
            recorded.check(&BaseRecord::new(&file, heads))?;
        }
        Ok(Start { base, file, heads, config, begun: None })
    }

    fn resumed(&self, directory: &Path) -> anyhow::Result<Start> {
        let run = RunDirectory::open(directory)?;
        let RunConfig { base: recorded, finetune: mut config, .. } = run.record().clone();
        self.length.apply(&mut config.steps);
        self.saving.apply(&mut config.saving);
        let (base, file, heads) = runs::base_of(directory, &recorded, self.network.as_deref())?;
        Ok(Start { base, file, heads, config, begun: Some(run) })
    }

    fn train(&self, start: Start, stop: &AtomicBool) -> anyhow::Result<RunSummary> {
        let Start { file, heads, mut config, begun, .. } = start;
        if let Some(run) = &begun {
            // Said of the file, before the work of making it ready.
            run.record().base.check(&BaseRecord::new(&file, heads))?;
        }
        let materials = materials::load(&mut config, self.device)?;
        let network = Network::load(&file, heads)?;
        let steps = config.steps;
        let setup = Finetuning {
            config,
            file,
            heads,
            base: self.device.engine(network.clone())?,
            theta: self.device.trainer(network)?,
            materials,
            program: format!("searchless {} on {}", env!("CARGO_PKG_VERSION"), self.device),
        };
        let mut progress = Progress::new("finetune", "steps", Some(steps));
        let mut split = TimeSplit::default();
        let observe = |event: training::Progress<'_>| match event {
            training::Progress::Damaged(error) => progress.say(&format!("warning: {error}")),
            training::Progress::Resumed { steps } => {
                progress.say(&format!("going on after {steps} steps"));
                progress.start_at(steps);
            }
            training::Progress::WarmStart { plies_left } => {
                progress.report(0, &format!("warm start, {plies_left} plies left"));
                // The warm start's time says nothing of the steps'.
                progress.start_at(0);
            }
            training::Progress::Step(metrics) => {
                split.add(&metrics.timing);
                progress.report(metrics.step, &note(metrics));
            }
        };
        let summary = match begun {
            Some(run) => resume(run, setup, stop, observe),
            None => {
                let out = self.out.as_ref().expect("required without --resume");
                finetune(out, setup, stop, observe)
            }
        };
        if !split.is_empty() {
            progress.say(&split.to_string());
        }
        Ok(summary?)
    }
}

/// What is worth watching while a run goes on.
fn note(metrics: &StepMetrics) -> String {
    format!(
        "loss {:+.4}, |A| {:.3}, KL(base||pi) {:.4}, entropy {:.3}, {:.0} positions/s",
        metrics.loss.total,
        metrics.advantage.mean_absolute,
        metrics.policy.forward_kl,
        metrics.policy.entropy,
        metrics.timing.positions_per_second
    )
}

#[cfg(test)]
mod tests {
    use training::{
        AdvantageMetrics, GameMetrics, ImportanceMetrics, LossMetrics, OpeningDiversity,
        OpeningMetrics, PolicyMetrics, Spread, Timing,
    };

    use super::*;

    #[test]
    fn the_divergence_shown_is_the_one_of_the_objective() {
        let opening = OpeningDiversity { games: 0, distinct: 0, entropy: 0.0 };
        let metrics = StepMetrics {
            step: 1,
            warmup_factor: 1.0,
            loss: LossMetrics { total: -0.5, ..LossMetrics::default() },
            advantage: AdvantageMetrics { mean: 0.0, mean_absolute: 0.125 },
            importance: ImportanceMetrics::default(),
            policy: PolicyMetrics {
                entropy: 1.5,
                forward_kl: 0.25,
                reverse_kl: 0.75,
                largest_sampling_gap: 0.0,
            },
            temperature: Spread {
                minimum: 1.0,
                quantile_10: 1.0,
                quantile_25: 1.0,
                median: 1.0,
                quantile_75: 1.0,
                quantile_90: 1.0,
                maximum: 1.0,
                mean: 1.0,
            },
            games: GameMetrics::default(),
            openings: OpeningMetrics {
                first_move: opening.clone(),
                four_plies: opening.clone(),
                eight_plies: opening,
            },
            timing: Timing { positions_per_second: 100.0, ..Timing::default() },
        };
        let expected =
            "loss -0.5000, |A| 0.125, KL(base||pi) 0.2500, entropy 1.500, 100 positions/s";
        assert_eq!(note(&metrics), expected);
    }
}
