//! Where games start.

use std::sync::Arc;

use chess::{Game, OpeningBook};
use rand::Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::config::FinetuneConfig;
use crate::error::TrainingError;
use crate::materials::{FileMismatch, Materials, same_file};
use crate::self_play::PoolRules;

#[cfg(test)]
mod tests;

/// A book of openings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OpeningBookConfig {
    /// Path of the file (see [`OpeningBook`] for its formats).
    pub file: String,
    /// SHA-256 of the file in hexadecimal, to be sure that it is the same; a run records it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// Where a game starts, and every game that begins after it in its place.
#[derive(Clone, Debug)]
pub(crate) enum Start {
    /// The initial position.
    Initial,
    /// An opening drawn from a book, anew for each game.
    Book(Arc<OpeningBook>),
}

impl OpeningBookConfig {
    /// Sees that `book` is the file that is meant, and remembers its sum.
    ///
    /// # Errors
    ///
    /// Where its SHA-256 is another than the one given here.
    pub fn pin(&mut self, book: &OpeningBook) -> Result<(), FileMismatch> {
        same_file(&self.file, &mut self.sha256, book.sha256())
    }
}

impl Start {
    /// The start that the settings name.
    pub(crate) fn new(
        config: &FinetuneConfig,
        materials: &Materials,
    ) -> Result<Self, TrainingError> {
        match (&config.opening_book, &materials.opening_book) {
            (None, None) => Ok(Self::Initial),
            (Some(_), Some(book)) => Ok(Self::Book(Arc::clone(book))),
            _ => Err(TrainingError::OpeningBook),
        }
    }

    /// Draws where a game starts; the initial position takes nothing from the generator.
    pub(crate) fn draw(&self, generator: &mut impl Rng) -> Game {
        match self {
            Self::Initial => Game::new(),
            Self::Book(book) => book.sample(generator).game(),
        }
    }
}

/// Sees that a game can begin at every opening of a book, rather than finding out in the middle
/// of a run.
pub(crate) fn check(rules: &PoolRules) -> Result<(), TrainingError> {
    let Start::Book(book) = rules.start() else { return Ok(()) };
    let faults = book.openings().par_iter().filter_map(|opening| {
        let game = opening.game();
        let problem = match rules.ending(&game) {
            Some(ending) => ending.to_string(),
            None => rules.encode(&game).map(drop).err()?.to_string(),
        };
        Some((opening.line(), problem))
    });
    match faults.min_by_key(|(line, _)| *line) {
        None => Ok(()),
        Some((line, problem)) => {
            Err(TrainingError::Opening { book: book.name().to_owned(), line, problem })
        }
    }
}
