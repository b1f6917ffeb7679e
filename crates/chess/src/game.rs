//! A game: its start, its moves and every position on the way.

mod frame;
#[cfg(test)]
mod tests;

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, MoveList, Position, fen::Fen};

pub(crate) use frame::Frame;
use frame::{previous_for_planes, previous_for_rules};

use crate::fen::{self, FenError};

/// A game of chess with all of its history.
///
/// History is what lets a network see repetitions and earlier boards, and what the draw rules
/// look at. It begins at the start position: nothing before a FEN is known.
#[derive(Clone, Debug)]
pub struct Game {
    start: Chess,
    position: Chess,
    moves: Vec<Move>,
    /// One for the start and one after each move: `frames.len() == moves.len() + 1`.
    frames: Vec<Frame>,
}

impl Game {
    /// A game from the standard start position.
    pub fn new() -> Game {
        Game::from_position(Chess::new())
    }

    /// A game from `fen`, which may lack the two clocks ("0 1" then, as in EPD).
    ///
    /// An en-passant square counts even if no pawn can capture there: Lc0's input planes show
    /// that the last move was a double push (LC0_FORMAT section 2). For the draw rules only a
    /// legal capture counts. Castling rights in X-FEN or Shredder-FEN make a Chess960 game.
    ///
    /// # Errors
    ///
    /// [`FenError`] names what cannot be read, or why no game can reach the position.
    pub fn from_fen(fen: &str) -> Result<Game, FenError> {
        fen::parse(fen).map(Game::from_position)
    }

    pub(crate) fn from_position(position: Chess) -> Game {
        let frame = Frame::at_start(&position);
        Game { start: position.clone(), position, moves: Vec::new(), frames: vec![frame] }
    }

    /// Plays a move of the side to move.
    ///
    /// # Errors
    ///
    /// An illegal move leaves the game as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMoveError> {
        if !self.position.is_legal(mv) {
            return Err(self.refuse(self.uci(mv), MoveProblem::Illegal));
        }
        self.advance(mv);
        Ok(())
    }

    /// Plays a move in UCI notation; see [`Game::parse_uci`].
    ///
    /// # Errors
    ///
    /// An illegal or unreadable move leaves the game as it was.
    pub fn play_uci(&mut self, uci: &str) -> Result<(), IllegalMoveError> {
        let mv = self.parse_uci(uci)?;
        self.advance(mv);
        Ok(())
    }

    /// The legal move that `uci` names: castling as e1g1 or as e1h1.
    ///
    /// # Errors
    ///
    /// The text is no move, or the move is not legal here.
    pub fn parse_uci(&self, uci: &str) -> Result<Move, IllegalMoveError> {
        let parsed = UciMove::from_ascii(uci.as_bytes())
            .map_err(|_| self.refuse(uci.to_owned(), MoveProblem::Syntax))?;
        parsed
            .to_move(&self.position)
            .map_err(|_| self.refuse(uci.to_owned(), MoveProblem::Illegal))
    }

    /// Plays a move that is known to be legal.
    pub(crate) fn advance(&mut self, legal: Move) {
        self.position.play_unchecked(legal);
        self.moves.push(legal);
        let mut frame = Frame::after_move(&self.position);
        if let Some(earlier) = previous_for_planes(&self.frames, &frame) {
            frame.repetitions = earlier.repetitions + 1;
        }
        if let Some(earlier) = previous_for_rules(&self.frames, &frame) {
            frame.occurrences = earlier.occurrences + 1;
        }
        self.frames.push(frame);
    }

    fn refuse(&self, uci: String, problem: MoveProblem) -> IllegalMoveError {
        IllegalMoveError { uci, ply: self.ply() + 1, fen: self.fen(), problem }
    }

    /// The position now.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The legal moves now, in no meaningful order.
    pub fn legal_moves(&self) -> MoveList {
        self.position.legal_moves()
    }

    /// The moves played since the start position.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Half-moves played since the start position.
    pub fn ply(&self) -> u32 {
        u32::try_from(self.moves.len()).expect("a game of under 2^32 plies")
    }

    /// Half-moves since the last capture or pawn move, including those a FEN tells of.
    pub fn half_move_clock(&self) -> u32 {
        self.position.halfmoves()
    }

    /// How often the position has stood on the board, this time included, as the draw rules
    /// count: same pieces, side, castling rights and *legal* en-passant capture.
    pub fn occurrences(&self) -> u32 {
        self.now().occurrences
    }

    /// Lc0's repetition count: 0 at a first occurrence (LC0_FORMAT section 2, "History rules").
    ///
    /// It differs from [`Game::occurrences`]` - 1` where an en-passant capture is only
    /// pseudo-legal, which Lc0 takes for a different position.
    pub fn repetitions(&self) -> u32 {
        self.now().repetitions
    }

    /// Whether the game began with castling rights that only Chess960 has.
    pub fn is_chess960(&self) -> bool {
        self.start.castles().mode() == CastlingMode::Chess960
    }

    /// A move in UCI notation: castling is e1g1 in standard chess, king takes rook in Chess960.
    pub fn uci(&self, mv: Move) -> String {
        UciMove::from_move(mv, self.start.castles().mode()).to_string()
    }

    /// The position as FEN.
    ///
    /// The en-passant square is given where Lc0 sees one: after a double push beside an enemy
    /// pawn, and wherever the start FEN gave one. So the FEN read back has the same planes but
    /// for the history.
    pub fn fen(&self) -> String {
        fen_of(&self.position, self.now())
    }

    /// The start position as FEN; with [`Game::moves`] it rebuilds the game.
    pub fn start_fen(&self) -> String {
        fen_of(&self.start, &self.frames[0])
    }

    /// The game as it stood after its first `plies` half-moves, or all of it where it has no more.
    #[must_use]
    pub fn up_to(&self, plies: u32) -> Game {
        let mut game = Game::from_position(self.start.clone());
        self.moves.iter().take(plies as usize).for_each(|&played| game.advance(played));
        game
    }

    pub(crate) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    pub(crate) fn now(&self) -> &Frame {
        self.frames.last().expect("the start position is always there")
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new()
    }
}

fn fen_of(position: &Chess, frame: &Frame) -> String {
    let mut setup = position.to_setup(EnPassantMode::Always);
    setup.ep_square = frame.en_passant;
    Fen::try_from_setup(setup)
        .expect("a position has at most two castling rights a side, no pockets, no promoted flags")
        .to_string()
}

/// A move that cannot be played, where and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move \"{uci}\" at ply {ply}: {problem} in \"{fen}\"")]
pub struct IllegalMoveError {
    /// The move, in UCI notation or as it was given.
    pub uci: String,
    /// The half-move of the game that it would have been; the first is 1.
    pub ply: u32,
    /// The position in which it was tried.
    pub fen: String,
    /// What is wrong.
    pub problem: MoveProblem,
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveProblem {
    /// The text is not a move in UCI notation.
    #[error("not a move in UCI notation")]
    Syntax,
    /// The rules do not allow it.
    #[error("not legal")]
    Illegal,
}
