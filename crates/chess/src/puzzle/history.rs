//! The game that a puzzle is from.

#[cfg(test)]
mod tests;

use shakmaty::Move;

use super::{FirstMove, Puzzle};
use crate::fen::FenError;
use crate::game::Game;

/// A game that cannot be the history of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// It does not begin at the standard start.
    #[error("the game does not begin at the standard start")]
    OtherStart,
    /// None of its positions is the one before the puzzle's first move.
    #[error("no position of the game is \"{fen}\"")]
    NotReached {
        /// The position looked for.
        fen: String,
    },
}

impl Puzzle {
    /// The position before the first of the row's moves.
    pub fn fen(&self) -> String {
        match self.history() {
            None => self.start.start_fen(),
            Some(history) => {
                self.start.up_to(u32::try_from(history.len()).expect("a game's length")).fen()
            }
        }
    }

    /// The moves from the standard start to [`Puzzle::fen`]; `None` where they are not known.
    pub fn history(&self) -> Option<&[Move]> {
        let moves = self.start.moves();
        let history = &moves[..moves.len() - self.first_move.moves_before_start()];
        (!history.is_empty()).then_some(history)
    }

    /// The position to solve by what makes it one: board, side to move, castling rights and the
    /// square on which an en-passant capture is legal, the first four fields of a FEN. Puzzles
    /// that pose the same problem have the same text, whatever their clocks.
    pub fn position_key(&self) -> String {
        position_key(&self.start)
    }

    /// Gives the puzzle `game` as its history, as far as the position before the first of the
    /// row's moves. That position has to occur in it: same board, side to move, castling rights
    /// and legal en-passant capture. Of several occurrences it is the one at the FEN's move
    /// number, else the first. The clocks are then the game's.
    ///
    /// # Errors
    ///
    /// [`HistoryError`] where it does not occur; the puzzle is then as it was.
    pub fn set_history(&mut self, game: &Game) -> Result<(), HistoryError> {
        if !game.frames()[0].is_standard_start() {
            return Err(HistoryError::OtherStart);
        }
        let before = self.start.up_to(self.ply_of_fen());
        let wanted = before.now();
        let fits = |ply: &usize| {
            game.frames().get(*ply).is_some_and(|frame| frame.is_same_position(wanted))
        };
        let ply = Some(plies_before(&before))
            .filter(fits)
            .or_else(|| (0..game.frames().len()).find(fits))
            .ok_or_else(|| HistoryError::NotReached { fen: before.fen() })?;
        let mut start = game.up_to(u32::try_from(ply).expect("a game's length"));
        if self.first_move == FirstMove::Opponent {
            start.advance(*self.start.moves().last().expect("the opponent's move"));
        }
        self.start = start;
        Ok(())
    }

    fn ply_of_fen(&self) -> u32 {
        self.start.ply() - self.first_move.moves_before_start() as u32
    }
}

/// The first four fields of a FEN of the position, with the en-passant square only where a capture
/// is legal.
pub(super) fn position_key(game: &Game) -> String {
    use shakmaty::{EnPassantMode, fen::Epd};
    Epd::from_position(game.position(), EnPassantMode::Legal).to_string()
}

/// Whether `game` has come to the position of `fen`: board, side to move, castling rights and
/// legal en-passant capture.
pub(super) fn reaches(game: &Game, fen: &str) -> Result<bool, FenError> {
    Ok(game.now().is_same_position(Game::from_fen(fen)?.now()))
}

/// Half-moves before the position where its move number is right.
fn plies_before(game: &Game) -> usize {
    use shakmaty::Position;
    let full = game.position().fullmoves().get() as usize;
    2 * (full - 1) + usize::from(game.turn().is_black())
}
