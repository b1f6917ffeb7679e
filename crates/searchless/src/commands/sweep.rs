//! `searchless sweep`: a grid of fine-tuning runs.

mod progress;
mod runner;
mod scores;
mod table;

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail, ensure};
use evaluation::{Rule, Score, Suite};
use lc0::NetworkFile;
use network::{HeadSelection, Network};
use training::BaseRecord;
use training::sweep::{
    Cell, CellStatus, RECENT_STEPS, ScoringRecord, Sweep, SweepDirectory, SweepRecord, run_jobs,
    write_whole,
};

use self::progress::SweepProgress;
use self::runner::{Ending, Runner};
use self::scores::Scores;
use self::table::{Row, Table};
use super::finetune::materials;
use super::puzzles::ScoringArguments;
use super::runs::{FINISHING_STEP, quoted, stop_on_interrupt};
use crate::arguments::{HISTORY_FILLS, HeadArguments};
use crate::device::DeviceArguments;
use crate::files::read_network;
use crate::loading;

/// What a command must have: clap would only say that nothing is required in every case.
const USAGE: &str = "searchless sweep --network <FILE> --config <FILE> --out <DIRECTORY> [OPTIONS]
       searchless sweep --out <DIRECTORY> [OPTIONS]
       searchless sweep --out <DIRECTORY> --table";

/// The settings of a sweep as an example.
const EXAMPLE: &str = "Example of --config, the paper's Table 6 for a small network:

  preset = \"small\"
  [grid]
  exploration = [\"forward_kl\", \"reverse_kl\", \"entropy_bonus\", \"none\"]
  temperature = [\"one\", \"adaptive\"]
  beta = [1e-4, 1e-3, 1e-2, 1e-1, 1]

Any key of finetune's settings may stand before the grid, with a value, and in it, with a list of
values; `searchless finetune --help` lists them. Values that have no effect beside the others, such
as those of beta without an exploration term, are one cell.";

/// Fine-tunes one network in many ways, and compares what came of it.
///
/// The cells of a grid are runs like those of finetune, each in a directory of its own. A cell that
/// is finished is never run again; one that was interrupted or killed goes on from its newest
/// checkpoint when the command is given again. A cell that fails is recorded and does not stop the
/// others. Results do not depend on how many cells run at once. At the end there is a table, which
/// table.md and table.csv keep.
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE, after_long_help = EXAMPLE)]
pub(crate) struct SweepArguments {
    /// Lc0 network file to start from (.pb.gz, .pb, or `embedded`); later only needed where it is
    /// no longer in the place that the sweep has recorded
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Settings of all cells as TOML, with a table named grid, of keys and lists of values; later what
    /// the sweep has recorded
    #[arg(long, value_name = "FILE", requires = "network")]
    config: Option<PathBuf>,
    /// Directory of the sweep
    #[arg(long, value_name = "DIRECTORY")]
    out: PathBuf,
    /// Cells to run at once, which share the threads
    #[arg(long, value_name = "N", default_value = "1", help_heading = "Computation")]
    jobs: NonZeroUsize,
    /// Print the table as it stands, and do nothing else
    #[arg(long, conflicts_with_all = ["network", "config", "jobs", "retry_failed", "suite"])]
    table: bool,
    /// Try the cells again that failed
    #[arg(long)]
    retry_failed: bool,
    /// Puzzles to score the base and the tuned networks on at the end; later those recorded
    #[arg(long, value_name = "FILE", help_heading = "Puzzles")]
    suite: Option<PathBuf>,
    #[command(flatten)]
    scoring: ScoringArguments,
    #[command(flatten)]
    heads: HeadArguments,
    #[command(flatten)]
    device: DeviceArguments,
}

/// What the networks are scored on.
struct Scoring {
    suite: Suite,
    arguments: ScoringArguments,
}

