//! Positions out of finished games, and what a network says of them.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use chess::pgn::{PgnError, PgnGame, PgnReader};
use chess::{Color, Game, Outcome};
use network::{EvaluationError, Evaluator};
use policy::Wdl;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::Prediction;
use crate::SkippedReason;

/// Positions evaluated at once: bounds the memory of a long file.
const BLOCK: usize = 512;

/// Lines remembered for each reason why games were skipped.
const LINES_SHOWN: usize = 5;

/// Which positions of a game are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionSampling {
    /// Positions drawn from each game, without replacement; all where it has no more.
    pub per_game: NonZeroU32,
    /// Plies at the start of each game, after its start position, whose positions are left out.
    pub skip: u32,
    /// Seed of the draws. Each game has its own stream of random numbers.
    pub seed: u64,
    /// Games of the file that are read; `None` for all.
    pub limit: Option<u64>,
}

/// What a network says of the positions of a file of games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Predictions {
    /// In the order of the games.
    pub predictions: Vec<Prediction>,
    /// Games from which they come.
    pub games: u64,
    /// Games from which none come.
    pub skipped: SkippedGames,
}

/// Games that are not looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkippedGames {
    by_reason: BTreeMap<&'static str, SkippedReason>,
}

/// Why a file cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum CalibrationError {
    /// The file cannot be opened or read on.
    #[error("{0}; games behind it are lost, so the file is not measured")]
    File(#[source] PgnError),
    /// The network cannot evaluate a position.
    #[error("games on lines {first} to {last}: {source}")]
    Evaluation {
        /// Where the first game of the block begins in which it happened.
        first: u64,
        /// Where the last one begins.
        last: u64,
        /// What is wrong.
        source: EvaluationError,
    },
}

/// Evaluates positions drawn from the games of a file that have a result, those in which a move
/// was played. `observe` is told how many games are done.
///
/// Games that cannot be read, have no result, begin as only Chess960 can, or are too short are
/// counted by reason.
///
/// # Errors
///
/// Where the file is damaged or cut off, or the network cannot evaluate a position.
pub fn predict(
    evaluator: &Evaluator,
    games: PgnReader,
    sampling: PositionSampling,
    mut observe: impl FnMut(u64),
) -> Result<Predictions, CalibrationError> {
    let mut found = Predictions::default();
    let mut block = Block::default();
    let limit = sampling.limit.unwrap_or(u64::MAX);
    let mut done = 0;
    // The limit comes first, or one more game would be read.
    for (number, game) in (0..limit).zip(games) {
        match game {
            Ok(game) => match sampling.positions(number, &game) {
                Ok(positions) => {
                    found.games += 1;
                    block.add(number, game.line, positions);
                }
                Err(reason) => found.skipped.add(reason, game.line, reason),
            },
            Err(PgnError::Game { line, problem, .. }) => {
                found.skipped.add("unreadable", line, &problem.to_string());
            }
            Err(error) => return Err(CalibrationError::File(error)),
        }
        done = number + 1;
        if block.positions.len() >= BLOCK {
            block.evaluate(evaluator, &mut found.predictions)?;
            observe(done);
        }
    }
    block.evaluate(evaluator, &mut found.predictions)?;
    observe(done);
    Ok(found)
}

/// A position, and how its game ended for the side to move.
struct Labelled {
    game: Game,
    outcome: Wdl,
}

/// Positions that are evaluated together.
#[derive(Default)]
struct Block {
    positions: Vec<Labelled>,
    numbers: Vec<u64>,
    first_line: u64,
    last_line: u64,
}

impl PositionSampling {
    /// The positions drawn from a game, or why there are none.
    fn positions(&self, number: u64, game: &PgnGame) -> Result<Vec<Labelled>, &'static str> {
        let result = game.result.ok_or("no result")?;
        if game.start.is_chess960() {
            return Err("Chess960");
        }
        let skip = self.skip as usize;
        let eligible = game.moves.len().saturating_sub(skip);
        if eligible == 0 {
            return Err("too short");
        }
        let mut generator = ChaCha8Rng::seed_from_u64(self.seed);
        generator.set_stream(number);
        let amount = eligible.min(self.per_game.get() as usize);
        let mut plies = rand::seq::index::sample(&mut generator, eligible, amount).into_vec();
        plies.sort_unstable();
        let mut position = game.start.clone();
        let mut positions = Vec::with_capacity(amount);
        let mut played = 0;
        for ply in plies {
            for &mv in &game.moves[played..skip + ply] {
                position.play(mv).expect("the moves of a game are legal");
            }
            played = skip + ply;
            let outcome = outcome_for(result, position.turn());
            positions.push(Labelled { game: position.clone(), outcome });
        }
        Ok(positions)
    }
}

impl Block {
    fn add(&mut self, number: u64, line: u64, positions: Vec<Labelled>) {
        if self.positions.is_empty() {
            self.first_line = line;
        }
        self.last_line = line;
        self.numbers.extend(positions.iter().map(|_| number));
        self.positions.extend(positions);
    }

    /// Evaluates what is in the block, and empties it.
    fn evaluate(
        &mut self,
        evaluator: &Evaluator,
        predictions: &mut Vec<Prediction>,
    ) -> Result<(), CalibrationError> {
        let games: Vec<&Game> = self.positions.iter().map(|position| &position.game).collect();
        let (first, last) = (self.first_line, self.last_line);
        let evaluations = evaluator
            .evaluate(&games)
            .map_err(|source| CalibrationError::Evaluation { first, last, source })?;
        let said = self.numbers.iter().zip(&self.positions).zip(evaluations);
        predictions.extend(said.map(|((&game, position), evaluation)| Prediction {
            game,
            predicted: evaluation.value,
            outcome: position.outcome,
        }));
        self.positions.clear();
        self.numbers.clear();
        Ok(())
    }
}

impl SkippedGames {
    /// How many in all.
    pub fn count(&self) -> u64 {
        self.by_reason.values().map(|reason| reason.count).sum()
    }

    /// Games by reason, in alphabetical order; a game's line is that of its first tag or word, or
    /// of what cannot be read.
    pub fn by_reason(&self) -> &BTreeMap<&'static str, SkippedReason> {
        &self.by_reason
    }

    fn add(&mut self, reason: &'static str, line: u64, example: &str) {
        let reason = self.by_reason.entry(reason).or_default();
        reason.count += 1;
        if reason.first_lines.len() < LINES_SHOWN {
            reason.first_lines.push(line);
        }
        if reason.count == 1 {
            reason.example = example.to_owned();
        }
    }
}

fn outcome_for(result: Outcome, side: Color) -> Wdl {
    match result.winner() {
        None => Wdl::DRAW,
        Some(winner) if winner == side => Wdl::WIN,
        Some(_) => Wdl::LOSS,
    }
}
