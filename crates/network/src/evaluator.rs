//! Games in, move distributions and outcome probabilities out.

use std::borrow::Borrow;
use std::sync::Arc;

use chess::{EncodingError, Game, HistoryFill, InputFormat, MoveIndex, Orientation, Planes};
use policy::{MovePolicy, PolicyError, Temperature, ValueLogits, Wdl};
use rayon::prelude::*;
use shakmaty::Move;

use crate::engine::{Engine, Outputs};

/// Positions handed to the engine at once: bounds the memory of a large batch.
const BATCH: usize = 1024;

/// Why games could not be evaluated.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    /// The network's input format cannot express a position.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// The network's outputs are not numbers.
    #[error("outputs for game {game} of the batch: {source}")]
    NonFinite {
        /// Index among the games given.
        game: usize,
        /// Which value it is.
        source: PolicyError,
    },
}

/// A position as a network sees it, and its legal moves as the network names them.
#[derive(Clone, Debug)]
pub struct EncodedPosition {
    /// Input planes.
    pub planes: Planes,
    /// The view in which moves are named.
    pub orientation: Orientation,
    /// Legal moves, by ascending index; empty at the end of a game.
    pub moves: Vec<(MoveIndex, Move)>,
}

impl EncodedPosition {
    /// Encodes the current position of `game`.
    ///
    /// # Errors
    ///
    /// Where the input format cannot express the position.
    pub fn new(game: &Game, format: InputFormat, fill: HistoryFill) -> Result<Self, EncodingError> {
        let encoding = chess::encode(game, format, fill)?;
        let orientation = encoding.orientation;
        let legal = game.legal_moves();
        let mut moves: Vec<_> =
            legal.iter().map(|&legal| (MoveIndex::of(legal, orientation), legal)).collect();
        moves.sort_unstable_by_key(|(index, _)| *index);
        Ok(Self { planes: encoding.planes, orientation, moves })
    }

    /// Encodes the current positions of many games, in their order.
    ///
    /// # Errors
    ///
    /// That of the first game that cannot be encoded.
    pub fn batch<G: Borrow<Game> + Sync>(
        games: &[G],
        format: InputFormat,
        fill: HistoryFill,
    ) -> Result<Vec<Self>, EncodingError> {
        games.par_iter().map(|game| Self::new(game.borrow(), format, fill)).collect()
    }
}

/// What a network says of one position.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Legal moves, by ascending index; empty at the end of a game.
    pub moves: Vec<(MoveIndex, Move)>,
    /// Raw logits of `moves`.
    pub logits: Vec<f32>,
    /// Raw logits of the outcome, from the mover's view.
    pub value: ValueLogits,
    /// Plies to the end of the game, where the network has such a head.
    pub moves_left: Option<f32>,
}

impl Evaluation {
    /// Picks the legal moves' logits of one position out of an engine's outputs.
    ///
    /// # Errors
    ///
    /// Where a value logit or the number of plies is not finite. Policy logits are checked by [`policy`](Self::policy).
    pub fn from_outputs(
        position: EncodedPosition,
        outputs: &Outputs,
        row: usize,
    ) -> Result<Self, PolicyError> {
        let policy = outputs.policy_of(row);
        let moves_left = outputs.moves_left_of(row);
        if let Some(value) = moves_left.filter(|plies| !plies.is_finite()) {
            return Err(PolicyError::NonFiniteLogit { index: 0, value });
        }
        Ok(Self {
            logits: position.moves.iter().map(|(index, _)| policy[index.get()]).collect(),
            moves: position.moves,
            value: outputs.value_of(row)?,
            moves_left,
        })
    }

    /// Distribution over `moves`.
    ///
    /// # Errors
    ///
    /// Without legal moves, or where a logit is not finite.
    pub fn policy(&self, temperature: Temperature) -> Result<MovePolicy, PolicyError> {
        MovePolicy::from_logits(&self.logits, temperature)
    }

    /// Probabilities of the outcome, from the mover's view.
    pub fn wdl(&self) -> Wdl {
        self.value.outcome()
    }

    /// The move of the highest logit, ties broken by the lowest index.
    ///
    /// # Errors
    ///
    /// Without legal moves, or where a logit is not finite.
    pub fn best_move(&self) -> Result<Move, PolicyError> {
        let policy = self.policy(Temperature::ONE)?;
        Ok(self.moves[policy.argmax()].1)
    }
}

/// An engine together with the way positions are encoded for it.
#[derive(Clone)]
pub struct Evaluator {
    engine: Arc<dyn Engine>,
    fill: HistoryFill,
}

impl Evaluator {
    /// Evaluates with `engine`; positions with too short a history are filled as `fill` says.
    pub fn new(engine: Arc<dyn Engine>, fill: HistoryFill) -> Self {
        Self { engine, fill }
    }

    /// The engine.
    pub fn engine(&self) -> &Arc<dyn Engine> {
        &self.engine
    }

    /// Evaluates the current position of each game, in the games' order.
    ///
    /// # Errors
    ///
    /// Where the network's input format cannot express a position, or a value is not finite.
    pub fn evaluate<G: Borrow<Game> + Sync>(
        &self,
        games: &[G],
    ) -> Result<Vec<Evaluation>, EvaluationError> {
        let format = self.engine.architecture().input_format;
        let mut evaluations = Vec::with_capacity(games.len());
        for games in games.chunks(BATCH) {
            let positions = EncodedPosition::batch(games, format, self.fill)?;
            let planes: Vec<Planes> =
                positions.iter().map(|position| position.planes.clone()).collect();
            let outputs = self.engine.evaluate(&planes);
            for (row, position) in positions.into_iter().enumerate() {
                let game = evaluations.len();
                let evaluation = Evaluation::from_outputs(position, &outputs, row)
                    .map_err(|source| EvaluationError::NonFinite { game, source })?;
                evaluations.push(evaluation);
            }
        }
        Ok(evaluations)
    }
}
