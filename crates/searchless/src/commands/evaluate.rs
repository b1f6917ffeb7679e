//! `searchless evaluate`: what networks do on puzzles, measured once and kept.

mod json;
pub(in crate::commands) mod measuring;
mod results;
mod table;

use std::io::Write;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use evaluation::{Bootstrap, Breakdown, Reading, Rule, Suite};
use report::ResultsStore;

use self::measuring::{Ending, Measuring, ReadSuite};
use self::results::{MeasuredNetwork, SuiteResults};
use super::runs::{quoted, stop_on_interrupt};
use crate::arguments::HeadArguments;
use crate::device::DeviceArguments;
use crate::files::read_network;

/// Measures networks on puzzles: accuracy and solution probability, with intervals.
///
/// Each position in which the solver is to move is shown to a network once, and what it says is
/// written to a file of results; what is there already is not computed again. Killed at any moment,
/// the same command goes on where it stopped; Ctrl-C stops it after the puzzles under way. The
/// networks are compared with the first one, puzzle by puzzle. Rows that are no puzzles are counted
/// by reason; a damaged or cut-off file is refused.
#[derive(Debug, clap::Args)]
pub(crate) struct EvaluateArguments {
    /// Lc0 network files (.pb.gz, .pb, or `embedded`); the first is what the others are compared
    /// with
    #[arg(value_name = "NETWORK", required = true)]
    networks: Vec<PathBuf>,
    /// Puzzles as Lichess writes them: CSV, plain or compressed (.gz, .zst); may be given several
    /// times
    #[arg(long, value_name = "FILE", required = true)]
    suite: Vec<PathBuf>,
    /// SQLite file that keeps every answer; made where there is none
    #[arg(long, value_name = "FILE", default_value = "results.sqlite")]
    results: PathBuf,
    /// Print one line of JSON for each suite and network
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    measures: MeasureArguments,
    #[command(flatten)]
    heads: HeadArguments,
    #[command(flatten)]
    device: DeviceArguments,
}

/// What is measured and shown.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Puzzles")]
pub(crate) struct MeasureArguments {
    /// Rule of the solution probability and the breakdowns; the accuracy is shown under every rule
    #[arg(long, value_name = "RULE", default_value = "multi-solution", value_parser = rules())]
    rule: Rule,
    /// Show groups of puzzles too; may be given several times
    #[arg(long, value_name = "WHAT", value_parser = breakdowns())]
    by: Vec<Breakdown>,
    /// Puzzles that a group must have to be shown
    #[arg(long, value_name = "N", default_value_t = 1)]
    least: usize,
    /// Measure only the first N puzzles of each suite
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Measure what can be read of a damaged or cut-off suite
    #[arg(long)]
    lenient: bool,
    /// Resamples of the puzzles for the intervals of differences and ratios
    #[arg(long, value_name = "N", default_value = "2000")]
    bootstrap: NonZeroU32,
    /// Seed of the resamples
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl EvaluateArguments {
    /// Measures what is missing and prints the measures.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        let measures = &self.measures;
        let reading = if measures.lenient { Reading::Lenient } else { Reading::Strict };
        // What would stop the work at the end is found before it.
        let mut suites = Vec::new();
        for path in &self.suite {
            suites.push(ReadSuite::new(Suite::open(path)?, reading, measures.limit)?);
        }
        let mut store = ResultsStore::open(&self.results)?;
        let stop = stop_on_interrupt("finishing the puzzles under way, which are kept")?;

        let mut networks = Vec::new();
        for path in &self.networks {
            let file = read_network(path)?;
            let measuring = Measuring {
                name: path.display().to_string(),
                file: &file,
                heads: self.heads,
                device: self.device,
                reading,
                limit: measures.limit,
            };
            match measuring.run(&suites, &mut store, &stop)? {
                Ending::Stopped { answered, puzzles } => {
                    let name = path.display();
                    writeln!(output, "stopped after {answered} of {puzzles} puzzles of {name}")?;
                    writeln!(output, "to go on: {}", self.words().join(" "))?;
                    return Ok(());
                }
                Ending::Finished(measurements) => networks.push(MeasuredNetwork {
                    name: path.display().to_string(),
                    sha256: file.sha256().to_owned(),
                    measurements,
                }),
            }
        }
        for (number, suite) in suites.iter().enumerate() {
            let results = SuiteResults::fold(suite, number, &networks, &store, measures)?;
            if self.json {
                json::print(&results, &self, output)?;
            } else {
                if number > 0 {
                    writeln!(output)?;
                }
                write!(output, "{}", table::text(&results, &self))?;
            }
            // A reader sees each suite when it is done.
            output.flush()?;
        }
        Ok(())
    }

    /// The command with its arguments as they were given.
    fn words(&self) -> Vec<String> {
        let mut words = vec!["searchless".to_owned(), "evaluate".to_owned()];
        words.extend(self.networks.iter().map(|path| quoted(path)));
        words.extend(self.suite.iter().map(|path| format!("--suite {}", quoted(path))));
        words.extend(["--results".to_owned(), quoted(&self.results)]);
        if self.json {
            words.push("--json".to_owned());
        }
        words.extend(self.measures.words());
        words.extend(self.heads.words());
        words.extend(self.device.words());
        words
    }
}

impl MeasureArguments {
    /// How intervals are made.
    fn bootstrap(&self) -> Bootstrap {
        Bootstrap { resamples: self.bootstrap, seed: self.seed }
    }

    fn words(&self) -> Vec<String> {
        let mut words = vec![format!("--rule {}", self.rule)];
        words.extend(self.by.iter().map(|breakdown| format!("--by {breakdown}")));
        words.push(format!("--least {}", self.least));
        words.extend(self.limit.map(|limit| format!("--limit {limit}")));
        if self.lenient {
            words.push("--lenient".to_owned());
        }
        words.push(format!("--bootstrap {} --seed {}", self.bootstrap, self.seed));
        words
    }
}

fn rules() -> impl TypedValueParser<Value = Rule> {
    PossibleValuesParser::new(Rule::ALL.map(Rule::name))
        .map(|name| name.parse().expect("a possible value"))
}

fn breakdowns() -> impl TypedValueParser<Value = Breakdown> {
    PossibleValuesParser::new(Breakdown::ALL.map(Breakdown::name))
        .map(|name| name.parse().expect("a possible value"))
}
