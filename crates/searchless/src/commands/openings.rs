//! `searchless openings`: openings for matches, out of a network's own play.

use std::io::Write;
use std::num::NonZeroU32;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use chess::pgn::write_game;
use evaluation::{MadeOpenings, SampledOpenings};
use training::sweep::write_whole;

use crate::arguments::HeadArguments;
use crate::device::DeviceArguments;
use crate::files::EMBEDDED;
use crate::loading::load_evaluator;
use crate::progress::Progress;

/// Games drawn for each opening that is asked for, at the most.
const GAMES_FOR_EACH: u32 = 100;

/// Makes openings for matches by letting a network draw moves against itself.
///
/// Moves are drawn from the raw policy, from the initial position on. An opening is kept where the
/// network's value head sees neither side better than --balance allows, and where no other one led
/// to its position. Every second opening is a ply longer, so that either side may be to move.
#[derive(Debug, clap::Args)]
pub(crate) struct OpeningsArguments {
    /// Lc0 network file (.pb.gz, .pb, or `embedded`)
    #[arg(long, value_name = "FILE", default_value = EMBEDDED)]
    network: PathBuf,
    /// File of the openings, in PGN; takes the place of one that is there
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many
    #[arg(long, value_name = "N", default_value = "500")]
    count: NonZeroU32,
    /// Plies of an opening; every second one has one more
    #[arg(long, value_name = "N", default_value = "8")]
    plies: NonZeroU32,
    /// The most by which a side's expected score may differ from 1/2
    #[arg(long, value_name = "SCORE", default_value = "0.1", value_parser = balance)]
    balance: f64,
    /// Seed of the moves
    #[arg(long, value_name = "S", default_value = "0")]
    seed: u64,
    #[command(flatten)]
    heads: HeadArguments,
    #[command(flatten)]
    device: DeviceArguments,
}

impl OpeningsArguments {
    /// Makes them and writes them to a file.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        let loaded =
            load_evaluator(&self.network, self.heads.selection(), self.heads.fill(), self.device)?;
        let settings = SampledOpenings {
            count: self.count.get() as usize,
            plies: self.plies,
            balance: self.balance,
            most_games: self.count.get().saturating_mul(GAMES_FOR_EACH),
            seed: self.seed,
        };
        let wanted = u64::from(self.count.get());
        let mut progress = Progress::new("openings", "openings", Some(wanted));
        let made = settings.make(&loaded.evaluator, |found| progress.report(found as u64, ""))?;
        ensure!(
            !made.openings.is_empty(),
            "no opening out of {} games: {}",
            made.games,
            passed_over(&made)
        );
        let mut text = Vec::new();
        for (number, game) in made.openings.iter().enumerate() {
            let round = (number + 1).to_string();
            write_game(&mut text, &[("Event", "Opening"), ("Round", &round)], game, None)?;
        }
        let text = String::from_utf8(text)?;
        write_whole(&self.out, &text).with_context(|| self.out.display().to_string())?;
        writeln!(
            output,
            "{}: {} openings out of {} games; {}",
            self.out.display(),
            made.openings.len(),
            made.games,
            passed_over(&made)
        )?;
        if (made.openings.len() as u64) < wanted {
            writeln!(
                output,
                "fewer than {wanted}: more games, with more --plies or a larger --balance, have more"
            )?;
        }
        Ok(())
    }
}

fn passed_over(made: &MadeOpenings) -> String {
    format!(
        "passed over: {} where a side stands better, {} that led to a position of another, {} ended",
        made.unbalanced, made.repeated, made.ended
    )
}

fn balance(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|number| (0.0..=0.5).contains(number))
        .ok_or_else(|| "expected a number from 0 to 0.5".to_owned())
}
