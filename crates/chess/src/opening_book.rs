//! Books of openings: positions or first moves from which games begin.

mod archive;
mod epd;
mod error;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use rand::{Rng, RngExt};
use sha2::{Digest, Sha256};
use shakmaty::{Chess, Move};

pub use error::{OpeningBookError, OpeningProblem};

use crate::ending::Rules;
use crate::game::Game;
use crate::pgn::{PgnError, PgnReader};

/// Bytes that a book may have, compressed or not: the largest in use have a tenth of it.
const LARGEST_BOOK: u64 = 256 << 20;
/// Openings that a book may have.
const MOST_OPENINGS: usize = 1 << 22;
/// Half-moves that an opening may have.
const MOST_PLIES: usize = 1_000;

/// Openings in the order of their file, at least one.
///
/// The file is EPD (a position a line, of which the first four fields, the clocks of a FEN or
/// those of the operations `hmvc` and `fmvn` are read) or PGN (the main lines of its games, from
/// the start position or their FEN). It may be compressed by gzip or Zstandard, or be the only
/// file of a zip archive. What it is, is told by its contents, not by its name.
///
/// Nothing is passed over: a line that cannot be read or a move that is not legal refuses the
/// book, since a match or a run from half of a book looks like one from all of it. Only blank
/// lines and, in EPD, lines that begin with `#` have no meaning. Memory is bounded: a book has at
/// most 256 MiB and 4,194,304 openings, an opening 1,000 half-moves.
#[derive(Clone, Debug)]
pub struct OpeningBook {
    name: String,
    sha256: String,
    openings: Vec<Opening>,
}

/// A position from which a game begins, with the moves that led there where they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    start: Chess,
    moves: Box<[Move]>,
    line: u64,
}

impl OpeningBook {
    /// Reads a book.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read, holds no opening, or a line of it is none.
    pub fn read(path: &Path) -> Result<OpeningBook, OpeningBookError> {
        let name = path.display().to_string();
        match File::open(path) {
            Ok(source) => OpeningBook::from_reader(&name, source),
            Err(source) => Err(OpeningBookError::Read { file: name, source }),
        }
    }

    /// Reads a book from `source`, which errors call `name`.
    ///
    /// # Errors
    ///
    /// As [`OpeningBook::read`].
    pub fn from_reader(name: &str, source: impl Read) -> Result<OpeningBook, OpeningBookError> {
        let file = || name.to_owned();
        let bytes = archive::at_most(source, LARGEST_BOOK)
            .map_err(|source| OpeningBookError::Read { file: file(), source })?
            .ok_or_else(|| OpeningBookError::TooLarge { file: file(), limit: LARGEST_BOOK })?;
        let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let text = archive::unpack(bytes, name)?;
        let openings = parse(text).map_err(|(line, problem)| OpeningBookError::Line {
            file: file(),
            line,
            problem,
        })?;
        if openings.is_empty() {
            return Err(OpeningBookError::Empty { file: file() });
        }
        Ok(OpeningBook { name: file(), sha256, openings })
    }

    /// The name of the file, as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// SHA-256 of the file as it was on disk, in lower-case hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The openings, in the order of the file; at least one.
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// Draws an opening, each with the same probability.
    pub fn sample<R: Rng + ?Sized>(&self, generator: &mut R) -> &Opening {
        &self.openings[generator.random_range(0..self.openings.len())]
    }
}

impl Opening {
    /// The game that begins here. Its history is the opening's moves; a position of an EPD file
    /// has none.
    pub fn game(&self) -> Game {
        let mut game = Game::from_position(self.start.clone());
        self.moves.iter().for_each(|&played| game.advance(played));
        game
    }

    /// The moves from the start position or the game's FEN; none in an EPD file.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The line of the book on which it begins, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The opening, unless its game is over before it begins.
    fn new(start: Chess, moves: Vec<Move>, line: u64) -> Result<Opening, OpeningProblem> {
        let opening = Opening { start, moves: moves.into(), line };
        match opening.game().ending(&Rules::default()) {
            None => Ok(opening),
            Some(ending) => Err(OpeningProblem::Over(ending)),
        }
    }
}

/// What is wrong, and the line.
type Fault = (u64, OpeningProblem);

/// The openings of a text, in whichever of the two formats it is.
fn parse(text: Vec<u8>) -> Result<Vec<Opening>, Fault> {
    let plain = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    // What is read of a book of positions is ASCII.
    let lines = || (1..).zip(plain.split(|&byte| byte == b'\n').map(String::from_utf8_lossy));
    let is_epd = |line: &str| line.split_whitespace().next().is_some_and(epd::is_board);
    let first = lines().find(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    if first.is_some_and(|(_, line)| is_epd(&line)) { epd::openings(lines()) } else { pgn(text) }
}

/// The openings of a text in PGN, the main lines of its games.
fn pgn(text: Vec<u8>) -> Result<Vec<Opening>, Fault> {
    let mut openings = Vec::new();
    for game in PgnReader::of_book("", text, MOST_PLIES) {
        let game = game.map_err(|error| match error {
            PgnError::Game { line, problem, .. } => (line, problem.into()),
            PgnError::Open { .. } | PgnError::Read { .. } => unreachable!("text is at hand"),
        })?;
        Opening::new(game.start.position().clone(), game.moves, game.line)
            .and_then(|opening| add(&mut openings, opening))
            .map_err(|problem| (game.line, problem))?;
    }
    Ok(openings)
}

/// Adds an opening, unless there are too many.
fn add(openings: &mut Vec<Opening>, opening: Opening) -> Result<(), OpeningProblem> {
    if openings.len() == MOST_OPENINGS {
        return Err(OpeningProblem::TooMany { limit: MOST_OPENINGS });
    }
    openings.push(opening);
    Ok(())
}
