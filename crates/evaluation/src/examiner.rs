//! Puzzles put to a network.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use chess::puzzle::{Acceptance, Puzzle};
use chess::{EncodingError, HistoryFill, Planes};
use network::{EncodedPosition, Engine, Evaluation};
use policy::PolicyError;
use rayon::prelude::*;

use crate::position_key::PositionKey;
use crate::{Answer, Census, PuzzleFacts, PuzzleRecord, Solutions, SolverPosition};

/// Positions handed to the engine at once: bounds the memory of a large block.
const BATCH: usize = 1024;

/// A puzzle with the moves that solve it.
#[derive(Clone, Debug)]
pub struct PosedPuzzle {
    /// What the suite says of it.
    pub facts: PuzzleFacts,
    /// How the moves that the multi-solution rule accepts were found.
    pub acceptance: Acceptance,
    /// Its solver's positions, in the order of its line.
    pub positions: Vec<SolverPosition>,
}

/// Puts puzzles to a network, and shows it no position twice.
///
/// The evaluation of a position that comes again is kept until its last time, so memory grows with
/// the positions that are repeated, not with the suite.
pub struct Examiner {
    engine: Arc<dyn Engine>,
    fill: HistoryFill,
    /// Of the positions that come more than once: how often they are still to come.
    repeated: HashMap<PositionKey, u32>,
    /// Evaluations of those that have come.
    kept: HashMap<PositionKey, Evaluation>,
    evaluated: u64,
}

/// A position that a network cannot answer.
#[derive(Debug, thiserror::Error)]
#[error("puzzle {puzzle}, position {position} of the solver: {source}")]
pub struct ExaminationError {
    /// The puzzle's id.
    pub puzzle: String,
    /// Which of the solver's positions, counted from 1.
    pub position: usize,
    /// What is wrong.
    pub source: ExaminationProblem,
}

/// Why a network cannot answer a position.
#[derive(Debug, thiserror::Error)]
pub enum ExaminationProblem {
    /// Its input format cannot express the position.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// Its outputs are not numbers.
    #[error("the network's outputs: {0}")]
    NonFinite(#[source] PolicyError),
}

impl PosedPuzzle {
    /// Poses `puzzle`.
    ///
    /// # Panics
    ///
    /// Unless `solutions` are the puzzle's.
    pub fn new(puzzle: &Puzzle, solutions: &Solutions) -> PosedPuzzle {
        PosedPuzzle {
            facts: PuzzleFacts::of(puzzle),
            acceptance: solutions.acceptance,
            positions: SolverPosition::all(puzzle, solutions),
        }
    }
}

impl Examiner {
    /// Asks `engine`, with short histories filled by `fill`. `census` counts the puzzles that will
    /// be put to it, for the same input format and fill; a position that it does not know of is
    /// evaluated each time it comes.
    pub fn new(engine: Arc<dyn Engine>, fill: HistoryFill, census: Census) -> Examiner {
        Examiner {
            engine,
            fill,
            repeated: census.into_repeated(),
            kept: HashMap::new(),
            evaluated: 0,
        }
    }

    /// Positions evaluated so far.
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// The network's answers to `puzzles`, whose positions are evaluated together.
    ///
    /// # Errors
    ///
    /// Where the network cannot be shown a position, or says something that is not a number.
    pub fn examine(
        &mut self,
        puzzles: Vec<PosedPuzzle>,
    ) -> Result<Vec<PuzzleRecord>, ExaminationError> {
        let evaluations = self.evaluations(&puzzles)?;
        let mut evaluations = evaluations.into_iter();
        let mut records = Vec::with_capacity(puzzles.len());
        for PosedPuzzle { facts, acceptance, positions } in puzzles {
            let answers = (1..).zip(&positions).map(|(number, position)| {
                let evaluation = evaluations.next().expect("one for each position");
                Answer::new(position, &evaluation)
                    .map_err(|error| not_finite(&facts.id, number, error))
            });
            let answers = answers.collect::<Result<_, _>>()?;
            records.push(PuzzleRecord { facts, acceptance, answers });
        }
        Ok(records)
    }

    /// Of all positions of all puzzles, in order.
    fn evaluations(
        &mut self,
        puzzles: &[PosedPuzzle],
    ) -> Result<Vec<Evaluation>, ExaminationError> {
        let format = self.engine.architecture().input_format;
        let fill = self.fill;
        let places: Vec<(&PosedPuzzle, usize)> = puzzles
            .iter()
            .flat_map(|puzzle| (0..puzzle.positions.len()).map(move |place| (puzzle, place)))
            .collect();
        let encode = |&(puzzle, place): &(&PosedPuzzle, usize)| {
            let game = &puzzle.positions[place].game;
            let position =
                EncodedPosition::new(game, format, fill).map_err(|source| ExaminationError {
                    puzzle: puzzle.facts.id.clone(),
                    position: place + 1,
                    source: source.into(),
                })?;
            Ok((PositionKey::of(&position), position))
        };
        let encoded: Vec<(PositionKey, EncodedPosition)> =
            places.par_iter().map(encode).collect::<Result<_, _>>()?;

        // The first of each key that is not known yet.
        let mut new: HashMap<PositionKey, usize> = HashMap::new();
        let mut asked = Vec::new();
        for (place, (key, _)) in encoded.iter().enumerate() {
            if !self.kept.contains_key(key) && !new.contains_key(key) {
                new.insert(*key, asked.len());
                asked.push(place);
            }
        }
        let mut answers: Vec<Evaluation> = Vec::with_capacity(asked.len());
        for asked in asked.chunks(BATCH) {
            let planes: Vec<Planes> =
                asked.iter().map(|&place| encoded[place].1.planes.clone()).collect();
            let outputs = self.engine.evaluate(&planes);
            for (row, &place) in asked.iter().enumerate() {
                let (puzzle, number) = places[place];
                let evaluation = Evaluation::from_outputs(encoded[place].1.clone(), &outputs, row)
                    .map_err(|error| not_finite(&puzzle.facts.id, number + 1, error))?;
                answers.push(evaluation);
            }
        }
        self.evaluated += asked.len() as u64;

        let mut evaluations = Vec::with_capacity(encoded.len());
        let mut done = Vec::new();
        for (key, position) in encoded {
            let known = match new.get(&key) {
                Some(&place) => &answers[place],
                None => &self.kept[&key],
            };
            // The logits stand by index in both; the moves are those of this side's board.
            let evaluation = Evaluation { moves: position.moves, ..known.clone() };
            if let Some(left) = self.repeated.get_mut(&key) {
                *left = left.saturating_sub(1);
                if new.contains_key(&key) {
                    self.kept.entry(key).or_insert_with(|| evaluation.clone());
                }
                if *left == 0 {
                    done.push(key);
                }
            }
            evaluations.push(evaluation);
        }
        for key in done {
            self.repeated.remove(&key);
            self.kept.remove(&key);
        }
        Ok(evaluations)
    }
}

fn not_finite(puzzle: &str, number: usize, source: PolicyError) -> ExaminationError {
    ExaminationError {
        puzzle: puzzle.to_owned(),
        position: number,
        source: ExaminationProblem::NonFinite(source),
    }
}
