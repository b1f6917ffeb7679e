//! `searchless suite mine`: puzzles of our own from games.

mod analyst;
mod report;

use std::io::Write;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context;
use clap::ValueEnum;
use evaluation::Rule;
use evaluation::suite::build::manifest_path;
use evaluation::suite::mine::{
    EngineRecord, MineOutcome, MineProgress, MineSettings, Mining, PuzzleKind, work_path,
};
use uci_engine::EngineCommand;

use self::analyst::EngineAnalyst;
use super::super::runs::{quoted, stop_on_interrupt};
use super::super::{name_and_value, seconds};
use crate::progress::Progress;

/// Makes puzzles from games: mistakes after which one move wins, and forced mates.
///
/// An engine looks at every position of a game with few nodes. Where a move lets the opponent's
/// prospects jump, or allows a mate, it searches on with many nodes: the solver's best move has to
/// win and the second best to be far worse, at every move of the line; mates up to five moves are
/// proved by our own search, and every move that keeps the shortest mate is acceptable. As in
/// Lichess's files, the FEN is the position before the mistake and the first move is the mistake;
/// the moves before it stand in the column History.
///
/// Writes CSV that every command takes which takes puzzles, and beside it a manifest
/// (SUITE.manifest.json). Ratings are an index of difficulty, 200 + 150 log2 of the nodes after
/// which the engine had found the moves: in order of difficulty, but no ratings of people. Themes
/// are those that can be told from the moves: mates and their length, advantage, length, phase,
/// promotion, castling and the like.
///
/// The same games, settings and seed give the same suite, whatever the number of engines. Games
/// that are done are kept in SUITE.mining.jsonl: the same command goes on after any end, and
/// another --count with what is there. An engine that crashes, hangs or plays what is no move is
/// started again and the position tried once more, then passed over and counted.
#[derive(Debug, clap::Args)]
pub(crate) struct MineArguments {
    /// Games in PGN, plain or compressed (.gz, .zst), from the standard start
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    games: Vec<PathBuf>,
    /// Suite to write; compressed where its name ends in .gz or .zst
    #[arg(long, value_name = "SUITE.csv")]
    out: PathBuf,
    /// Replace the suite and its manifest if they exist
    #[arg(long)]
    force: bool,
    /// Refuse games and rows that cannot be read, instead of counting them
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    puzzles: PuzzleArguments,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Which puzzles are made.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Which puzzles")]
struct PuzzleArguments {
    /// What is looked for
    #[arg(long, value_name = "KIND", default_value = "both")]
    kind: Kind,
    /// Puzzles at the most [default: all that are found]
    #[arg(long, value_name = "N")]
    count: Option<NonZeroU64>,
    /// Puzzles of one game at the most
    #[arg(long, value_name = "N", default_value_t = 1)]
    per_game: usize,
    /// None that these suites have, by id or by position to solve
    #[arg(long, value_name = "FILE", num_args = 1..)]
    exclude: Vec<PathBuf>,
    /// Expected score that the solver's move has to have, by the logistic curve of Lichess: 0.75 are
    /// 300 centipawns
    #[arg(long, value_name = "SCORE", default_value_t = 0.75)]
    winning: f64,
    /// By how much the mistake has to raise the solver's expected score
    #[arg(long, value_name = "SCORE", default_value_t = 0.3)]
    jump: f64,
    /// By how much the solver's move has to be better than the second, in expected score
    #[arg(long, value_name = "SCORE", default_value_t = 0.3)]
    gap: f64,
    /// Moves of the solver that a line without mate has at least
    #[arg(long, value_name = "N", default_value_t = 1)]
    least_moves: usize,
    /// Moves of the solver after which a line without mate ends
    #[arg(long, value_name = "N", default_value_t = 5)]
    most_moves: usize,
    /// Seed of the order of games, and of the mistakes of each
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

/// The engine that judges.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Engine")]
struct EngineArguments {
    /// UCI engine with the option MultiPV: a path, or a name on the search path
    #[arg(long, value_name = "PROGRAM")]
    engine: PathBuf,
    /// Argument of the engine; may be repeated
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    engine_argument: Vec<String>,
    /// UCI option of the engine; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    option: Vec<(String, String)>,
    /// Nodes with which each position of a puzzle is searched
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    nodes: u64,
    /// Nodes of the first look at each position of a game
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    look_nodes: u64,
    /// Nodes that the proof of a mate in one position may take
    #[arg(long, value_name = "N", default_value_t = Rule::NODE_BUDGET)]
    node_budget: u64,
    /// Seconds that a search may take before the engine is started again
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    patience: Duration,
    /// Engines at work [default: one per core, or --threads]; the suite does not depend on it
    #[arg(long, value_name = "N")]
    engines: Option<NonZeroUsize>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// Lines in which one move wins and does not mate
    Tactics,
    /// Forced mates in one to five moves
    Mates,
    /// All
    Both,
}

impl MineArguments {
    /// Mines, and prints what came of it.
    pub(crate) fn run(self, threads: NonZeroUsize, output: &mut impl Write) -> anyhow::Result<()> {
        for path in [self.out.clone(), manifest_path(&self.out)] {
            self.may_write(&path)?;
        }
        let mining = self.mining();
        // Before an engine is started.
        mining.settings.validate()?;
        let command = self.engine.command();
        let restarts = Arc::new(AtomicU64::new(0));
        let engines = self.engine.engines.unwrap_or(threads).get();
        let analysts = (0..engines)
            .map(|_| EngineAnalyst::start(&command, self.engine.patience, Arc::clone(&restarts)))
            .collect::<Result<Vec<EngineAnalyst>, _>>()?;
        let record = EngineRecord {
            name: analysts[0].name().to_owned(),
            arguments: command.arguments.clone(),
            options: command.preferences.iter().chain(&command.options).cloned().collect(),
        };
        let stop: &AtomicBool = &*stop_on_interrupt("finishing the games under way")?;
        let mut shown = Shown::default();
        let observe = |progress| shown.report(progress);
        let outcome = mining.write(&self.out, analysts, record, stop, observe)?;
        drop(shown);
        match outcome {
            MineOutcome::Finished(manifest) => {
                write!(output, "{}", report::report(&self.out, &manifest))?;
            }
            MineOutcome::Stopped { done, counts } => {
                write!(output, "{}", report::counts(&counts))?;
                let work = quoted(&work_path(&self.out));
                writeln!(
                    output,
                    "stopped after {done} games; the same command goes on with {work}"
                )?;
            }
        }
        let restarts = restarts.load(Ordering::Relaxed);
        if restarts > 0 {
            writeln!(output, "restarts of engines: {restarts}")?;
        }
        Ok(())
    }

