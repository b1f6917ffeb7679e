//! A network's policy in a position and its verdicts on where each move leads, as JSON.

use std::io::Write;

use anyhow::Context;
use chess::Game;
use network::Evaluator;
use policy::Temperature;
use serde::Serialize;

use super::each_ply::{san, side_to_move};

/// A position and what its moves lead to.
#[derive(Debug, Serialize)]
struct Document {
    ply: u32,
    fen: String,
    side_to_move: &'static str,
    /// Win, draw and loss from the mover's view.
    wdl: [f64; 3],
    /// The mover's expected score `v(s)`, in [0, 1].
    value: f64,
    /// The legal moves, the most probable first.
    moves: Vec<MoveLine>,
}

#[derive(Debug, Serialize)]
struct MoveLine {
    uci: String,
    san: String,
    /// By pi, at temperature 1.
    probability: f64,
    /// The mover's expected score after it, `1 - v(s')`; the outcome where the game is over.
    value: f64,
    /// Why the game is over after it; null where it goes on.
    ending: Option<&'static str>,
}

/// Prints the document of the position that `game` has reached.
pub(super) fn print(
    game: &Game,
    evaluator: &Evaluator,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let evaluation = evaluator.evaluate(&[game])?.pop().context("an evaluation is missing")?;
    let outcome = evaluation.wdl();
    let mut moves = Vec::new();
    if !evaluation.moves.is_empty() {
        let policy = evaluation.policy(Temperature::ONE)?;
        let places = policy.top(evaluation.moves.len());
        let successors: Vec<Game> = places
            .iter()
            .map(|&place| {
                let mut after = game.clone();
                after.play(evaluation.moves[place].1).expect("a legal move");
                after
            })
            .collect();
        let evaluations = evaluator.evaluate(&successors)?;
        for ((&place, after), successor) in places.iter().zip(&successors).zip(&evaluations) {
            let mv = evaluation.moves[place].1;
            let ending = after.ending(&chess::Rules::default());
            let value = match ending {
                Some(ending) => match ending.outcome().winner() {
                    None => 0.5,
                    Some(winner) => f64::from(u8::from(winner == game.turn())),
                },
                None => 1.0 - successor.wdl().expected_score(),
            };
            moves.push(MoveLine {
                uci: game.uci(mv),
                san: san(game, mv),
                probability: policy.probability(place),
                value,
                ending: ending.map(chess::Ending::reason),
            });
        }
    }
    let document = Document {
        ply: game.ply(),
        fen: game.fen(),
        side_to_move: side_to_move(game),
        wdl: outcome.probabilities(),
        value: outcome.expected_score(),
        moves,
    };
    writeln!(output, "{}", serde_json::to_string(&document)?)?;
    Ok(())
}