impl SweepArguments {
    /// Runs what is not finished, and prints the table.
    pub(crate) fn run(self, threads: NonZeroUsize, output: &mut impl Write) -> anyhow::Result<()> {
        if self.table {
            return report(&SweepDirectory::look(&self.out)?, output);
        }
        let given = self.given()?;
        let mut directory = match given {
            Some(record) => SweepDirectory::begin(&self.out, record)?,
            None => SweepDirectory::open(&self.out)?,
        };
        // What is asked for at the end is checked before the work, not after it.
        let scoring = self.scoring(&directory)?;
        if let Some(Scoring { suite, arguments }) = &scoring {
            directory.set_scoring(arguments.record(suite))?;
        }
        let file = self.base(&directory)?;
        let stop = stop_on_interrupt(FINISHING_STEP)?;
        let failures = self.train(&directory, file, threads, &stop)?;
        if let Some(scoring) = &scoring {
            self.score(&directory, scoring, &stop)?;
        }
        report(&directory, output)?;
        if stop.load(Ordering::Relaxed) {
            writeln!(output, "\nto go on: {}", self.command())?;
        }
        output.flush()?;
        ensure!(failures.is_empty(), "{}", summary(&failures));
        Ok(())
    }

    /// The sweep that the arguments describe; `None` where it is to go on as it is recorded.
    fn given(&self) -> anyhow::Result<Option<SweepRecord>> {
        let Some(path) = &self.config else {
            if self.heads.selection() != HeadSelection::default()
                || self.heads.history_fill.is_some()
            {
                bail!(
                    "--policy-head, --value-head and --history-fill are a new sweep's; give its --config too"
                );
            }
            if !self.out.exists() {
                bail!(
                    "{} is not there; a new sweep needs --network and --config",
                    self.out.display()
                );
            }
            return Ok(None);
        };
        let name = path.display();
        let text = fs::read_to_string(path).with_context(|| format!("reading {name}"))?;
        let fill = HISTORY_FILLS.iter().find(|(_, fill)| Some(*fill) == self.heads.history_fill);
        let assignments: Vec<String> =
            fill.map(|(name, _)| format!("history_fill={name}")).into_iter().collect();
        let sweep = Sweep::from_toml(&text, &assignments).with_context(|| name.to_string())?;
        let file = read_network(self.network.as_ref().expect("required with --config"))?;
        let base = BaseRecord::new(&file, self.heads.selection());
        let files = materials::sums(sweep.cells().iter().map(|cell| &cell.config))?;
        let record = SweepRecord::new(program(self.device), base, files, &sweep);
        Ok(Some(record))
    }

    /// What the networks are scored on: what is given, else what is recorded.
    fn scoring(&self, directory: &SweepDirectory) -> anyhow::Result<Option<Scoring>> {
        let scoring = match (&self.suite, &directory.record().scoring) {
            (Some(path), _) => Scoring { suite: Suite::open(path)?, arguments: self.scoring },
            (None, Some(record)) => {
                let suite = Suite::open(&record.suite).with_context(|| {
                    "the sweep's suite is not where it was; --suite says where it is".to_owned()
                })?;
                ensure!(
                    suite.sha256() == record.sha256,
                    "{} has the SHA-256 {}, the sweep's suite {}; choose one with --suite",
                    record.suite,
                    suite.sha256(),
                    record.sha256
                );
                Scoring { suite, arguments: ScoringArguments::recorded(record)? }
            }
            (None, None) => return Ok(None),
        };
        scoring.arguments.check(&scoring.suite)?;
        Ok(Some(scoring))
    }

    /// The base's file, from where it is now.
    fn base(&self, directory: &SweepDirectory) -> anyhow::Result<NetworkFile> {
        let recorded = &directory.record().base;
        let path = self.base_path(directory);
        let file = match read_network(&path) {
            Err(error) if self.network.is_none() && !path.exists() => {
                return Err(error).with_context(|| {
                    let sweep = directory.path().display();
                    format!("the base of {sweep} is not where it was; --network says where it is")
                });
            }
            read => read?,
        };
        recorded.check(&BaseRecord::new(&file, heads(recorded)?))?;
        Ok(file)
    }

    fn base_path(&self, directory: &SweepDirectory) -> PathBuf {
        self.network.clone().unwrap_or_else(|| PathBuf::from(&directory.record().base.file))
    }

