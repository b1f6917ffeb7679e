//! How a network's evaluation becomes a move.

use std::fmt;
use std::str::FromStr;

use chess::{Game, Move, Rules};
use network::{Evaluation, EvaluationError, Evaluator};
use policy::{MovePolicy, PolicyError, Temperature, adaptive_temperature};
use rand::Rng;

#[cfg(test)]
mod tests;

/// How a move comes of what a network says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MoveChoice {
    /// The move of the highest logit; ties are broken by the lowest index.
    Argmax,
    /// Drawn from the policy at this temperature.
    Sampled(Temperature),
    /// Drawn from the policy at the temperature that the network's own value sets: the entropy of
    /// its outcome in nats (paper, Equation (6)).
    Adaptive,
    /// The move to the position that the network's value finds worst for the opponent, as Ruoss et
    /// al. play with state values; ties are broken by the lowest index. A move that ends the game
    /// counts by its result.
    ValueLookup,
}

/// The temperature by which lc0 divides logits unless it is told otherwise (LC0_FORMAT).
pub const LC0_TEMPERATURE: f64 = 1.359;

/// A name that no choice has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no way to choose moves; expected argmax, adaptive, value, lc0, sampled or a temperature \
     such as 0.5"
)]
pub struct UnknownMoveChoice(String);

/// Why no move could be chosen.
#[derive(Debug, thiserror::Error)]
pub enum ChoiceError {
    /// The network cannot be shown the position, or says what is no number.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// Its policy is none.
    #[error(transparent)]
    Policy(#[from] PolicyError),
}

impl MoveChoice {
    /// A move for each of `games`, none of which is over; `generators` are theirs. Every game is
    /// decided by its own evaluation and generator alone.
    pub(crate) fn choose<R: Rng>(
        self,
        evaluator: &Evaluator,
        games: &[&Game],
        generators: &mut [&mut R],
        rules: &Rules,
    ) -> Result<Vec<Move>, ChoiceError> {
        if self == MoveChoice::ValueLookup {
            return look_up(evaluator, games, rules);
        }
        let evaluations = evaluator.evaluate(games)?;
        evaluations
            .iter()
            .zip(generators)
            .map(|(evaluation, generator)| Ok(self.of(evaluation, generator)?))
            .collect()
    }

    fn of<R: Rng>(self, evaluation: &Evaluation, generator: &mut R) -> Result<Move, PolicyError> {
        let mut drawn = |policy: MovePolicy| evaluation.moves[policy.sample(generator)].1;
        match self {
            MoveChoice::Argmax | MoveChoice::ValueLookup => evaluation.best_move(),
            MoveChoice::Sampled(temperature) => evaluation.policy(temperature).map(&mut drawn),
            MoveChoice::Adaptive => {
                evaluation.policy(adaptive_temperature(&evaluation.wdl())).map(&mut drawn)
            }
        }
    }
}

/// One ply of search by value alone: all successors of all games are evaluated together.
fn look_up(
    evaluator: &Evaluator,
    games: &[&Game],
    rules: &Rules,
) -> Result<Vec<Move>, ChoiceError> {
    let mut successors = Vec::new();
    // For each game its moves by ascending index, with the mover's score where the game ends and
    // else the successor's place.
    let mut candidates: Vec<Vec<(Move, Worth)>> = Vec::with_capacity(games.len());
    for game in games {
        let format = evaluator.engine().architecture().input_format;
        let mut moves = Vec::new();
        for played in moves_by_index(game, format) {
            let mut after = (*game).clone();
            after.play(played).expect("legal");
            let worth = match after.ending(rules) {
                Some(ending) => Worth::Known(match ending.outcome().winner() {
                    None => 0.5,
                    Some(winner) => f64::from(u8::from(winner == game.turn())),
                }),
                None => {
                    successors.push(after);
                    Worth::Evaluated(successors.len() - 1)
                }
            };
            moves.push((played, worth));
        }
        candidates.push(moves);
    }
    let values: Vec<f64> = evaluator
        .evaluate(&successors)?
        .iter()
        .map(|evaluation| 1.0 - evaluation.wdl().expected_score())
        .collect();
    let best = |moves: &Vec<(Move, Worth)>| {
        let mut best: Option<(Move, f64)> = None;
        for &(played, worth) in moves {
            let worth = match worth {
                Worth::Known(score) => score,
                Worth::Evaluated(place) => values[place],
            };
            if best.is_none_or(|(_, most)| worth > most) {
                best = Some((played, worth));
            }
        }
        best.map(|(played, _)| played).ok_or(ChoiceError::Policy(PolicyError::NoMoves))
    };
    candidates.iter().map(best).collect()
}

#[derive(Clone, Copy, Debug)]
enum Worth {
    /// The mover's score, in [0, 1].
    Known(f64),
    /// The place of the position among those evaluated.
    Evaluated(usize),
}

fn moves_by_index(game: &Game, format: chess::InputFormat) -> Vec<Move> {
    let orientation = chess::Orientation::of(game, format);
    let mut moves: Vec<Move> = game.legal_moves().into_iter().collect();
    moves.sort_unstable_by_key(|&played| chess::MoveIndex::of(played, orientation));
    moves
}

impl fmt::Display for MoveChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveChoice::Argmax => formatter.write_str("argmax"),
            MoveChoice::Adaptive => formatter.write_str("adaptive"),
            MoveChoice::ValueLookup => formatter.write_str("value"),
            MoveChoice::Sampled(temperature) if *temperature == Temperature::ONE => {
                formatter.write_str("sampled")
            }
            MoveChoice::Sampled(temperature) if temperature.get() == LC0_TEMPERATURE => {
                formatter.write_str("lc0")
            }
            MoveChoice::Sampled(temperature) => write!(formatter, "{}", temperature.get()),
        }
    }
}

impl FromStr for MoveChoice {
    type Err = UnknownMoveChoice;

    fn from_str(text: &str) -> Result<MoveChoice, UnknownMoveChoice> {
        let sampled = |temperature: f64| {
            let temperature = Temperature::new(temperature);
            temperature.map(MoveChoice::Sampled).map_err(|_| UnknownMoveChoice(text.to_owned()))
        };
        match text {
            "argmax" => Ok(MoveChoice::Argmax),
            "adaptive" => Ok(MoveChoice::Adaptive),
            "value" => Ok(MoveChoice::ValueLookup),
            "sampled" => Ok(MoveChoice::Sampled(Temperature::ONE)),
            "lc0" => sampled(LC0_TEMPERATURE),
            _ => text.parse().map_err(|_| UnknownMoveChoice(text.to_owned())).and_then(sampled),
        }
    }
}