    fn may_write(&self, path: &Path) -> anyhow::Result<()> {
        let name = path.display().to_string();
        let exists = path.try_exists().with_context(|| name.clone())?;
        anyhow::ensure!(self.force || !exists, "{name}: exists; --force replaces it");
        let same = |other: &PathBuf| {
            let canonical = path.canonicalize().ok();
            exists && canonical.is_some_and(|path| other.canonicalize().ok() == Some(path))
        };
        let is_read = self.games.iter().chain(&self.puzzles.exclude).any(same);
        anyhow::ensure!(
            !is_read,
            "{name}: is read to mine the suite, and cannot be replaced by it"
        );
        Ok(())
    }

    fn mining(&self) -> Mining {
        let PuzzleArguments { per_game, winning, jump, gap, .. } = self.puzzles;
        Mining {
            games: self.games.clone(),
            exclude: self.puzzles.exclude.clone(),
            settings: MineSettings {
                kind: match self.puzzles.kind {
                    Kind::Tactics => PuzzleKind::Tactics,
                    Kind::Mates => PuzzleKind::Mates,
                    Kind::Both => PuzzleKind::Both,
                },
                nodes: self.engine.nodes,
                look_nodes: self.engine.look_nodes,
                winning,
                jump,
                gap,
                least_moves: self.puzzles.least_moves,
                most_moves: self.puzzles.most_moves,
                per_game,
                node_budget: self.engine.node_budget,
                seed: self.puzzles.seed,
            },
            count: self.puzzles.count.map(NonZeroU64::get),
            strict: self.strict,
        }
    }
}

impl EngineArguments {
    /// One thread and a small hash table, which options may change: each position is searched with
    /// nothing remembered.
    fn command(&self) -> EngineCommand {
        let mut command = EngineCommand::new(&self.engine)
            .with_preference("Threads", 1)
            .with_preference("Hash", 16);
        // On a busy machine starting takes as long as a search.
        command.patience = command.patience.max(self.patience);
        command.arguments.clone_from(&self.engine_argument);
        command.options.clone_from(&self.option);
        command.with_option("MultiPV", 2)
    }
}

/// How far it is, as a person sees it.
#[derive(Default)]
struct Shown {
    reading: Option<Progress>,
    mining: Option<Progress>,
}

impl Shown {
    fn report(&mut self, progress: MineProgress) {
        match progress {
            MineProgress::Read { games } => {
                let shown =
                    self.reading.get_or_insert_with(|| Progress::new("reading", "games", None));
                shown.report(games, "");
            }
            MineProgress::Mined { total, done, puzzles } => {
                // The old bar goes before the new one is drawn.
                self.reading = None;
                let shown = self.mining.get_or_insert_with(|| {
                    let mut shown = Progress::new("mining", "games", Some(total));
                    shown.start_at(done);
                    shown
                });
                shown.report(done, &format!("{puzzles} puzzles"));
            }
        }
    }
}
