//! Games of which puzzles are positions.

mod games;
mod side_file;

use std::collections::HashMap;
use std::path::Path;

use chess::Game;
use chess::pgn::PgnError;
use chess::puzzle::Puzzle;
use serde::Serialize;

pub(super) use games::wanted_games;

use super::error::SuiteBuildError;
use crate::suite::SkippedRows;
use crate::suite::exclusions::sum;
use crate::suite::identity::Fingerprint;

/// Bytes of moves that may be kept: more than a million games.
const MOST_BYTES: usize = 512 << 20;

/// Half-moves that a history may have: more than any game between people, and few enough for
/// a row of a suite to stay short of the longest that is read.
const MOST_PLIES: usize = 5_000;

/// Where the history of a puzzle is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// It has none.
    None,
    /// The column `History` of its row.
    Row,
    /// The column `PGN` of its row.
    PgnColumn,
    /// A file of histories.
    SideFile,
    /// A file of games.
    Games,
}

/// A file of games or histories that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HistoryFile {
    /// The file.
    pub path: String,
    /// Its SHA-256, in lower-case hexadecimal.
    pub sha256: String,
    /// Games or lines.
    pub read: u64,
    /// Those of them that were kept, as puzzles could be from them.
    pub kept: u64,
    /// Those that cannot be used, by reason.
    pub skipped: SkippedRows,
}

/// The games known, by puzzle and by game.
#[derive(Default)]
pub(super) struct Histories {
    by_puzzle: HashMap<Fingerprint, Box<str>>,
    by_game: HashMap<Fingerprint, Box<str>>,
    bytes: usize,
}

/// What came of looking for a puzzle's history.
pub(super) struct Attachment {
    /// Where the history is from.
    pub(super) origin: Origin,
    /// The games that were there but do not fit, and why.
    pub(super) mismatches: Vec<(&'static str, String)>,
}

impl Histories {
    /// Gives `puzzle` the first history known that leads to it.
    pub(super) fn attach(&self, puzzle: &mut Puzzle) -> Attachment {
        let mut mismatches = Vec::new();
        if puzzle.history().is_some() {
            return Attachment { origin: Origin::Row, mismatches };
        }
        if let Some(pgn) = puzzle.pgn.take() {
            match games::of_column(&pgn).and_then(|game| set(puzzle, &game)) {
                Ok(()) => return Attachment { origin: Origin::PgnColumn, mismatches },
                Err(problem) => mismatches.push(("PGN column does not fit", problem)),
            }
        }
        let of_puzzle = self.by_puzzle.get(&Fingerprint::of(&[puzzle.id.as_bytes()]));
        let game = puzzle.game_url.as_deref().and_then(games::id);
        let of_game = game.and_then(|id| self.by_game.get(&Fingerprint::of(&[id.as_bytes()])));
        for (moves, origin, reason) in [
            (of_puzzle, Origin::SideFile, "history of its id does not fit"),
            (of_game, Origin::Games, "game does not fit"),
        ] {
            let Some(moves) = moves else { continue };
            match game_of_uci(moves).and_then(|game| set(puzzle, &game)) {
                Ok(()) => return Attachment { origin, mismatches },
                Err(problem) => mismatches.push((reason, problem)),
            }
        }
        Attachment { origin: Origin::None, mismatches }
    }

    fn reserve(&mut self, path: &Path, bytes: usize) -> Result<(), SuiteBuildError> {
        self.bytes += bytes;
        if self.bytes > MOST_BYTES {
            let path = path.display().to_string();
            return Err(SuiteBuildError::TooManyHistories { path, limit: MOST_BYTES });
        }
        Ok(())
    }
}

impl HistoryFile {
    pub(in crate::suite) fn new(path: &Path) -> Result<HistoryFile, SuiteBuildError> {
        let sha256 = sum(path)?;
        let path = path.display().to_string();
        Ok(HistoryFile { path, sha256, read: 0, kept: 0, skipped: SkippedRows::default() })
    }

    /// Counts a game that cannot be read.
    pub(in crate::suite) fn skip(&mut self, error: &PgnError) {
        let (reason, line) = match error {
            PgnError::Game { line, .. } => ("unreadable game", *line),
            PgnError::Read { line, .. } => ("damaged file", *line),
            PgnError::Open { .. } => ("damaged file", 1),
        };
        self.skipped.add_row(reason, line, || error.to_string());
    }
}

fn set(puzzle: &mut Puzzle, game: &Game) -> Result<(), String> {
    let before = puzzle.start.clone();
    puzzle.set_history(game).map_err(|error| error.to_string())?;
    if puzzle.start.moves().len() > MOST_PLIES {
        puzzle.start = before;
        return Err(format!("more than {MOST_PLIES} half-moves before the puzzle"));
    }
    Ok(())
}

fn game_of_uci(moves: &str) -> Result<Game, String> {
    let mut game = Game::new();
    for uci in moves.split_ascii_whitespace() {
        game.play_uci(uci).map_err(|error| error.to_string())?;
    }
    Ok(game)
}
