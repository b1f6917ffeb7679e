//! Puzzles in the form of Lichess's database: a CSV file, plain or compressed by gzip or
//! Zstandard, read one row at a time.
//!
//! ```
//! use chess::puzzle::PuzzleReader;
//!
//! let file = "PuzzleId,FEN,Moves,Rating,Themes\n\
//!     J4KYb,1k1r3r/ppp5/3p1p1b/8/4P3/1N3Q2/2P2PPq/R5RK w - - 0 23,h1h2 h6f4,674,mate mateIn1\n";
//! for puzzle in PuzzleReader::new("example.csv", file.as_bytes())? {
//!     let puzzle = puzzle?;
//!     assert_eq!(puzzle.solver(), chess::Color::Black);
//!     assert_eq!(puzzle.start.uci(puzzle.line[0]), "h6f4");
//!     assert_eq!(puzzle.rating, Some(674));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod lines;
mod reader;
mod row;
#[cfg(test)]
mod tests;

use shakmaty::{Color, Move};

pub use error::{HeaderError, RowError, RowProblem};
pub use reader::PuzzleReader;

use crate::game::Game;

/// A position, the line that solves it, and what Lichess says about it.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// Lichess's name of the puzzle.
    pub id: String,
    /// The position to solve. Its history is the FEN of the file and the opponent's move that
    /// sets the puzzle.
    pub start: Game,
    /// The solution from [`Puzzle::start`], every move legal: the solver's moves at even places,
    /// the opponent's replies between them. It begins and ends with a move of the solver.
    pub line: Vec<Move>,
    /// Lichess's rating of the puzzle, where the file has one. So for the fields that follow.
    pub rating: Option<u32>,
    /// How uncertain the rating is.
    pub rating_deviation: Option<u32>,
    /// Votes for less votes against, in percent: -100 to 100.
    pub popularity: Option<i32>,
    /// How often it was played.
    pub plays: Option<u64>,
    /// Its themes, such as `mateIn2`; empty without the column.
    pub themes: Vec<String>,
    /// The game it is from.
    pub game_url: Option<String>,
    /// Names of its opening; empty without the column.
    pub opening_tags: Vec<String>,
}

impl Puzzle {
    /// The puzzle that Lichess writes as the position before the opponent's move, `fen`, and
    /// `moves` in UCI notation, the opponent's first, with spaces between.
    ///
    /// # Errors
    ///
    /// An impossible position, an illegal move, or a line in which the last move is not the
    /// solver's.
    pub fn new(id: &str, fen: &str, moves: &str) -> Result<Puzzle, RowProblem> {
        let mut start = Game::from_fen(fen)?;
        let mut moves = (1..).zip(moves.split_ascii_whitespace());
        let (_, first) = moves.next().ok_or(RowProblem::TooFewMoves { found: 0 })?;
        let illegal = |number| move |error| RowProblem::IllegalMove { number, error };
        start.play_uci(first).map_err(illegal(1))?;

        let mut game = start.clone();
        for (number, uci) in moves {
            game.play_uci(uci).map_err(illegal(number))?;
        }
        let line = game.moves()[1..].to_vec();
        match line.len() {
            0 => Err(RowProblem::TooFewMoves { found: 1 }),
            solution if solution.is_multiple_of(2) => {
                Err(RowProblem::EndsWithOpponent { found: solution + 1 })
            }
            _ => Ok(Puzzle {
                id: id.to_owned(),
                start,
                line,
                rating: None,
                rating_deviation: None,
                popularity: None,
                plays: None,
                themes: Vec::new(),
                game_url: None,
                opening_tags: Vec::new(),
            }),
        }
    }

    /// The side that has to find the moves: the one that does not move in the file's FEN.
    pub fn solver(&self) -> Color {
        self.start.turn()
    }
}