    /// Runs the cells that are not finished; returns those that failed, before or now, and why.
    fn train(
        &self,
        directory: &SweepDirectory,
        file: NetworkFile,
        threads: NonZeroUsize,
        stop: &AtomicBool,
    ) -> anyhow::Result<Vec<(String, String)>> {
        let cells = directory.sweep().cells();
        let mut failures = Vec::new();
        let mut waiting = Vec::new();
        let (mut finished, mut steps) = (0, 0);
        for cell in cells {
            let mut status = directory.status(cell)?;
            if let CellStatus::Failed { reason } = status {
                if !self.retry_failed {
                    failures.push((cell.name.clone(), reason));
                    continue;
                }
                directory.forget_failure(cell)?;
                status = directory.status(cell)?;
            }
            match status {
                CellStatus::Finished => {
                    finished += 1;
                    steps += cell.config.steps;
                    continue;
                }
                CellStatus::Begun { steps: made } => steps += made,
                CellStatus::Waiting | CellStatus::Failed { .. } => {}
            }
            waiting.push(cell);
        }
        if waiting.is_empty() {
            return Ok(failures);
        }
        let heads = heads(&directory.record().base)?;
        let network = Network::load(&file, heads)?;
        let total = cells.iter().map(|cell| cell.config.steps).sum();
        let progress = SweepProgress::new(cells.len(), total, finished, steps);
        let runner = Runner {
            directory,
            file,
            heads,
            base: self.device.engine(network.clone())?,
            network,
            device: self.device,
            program: program(self.device),
            stop,
            progress: Mutex::new(progress),
        };
        let endings = run_jobs(&waiting, self.jobs, threads, stop, |cell: &&Cell| runner.run(cell))
            .context("starting threads")?;
        for (cell, ending) in waiting.iter().zip(endings) {
            if let Some(Ending::Failed(reason)) = ending {
                failures.push((cell.name.clone(), reason));
            }
        }
        Ok(failures)
    }

    /// Scores the base and the networks of finished cells that have no score yet.
    fn score(
        &self,
        directory: &SweepDirectory,
        scoring: &Scoring,
        stop: &AtomicBool,
    ) -> anyhow::Result<()> {
        let record = directory.record();
        let key = scoring.arguments.record(&scoring.suite);
        let heads = heads(&record.base)?;
        let fill = directory.sweep().settings().history_fill;
        let base = (
            directory.path().to_owned(),
            self.base_path(directory),
            record.base.sha256.clone(),
            fill,
        );
        let mut networks = vec![base];
        for cell in directory.sweep().cells() {
            if directory.status(cell)? == CellStatus::Finished {
                let sha256 = directory.network_sha256(cell)?;
                let path = directory.network_path(cell);
                networks.push((directory.cell_path(cell), path, sha256, cell.config.history_fill));
            }
        }
        for (folder, path, sha256, fill) in networks {
            let mut scores = Scores::read(&folder)?;
            if scores.find(&sha256, &key).is_some() {
                continue;
            }
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let network = loading::load_evaluator(&path, heads, fill, self.device)?;
            let name = path.display().to_string();
            let row = scoring.arguments.score(&name, &network.evaluator, &scoring.suite)?;
            scores.keep(&sha256, &key, &row.score)?;
        }
        Ok(())
    }

    /// The command that goes on with the sweep.
    fn command(&self) -> String {
        let mut words = vec!["searchless sweep --out".to_owned(), quoted(&self.out)];
        // A new sweep has recorded where its base is; one that was told where it has moved has not.
        if let (None, Some(network)) = (&self.config, &self.network) {
            words.extend(["--network".to_owned(), quoted(network)]);
        }
        if self.jobs.get() > 1 {
            words.extend(["--jobs".to_owned(), self.jobs.to_string()]);
        }
        words.extend(self.device.words());
        words.join(" ")
    }
}

fn program(device: DeviceArguments) -> String {
    format!("searchless {} on {device}", env!("CARGO_PKG_VERSION"))
}

