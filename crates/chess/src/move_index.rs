//! The 1858 moves that an Lc0 policy knows (LC0_FORMAT section 3).

mod tables;
#[cfg(test)]
mod tests;

use std::fmt;

use shakmaty::{Move, Role};

use crate::game::Game;
use crate::orientation::{MoverSquare, Orientation};
use tables::{INDEX_OF_PLAIN, INDEX_OF_PROMOTION, MOVES, NONE};

/// An entry of the policy vector, in 0..1858.
///
/// Entries are in the mover's view: an [`Orientation`] leads to and from the moves of a game.
/// Castling is the king taking its own rook, in standard chess too; a knight promotion is the
/// plain move of its squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveIndex(u16);

/// What a policy entry says: from where to where, in the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoverMove {
    /// Where the piece stands.
    pub from: MoverSquare,
    /// Where it goes; for castling, where the rook stands.
    pub to: MoverSquare,
    /// The piece that a pawn becomes, unless it is a knight.
    pub promotion: Option<MoverPromotion>,
}

/// The promotions that have entries of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoverPromotion {
    /// To a queen.
    Queen,
    /// To a rook.
    Rook,
    /// To a bishop.
    Bishop,
}

impl MoveIndex {
    /// Entries of the policy vector.
    pub const COUNT: usize = 1858;
    /// Scores of an attention policy: 64 x 64 squares and 8 x 8 x 3 promotions.
    pub const ATTENTION_SLOTS: usize = 64 * 64 + 8 * 8 * 3;
    /// Scores of a convolution policy: 73 planes of 64 squares.
    pub const CONVOLUTION_SLOTS: usize = 73 * 64;

    /// The entry number `index`, or `None` from 1858 on.
    pub fn new(index: u16) -> Option<MoveIndex> {
        (usize::from(index) < MoveIndex::COUNT).then_some(MoveIndex(index))
    }

    /// All entries in order.
    pub fn all() -> impl ExactSizeIterator<Item = MoveIndex> {
        (0..MoveIndex::COUNT as u16).map(MoveIndex)
    }

    /// The entry of `mv`, a legal move of a position seen in `orientation`.
    ///
    /// # Panics
    ///
    /// If `mv` can be no legal move there: a piece drop, squares that neither queen nor knight
    /// connects, or a pawn that promotes elsewhere than on the mover's last rank.
    pub fn of(mv: Move, orientation: Orientation) -> MoveIndex {
        let view = |square| orientation.mover_square(square);
        let index = mv.from().and_then(|from| {
            MoverMove {
                from: view(from),
                to: view(mv.to()),
                promotion: mv.promotion().and_then(MoverPromotion::of_role),
            }
            .index()
        });
        index.unwrap_or_else(|| panic!("{mv} is no move of a position seen as {orientation:?}"))
    }

    /// The number, below 1858.
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// What the entry says in the mover's view.
    pub fn mover_move(self) -> MoverMove {
        MOVES[self.get()]
    }

    /// The legal move of `game` that the entry means, if there is one.
    pub fn to_move(self, game: &Game, orientation: Orientation) -> Option<Move> {
        game.legal_moves().into_iter().find(|&mv| MoveIndex::of(mv, orientation) == self)
    }

    /// Where an attention policy head holds the entry, in 0..4288.
    ///
    /// First 64 x 64 scores by from- and to-square, then 8 x 8 x 3 by the files and the piece
    /// of a promotion (queen, rook, bishop).
    pub fn attention_slot(self) -> usize {
        let MoverMove { from, to, promotion } = self.mover_move();
        match promotion {
            None => 64 * from.index() + to.index(),
            Some(piece) => 4096 + 24 * from.file() + 3 * to.file() + piece as usize,
        }
    }

    /// Where a convolution policy head holds the entry, in 0..4672: 64 * plane + from-square.
    ///
    /// Planes 0..56 are queen moves by direction and distance, 56..64 knight moves, 64..73
    /// promotions by direction and piece.
    pub fn convolution_slot(self) -> usize {
        let MoverMove { from, to, promotion } = self.mover_move();
        let files = to.file() as i8 - from.file() as i8;
        let ranks = to.rank() as i8 - from.rank() as i8;
        let plane = match promotion {
            None => tables::movement_plane(files, ranks),
            Some(piece) => {
                let direction = (files + 1) as usize;
                let piece = match piece {
                    MoverPromotion::Rook => 0,
                    MoverPromotion::Bishop => 1,
                    MoverPromotion::Queen => 2,
                };
                64 + 3 * direction + piece
            }
        };
        64 * plane + from.index()
    }
}

impl MoverMove {
    /// The entry of the move, or `None` if the policy has none: the squares are not a queen's
    /// or knight's move apart, or it is a promotion that no pawn can make.
    pub fn index(self) -> Option<MoveIndex> {
        let MoverMove { from, to, promotion } = self;
        let index = match promotion {
            None => INDEX_OF_PLAIN[from.index()][to.index()],
            Some(_) if (from.rank(), to.rank()) != (6, 7) => NONE,
            Some(piece) => INDEX_OF_PROMOTION[from.file()][to.file()][piece as usize],
        };
        MoveIndex::new(index)
    }
}

/// As in UCI notation, in the mover's view: `a7b8q`, and `a7b8` for a knight.
impl fmt::Display for MoverMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let promotion = match self.promotion {
            None => "",
            Some(MoverPromotion::Queen) => "q",
            Some(MoverPromotion::Rook) => "r",
            Some(MoverPromotion::Bishop) => "b",
        };
        write!(f, "{}{}{promotion}", self.from, self.to)
    }
}

impl MoverPromotion {
    /// In the order in which the policy numbers them.
    pub const ALL: [MoverPromotion; 3] =
        [MoverPromotion::Queen, MoverPromotion::Rook, MoverPromotion::Bishop];

    /// The promotion to `role`, or `None` for a knight, which needs no entry of its own.
    fn of_role(role: Role) -> Option<MoverPromotion> {
        match role {
            Role::Queen => Some(MoverPromotion::Queen),
            Role::Rook => Some(MoverPromotion::Rook),
            Role::Bishop => Some(MoverPromotion::Bishop),
            Role::Pawn | Role::Knight | Role::King => None,
        }
    }
}
