//! Steps that need no program.

use std::path::Path;
use std::str::Utf8Error;

use crate::files::{FileError, StudyFiles, sha256};
use crate::games::{self, GamesError};
use crate::selection::{SelectionError, select};
use crate::step::Action;

/// A step of our own failed.
#[derive(Debug, thiserror::Error)]
pub enum InternalError {
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file was not the one it should be.
    #[error("{file}: its SHA-256 is {found}, the study began with {expected}")]
    Other {
        /// The file.
        file: String,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// Games were not as expected.
    #[error("{file}: {source}")]
    Games {
        /// The file.
        file: String,
        /// Why.
        source: GamesError,
    },
    /// A file is no text.
    #[error("{file}: {source}")]
    Text {
        /// The file.
        file: String,
        /// Where.
        source: Utf8Error,
    },
    /// No network could be chosen.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// What was chosen is no JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// Does what a step that is no program does.
pub(super) fn perform(action: &Action, files: &StudyFiles) -> Result<(), InternalError> {
    match action {
        Action::Program(_) => unreachable!("a program is run"),
        Action::Copy { from, to, sha256: expected } => {
            if let Some(expected) = expected {
                // Before it takes its place, so that no other file ever stands there.
                let found = sha256(&files.read(from)?);
                if found != *expected {
                    let (file, expected) = (from.display().to_string(), expected.clone());
                    return Err(InternalError::Other { file, found, expected });
                }
            }
            files.copy(from, to)?;
            Ok(())
        }
        Action::Select(rule) => {
            let scores = rule.scores.as_ref().map(|scores| text(scores, files)).transpose()?;
            let selection = select(rule, scores.as_deref())?;
            for (candidates, arm) in rule.variants.iter().zip(&selection.chosen) {
                if let Some(to) = &candidates.copy_to {
                    files.copy(&arm.network, to)?;
                }
            }
            let text = serde_json::to_string_pretty(&selection.selection)? + "\n";
            Ok(files.write(&rule.to, text.as_bytes())?)
        }
        Action::Openings { from, to } => {
            let book = games::openings(&text(from, files)?).map_err(of(from))?;
            Ok(files.write(to, book.as_bytes())?)
        }
        Action::Game { from, to, player } => {
            let moves = games::decisive_game(&files.read(from)?, player).map_err(of(from))?;
            Ok(files.write(to, (moves + "\n").as_bytes())?)
        }
    }
}

/// Puts the games of a file in the order of their numbers.
pub(super) fn sort_games(path: &Path, files: &StudyFiles) -> Result<(), InternalError> {
    let games = text(path, files)?;
    let sorted = games::sorted(&games).map_err(of(path))?;
    // A file that is in order stays what it is.
    if sorted != games {
        files.write(path, sorted.as_bytes())?;
    }
    Ok(())
}

fn text(path: &Path, files: &StudyFiles) -> Result<String, InternalError> {
    let bytes = files.read(path)?;
    String::from_utf8(bytes).map_err(|error| InternalError::Text {
        file: path.display().to_string(),
        source: error.utf8_error(),
    })
}

fn of(path: &Path) -> impl Fn(GamesError) -> InternalError {
    let file = path.display().to_string();
    move |source| InternalError::Games { file: file.clone(), source }
}
