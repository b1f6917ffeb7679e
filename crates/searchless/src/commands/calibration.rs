//! `searchless calibration`: whether games end as value heads say.

mod report;

use std::io::Write;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use chess::pgn::PgnReader;
use evaluation::calibration::{Climatology, PositionSampling, Reliability, Scores, predict};
use network::Evaluator;

use self::report::{CalibrationRow, Settings, table};
use crate::arguments::HeadArguments;
use crate::device::DeviceArguments;
use crate::loading::load_evaluator;
use crate::progress::Progress;

/// Measures calibration: whether games end as networks' value heads say they will.
///
/// Positions are drawn from finished games, from all in which a move was played, and each is judged
/// with the moves before it. The reliability table sets the expected score W + D/2 of the side to
/// move against the score it made; its distance, the calibration error, is above 0 by chance alone.
/// Brier scores and log loss are lower the better; "always the same" is what a forecaster has who
/// knows only how often the side to move wins and draws in these positions. Positions of a game
/// share its outcome, so intervals count games. Games that cannot be read, without a result or too
/// short are counted; a damaged or cut-off file is refused.
#[derive(Debug, clap::Args)]
pub(crate) struct CalibrationArguments {
    /// Lc0 network files (.pb.gz, .pb, or `embedded`)
    #[arg(value_name = "NETWORK", required = true)]
    networks: Vec<PathBuf>,
    /// Print one line of JSON for each network
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    games: GameArguments,
    #[command(flatten)]
    heads: HeadArguments,
    #[command(flatten)]
    device: DeviceArguments,
}

/// Which positions are looked at.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Games")]
struct GameArguments {
    /// Finished games: PGN, plain or compressed (.gz, .zst)
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    /// Positions drawn from each game
    #[arg(long, value_name = "N", default_value = "4")]
    per_game: NonZeroU32,
    /// Plies at the start of each game whose positions are left out
    #[arg(long, value_name = "N", default_value = "0")]
    skip: u32,
    /// Read only the first N games
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Seed of the draws of positions, and of the interval of the calibration error
    #[arg(long, value_name = "S", default_value = "0")]
    seed: u64,
}

impl CalibrationArguments {
    /// Measures each network and prints what was found.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        let settings = Settings {
            games: self.games.games.display().to_string(),
            per_game: self.games.per_game,
            skip: self.games.skip,
            limit: self.games.limit,
            seed: self.games.seed,
        };
        let mut rows = Vec::new();
        for path in &self.networks {
            let network =
                load_evaluator(path, self.heads.selection(), self.heads.fill(), self.device)?;
            let row = self.games.measure(path, &network.sha256, &network.evaluator)?;
            if self.json {
                writeln!(output, "{}", row.json(&settings)?)?;
                // A reader sees each network when it is done.
                output.flush()?;
            }
            rows.push(row);
        }
        if !self.json {
            write!(output, "{}", table(&settings, &rows))?;
        }
        Ok(())
    }
}

impl GameArguments {
    fn measure(
        &self,
        path: &Path,
        sha256: &str,
        evaluator: &Evaluator,
    ) -> anyhow::Result<CalibrationRow> {
        let network = path.display().to_string();
        let games = PgnReader::open(&self.games)?;
        let sampling = PositionSampling {
            per_game: self.per_game,
            skip: self.skip,
            seed: self.seed,
            limit: self.limit,
        };
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let mut progress = Progress::new(&name, "games", self.limit);
        let found = predict(evaluator, games, sampling, |done| progress.report(done, ""))
            .with_context(|| network.clone())?;
        drop(progress);
        let (Some(scores), Some(climatology)) =
            (Scores::of(&found.predictions), Climatology::of(&found.predictions))
        else {
            let reasons = found.skipped.by_reason().iter();
            let reasons: Vec<String> =
                reasons.map(|(reason, games)| format!("{} {reason}", games.count)).collect();
            let skipped =
                if reasons.is_empty() { "it is empty".to_owned() } else { reasons.join(", ") };
            bail!("{}: no position of a finished game: {skipped}", self.games.display());
        };
        Ok(CalibrationRow {
            network,
            network_sha256: sha256.to_owned(),
            reliability: Reliability::of(&found.predictions, self.seed),
            scores,
            climatology,
            positions: found.predictions.len() as u64,
            games: found.games,
            skipped: found.skipped,
        })
    }
}
