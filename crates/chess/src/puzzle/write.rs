//! Rows of a suite.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::LazyLock;

use shakmaty::Move;

use super::error::RowProblem;
use super::row::{Columns, Splitter};
use super::{FirstMove, Puzzle, acceptable};
use crate::game::Game;

impl Puzzle {
    /// The columns of [`Puzzle::to_row`], as the first line of a file has them, without its end.
    pub const HEADER: &'static str = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,\
        NbPlays,Themes,GameUrl,OpeningTags,FirstMove,History,Acceptable,Acceptance";

    /// The puzzle as a row of a file with the columns of [`Puzzle::HEADER`], without a line end.
    /// Read back it is the same puzzle, but for [`Puzzle::pgn`], which is not written.
    pub fn to_row(&self) -> String {
        let number = |number: Option<String>| number.unwrap_or_default();
        let history = self.history().unwrap_or_default();
        let first_move = match self.first_move {
            FirstMove::Opponent => "",
            FirstMove::Solver => FirstMove::Solver.name(),
        };
        let acceptable = self.acceptable.as_ref().map(|moves| acceptable::format(self, moves));
        let fields = [
            self.id.clone(),
            self.fen(),
            self.moves_from_fen(),
            number(self.rating.map(|rating| rating.to_string())),
            number(self.rating_deviation.map(|deviation| deviation.to_string())),
            number(self.popularity.map(|popularity| popularity.to_string())),
            number(self.plays.map(|plays| plays.to_string())),
            self.themes.join(" "),
            self.game_url.clone().unwrap_or_default(),
            self.opening_tags.join(" "),
            first_move.to_owned(),
            ucis(&Game::new(), history),
            acceptable.unwrap_or_default(),
            self.acceptance.map_or("", |acceptance| acceptance.name()).to_owned(),
        ];
        fields.iter().map(|field| quoted(field)).collect::<Vec<_>>().join(",")
    }

    /// The puzzle of a row of [`Puzzle::to_row`].
    ///
    /// # Errors
    ///
    /// What is wrong with a row that comes from elsewhere.
    pub fn from_row(row: &str) -> Result<Puzzle, RowProblem> {
        thread_local! {
            static SPLITTER: RefCell<Splitter> = RefCell::new(Splitter::new());
        }
        static COLUMNS: LazyLock<Columns> = LazyLock::new(|| {
            let names: Vec<&str> = Puzzle::HEADER.split(',').collect();
            Columns::of_header("a suite", &names).expect("all columns, each once")
        });
        SPLITTER.with_borrow_mut(|splitter| COLUMNS.puzzle(&splitter.split(row)?))
    }

    fn moves_from_fen(&self) -> String {
        let before = self.first_move.moves_before_start();
        let setting = &self.start.moves()[self.start.moves().len() - before..];
        let moves = [setting, &self.line].concat();
        ucis(&self.start, &moves)
    }
}

/// `moves` in UCI notation, castling as the rules of `game` write it.
fn ucis(game: &Game, moves: &[Move]) -> String {
    moves.iter().map(|&mv| game.uci(mv)).collect::<Vec<_>>().join(" ")
}

/// A field with quotation marks where it would not be read back without them.
fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"']) {
        Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(field)
    }
}
