//! The board as the side to move sees it, which is how a network sees it.

#[cfg(test)]
mod tests;

use std::fmt;

use shakmaty::{Bitboard, Board, Color, Position, Square};

use crate::game::Game;
use crate::input_format::InputFormat;

/// A square of the board as the network sees it: 0 is the mover's a1, 63 the mover's h8.
///
/// White's view is [`Square`]; an [`Orientation`] leads from one to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoverSquare(u8);

impl MoverSquare {
    /// The square number `index`, or `None` from 64 on.
    pub fn new(index: u8) -> Option<MoverSquare> {
        (index < 64).then_some(MoverSquare(index))
    }

    pub(crate) const fn from_index(index: usize) -> MoverSquare {
        assert!(index < 64);
        MoverSquare(index as u8)
    }

    /// 8 * rank + file, in 0..64.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for the mover's a-file to 7 for the h-file.
    pub const fn file(self) -> usize {
        self.index() % 8
    }

    /// 0 for the mover's first rank to 7 for the last.
    pub const fn rank(self) -> usize {
        self.index() / 8
    }
}

/// As on a board that the mover looks at from below: `e1` is a king's home for both colours.
impl fmt::Display for MoverSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Square::new(u32::from(self.0)))
    }
}

/// How the board is turned for the network: by the colour to move and, in canonical formats, by
/// the symmetries that bring the mover's king to a fixed corner of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Orientation {
    mover: Color,
    /// Files reversed.
    flip: bool,
    /// Ranks reversed, after `flip`.
    mirror: bool,
    /// (file, rank) to (7 - rank, 7 - file), after `mirror`.
    transpose: bool,
}

impl Orientation {
    /// The mover's side at the bottom and nothing else: formats 1 and 2.
    pub fn of_mover(mover: Color) -> Orientation {
        Orientation { mover, flip: false, mirror: false, transpose: false }
    }

    /// The orientation in which `format` shows the position of `game`.
    ///
    /// In canonical formats Lc0 0.32.1 turns the moves of a transposed position by flipping
    /// files and ranks instead of transposing them, so that its priors belong to other moves
    /// there (LC0_FORMAT section 2). Networks are trained on transposed moves, and this type
    /// maps squares and planes alike.
    pub fn of(game: &Game, format: InputFormat) -> Orientation {
        let plain = Orientation::of_mover(game.turn());
        let position = game.position();
        if !format.is_canonical() || position.castles().any() {
            return plain;
        }
        plain.canonical(position.board())
    }

    /// LC0_FORMAT section 2, "Canonical formats only".
    fn canonical(mut self, board: &Board) -> Orientation {
        const LEFT_HALF: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        const UPPER_HALF: u64 = 0xffff_ffff_0000_0000;
        const ABOVE_DIAGONAL: u64 = 0xe0c0_8000;
        const DIAGONAL: u64 = 0x1020_4080;

        let ours = board.by_color(self.mover);
        let king = board.kings() & ours;
        self.flip = self.mask(king) & LEFT_HALF != 0;
        if board.pawns().any() {
            return self;
        }
        self.mirror = self.mask(king) & UPPER_HALF != 0;
        let corner_king = self.mask(king);
        self.transpose = corner_king & ABOVE_DIAGONAL != 0
            || corner_king & DIAGONAL != 0
                && [
                    board.occupied(),
                    ours,
                    board.kings(),
                    board.queens(),
                    board.rooks(),
                    board.knights(),
                    board.bishops(),
                ]
                .into_iter()
                .map(|pieces| {
                    let plain = Bitboard(self.mask(pieces));
                    plain.cmp(&plain.flip_anti_diagonal())
                })
                .find(|order| order.is_ne())
                .is_some_and(|order| order.is_gt());
        self
    }

    /// The colour whose view it is.
    pub fn mover(self) -> Color {
        self.mover
    }

    /// How the board was turned beside the mover's side, in Lc0's bits: 1 for reversed files, 2
    /// for reversed ranks, 4 for a transposition. 0 in formats that are not canonical.
    pub fn lc0_transform(self) -> u8 {
        u8::from(self.flip) | u8::from(self.mirror) << 1 | u8::from(self.transpose) << 2
    }

    /// The network's square of a square of the board.
    pub fn mover_square(self, square: Square) -> MoverSquare {
        let mut square = if self.mover.is_black() { square.flip_vertical() } else { square };
        if self.flip {
            square = square.flip_horizontal();
        }
        if self.mirror {
            square = square.flip_vertical();
        }
        if self.transpose {
            square = square.flip_anti_diagonal();
        }
        MoverSquare::from_index(square.to_usize())
    }

    /// The square of the board that the network calls `square`.
    pub fn square(self, square: MoverSquare) -> Square {
        let mut square = Square::new(u32::from(square.0));
        if self.transpose {
            square = square.flip_anti_diagonal();
        }
        if self.mirror {
            square = square.flip_vertical();
        }
        if self.flip {
            square = square.flip_horizontal();
        }
        if self.mover.is_black() { square.flip_vertical() } else { square }
    }

    /// A set of squares as a mask over [`MoverSquare`]s, bit 0 the mover's a1.
    #[inline]
    pub(crate) fn mask(self, squares: Bitboard) -> u64 {
        let mut squares = squares;
        if self.mover.is_black() != self.mirror {
            // Reversing ranks commutes with reversing files, so both reversals join here.
            squares = squares.flip_vertical();
        }
        if self.flip {
            squares = squares.flip_horizontal();
        }
        if self.transpose {
            squares = squares.flip_anti_diagonal();
        }
        u64::from(squares)
    }
}
