//! `searchless inspect`: what a network file holds and what the network says of a position.

mod each_ply;
mod positions;
mod report;
mod successors;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use chess::Game;
use lc0::NetworkFile;
use policy::Temperature;

use self::report::PositionReport;
use crate::arguments::{HeadArguments, NetworkArgument};
use crate::device::DeviceArguments;
use crate::files::read_network;
use crate::loading;

/// Describes a network, or what it says of a position.
///
/// Without a position: the network's structure and its number of parameters. With one: each legal
/// move's probability, the outcome from the mover's view, and its entropy tau. Probabilities are at
/// temperature 1 unless --temperature says otherwise; lc0's own display divides the logits by 1.359.
#[derive(Debug, clap::Args)]
pub(crate) struct InspectArguments {
    #[command(flatten)]
    network: NetworkArgument,
    /// Position to evaluate; with --moves and no FEN the start position
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Moves to play from there, in UCI notation; castling as e1g1 or e1h1
    #[arg(long, value_name = "MOVE", num_args = 1.., value_delimiter = ' ')]
    moves: Option<Vec<String>>,
    /// Also show what the network says of the position without the moves before it
    #[arg(long, conflicts_with = "json")]
    without_history: bool,
    /// Positions to evaluate, "-" for the standard input: lines {"fen": FEN, "moves": [UCI, ...]}.
    /// For each, one line {"policy": {UCI: [index, logit, probability]}, "wdl": [w, d, l], "q",
    /// "tau", "moves_left"} or {"error"}
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves"], requires = "json")]
    positions: Option<PathBuf>,
    /// Print what the network says of the position before each of --moves and after the last: a line
    /// of JSON each, with the outcome, tau, and every move's probability by pi and by mu, the policy
    /// at temperature tau
    #[arg(long, requires_all = ["json", "moves"], conflicts_with_all = ["positions", "temperature"])]
    each_ply: bool,
    /// Print every move's probability and the network's verdict on the position it leads to, the
    /// mover's expected score 1 - v(s')
    #[arg(long, requires = "json", conflicts_with_all = ["positions", "temperature", "each_ply"])]
    successors: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Temperature of the probabilities; 1 is the raw policy
    #[arg(long, value_name = "T", default_value = "1", value_parser = super::temperature, allow_negative_numbers = true)]
    temperature: Temperature,
    #[command(flatten)]
    heads: HeadArguments,
    #[command(flatten)]
    device: DeviceArguments,
}

impl InspectArguments {
    /// Describes the network or the positions.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        let file = read_network(&self.network.network)?;
        let evaluator =
            || loading::evaluator(&file, self.heads.selection(), self.heads.fill(), self.device);
        if let Some(path) = &self.positions {
            return positions::evaluate_file(path, &evaluator()?, self.temperature, output);
        }
        if self.fen.is_none() && self.moves.is_none() && !self.successors {
            return describe(&file, self.json, output);
        }
        let game = game(self.fen.as_deref(), self.moves.as_deref().unwrap_or_default())?;
        if self.each_ply {
            return each_ply::print(&game, &evaluator()?, output);
        }
        if self.successors {
            return successors::print(&game, &evaluator()?, output);
        }
        let bare = Game::from_fen(&game.fen())?;
        let mut evaluations = evaluator()?.evaluate(&[&game, &bare])?.into_iter();
        let mut report = |game| {
            let evaluation = evaluations.next().context("an evaluation is missing")?;
            Ok::<_, anyhow::Error>(PositionReport::new(game, &evaluation, self.temperature)?)
        };
        let (full, bare) = (report(&game)?, report(&bare)?);
        if self.json {
            writeln!(output, "{}", serde_json::to_string(&full)?)?;
            return Ok(());
        }
        let raw = if self.temperature == Temperature::ONE { " (raw)" } else { "" };
        writeln!(output, "position: {}", game.fen())?;
        let moves = if game.ply() == 1 { "move" } else { "moves" };
        writeln!(output, "history: {} {moves} before it", game.ply())?;
        writeln!(
            output,
            "policy: head {}, temperature {}{raw}",
            self.heads.policy_head,
            self.temperature.get()
        )?;
        writeln!(output)?;
        write!(output, "{}", full.text(self.without_history.then_some(&bare)))?;
        Ok(())
    }
}

fn describe(file: &NetworkFile, json: bool, output: &mut impl Write) -> anyhow::Result<()> {
    let description = file.describe()?;
    if json {
        writeln!(output, "{}", serde_json::to_string(&description)?)?;
    } else {
        write!(output, "{description}")?;
    }
    Ok(())
}

/// The game from `fen`, else from the start position, after `moves`.
fn game(fen: Option<&str>, moves: &[String]) -> anyhow::Result<Game> {
    let mut game = fen.map_or_else(|| Ok(Game::new()), Game::from_fen)?;
    // An empty argument, as a script passes for no moves, or two blanks between moves.
    for uci in moves.iter().filter(|uci| !uci.is_empty()) {
        game.play_uci(uci)?;
    }
    Ok(game)
}
