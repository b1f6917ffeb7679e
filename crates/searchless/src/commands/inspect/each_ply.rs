//! What a network says of each position of a game, as JSON lines.

use std::io::Write;

use chess::{Color, Game};
use network::{Evaluation, Evaluator};
use policy::{PolicyError, Temperature, adaptive_temperature};
use serde::Serialize;
use shakmaty::san::SanPlus;

/// A position of a game. Entropies are in nats and null where the game is over.
#[derive(Debug, Serialize)]
struct PlyLine {
    /// Plies played before it.
    ply: u32,
    fen: String,
    /// The move that led to it, in SAN; null at the start.
    played: Option<String>,
    side_to_move: &'static str,
    /// Win, draw and loss from the mover's view.
    wdl: [f64; 3],
    /// The adaptive temperature, the entropy of `wdl` in nats.
    tau: f64,
    /// Entropy of pi, the policy at temperature 1.
    entropy_raw: Option<f64>,
    /// Entropy of mu, the policy at temperature tau.
    entropy_tempered: Option<f64>,
    /// The legal moves, the most probable by pi first.
    moves: Vec<MoveLine>,
}

#[derive(Debug, Serialize)]
struct MoveLine {
    uci: String,
    san: String,
    /// Its probability by pi.
    raw: f64,
    /// Its probability by mu.
    tempered: f64,
}

/// Prints a line for the start of `game` and for the position after each of its moves.
pub(super) fn print(
    game: &Game,
    evaluator: &Evaluator,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let games: Vec<Game> = (0..=game.ply()).map(|ply| game.up_to(ply)).collect();
    let evaluations = evaluator.evaluate(&games)?;
    for (place, (at, evaluation)) in games.iter().zip(&evaluations).enumerate() {
        let before = place.checked_sub(1).map(|before| &games[before]);
        writeln!(output, "{}", serde_json::to_string(&line(at, before, evaluation)?)?)?;
    }
    Ok(())
}

fn line(
    game: &Game,
    before: Option<&Game>,
    evaluation: &Evaluation,
) -> Result<PlyLine, PolicyError> {
    let outcome = evaluation.wdl();
    let policies = if evaluation.moves.is_empty() {
        None
    } else {
        let tempered = evaluation.policy(adaptive_temperature(&outcome))?;
        Some((evaluation.policy(Temperature::ONE)?, tempered))
    };
    let moves = policies.as_ref().map_or_else(Vec::new, |(raw, tempered)| {
        let places = raw.top(evaluation.moves.len());
        let move_line = |place: usize| {
            let mv = evaluation.moves[place].1;
            MoveLine {
                uci: game.uci(mv),
                san: san(game, mv),
                raw: raw.probability(place),
                tempered: tempered.probability(place),
            }
        };
        places.into_iter().map(move_line).collect()
    });
    Ok(PlyLine {
        ply: game.ply(),
        fen: game.fen(),
        played: before.zip(game.moves().last()).map(|(before, &mv)| san(before, mv)),
        side_to_move: side_to_move(game),
        wdl: outcome.probabilities(),
        tau: outcome.entropy(),
        entropy_raw: policies.as_ref().map(|(raw, _)| raw.entropy()),
        entropy_tempered: policies.as_ref().map(|(_, tempered)| tempered.entropy()),
        moves,
    })
}

/// Who is to move, in JSON.
pub(super) fn side_to_move(game: &Game) -> &'static str {
    match game.turn() {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// A legal move of the position in SAN.
pub(super) fn san(game: &Game, mv: chess::Move) -> String {
    let mut position = game.position().clone();
    SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string()
}
