//! Which positions of a suite come more than once.

use std::collections::HashMap;

use chess::puzzle::Puzzle;
use chess::{EncodingError, Game, HistoryFill, InputFormat};
use network::EncodedPosition;
use rayon::prelude::*;

use crate::position_key::PositionKey;

/// How often each position in which a solver is to move comes in puzzles, positions that a network
/// cannot tell apart being one. Takes some 30 bytes for each different position.
#[derive(Clone, Debug)]
pub struct Census {
    format: InputFormat,
    fill: HistoryFill,
    positions: u64,
    counts: HashMap<PositionKey, u32>,
}

/// A puzzle with a position that a network cannot be shown.
#[derive(Debug, thiserror::Error)]
#[error("puzzle {puzzle}: {source}")]
pub struct CensusError {
    /// Its id.
    pub puzzle: String,
    /// What cannot be shown.
    pub source: EncodingError,
}

impl Census {
    /// Of no puzzles, for a network that reads `format`, with short histories filled by `fill`.
    pub fn new(format: InputFormat, fill: HistoryFill) -> Census {
        Census { format, fill, positions: 0, counts: HashMap::new() }
    }

    /// Counts the positions of more puzzles.
    ///
    /// # Errors
    ///
    /// Where the input format cannot express a position.
    pub fn add(&mut self, puzzles: &[Puzzle]) -> Result<(), CensusError> {
        let keys: Vec<Vec<PositionKey>> =
            puzzles.par_iter().map(|puzzle| self.keys(puzzle)).collect::<Result<_, _>>()?;
        for key in keys.into_iter().flatten() {
            self.positions += 1;
            let count = self.counts.entry(key).or_default();
            *count = count.saturating_add(1);
        }
        Ok(())
    }

    /// Positions counted.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Different ones among them.
    pub fn distinct(&self) -> u64 {
        self.counts.len() as u64
    }

    /// The positions that come more than once, and how often.
    pub(crate) fn into_repeated(mut self) -> HashMap<PositionKey, u32> {
        self.counts.retain(|_, count| *count > 1);
        self.counts.shrink_to_fit();
        self.counts
    }

    fn keys(&self, puzzle: &Puzzle) -> Result<Vec<PositionKey>, CensusError> {
        let error = |source| CensusError { puzzle: puzzle.id.clone(), source };
        let positions = puzzle.solver_positions();
        positions.iter().map(|(game, _)| self.key(game).map_err(error)).collect()
    }

    fn key(&self, game: &Game) -> Result<PositionKey, EncodingError> {
        EncodedPosition::new(game, self.format, self.fill)
            .map(|position| PositionKey::of(&position))
    }
}
