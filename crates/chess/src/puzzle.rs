//! Puzzles in the form of Lichess's database: a CSV file, plain or compressed by gzip or
//! Zstandard, read one row at a time.
//!
//! Suites of our own have the same columns and four more, each of which may be missing or empty:
//!
//! | column | what it holds | where it is empty |
//! |---|---|---|
//! | `FirstMove` | whose move is the first of `Moves`: `opponent` or `solver` | `opponent` |
//! | `History` | the game from the standard start to `FEN`, in UCI notation | not known |
//! | `Acceptable` | the moves that solve each position of the solver: positions separated by spaces, moves by `\|`, the marked one first | not known |
//! | `Acceptance` | how these were found: [`proved`, `marked`, `unproved` or `given`](Acceptance) | not known |
//!
//! Suites of test positions in EPD are read into the same puzzles by [`EpdReader`].
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

mod acceptable;
mod epd;
mod error;
mod first_move;
mod history;
mod lines;
mod reader;
mod row;
#[cfg(test)]
mod tests;
mod write;

use shakmaty::{Color, Move, Position};

pub use acceptable::Acceptance;
pub use epd::{EpdProblem, EpdReader};
pub use error::{HeaderError, RowError, RowProblem};
pub use first_move::FirstMove;
pub use history::HistoryError;
pub use reader::PuzzleReader;

use crate::game::Game;

/// A position, the line that solves it, and what Lichess says about it.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// Lichess's name of the puzzle.
    pub id: String,
    /// The position to solve. Its history ends with the opponent's move that sets the puzzle,
    /// unless that is not known ([`FirstMove::Solver`]). Before that move stands the game from
    /// the standard start where the file gives it, else the FEN of the file.
    pub start: Game,
    /// Whose move is the first of those in the file.
    pub first_move: FirstMove,
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
    /// The game up to the FEN as the column `PGN` of Ruoss et al. ("Amortized planning with
    /// large-scale transformers", 2024) has it, its moves in SAN; neither read nor checked here.
    pub pgn: Option<String>,
    /// The moves that solve each position of the solver in the order of the line, the marked one
    /// first and none twice; `None` where the file does not give them.
    pub acceptable: Option<Vec<Vec<Move>>>,
    /// How [`Puzzle::acceptable`] was found; `None` where the file does not say.
    pub acceptance: Option<Acceptance>,
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
        Puzzle::of_game(id, Game::from_fen(fen)?, FirstMove::Opponent, moves)
    }

    /// The puzzle that begins where `game` stands, before the move of the opponent that sets it
    /// or, with [`FirstMove::Solver`], at the position to solve. `moves` are in UCI notation with
    /// spaces between.
    ///
    /// # Errors
    ///
    /// An illegal move, or a line in which the last move is not the solver's.
    pub fn of_game(
        id: &str,
        game: Game,
        first_move: FirstMove,
        moves: &str,
    ) -> Result<Puzzle, RowProblem> {
        let mut start = game;
        let mut moves = (1..).zip(moves.split_ascii_whitespace());
        let illegal = |number| move |error| RowProblem::IllegalMove { number, error };
        if first_move == FirstMove::Opponent {
            let (_, first) = moves.next().ok_or(RowProblem::TooFewMoves { found: 0 })?;
            start.play_uci(first).map_err(illegal(1))?;
        }
        let mut end = start.clone();
        for (number, uci) in moves {
            end.play_uci(uci).map_err(illegal(number))?;
        }
        let line = end.moves()[start.moves().len()..].to_vec();
        match (line.len(), first_move) {
            (0, FirstMove::Opponent) => Err(RowProblem::TooFewMoves { found: 1 }),
            (0, FirstMove::Solver) => Err(RowProblem::NoMove),
            (solution, FirstMove::Opponent) if solution.is_multiple_of(2) => {
                Err(RowProblem::EndsWithOpponent { found: solution + 1 })
            }
            (solution, FirstMove::Solver) if solution.is_multiple_of(2) => {
                Err(RowProblem::EvenMoves { found: solution })
            }
            _ => Ok(Puzzle {
                id: id.to_owned(),
                start,
                first_move,
                line,
                rating: None,
                rating_deviation: None,
                popularity: None,
                plays: None,
                themes: Vec::new(),
                game_url: None,
                opening_tags: Vec::new(),
                pgn: None,
                acceptable: None,
                acceptance: None,
            }),
        }
    }

    /// The side that has to find the moves.
    pub fn solver(&self) -> Color {
        self.start.turn()
    }

    /// The positions in which the solver is to move along the marked line, and the marked move in
    /// each; at least one.
    pub fn solver_positions(&self) -> Vec<(Game, Move)> {
        let mut game = self.start.clone();
        let mut positions = Vec::with_capacity(self.line.len().div_ceil(2));
        for (place, &marked) in self.line.iter().enumerate() {
            // The solver's moves are at even places.
            if place % 2 == 0 {
                positions.push((game.clone(), marked));
            }
            game.advance(marked);
        }
        positions
    }

    /// Moves from the solver's first to the mate that ends the marked line, the solver's alone
    /// counted; `None` where the line does not end in mate.
    pub fn marked_mate(&self) -> Option<usize> {
        let mut end = self.start.position().clone();
        self.line.iter().for_each(|&mv| end.play_unchecked(mv));
        end.is_checkmate().then(|| self.line.len().div_ceil(2))
    }
}
