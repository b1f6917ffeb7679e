//! What a network says of one position, as JSON and as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use chess::Game;
use network::Evaluation;
use policy::{PolicyError, Temperature};
use serde::Serialize;

/// One position's evaluation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct PositionReport {
    /// By move in UCI notation: index in the policy vector, raw logit, probability.
    policy: BTreeMap<String, (usize, f32, f64)>,
    /// Win, draw and loss from the mover's view. A network whose value is one number knows no
    /// draws: `[(1 + q)/2, 0, (1 - q)/2]`.
    wdl: [f64; 3],
    /// `W - L`, in `[-1, 1]`.
    q: f64,
    /// The entropy of `wdl` in nats: the adaptive temperature of self-play.
    tau: f64,
    /// Plies to the end of the game, where the network has such a head.
    moves_left: Option<f32>,
}

impl PositionReport {
    /// Reports on the current position of `game`, whose evaluation is `evaluation`.
    pub(crate) fn new(
        game: &Game,
        evaluation: &Evaluation,
        temperature: Temperature,
    ) -> Result<PositionReport, PolicyError> {
        let probabilities = if evaluation.moves.is_empty() {
            Vec::new()
        } else {
            evaluation.policy(temperature)?.probabilities()
        };
        let rows = evaluation.moves.iter().zip(&evaluation.logits).zip(probabilities);
        let entry = |(((index, mv), logit), probability): (
            (&(chess::MoveIndex, chess::Move), &f32),
            f64,
        )| { (game.uci(*mv), (index.get(), *logit, probability)) };
        let outcome = evaluation.wdl();
        Ok(PositionReport {
            policy: rows.map(entry).collect(),
            wdl: outcome.probabilities(),
            q: outcome.q(),
            tau: outcome.entropy(),
            moves_left: evaluation.moves_left,
        })
    }

    /// A table of the moves, most probable first, and the outcome.
    ///
    /// `bare` is the same position without its history, shown beside it.
    pub(crate) fn text(&self, bare: Option<&PositionReport>) -> String {
        let mut moves: Vec<_> = self.policy.iter().collect();
        moves.sort_by(|(_, a), (_, b)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut text = format!("{:<7}{:>12}{:>10}{:>7}", "move", "probability", "logit", "index");
        if bare.is_some() {
            text += "   without history";
        }
        text += "\n";
        for (uci, (index, logit, probability)) in moves {
            let percent = probability * 100.0;
            write!(text, "{uci:<7}{percent:>11.2}%{logit:>10.3}{index:>7}").expect("a string");
            if let Some((_, _, probability)) = bare.and_then(|bare| bare.policy.get(uci)) {
                write!(text, "{:>17.2}%", probability * 100.0).expect("a string");
            }
            text += "\n";
        }
        text += &self.outcome("outcome");
        if let Some(bare) = bare {
            text += &bare.outcome("outcome without history");
        }
        text
    }

    fn outcome(&self, label: &str) -> String {
        let [win, draw, loss] = self.wdl.map(|probability| probability * 100.0);
        let mut text = format!(
            "{label}: win {win:.2}%, draw {draw:.2}%, loss {loss:.2}% (mover's view); \
             Q {:+.4}; tau {:.4} nats",
            self.q, self.tau
        );
        if let Some(plies) = self.moves_left {
            write!(text, "; {plies:.1} plies left").expect("a string");
        }
        text + "\n"
    }
}
