//! `searchless suite build`: a suite from puzzle files.

use std::io::Write;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use evaluation::Rule;
use evaluation::suite::build::{
    Filter, RatingRange, Sample, Stage, Strata, SuiteBuild, manifest_path,
};

use super::report::report;
use crate::progress::Progress;

/// Units between two reports of how far it is.
const REPORT_EVERY: u64 = 1024;
/// Puzzles between two such reports: a proof may take a second.
const REPORT_PUZZLES_EVERY: u64 = 64;

/// Builds a suite: puzzles from files, filtered, drawn, with their games and acceptable moves.
///
/// Reads puzzles as Lichess publishes them, with the games of Ruoss et al. (column PGN), suites
/// built before, and test positions in EPD (bm, am, id). Writes CSV that every command takes which
/// takes puzzles, and beside it a manifest (SUITE.manifest.json) of how it was built.
///
/// All rows are read and all their moves are played. Rows that are no puzzles, and puzzles that are
/// left out, are counted by reason. Of two puzzles with one id or one position to solve the first
/// is taken. The same files, options and seed give the same bytes.
///
/// Acceptable are the marked move and, where the marked line is a forced mate, every move that
/// keeps an equally short mate, proved by search; where the search does not come to an end, the
/// marked move. Moves that an EPD file gives are taken as they are.
#[derive(Debug, clap::Args)]
pub(crate) struct BuildArguments {
    /// Puzzles: CSV or EPD, plain or compressed (.gz, .zst)
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    from: Vec<PathBuf>,
    /// Suite to write; compressed where its name ends in .gz or .zst
    #[arg(long, value_name = "SUITE.csv")]
    out: PathBuf,
    /// Replace the suite and its manifest if they exist
    #[arg(long)]
    force: bool,
    /// Refuse rows, lines and games that cannot be read, instead of counting them
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    filter: FilterArguments,
    #[command(flatten)]
    sample: SampleArguments,
    #[command(flatten)]
    history: HistoryArguments,
    #[command(flatten)]
    acceptable: AcceptableArguments,
}

/// Which puzzles are taken.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Which puzzles")]
struct FilterArguments {
    /// Only ratings in this range, both ends included: 1200..1599, 2400.. or ..999
    #[arg(long, value_name = "MIN..MAX")]
    rating: Option<RatingRange>,
    /// Only puzzles with one of these themes, such as endgame or mateIn2
    #[arg(long, value_name = "THEME", num_args = 1..)]
    theme: Vec<String>,
    /// Only mates in exactly one of these numbers of moves: of the marked line, else as the theme
    /// mateInN has it
    #[arg(long, value_name = "N", num_args = 1..)]
    mate_depth: Vec<usize>,
    /// None that these suites have, by id or by position to solve
    #[arg(long, value_name = "FILE", num_args = 1..)]
    exclude: Vec<PathBuf>,
}

/// How many are drawn.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "How many")]
struct SampleArguments {
    /// Draw N puzzles, each with the same probability [default: take all]; they stand in the order
    /// of the draw, so that the first ones are a draw too
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// Draw N puzzles from each bin of ratings, of each theme (those of --theme, else all), or
    /// of each length of mate
    #[arg(long, value_name = "BY", requires = "count")]
    stratify: Option<Stratify>,
    /// Width of the bins of ratings, which begin at 0
    #[arg(long, value_name = "POINTS", default_value = "200")]
    rating_bin: NonZeroU32,
    /// Seed of the draw
    #[arg(long, value_name = "S", default_value = "0")]
    seed: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Stratify {
    Rating,
    Theme,
    MateDepth,
}

/// Where the games before the puzzles are looked for.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Histories")]
struct HistoryArguments {
    /// Games in PGN, plain or compressed (.gz, .zst): those that GameUrl names are taken, told by
    /// the tags GameId, Site or Link
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Lines of JSON, {"id": "PUZZLE", "moves": "e2e4 e7e5 ..."}: moves from the start of the game
    #[arg(long, value_name = "FILE", num_args = 1..)]
    histories: Vec<PathBuf>,
    /// Only puzzles with a game that leads to them
    #[arg(long)]
    require_history: bool,
}

/// How acceptable moves are found.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Acceptable moves")]
struct AcceptableArguments {
    /// Nodes that the proof of one position may take
    #[arg(long, value_name = "N", default_value_t = Rule::NODE_BUDGET, value_parser = clap::value_parser!(u64).range(1..))]
    node_budget: u64,
    /// Compute none
    #[arg(long, conflicts_with = "node_budget")]
    no_acceptable: bool,
}

impl BuildArguments {
    /// Builds the suite and prints what came of it.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        for path in [self.out.clone(), manifest_path(&self.out)] {
            self.may_write(&path)?;
        }
        let (out, build) = (self.out.clone(), self.build());
        let mut shown = Shown::default();
        let manifest = build.write(&out, |stage, done, total| shown.report(stage, done, total))?;
        drop(shown);
        write!(output, "{}", report(&out, &manifest))?;
        Ok(())
    }

    fn may_write(&self, path: &Path) -> anyhow::Result<()> {
        let name = path.display().to_string();
        let exists = path.try_exists().with_context(|| name.clone())?;
        anyhow::ensure!(self.force || !exists, "{name}: exists; --force replaces it");
        let read = [&self.from, &self.filter.exclude, &self.history.games, &self.history.histories];
        let same = |other: &PathBuf| {
            exists
                && path
                    .canonicalize()
                    .ok()
                    .is_some_and(|path| other.canonicalize().ok() == Some(path))
        };
        let is_read = read.into_iter().flatten().any(same);
        anyhow::ensure!(
            !is_read,
            "{name}: is read to build the suite, and cannot be replaced by it"
        );
        Ok(())
    }

    fn build(self) -> SuiteBuild {
        let SampleArguments { count, stratify, rating_bin, seed } = self.sample;
        let strata = match stratify {
            None => Strata::None,
            Some(Stratify::Rating) => Strata::Rating { width: rating_bin },
            Some(Stratify::Theme) => Strata::Theme,
            Some(Stratify::MateDepth) => Strata::MateDepth,
        };
        let AcceptableArguments { node_budget, no_acceptable } = self.acceptable;
        SuiteBuild {
            sources: self.from,
            filter: Filter {
                rating: self.filter.rating,
                themes: self.filter.theme,
                mate_depths: self.filter.mate_depth,
            },
            sample: count.map(|count| Sample { count, seed, strata }),
            exclude: self.filter.exclude,
            games: self.history.games,
            histories: self.history.histories,
            require_history: self.history.require_history,
            node_budget: (!no_acceptable).then_some(node_budget),
            strict: self.strict,
        }
    }
}

/// How far the build is, as a person sees it.
#[derive(Default)]
struct Shown(Option<(Stage, Progress)>);

impl Shown {
    fn report(&mut self, stage: Stage, done: u64, total: Option<u64>) {
        if self.0.as_ref().is_none_or(|(shown, _)| *shown != stage) {
            // The old bar goes before the new one is drawn.
            self.0 = None;
            let (what, unit) = match stage {
                Stage::Exclusions => ("excluding", "rows"),
                Stage::Games => ("games", "games"),
                Stage::Rows => ("reading", "rows"),
                Stage::Puzzles => ("acceptable moves", "puzzles"),
            };
            self.0 = Some((stage, Progress::new(what, unit, total)));
        }
        let every = if stage == Stage::Puzzles { REPORT_PUZZLES_EVERY } else { REPORT_EVERY };
        if let Some((_, progress)) = &mut self.0
            && done.is_multiple_of(every)
        {
            progress.report(done, "");
        }
    }
}
