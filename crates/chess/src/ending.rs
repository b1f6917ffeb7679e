//! When a game is over, and why.

#[cfg(test)]
mod tests;

use std::fmt;

use shakmaty::{Color, Position};

use crate::game::Game;

/// The rules that end a game beyond those of chess itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// A game of this many plies since its start position is a draw; `None` for no cap.
    pub ply_cap: Option<u32>,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The side to move is mated.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side can mate by any sequence of legal moves with the material on the board.
    InsufficientMaterial,
    /// The position stands on the board for the third time.
    ThreefoldRepetition,
    /// A hundred plies without capture or pawn move.
    FiftyMoveRule,
    /// [`Rules::ply_cap`] is reached.
    PlyCap,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// 1-0.
    WhiteWins,
    /// 0-1.
    BlackWins,
    /// 1/2-1/2.
    Draw,
}

impl Game {
    /// Why the game is over now, or `None` if it goes on.
    ///
    /// Draws need no claim. Where several reasons hold at once the first in the order of
    /// [`Ending`] is given; so mate on the hundredth ply is mate.
    pub fn ending(&self, rules: &Rules) -> Option<Ending> {
        let position = self.position();
        if position.legal_moves().is_empty() {
            return Some(if position.is_check() {
                Ending::Checkmate { winner: !position.turn() }
            } else {
                Ending::Stalemate
            });
        }
        if position.is_insufficient_material() {
            Some(Ending::InsufficientMaterial)
        } else if self.occurrences() >= 3 {
            Some(Ending::ThreefoldRepetition)
        } else if self.half_move_clock() >= 100 {
            Some(Ending::FiftyMoveRule)
        } else if rules.ply_cap.is_some_and(|cap| self.ply() >= cap) {
            Some(Ending::PlyCap)
        } else {
            None
        }
    }
}

impl Ending {
    /// The result that the ending means.
    pub fn outcome(self) -> Outcome {
        match self {
            Ending::Checkmate { winner: Color::White } => Outcome::WhiteWins,
            Ending::Checkmate { winner: Color::Black } => Outcome::BlackWins,
            Ending::Stalemate
            | Ending::InsufficientMaterial
            | Ending::ThreefoldRepetition
            | Ending::FiftyMoveRule
            | Ending::PlyCap => Outcome::Draw,
        }
    }

    /// The reason in words.
    pub fn reason(self) -> &'static str {
        match self {
            Ending::Checkmate { winner: Color::White } => "White gives checkmate",
            Ending::Checkmate { winner: Color::Black } => "Black gives checkmate",
            Ending::Stalemate => "draw by stalemate",
            Ending::InsufficientMaterial => "draw by insufficient material",
            Ending::ThreefoldRepetition => "draw by threefold repetition",
            Ending::FiftyMoveRule => "draw by the fifty-move rule",
            Ending::PlyCap => "draw by the cap on the game's length",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl Outcome {
    /// The side that won, if one did.
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::WhiteWins => Some(Color::White),
            Outcome::BlackWins => Some(Color::Black),
            Outcome::Draw => None,
        }
    }
}

/// As in PGN: `1-0`, `0-1` or `1/2-1/2`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::WhiteWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
        })
    }
}
