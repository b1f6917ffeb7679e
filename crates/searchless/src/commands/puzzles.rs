//! `searchless puzzles`: how many puzzles networks solve.

mod table;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use evaluation::{Reading, Rule, Score, ScoreError, Suite, SuiteError};
use network::Evaluator;
use serde::Serialize;
use training::sweep::ScoringRecord;

pub(crate) use self::table::{Row, skipped_rows, table};
use crate::arguments::HeadArguments;
use crate::device::DeviceArguments;
use crate::loading::load_evaluator;
use crate::progress::Progress;

/// Puzzles between two reports: attempts come in bursts, faster than a terminal draws.
const REPORT_EVERY: u64 = 64;

/// Counts the puzzles that networks solve from one forward pass a move.
///
/// A puzzle is solved when the most probable move is accepted in every position of its line in
/// which the solver is to move; the opponent's replies are those of the line. Rows that are no
/// puzzles are counted by reason; a damaged or cut-off file is refused.
#[derive(Debug, clap::Args)]
pub(crate) struct PuzzlesArguments {
    /// Lc0 network files (.pb.gz, .pb, or `embedded`)
    #[arg(value_name = "NETWORK", required = true)]
    networks: Vec<PathBuf>,
    /// Print one line of JSON for each network
    #[arg(long)]
    json: bool,
    /// Puzzles as Lichess writes them: CSV, plain or compressed (.gz, .zst)
    #[arg(long, value_name = "FILE")]
    suite: PathBuf,
    #[command(flatten)]
    scoring: ScoringArguments,
    #[command(flatten)]
    heads: HeadArguments,
    #[command(flatten)]
    device: DeviceArguments,
}

/// How a suite is scored.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Puzzles")]
pub(crate) struct ScoringArguments {
    /// Which moves are accepted: only the marked one, any that mates at once as well, or any that
    /// keeps an equally short mate
    #[arg(long, value_name = "RULE", default_value = "immediate-mate", value_parser = rules(), requires = "suite")]
    rule: Rule,
    /// Score only the first N puzzles
    #[arg(long, value_name = "N", requires = "suite")]
    limit: Option<u64>,
    /// Score what can be read of a damaged or cut-off suite
    #[arg(long, requires = "suite")]
    lenient: bool,
}

/// A network's score as JSON.
#[derive(Debug, Serialize)]
struct ScoreLine<'a> {
    network: String,
    network_sha256: &'a str,
    suite: String,
    suite_sha256: &'a str,
    rule: &'static str,
    total: u64,
    solved: u64,
    /// Null where there are no puzzles.
    accuracy: Option<f64>,
    low: f64,
    high: f64,
    /// Puzzles of which the rule's proof did not come to an end; only where it asks for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    unproved: Option<u64>,
    skipped: BTreeMap<&'static str, u64>,
}

impl PuzzlesArguments {
    /// Scores each network and prints the scores.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        let suite = Suite::open(&self.suite)?;
        let mut rows = Vec::new();
        for path in &self.networks {
            let network =
                load_evaluator(path, self.heads.selection(), self.heads.fill(), self.device)?;
            let name = path.display().to_string();
            let row = self.scoring.score(&name, &network.evaluator, &suite)?;
            if self.json {
                let line = score_line(&row, &network.sha256, &suite, self.scoring.rule);
                writeln!(output, "{}", serde_json::to_string(&line)?)?;
                // A reader sees each network when it is done.
                output.flush()?;
            }
            rows.push(row);
        }
        if !self.json {
            write!(output, "{}", table(&suite, self.scoring.rule, &rows))?;
        }
        Ok(())
    }
}

impl ScoringArguments {
    /// How a suite was scored before.
    pub(crate) fn recorded(record: &ScoringRecord) -> anyhow::Result<Self> {
        let ScoringRecord { rule, limit, lenient, .. } = record;
        Ok(Self { rule: rule.parse()?, limit: *limit, lenient: *lenient })
    }

    /// What is recorded of scoring this suite.
    pub(crate) fn record(self, suite: &Suite) -> ScoringRecord {
        ScoringRecord {
            suite: suite.path().display().to_string(),
            sha256: suite.sha256().to_owned(),
            rule: self.rule.name().to_owned(),
            limit: self.limit,
            lenient: self.lenient,
        }
    }

    /// Which moves are accepted.
    pub(crate) fn rule(self) -> Rule {
        self.rule
    }

    /// Sees whether the suite can be scored, without a network.
    pub(crate) fn check(self, suite: &Suite) -> anyhow::Result<()> {
        suite.check(self.reading(), self.limit).map_err(with_advice)
    }

    /// The arguments as they were given, as words of a command.
    pub(crate) fn words(self) -> Vec<String> {
        let mut words = vec!["--rule".to_owned(), self.rule.name().to_owned()];
        if let Some(limit) = self.limit {
            words.extend(["--limit".to_owned(), limit.to_string()]);
        }
        if self.lenient {
            words.push("--lenient".to_owned());
        }
        words
    }

    fn reading(self) -> Reading {
        if self.lenient { Reading::Lenient } else { Reading::Strict }
    }

    /// Scores one network.
    pub(crate) fn score(
        self,
        name: &str,
        evaluator: &Evaluator,
        suite: &Suite,
    ) -> anyhow::Result<Row> {
        let puzzles = suite.puzzles(self.reading(), self.limit)?;
        let mut progress = Progress::new(&short_name(name), "puzzles", self.limit);
        let (mut total, mut solved) = (0u64, 0u64);
        let scored = evaluation::score(evaluator, self.rule, puzzles, |_, attempt| {
            total += 1;
            solved += u64::from(attempt.solved());
            if total % REPORT_EVERY == 0 {
                let percent = 100.0 * solved as f64 / total as f64;
                progress.report(total, &format!("{percent:.1}% solved"));
            }
        });
        let score: Score = scored
            .map_err(|error| match error {
                ScoreError::Suite(error) => with_advice(error),
                error => error.into(),
            })
            .with_context(|| name.to_owned())?;
        let seconds = progress.elapsed().as_secs_f64();
        Ok(Row { network: name.to_owned(), score, seconds })
    }
}

fn score_line<'a>(
    row: &Row,
    network_sha256: &'a str,
    suite: &'a Suite,
    rule: Rule,
) -> ScoreLine<'a> {
    let interval = row.score.interval();
    let skipped = row.score.skipped.by_reason().iter();
    ScoreLine {
        network: row.network.clone(),
        network_sha256,
        suite: suite.path().display().to_string(),
        suite_sha256: suite.sha256(),
        rule: rule.name(),
        total: row.score.total,
        solved: row.score.solved,
        accuracy: row.score.accuracy(),
        low: interval.low,
        high: interval.high,
        unproved: (rule == Rule::MultiSolution).then_some(row.score.unproved),
        skipped: skipped.map(|(reason, rows)| (*reason, rows.count)).collect(),
    }
}

/// The error, and what can be done about it.
pub(crate) fn with_advice(error: SuiteError) -> anyhow::Error {
    match error {
        SuiteError::Damaged(_) => anyhow!("{error}; --lenient scores what can be read"),
        error => error.into(),
    }
}

/// The name of the file alone.
pub(crate) fn short_name(name: &str) -> String {
    let file = Path::new(name).file_name();
    file.map_or_else(|| name.to_owned(), |file| file.to_string_lossy().into_owned())
}

fn rules() -> impl TypedValueParser<Value = Rule> {
    PossibleValuesParser::new(Rule::ALL.map(Rule::name))
        .map(|name| name.parse().expect("a possible value"))
}
