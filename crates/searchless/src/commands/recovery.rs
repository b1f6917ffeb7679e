//! `searchless recovery`: what a tuned network recovers of its base's failures, and gives back.

mod boards;
mod json;
mod text;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use evaluation::recovery::{ExclusiveRecovery, Recovery};
use evaluation::{PuzzleRecord, Reading, Suite};
use report::{Measurement, ResultsStore};

use self::boards::BoardArguments;
use super::evaluate::measuring::{Ending, Measuring, ReadSuite};
use super::runs::stop_on_interrupt;
use crate::arguments::HeadArguments;
use crate::device::DeviceArguments;
use crate::files::read_network;

/// Shows what fine-tuning recovers and gives back, puzzle by puzzle and position by position.
///
/// A position is recovered where the base's most probable move is wrong and the tuned network's is
/// right under the multi-solution rule. Recoveries are counted by the probability and the rank that
/// the base leaves to the solution, positions given back by the lead that the base's move had; with
/// gaps, probability moved and what the value heads say. With OTHER, a second network tuned from
/// the same base, also what each recovers alone. Answers are kept in a file of results, which is
/// the one of `searchless evaluate`: what is in it is not computed again.
#[derive(Debug, clap::Args)]
pub(crate) struct RecoveryArguments {
    /// Lc0 network file of the base (.pb.gz, .pb, or `embedded`)
    #[arg(value_name = "BASE")]
    base: PathBuf,
    /// The network tuned from it
    #[arg(value_name = "TUNED")]
    tuned: PathBuf,
    /// Another network tuned from it
    #[arg(value_name = "OTHER")]
    other: Option<PathBuf>,
    /// Puzzles as Lichess writes them: CSV, plain or compressed (.gz, .zst)
    #[arg(long, value_name = "FILE")]
    suite: PathBuf,
    /// SQLite file that keeps every answer; made where there is none
    #[arg(long, value_name = "FILE", default_value = "results.sqlite")]
    results: PathBuf,
    /// Use only the first N puzzles
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Print JSON: all counts, and what everyone says of the candidates on each board
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    boards: BoardArguments,
    #[command(flatten)]
    heads: HeadArguments,
    #[command(flatten)]
    device: DeviceArguments,
}

impl RecoveryArguments {
    /// Measures what is missing, prints what changed and draws boards.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        let suite = Suite::open(&self.suite)?;
        let suites = [ReadSuite::new(suite, Reading::Strict, self.limit)?];
        let paths: Vec<&PathBuf> =
            [&self.base, &self.tuned].into_iter().chain(&self.other).collect();
        let files = paths.iter().map(read_network).collect::<Result<Vec<_>, _>>()?;
        let engine = self.boards.start_engine(self.json)?;
        let mut store = ResultsStore::open(&self.results)?;
        let stop = stop_on_interrupt("finishing the puzzles under way, which are kept")?;
        let mut measurements: Vec<Measurement> = Vec::new();
        for (path, file) in paths.iter().zip(&files) {
            let measuring = Measuring {
                name: path.display().to_string(),
                file,
                heads: self.heads,
                device: self.device,
                reading: Reading::Strict,
                limit: self.limit,
            };
            match measuring.run(&suites, &mut store, &stop)? {
                Ending::Finished(finished) => measurements.extend(finished),
                Ending::Stopped { answered, puzzles } => {
                    writeln!(
                        output,
                        "stopped after {answered} of {puzzles} puzzles of {}; the same command goes on",
                        path.display()
                    )?;
                    return Ok(());
                }
            }
        }
        let records = measurements
            .iter()
            .map(|measurement| {
                let mut records: Vec<PuzzleRecord> = Vec::new();
                let all = Some(suites[0].puzzles);
                store.for_each(measurement, all, |record| records.push(record))?;
                Ok(records)
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        let [base, tuned, other @ ..] = &records[..] else { bail!("two networks are needed") };
        let fold = |tuned: &[PuzzleRecord]| {
            let mut recovery = Recovery::default();
            base.iter().zip(tuned).for_each(|(base, tuned)| recovery.add(base, tuned));
            recovery
        };
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let recoveries: Vec<Recovery> =
            [tuned].into_iter().chain(other).map(|tuned| fold(tuned)).collect();
        let exclusive = other.first().map(|other| {
            let mut exclusive = ExclusiveRecovery::default();
            for ((base, tuned), other) in base.iter().zip(tuned).zip(other) {
                exclusive.add(base, tuned, other);
            }
            exclusive
        });
        let drawn = || self.boards.positions(&self, &files, &suites[0], &records, engine);
        let places: Vec<&Path> = paths.iter().map(|path| path.as_path()).collect();
        if self.json {
            let positions = drawn()?;
            let document = json::document(
                &names,
                &files,
                &suites[0],
                &recoveries,
                exclusive.as_ref(),
                &positions,
            )?;
            writeln!(output, "{document}")?;
            return self.boards.draw(&places, &positions, |_| Ok(()));
        }
        writeln!(output, "{}", text::head(&names, &suites[0]))?;
        for (name, recovery) in names[1..].iter().zip(&recoveries) {
            writeln!(output, "{}", text::recovery(name, recovery))?;
        }
        if let Some(exclusive) = &exclusive {
            writeln!(output, "{}", text::exclusive(&names[1..], exclusive))?;
        }
        self.boards.draw(&places, &drawn()?, |path| Ok(writeln!(output, "{}", path.display())?))
    }
}
