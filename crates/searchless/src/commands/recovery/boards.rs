//! Boards of recovered positions: who finds what, and what is true.

mod position;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use chess::Game;
use evaluation::{PuzzleOutcome, PuzzleRecord, Reading, Rule};
use lc0::NetworkFile;
use network::Evaluator;
use uci_engine::{EngineCommand, Score, SearchLimit, UciEngine};

pub(super) use self::position::{EngineVerdict, RecoveredPosition};
use super::RecoveryArguments;
use crate::commands::evaluate::measuring::ReadSuite;
use crate::loading::evaluator;

/// Which boards are drawn.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Boards")]
pub(super) struct BoardArguments {
    /// Directory for SVG pictures of the recovered positions of the highest ratings; with OTHER of
    /// those that one network alone recovers
    #[arg(long, value_name = "DIRECTORY")]
    boards: Option<PathBuf>,
    /// Boards for each network, drawn and in JSON
    #[arg(long, value_name = "N", default_value_t = 3)]
    count: usize,
    /// UCI engine whose verdict on every candidate is shown [default: stockfish, where it is
    /// installed]
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<PathBuf>,
    /// Seconds that the engine thinks about each candidate
    #[arg(long, value_name = "SECONDS", default_value_t = 1.5)]
    engine_time: f64,
}

/// A recovered position.
struct Found {
    /// The puzzle's place in the suite.
    puzzle: usize,
    /// Which of its positions.
    position: usize,
    /// The network that recovers it, by its place among the networks.
    network: usize,
}

impl BoardArguments {
    /// Starts the engine before the long work, so that what is wrong is said before it; boards are
    /// `needed` though none are drawn.
    pub(super) fn start_engine(&self, needed: bool) -> anyhow::Result<Option<UciEngine>> {
        if !Duration::try_from_secs_f64(self.engine_time).is_ok_and(|time| !time.is_zero()) {
            bail!("--engine-time {}: expected a number above 0", self.engine_time);
        }
        if self.count == 0 || (self.boards.is_none() && !needed) {
            return Ok(None);
        }
        let program = self.engine.clone().unwrap_or_else(|| PathBuf::from("stockfish"));
        match UciEngine::start(&EngineCommand::new(program).with_preference("Threads", 1)) {
            Ok(engine) => Ok(Some(engine)),
            // One that was not asked for need not be there.
            Err(_) if self.engine.is_none() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// What everyone says of the recovered positions; nothing where no boards are asked for.
    pub(super) fn positions(
        &self,
        arguments: &RecoveryArguments,
        files: &[NetworkFile],
        suite: &ReadSuite,
        records: &[Vec<PuzzleRecord>],
        mut engine: Option<UciEngine>,
    ) -> anyhow::Result<Vec<RecoveredPosition>> {
        if self.boards.is_none() && !arguments.json {
            return Ok(Vec::new());
        }
        let found = self.found(records);
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let heads = arguments.heads;
        let evaluators = files
            .iter()
            .map(|file| evaluator(file, heads.selection(), heads.fill(), arguments.device))
            .collect::<anyhow::Result<Vec<Evaluator>>>()?;
        let position = |found: &Found| {
            let game = self.game(suite, found)?;
            let record = &records[0][found.puzzle];
            RecoveredPosition::new(&game, record, found, &evaluators, |after| {
                engine.as_mut().map_or(Ok(None), |engine| self.verdict(engine, after))
            })
        };
        found.iter().map(position).collect()
    }

    /// Draws, where it is asked for.
    pub(super) fn draw(
        &self,
        paths: &[&Path],
        positions: &[RecoveredPosition],
        mut drawn: impl FnMut(&Path) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let Some(directory) = &self.boards else { return Ok(()) };
        fs::create_dir_all(directory)
            .with_context(|| format!("creating {}", directory.display()))?;
        for position in positions {
            // Ids come from a file and may hold anything.
            let id: String =
                position.puzzle.chars().filter(char::is_ascii_alphanumeric).take(40).collect();
            let name = format!("{}-{id}-{}.svg", position.network, position.position);
            let path = directory.join(name);
            fs::write(&path, position.board(paths).svg())
                .with_context(|| format!("writing {}", path.display()))?;
            drawn(&path)?;
        }
        Ok(())
    }

    /// The recovered positions of the highest ratings, of each network.
    fn found(&self, records: &[Vec<PuzzleRecord>]) -> Vec<Found> {
        let solves = |network: usize, puzzle: usize| {
            PuzzleOutcome::of(&records[network][puzzle].answers).solved[Rule::MultiSolution]
        };
        let mut all = Vec::new();
        for network in 1..records.len() {
            let mut found: Vec<Found> = (0..records[0].len())
                .filter(|&puzzle| {
                    let alone =
                        (1..records.len()).all(|other| other == network || !solves(other, puzzle));
                    !solves(0, puzzle) && solves(network, puzzle) && alone
                })
                .filter_map(|puzzle| {
                    let answers = &records[0][puzzle].answers;
                    let position =
                        answers.iter().position(|answer| !answer.accepted[Rule::MultiSolution])?;
                    Some(Found { puzzle, position, network })
                })
                .collect();
            let rating = |found: &Found| records[0][found.puzzle].facts.rating.unwrap_or(0);
            // Stable, so that of equal ratings the first in the suite comes first.
            found.sort_by_key(|found| std::cmp::Reverse(rating(found)));
            found.truncate(self.count);
            all.extend(found);
        }
        all
    }

    /// The position with its history.
    fn game(&self, suite: &ReadSuite, found: &Found) -> anyhow::Result<Game> {
        let mut rows = suite.suite.puzzles(Reading::Strict, Some(found.puzzle as u64 + 1))?;
        let mut last = None;
        loop {
            let block = rows.next_block(1024)?;
            match block.last() {
                None => break,
                Some(puzzle) => last = Some(puzzle.clone()),
            }
        }
        let puzzle = last.context("the suite has changed meanwhile")?;
        let positions = puzzle.solver_positions();
        let (game, _) = positions.get(found.position).context("the suite has changed meanwhile")?;
        Ok(game.clone())
    }

    /// What the engine says of the side that has just moved.
    fn verdict(
        &self,
        engine: &mut UciEngine,
        after: &Game,
    ) -> anyhow::Result<Option<EngineVerdict>> {
        engine.new_game()?;
        let time = Duration::from_secs_f64(self.engine_time);
        let patience = time + Duration::from_secs(30);
        let search = engine.search(after, SearchLimit::MoveTime(time), patience)?;
        let score = search.variations.first().map(|variation| variation.score);
        let moves = |moves: u32| i32::try_from(moves).unwrap_or(i32::MAX);
        // The opponent is to move, so signs change.
        Ok(score.map(|score| match score {
            Score::Centipawns(centipawns) => EngineVerdict::Centipawns(centipawns.saturating_neg()),
            Score::Mates(count) => EngineVerdict::Mate(-moves(count)),
            Score::Mated(count) => EngineVerdict::Mate(moves(count)),
        }))
    }
}
