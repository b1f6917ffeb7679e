//! `searchless label`: search-derived targets for positions.

mod report;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::ensure;
use training::label::{
    LabelConfig, LabelDirectory, LabelProgress, PositionSource, TeacherConfig, label,
};

use self::report::{report, spread};
use super::arena::OwnPlay;
use super::name_and_value;
use super::runs::{quoted, stop_on_interrupt};
use crate::device::DeviceArguments;
use crate::progress::Progress;

/// Lets a UCI engine label positions, and writes them as Lc0's training data.
///
/// Every position is searched with several variations; its target is a distribution over the moves
/// that the engine shows, exp(expected score / temperature), and the engine's win, draw and loss.
/// The directory receives label.toml (the settings, with the sums of the files), labels.jsonl and
/// chunks/, which `searchless train --chunks` reads. The same command goes on with labelling that
/// was interrupted or killed. An engine that crashes, hangs or plays what is no move is started
/// again and the position tried once more, then passed over and counted.
#[derive(Debug, clap::Args)]
pub(crate) struct LabelArguments {
    /// Directory for the labels; one with labels of the same settings is gone on with
    #[arg(long, value_name = "DIRECTORY")]
    out: PathBuf,
    #[command(flatten)]
    positions: PositionArguments,
    #[command(flatten)]
    play: PlayArguments,
    #[command(flatten)]
    teacher: TeacherArguments,
    /// Lc0's number of the input format in which positions are recorded: that of the network to be
    /// trained, 1 for Maia and BT4
    #[arg(long, value_name = "N", default_value_t = 1)]
    input_format: u32,
    /// Positions of a chunk, which is what is lost by a kill
    #[arg(long, value_name = "N", default_value_t = 512)]
    chunk: usize,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Where positions come from.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Positions")]
struct PositionArguments {
    /// Puzzles as Lichess writes them (CSV, plain or compressed): the solver's positions
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present_any = ["puzzle_lines", "games", "play"])]
    puzzles: Vec<PathBuf>,
    /// Puzzles: all positions of the marked line, the opponent's too
    #[arg(long, value_name = "FILE", num_args = 1..)]
    puzzle_lines: Vec<PathBuf>,
    /// Games in PGN, plain or compressed: every position in which a move was played
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Puzzle files whose positions are passed over: what the network will be measured with
    #[arg(long, value_name = "FILE", num_args = 1..)]
    exclude: Vec<PathBuf>,
    /// Label so many positions at the most; a higher limit goes on later
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
}

/// Positions that a network comes to.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Positions of a network's own play")]
struct PlayArguments {
    /// Games of this network (a file, or `embedded`) against itself, moves drawn from its raw
    /// policy: every position in which a move was played. The games are kept beside the labels
    #[arg(long, value_name = "FILE")]
    play: Option<PathBuf>,
    /// How many games, an even number
    #[arg(long, value_name = "N", default_value_t = 400, requires = "play", value_parser = clap::value_parser!(u32).range(2..))]
    play_games: u32,
    /// Where they start, each opening twice: EPD or PGN [default: the initial position]
    #[arg(long, value_name = "FILE", requires = "play")]
    play_openings: Option<PathBuf>,
    /// Seed of the moves and of the choice of openings
    #[arg(long, value_name = "S", default_value_t = 0, requires = "play")]
    play_seed: u64,
}

impl PlayArguments {
    fn own_play(&self) -> Option<OwnPlay> {
        let network = self.play.clone()?;
        let (games, openings) = (self.play_games, self.play_openings.clone());
        Some(OwnPlay { network, games, openings, seed: self.play_seed })
    }
}

/// The engine, and how its search becomes a target.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Teacher")]
struct TeacherArguments {
    /// UCI engine: a path, or a name on the search path
    #[arg(long, value_name = "PROGRAM")]
    teacher: PathBuf,
    /// Argument of the engine; may be repeated
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    teacher_argument: Vec<String>,
    /// UCI option of the engine; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    option: Vec<(String, String)>,
    /// Nodes of each search
    #[arg(long, value_name = "N", default_value_t = 5000)]
    nodes: u64,
    /// Best moves that the engine shows (MultiPV)
    #[arg(long, value_name = "N", default_value_t = 6)]
    variations: u32,
    /// Temperature of the target over moves, in units of expected score
    #[arg(long, value_name = "T", default_value_t = 0.05, allow_negative_numbers = true)]
    temperature: f64,
    /// Seconds that a search may take before the engine is started again
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, allow_negative_numbers = true)]
    patience: f64,
    /// Engines at work [default: one per core, or --threads]; labels do not depend on it
    #[arg(long, value_name = "N")]
    engines: Option<NonZeroUsize>,
}

impl LabelArguments {
    /// Labels, and says what the labels are like.
    pub(crate) fn run(self, threads: NonZeroUsize, output: &mut impl Write) -> anyhow::Result<()> {
        let mut config = self.config();
        let engines = self.teacher.engines.unwrap_or(threads);
        let stop: &AtomicBool = &*stop_on_interrupt(
            "giving up the games or chunks under way; those that are written stay",
        )?;
        let out = quoted(&self.out);
        if let Some(play) = self.play.own_play() {
            ensure!(
                play.games.is_multiple_of(2),
                "--play-games: an even number, each opening is played twice"
            );
            let directory = LabelDirectory::play(&self.out);
            config.sources.push(PositionSource::Games(OwnPlay::file(&directory)));
            // Not after the games.
            config.validate()?;
            LabelDirectory::check_place(&self.out)?;
            if !play.play(&directory, self.device, threads, stop)? {
                writeln!(output, "stopped; the same command goes on with {out}")?;
                return Ok(());
            }
        }
        let mut progress = Progress::new("label", "positions", None);
        let program = format!("searchless {}", env!("CARGO_PKG_VERSION"));
        let observe = |event: LabelProgress<'_>| match event {
            LabelProgress::Counted { counts, total, done } => {
                progress = Progress::new("label", "positions", Some(total));
                progress.say(&report(counts, total, done));
                progress.start_at(done);
            }
            LabelProgress::Chunk { done, total } => progress.report(done, &spread(total)),
        };
        let summary = label(&self.out, &config, engines, &program, stop, observe)?;
        drop(progress);
        report::write(&summary.total, output)?;
        if summary.stopped {
            writeln!(output, "stopped; the same command goes on with {out}")?;
        } else {
            let chunks = quoted(&self.out.join("chunks"));
            writeln!(
                output,
                "to learn from it: searchless train --chunks {chunks} --network .. --out .."
            )?;
        }
        Ok(())
    }

    fn config(&self) -> LabelConfig {
        let PositionArguments { puzzles, puzzle_lines, games, exclude, limit } =
            self.positions.clone();
        let teacher = self.teacher.clone();
        let sources = puzzles.into_iter().map(PositionSource::Puzzles);
        let games = games.into_iter().map(PositionSource::Games);
        let lines = puzzle_lines.into_iter().map(PositionSource::PuzzleLines);
        LabelConfig {
            input_format: self.input_format,
            chunk: self.chunk,
            limit,
            teacher: TeacherConfig {
                program: teacher.teacher,
                arguments: teacher.teacher_argument,
                options: teacher.option,
                nodes: teacher.nodes,
                variations: teacher.variations,
                temperature: teacher.temperature,
                patience_seconds: teacher.patience,
            },
            sources: sources.chain(lines).chain(games).collect(),
            exclude,
        }
    }
}
