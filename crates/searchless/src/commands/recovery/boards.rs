//! Boards of recovered positions: who finds what, and what is true.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use chess::{Game, Move};
use evaluation::{PuzzleOutcome, PuzzleRecord, Reading, Rule};
use lc0::NetworkFile;
use network::{Evaluation, Evaluator};
use policy::{MovePolicy, Temperature};
use report::{Arrow, Board};
use shakmaty::san::SanPlus;
use uci_engine::{EngineCommand, Score, SearchLimit, UciEngine};

use super::RecoveryArguments;
use crate::commands::evaluate::measuring::ReadSuite;
use crate::loading::evaluator;

/// Moves shown of each network beside the solution.
const CANDIDATES: usize = 3;

/// Colours of the solution's arrow and of the base's move's.
const RIGHT: &str = "#15781b";
const WRONG: &str = "#b02020";

/// Which boards are drawn.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Boards")]
pub(super) struct BoardArguments {
    /// Directory for SVG pictures of the recovered positions of the highest ratings; with OTHER of
    /// those that one network alone recovers
    #[arg(long, value_name = "DIRECTORY")]
    boards: Option<PathBuf>,
    /// Boards for each network
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
    /// Starts the engine before the long work, so that what is wrong is said before it.
    pub(super) fn start_engine(&self) -> anyhow::Result<Option<UciEngine>> {
        if !Duration::try_from_secs_f64(self.engine_time).is_ok_and(|time| !time.is_zero()) {
            bail!("--engine-time {}: expected a number above 0", self.engine_time);
        }
        if self.boards.is_none() {
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

    /// Draws, where it is asked for.
    pub(super) fn draw(
        &self,
        arguments: &RecoveryArguments,
        files: &[NetworkFile],
        suite: &ReadSuite,
        records: &[Vec<PuzzleRecord>],
        mut engine: Option<UciEngine>,
        output: &mut impl Write,
    ) -> anyhow::Result<()> {
        let Some(directory) = &self.boards else { return Ok(()) };
        fs::create_dir_all(directory)
            .with_context(|| format!("creating {}", directory.display()))?;
        let heads = arguments.heads;
        let evaluators = files
            .iter()
            .map(|file| evaluator(file, heads.selection(), heads.fill(), arguments.device))
            .collect::<anyhow::Result<Vec<Evaluator>>>()?;
        let paths: Vec<&Path> = [&arguments.base, &arguments.tuned]
            .into_iter()
            .chain(&arguments.other)
            .map(PathBuf::as_path)
            .collect();
        for found in self.found(records) {
            let record = &records[0][found.puzzle];
            let game = self.game(suite, &found)?;
            let picture = picture(&game, record, &found, &paths, &evaluators, |game| {
                engine.as_mut().map(|engine| self.verdict(engine, game)).transpose()
            })?;
            // Ids come from a file and may hold anything.
            let id: String =
                record.facts.id.chars().filter(char::is_ascii_alphanumeric).take(40).collect();
            let name = format!("{}-{id}-{}.svg", found.network, found.position + 1);
            let path = directory.join(name);
            fs::write(&path, picture.svg())
                .with_context(|| format!("writing {}", path.display()))?;
            writeln!(output, "{}", path.display())?;
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

    /// The expected score of the side that has just moved, in the engine's view.
    fn verdict(&self, engine: &mut UciEngine, after: &Game) -> anyhow::Result<String> {
        engine.new_game()?;
        let time = Duration::from_secs_f64(self.engine_time);
        let patience = time + Duration::from_secs(30);
        let search = engine.search(after, SearchLimit::MoveTime(time), patience)?;
        let score = search.variations.first().map(|variation| variation.score);
        // The opponent is to move, so signs change.
        Ok(match score {
            None => "-".to_owned(),
            Some(Score::Centipawns(centipawns)) => {
                format!("{:+.2}", -f64::from(centipawns) / 100.0)
            }
            Some(Score::Mates(moves)) => format!("-#{moves}"),
            Some(Score::Mated(moves)) => format!("#{moves}"),
        })
    }
}

fn picture(
    game: &Game,
    record: &PuzzleRecord,
    found: &Found,
    paths: &[&Path],
    evaluators: &[Evaluator],
    mut verdict: impl FnMut(&Game) -> anyhow::Result<Option<String>>,
) -> anyhow::Result<Board> {
    let answer = &record.answers[found.position];
    let evaluations = evaluators
        .iter()
        .map(|evaluator| Ok(evaluator.evaluate(&[game])?.remove(0)))
        .collect::<anyhow::Result<Vec<Evaluation>>>()?;
    let policies = evaluations
        .iter()
        .map(|evaluation| Ok(evaluation.policy(Temperature::ONE)?))
        .collect::<anyhow::Result<Vec<MovePolicy>>>()?;
    let probability = |network: usize, mv: Move| {
        let place = evaluations[network].moves.iter().position(|(_, legal)| *legal == mv);
        place.map_or(0.0, |place| policies[network].probability(place))
    };
    // The file of results may be anybody's.
    let solutions: Vec<Move> =
        answer.acceptable.iter().map(|uci| game.parse_uci(uci)).collect::<Result<_, _>>()?;
    let &[first_solution, ..] = &solutions[..] else {
        bail!("puzzle {}: no move solves it", record.facts.id)
    };

    let rating = record.facts.rating.map_or(String::new(), |rating| format!(", rated {rating}"));
    let title = format!("puzzle {}{rating}", record.facts.id);
    let mut board = Board::new(game.position().clone(), title);
    let base_move = evaluations[0].best_move()?;
    for (mv, colour) in [(base_move, WRONG), (first_solution, RIGHT)] {
        let label = format!("{:.0}%", 100.0 * probability(0, mv));
        board = board.with_arrow(Arrow { played: mv, colour, label });
    }

    for (number, path) in paths.iter().enumerate() {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let what = if number == 0 { "base" } else { "tuned" };
        board = board.with_line(format!("{}: {what} {file}", number + 1));
    }
    board = board.with_line("p: probability of the move; v: expected score after it, 1 - v(s')");
    let mut heading = format!("{:<9}", "");
    for number in 1..=paths.len() {
        heading += &format!("  {:>6} {:>5}", format!("p{number}"), format!("v{number}"));
    }
    board = board.with_line(heading + "  engine");
    for mv in candidates(&solutions, &evaluations, &policies) {
        let mut after = game.clone();
        after.play(mv).expect("a legal move");
        let ended = after.ending(&chess::Rules::default());
        let mut line = {
            let mut position = game.position().clone();
            let san = SanPlus::from_move_and_play_unchecked(&mut position, mv);
            let mark = if solutions.contains(&mv) { "*" } else { " " };
            format!("{mark}{san:<8}", san = san.to_string())
        };
        for (number, evaluator) in evaluators.iter().enumerate() {
            let value = match ended {
                Some(ending) => match ending.outcome().winner() {
                    None => 0.5,
                    Some(winner) => f64::from(u8::from(winner == game.turn())),
                },
                None => 1.0 - evaluator.evaluate(&[&after])?[0].wdl().expected_score(),
            };
            line += &format!("  {:5.1}% {value:5.2}", 100.0 * probability(number, mv));
        }
        let engine = match ended {
            Some(ending) => Some(ending.reason().to_owned()),
            None => verdict(&after)?,
        };
        board = board.with_line(format!("{line}  {}", engine.as_deref().unwrap_or("-")));
    }
    Ok(board.with_line("* solves the position"))
}

/// The solutions, then the most probable moves of each network, none twice.
fn candidates(
    solutions: &[Move],
    evaluations: &[Evaluation],
    policies: &[MovePolicy],
) -> Vec<Move> {
    let mut moves = solutions.to_vec();
    for (evaluation, policy) in evaluations.iter().zip(policies) {
        for place in policy.top(CANDIDATES) {
            let mv = evaluation.moves[place].1;
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
    }
    moves
}
