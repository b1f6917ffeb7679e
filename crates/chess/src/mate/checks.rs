//! Which moves give check, without playing them.

use shakmaty::{Bitboard, Chess, Move, Position, Role, Square, attacks};

/// The checks that the side to move can give.
pub(super) struct Checks {
    /// The king to be checked.
    king: Square,
    occupied: Bitboard,
    /// From where a piece of each role attacks the king: pawn, knight, bishop, rook.
    pawn: Bitboard,
    knight: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
    /// The mover's pieces that alone stand between a slider of the mover and the king.
    discoverers: Bitboard,
}

impl Checks {
    pub(super) fn new(position: &Chess) -> Checks {
        let (board, us) = (position.board(), position.us());
        let king = board.king_of(!position.turn()).expect("a position has two kings");
        let occupied = board.occupied();
        let (bishop, rook) =
            (attacks::bishop_attacks(king, occupied), attacks::rook_attacks(king, occupied));

        // What stands first on a line from the king is taken off; a slider seen then is hidden
        // behind that one piece.
        let hidden_diagonal = attacks::bishop_attacks(king, occupied & !(bishop & us))
            & !bishop
            & us
            & board.bishops_and_queens();
        let hidden_straight = attacks::rook_attacks(king, occupied & !(rook & us))
            & !rook
            & us
            & board.rooks_and_queens();
        let mut discoverers = Bitboard::EMPTY;
        for slider in hidden_diagonal | hidden_straight {
            discoverers |= attacks::between(king, slider) & us;
        }
        Checks {
            king,
            occupied,
            pawn: attacks::pawn_attacks(!position.turn(), king),
            knight: attacks::knight_attacks(king),
            bishop,
            rook,
            discoverers,
        }
    }

    /// Whether a legal move of `position`, the one that these checks are of, gives check.
    pub(super) fn gives_check(&self, position: &Chess, mv: Move) -> bool {
        match mv {
            Move::Normal { role, from, to, promotion, .. } => {
                let direct = match promotion {
                    // The pawn may have stood between its promotion square and the king.
                    Some(role) => {
                        let piece = role.of(position.turn());
                        attacks::attacks(to, piece, self.occupied.without(from)).contains(self.king)
                    }
                    None => self.squares(role).contains(to),
                };
                direct || self.discoverers.contains(from) && !attacks::aligned(from, to, self.king)
            }
            // Two pieces leave their squares: rare enough to look at the board.
            Move::EnPassant { .. } | Move::Castle { .. } => {
                let mut after = position.clone();
                after.play_unchecked(mv);
                after.is_check()
            }
            Move::Put { .. } => unreachable!("standard chess has no drops"),
        }
    }

    fn squares(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.pawn,
            Role::Knight => self.knight,
            Role::Bishop => self.bishop,
            Role::Rook => self.rook,
            Role::Queen => self.bishop | self.rook,
            Role::King => Bitboard::EMPTY,
        }
    }
}
