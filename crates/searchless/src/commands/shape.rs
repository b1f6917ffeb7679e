//! `searchless shape`: how concentrated networks are where they go, and how far from their base.

mod report;

use std::io::Write;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use anyhow::Context;
use chess::OpeningBook;
use evaluation::{SampledPlay, Sampling};
use network::Evaluator;

use self::report::{Settings, ShapeRow, table};
use super::sampling::SamplingArguments;
use crate::arguments::HeadArguments;
use crate::device::DeviceArguments;
use crate::files::read_book;
use crate::loading::{LoadedNetwork, load_evaluator};
use crate::progress::Progress;

/// Measures policy shape: how concentrated networks are in the positions that they reach, and how
/// far from their base.
///
/// Each network plays itself and draws every move, once from its raw policy pi and once from its
/// tempered policy mu. Means over the positions of these games: entropy, both divergences from the
/// base's raw policy, the mass on the base's five most probable moves, and the temperature tau, all
/// in nats. The first row of a player is the policy that it played; below it, of a player by mu, pi
/// in the same positions. Standard errors count a game as one observation. A divergence from the
/// base to a nearly greedy mu has no bound; its median is not moved by a few such positions.
#[derive(Debug, clap::Args)]
pub(crate) struct ShapeArguments {
    /// Lc0 network file (.pb.gz, .pb, or `embedded`) that the others are compared with; it plays as
    /// well
    #[arg(value_name = "BASE")]
    base: PathBuf,
    /// Lc0 network files to compare with it
    #[arg(value_name = "NETWORK")]
    networks: Vec<PathBuf>,
    /// Print one line of JSON for each player
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    play: PlayArguments,
    #[command(flatten)]
    sampling: SamplingArguments,
    #[command(flatten)]
    heads: HeadArguments,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Which games are played.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Games")]
struct PlayArguments {
    /// Games of each player
    #[arg(long, value_name = "N", default_value = "100")]
    games: NonZeroU32,
    /// Plies played after which a game is a draw; those of an opening do not count
    #[arg(long, value_name = "N", default_value = "512")]
    plies: NonZeroU32,
    /// Openings, one drawn for each game: EPD or PGN, plain or compressed (.gz, .zst, .zip)
    /// [default: the initial position]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of openings and moves; the n-th game of every player has the same opening
    #[arg(long, value_name = "S", default_value = "0")]
    seed: u64,
}

impl ShapeArguments {
    /// Lets each player play, and prints what is measured.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        let book = self.play.openings.as_deref().map(read_book).transpose()?;
        let load = |path: &Path| {
            load_evaluator(path, self.heads.selection(), self.heads.fill(), self.device)
        };
        let base = load(&self.base)?;
        let settings = Settings {
            base: self.base.display().to_string(),
            base_sha256: base.sha256.clone(),
            games: self.play.games,
            plies: self.play.plies,
            seed: self.play.seed,
            openings: book.as_ref().map(|book| book.name().to_owned()),
            openings_sha256: book.as_ref().map(|book| book.sha256().to_owned()),
        };
        let mut rows = Vec::new();
        for path in std::iter::once(&self.base).chain(&self.networks) {
            // The base playing itself is one network, not two.
            let loaded = if *path == self.base { None } else { Some(load(path)?) };
            let LoadedNetwork { evaluator, sha256 } = loaded.as_ref().unwrap_or(&base);
            for &sampling in self.sampling.chosen() {
                let play = self.play.sampled(sampling, book.as_ref());
                let row = measure(path, sha256, &base.evaluator, evaluator, &play)
                    .with_context(|| format!("{} ({sampling})", path.display()))?;
                if self.json {
                    writeln!(output, "{}", row.json(&settings)?)?;
                    // A reader sees each player when it is done.
                    output.flush()?;
                }
                rows.push(row);
            }
        }
        if !self.json {
            write!(output, "{}", table(&settings, &rows))?;
        }
        Ok(())
    }
}

impl PlayArguments {
    fn sampled<'a>(
        &self,
        sampling: Sampling,
        openings: Option<&'a OpeningBook>,
    ) -> SampledPlay<'a> {
        SampledPlay { sampling, games: self.games, ply_cap: self.plies, openings, seed: self.seed }
    }
}

fn measure(
    path: &Path,
    sha256: &str,
    base: &Evaluator,
    player: &Evaluator,
    play: &SampledPlay<'_>,
) -> anyhow::Result<ShapeRow> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let mut progress = Progress::new(&format!("{name} ({})", play.sampling), "positions", None);
    let shape = evaluation::shape(base, player, play, |positions| progress.report(positions, ""))?;
    Ok(ShapeRow {
        network: path.display().to_string(),
        network_sha256: sha256.to_owned(),
        sampling: play.sampling,
        shape,
    })
}
