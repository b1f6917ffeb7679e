//! `searchless finetune`: self-play fine-tuning of a network.

mod arguments;
mod materials;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use evaluation::Suite;
use lc0::NetworkFile;
use network::Network;
use training::{
    BaseRecord, FinetuneConfig, FinetuneSummary, Finetuning, Materials, StepMetrics, finetune,
};

use self::arguments::SettingArguments;
use super::puzzles::{ScoringArguments, table};
use crate::arguments::HeadArguments;
use crate::device::DeviceArguments;
use crate::loading;
use crate::progress::Progress;

/// Makes a network stronger by playing itself, and writes the tuned network for lc0.
///
/// The run's directory receives config.toml, metrics.jsonl (a line for each step) and
/// networks/step-N.pb.gz. Ctrl-C finishes the step under way and writes the network. A run depends
/// on its settings and the base network alone, not on the number of threads; with libtorch it
/// depends on the device too.
#[derive(Debug, clap::Args)]
#[command(after_long_help = arguments::keys())]
pub(crate) struct FinetuneArguments {
    /// Lc0 network file to start from (.pb.gz or .pb)
    #[arg(long, value_name = "FILE", required_unless_present = "print_config")]
    network: Option<PathBuf>,
    /// Directory for the run; must not hold one already
    #[arg(long, value_name = "DIRECTORY", required_unless_present = "print_config")]
    out: Option<PathBuf>,
    /// Print all settings as a commented file for --config, and do nothing else
    #[arg(long)]
    print_config: bool,
    #[command(flatten)]
    settings: SettingArguments,
    /// Puzzles to score the base and the tuned network on at the end
    #[arg(long, value_name = "FILE", help_heading = "Puzzles")]
    suite: Option<PathBuf>,
    #[command(flatten)]
    scoring: ScoringArguments,
    #[command(flatten)]
    heads: HeadArguments,
    #[command(flatten)]
    device: DeviceArguments,
}

impl FinetuneArguments {
    /// Trains, says where the network is, and compares it with its base.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        let (mut config, recorded) = self.settings.config(self.heads.history_fill)?;
        if self.print_config {
            return Ok(write!(output, "{}", config.to_commented_toml())?);
        }
        let network = self.network.as_deref().context("a run needs --network FILE")?;
        let out = self.out.as_deref().context("a run needs --out DIRECTORY")?;
        // What is asked for at the end is checked before the work, not after it.
        let suite = self.suite.as_ref().map(Suite::open).transpose()?;
        if let Some(suite) = &suite {
            self.scoring.check(suite)?;
        }
        let fill = config.history_fill;
        let file = NetworkFile::read(network)?;
        if let Some(recorded) = recorded {
            recorded.check(&BaseRecord::new(&file, self.heads.selection()))?;
        }
        let materials = materials::load(&mut config, self.device)?;
        let stop = stop_on_interrupt()?;
        let summary = self.train(file, config, materials, out, &stop)?;
        let Some(tuned) = &summary.network else {
            writeln!(output, "stopped before the first step; there is no network to write")?;
            return Ok(());
        };
        let stopped = if summary.stopped { "stopped after" } else { "finished" };
        writeln!(output, "{stopped} {} steps; the network is {}", summary.steps, tuned.display())?;
        let Some(suite) = suite else { return Ok(()) };
        output.flush()?;
        if summary.stopped {
            // Whoever interrupts a run does not want to wait for its puzzles.
            let (base, tuned) = (network.display(), tuned.display());
            let suite = suite.path().display();
            writeln!(output, "to compare: searchless puzzles {base} {tuned} --suite {suite}")?;
        } else {
            let mut rows = Vec::new();
            for path in [network, tuned] {
                let network =
                    loading::load_evaluator(path, self.heads.selection(), fill, self.device)?;
                let name = path.display().to_string();
                rows.push(self.scoring.score(&name, &network.evaluator, &suite)?);
            }
            write!(output, "\n{}", table(&suite, self.scoring.rule(), &rows))?;
        }
        Ok(())
    }

    fn train(
        &self,
        file: NetworkFile,
        config: FinetuneConfig,
        materials: Materials,
        out: &Path,
        stop: &AtomicBool,
    ) -> anyhow::Result<FinetuneSummary> {
        let heads = self.heads.selection();
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
        let summary = finetune(out, setup, stop, |event| match event {
            training::Progress::WarmStart { plies_left } => {
                progress.report(0, &format!("warm start, {plies_left} plies left"));
                // The warm start's time says nothing of the steps'.
                progress.restart_clock();
            }
            training::Progress::Step(metrics) => progress.report(metrics.step, &note(metrics)),
        })?;
        Ok(summary)
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

/// A flag that the first Ctrl-C raises; the second ends the process at once, as without us.
fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let raise = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        eprintln!("\ninterrupted: finishing the step, then writing the network");
    };
    ctrlc::set_handler(raise).context("watching for Ctrl-C")?;
    Ok(stop)
}

/// What a shell reports of a process that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

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