fn heads(base: &BaseRecord) -> anyhow::Result<HeadSelection> {
    Ok(HeadSelection { policy: base.policy_head.parse()?, value: base.value_head.parse()? })
}

/// Prints the table, and keeps it where the sweep is ours.
fn report(directory: &SweepDirectory, output: &mut impl Write) -> anyhow::Result<()> {
    let scoring = directory.record().scoring.as_ref();
    let mut failures = Vec::new();
    let table = table(directory, scoring, &mut failures)?;
    let mut notes = format!(
        "means over the last {RECENT_STEPS} steps; entropies and divergences in nats; openings: \
         entropy of the first eight plies played\n"
    );
    if let Some(scoring) = scoring {
        let rule: Rule = scoring.rule.parse()?;
        let puzzles = match scoring.limit {
            Some(limit) => format!("the first {limit} puzzles of {}", scoring.suite),
            None => format!("suite {}", scoring.suite),
        };
        notes += &format!(
            "{puzzles} (sha256 {})\nrule {rule}: {}; intervals are Wilson's, 95%; the best of each \
             term and temperature is marked\n",
            scoring.sha256,
            rule.description()
        );
    }
    let failed: String =
        failures.iter().map(|(cell, reason)| format!("failed: {cell}: {reason}\n")).collect();
    let gap = if failed.is_empty() { "" } else { "\n" };
    write!(output, "{}\n{notes}{gap}{failed}", table.plain())?;
    if directory.is_ours() {
        let keep = |name: &str, text: &str| {
            let path = directory.path().join(name);
            write_whole(&path, text).with_context(|| path.display().to_string())
        };
        keep("table.md", &format!("{}\n{notes}{gap}{failed}", table.markdown()))?;
        keep("table.csv", &table.csv())?;
    }
    Ok(())
}

/// The table as it stands, and the cells that failed.
fn table(
    directory: &SweepDirectory,
    scoring: Option<&ScoringRecord>,
    failures: &mut Vec<(String, String)>,
) -> anyhow::Result<Table> {
    let find = |folder: &Path, sha256: &str| -> anyhow::Result<Option<Score>> {
        let Some(scoring) = scoring else { return Ok(None) };
        Ok(Scores::read(folder)?.find(sha256, scoring))
    };
    let keys: Vec<String> = directory.sweep().axes().iter().map(|axis| axis.key.clone()).collect();
    let mut values = vec![String::new(); keys.len()];
    values[0] = "base".to_owned();
    let base = Row {
        name: "base".to_owned(),
        values,
        state: "-".to_owned(),
        recent: None,
        score: find(directory.path(), &directory.record().base.sha256)?,
        group: None,
    };
    let mut rows = vec![base];
    for cell in directory.sweep().cells() {
        let total = cell.config.steps;
        let status = directory.status(cell)?;
        let state = match &status {
            CellStatus::Waiting => format!("0/{total}"),
            CellStatus::Begun { steps } => format!("{steps}/{total}"),
            CellStatus::Finished => total.to_string(),
            CellStatus::Failed { reason } => {
                failures.push((cell.name.clone(), reason.clone()));
                "failed".to_owned()
            }
        };
        let score = match status {
            CellStatus::Finished if scoring.is_some() => {
                find(&directory.cell_path(cell), &directory.network_sha256(cell)?)?
            }
            _ => None,
        };
        let values = cell.values.iter();
        rows.push(Row {
            name: cell.name.clone(),
            values: values.map(|value| value.clone().unwrap_or_else(|| "-".to_owned())).collect(),
            state,
            recent: directory.recent(cell)?,
            score,
            group: Some((cell.config.exploration, cell.config.temperature)),
        });
    }
    Ok(Table { keys, rows, is_scored: scoring.is_some() })
}

/// The cells that failed, in one line.
fn summary(failures: &[(String, String)]) -> String {
    let names: Vec<&str> = failures.iter().map(|(cell, _)| cell.as_str()).collect();
    match failures {
        [(cell, reason)] => format!("cell {cell} failed: {reason}"),
        _ => format!("{} cells failed: {}", names.len(), names.join(", ")),
    }
}
