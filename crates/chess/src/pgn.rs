//! Games in Portable Game Notation: reading files that nobody vouches for, and writing.
//!
//! ```
//! use chess::Outcome;
//! use chess::pgn::PgnReader;
//!
//! let file = "[White \"A\"]\n[Black \"B\"]\n\n1. f3 {?} e5 2. g4 (2. e4) Qh4# 0-1\n\n1. Ke2 *\n";
//! let mut games = PgnReader::new("games.pgn", file.as_bytes())?;
//! let game = games.next().expect("a first game")?;
//! assert_eq!((game.tag("White"), game.moves.len()), (Some("A"), 4));
//! assert_eq!(game.result, Some(Outcome::BlackWins));
//! let error = games.next().expect("a second game").expect_err("not legal");
//! assert!(error.to_string().starts_with("games.pgn, line 6: the move Ke2 is not legal"));
//! # Ok::<(), chess::pgn::PgnError>(())
//! ```

mod error;
mod games;
mod movetext;
mod started;
mod tag;
#[cfg(test)]
mod tests;
mod writer;

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;

use shakmaty::Move;

pub use error::{PgnError, PgnProblem};
use games::{Games, Options};
pub use writer::write_game;

use crate::compression::decompressed;
use crate::ending::Outcome;
use crate::game::Game;
use crate::lines::Lines;

/// Bytes that a line may have: a whole annotated game may stand on one.
const LONGEST_LINE: usize = 4 << 20;
/// Half-moves that a game may have; under the 75-move rule the longest has 17,697.
const MOST_PLIES: usize = 20_000;

/// A game of a PGN file.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// The line of its first tag or word, from 1.
    pub line: u64,
    /// Names and values of its tags, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The position of its `FEN` tag, else the initial position; a game without moves.
    pub start: Game,
    /// The moves of its main line, each legal where it is played.
    pub moves: Vec<Move>,
    /// What its movetext ends with, else what its `Result` tag says; `None` where that is `*`,
    /// something else, or missing.
    pub result: Option<Outcome>,
    /// Whether its movetext ends with a result or `*`, as PGN demands. The last game of a file
    /// that was cut off does not.
    pub terminated: bool,
}

/// The tags and the result of a game of a PGN file, of which the moves were passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnHeader {
    /// As [`PgnGame::line`].
    pub line: u64,
    /// As [`PgnGame::tags`].
    pub tags: Vec<(String, String)>,
    /// As [`PgnGame::result`].
    pub result: Option<Outcome>,
    /// As [`PgnGame::terminated`].
    pub terminated: bool,
}

/// The games of a PGN file, in its order.
///
/// Comments, variations, annotation glyphs and lines that begin with `%` are passed over; all
/// else must be a tag, a move number, a legal move or a result. A game ends with its result, where
/// a line begins with a tag behind its moves, where a blank line is followed by move number 1, or
/// with the file. Text that is not UTF-8 is taken for ISO 8859-1, PGN's own character set, line by
/// line.
///
/// A game that cannot be read is an error that names the line; the next call goes on with the
/// game behind it, so that a lenient caller can count what it drops. Nothing follows
/// [`PgnError::Read`].
///
/// Memory is bounded whatever the file holds: a line by 4 MiB, a tag by 16 KiB, a game by 1,024
/// tags and 20,000 half-moves, a Zstandard window by 128 MiB.
pub struct PgnReader(Games);

/// The tags and results of a PGN file, read without playing the moves, for a caller that has many
/// games and needs no more.
///
/// As [`PgnReader`], but that moves are neither read nor checked; nor is the `FEN` tag.
pub struct PgnHeaderReader(Games);

impl PgnReader {
    /// Opens a file, plain or compressed by gzip or Zstandard (told by its first bytes, not its
    /// name).
    ///
    /// # Errors
    ///
    /// [`PgnError::Open`].
    pub fn open(path: &Path) -> Result<PgnReader, PgnError> {
        let (name, file) = open(path)?;
        PgnReader::new(&name, file)
    }

    /// Reads from `source`, which errors call `name`.
    ///
    /// # Errors
    ///
    /// [`PgnError::Open`], where the first bytes cannot be read.
    pub fn new(name: &str, source: impl Read + Send + 'static) -> Result<PgnReader, PgnError> {
        let options = Options { plays: true, blank_line_ends_game: false, most_plies: MOST_PLIES };
        Ok(PgnReader(Games::new(name, lines(name, source)?, options)))
    }

    /// Reads a book of openings, the text of which is at hand: games have at most `most_plies`
    /// half-moves and end with any blank line behind their moves.
    pub(crate) fn of_book(name: &str, text: Vec<u8>, most_plies: usize) -> PgnReader {
        let options = Options { plays: true, blank_line_ends_game: true, most_plies };
        let lines = Lines::new(Box::new(Cursor::new(text)), LONGEST_LINE);
        PgnReader(Games::new(name, lines, options))
    }
}

impl Iterator for PgnReader {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

impl PgnHeaderReader {
    /// As [`PgnReader::open`].
    ///
    /// # Errors
    ///
    /// As [`PgnReader::open`].
    pub fn open(path: &Path) -> Result<PgnHeaderReader, PgnError> {
        let (name, file) = open(path)?;
        PgnHeaderReader::new(&name, file)
    }

    /// As [`PgnReader::new`].
    ///
    /// # Errors
    ///
    /// As [`PgnReader::new`].
    pub fn new(
        name: &str,
        source: impl Read + Send + 'static,
    ) -> Result<PgnHeaderReader, PgnError> {
        let options = Options { plays: false, blank_line_ends_game: false, most_plies: MOST_PLIES };
        Ok(PgnHeaderReader(Games::new(name, lines(name, source)?, options)))
    }
}

impl Iterator for PgnHeaderReader {
    type Item = Result<PgnHeader, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = self.0.next()?;
        Some(game.map(|PgnGame { line, tags, result, terminated, .. }| PgnHeader {
            line,
            tags,
            result,
            terminated,
        }))
    }
}

impl PgnGame {
    /// The value of the tag `name`; the last one where it stands several times.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag::find(&self.tags, name)
    }

    /// The game as it stood at its end.
    pub fn game(&self) -> Game {
        let mut game = self.start.clone();
        self.moves.iter().for_each(|&played| game.advance(played));
        game
    }
}

impl PgnHeader {
    /// As [`PgnGame::tag`].
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag::find(&self.tags, name)
    }
}

fn open(path: &Path) -> Result<(String, File), PgnError> {
    let name = path.display().to_string();
    match File::open(path) {
        Ok(file) => Ok((name, file)),
        Err(source) => Err(PgnError::Open { file: name.into(), source }),
    }
}

fn lines(name: &str, source: impl Read + Send + 'static) -> Result<Lines, PgnError> {
    let source =
        decompressed(source).map_err(|source| PgnError::Open { file: name.into(), source })?;
    Ok(Lines::new(source, LONGEST_LINE))
}
