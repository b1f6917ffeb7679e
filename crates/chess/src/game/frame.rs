//! What a game keeps of each of its positions.

use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Position, Square};

/// A position of a game's history. Runs keep thousands of games, so it is small.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) board: Board,
    /// The rooks that may still castle.
    pub(crate) castling: Bitboard,
    /// Half-moves since a capture or pawn move.
    pub(crate) clock: u32,
    /// Lc0's count of earlier occurrences.
    pub(crate) repetitions: u32,
    /// Occurrences in the sense of the draw rules, this one included.
    pub(crate) occurrences: u32,
    pub(crate) turn: Color,
    /// Lc0's en-passant flag: a FEN's square as given; later, the square behind a double push
    /// that ended beside an enemy pawn, pinned or not.
    pub(crate) en_passant: Option<Square>,
    /// The square on which an en-passant capture is legal.
    legal_en_passant: Option<Square>,
}

const _: () = assert!(size_of::<Frame>() == 96);

impl Frame {
    pub(crate) fn at_start(position: &Chess) -> Frame {
        Frame::with_flag(position, EnPassantMode::Always)
    }

    pub(crate) fn after_move(position: &Chess) -> Frame {
        Frame::with_flag(position, EnPassantMode::PseudoLegal)
    }

    fn with_flag(position: &Chess, flag: EnPassantMode) -> Frame {
        Frame {
            board: position.board().clone(),
            castling: position.castles().castling_rights(),
            clock: position.halfmoves(),
            repetitions: 0,
            occurrences: 1,
            turn: position.turn(),
            en_passant: position.ep_square(flag),
            legal_en_passant: position.legal_ep_square(),
        }
    }

    /// Whether it is the position in which games of standard chess start, whatever its clock.
    pub(crate) fn is_standard_start(&self) -> bool {
        self.turn.is_white() && self.castling == Bitboard::CORNERS && self.board == Board::new()
    }

    /// The position before the double push that the en-passant square proves, or the same
    /// position where there is none.
    pub(crate) fn before_double_push(&self) -> Frame {
        let mut before = self.clone();
        if let Some(passed) = self.en_passant {
            // The pawn went over `passed` from the rank behind it to the rank before it.
            let (from, to) = (passed.xor(Square::A4), passed.xor(Square::A2));
            before.board.discard_piece_at(to);
            before.board.set_piece_at(from, (!self.turn).pawn());
        }
        before
    }

    /// Whether it is the same position by the draw rules, whatever the clocks: board, side to move,
    /// castling rights and legal en-passant capture.
    pub(crate) fn is_same_position(&self, other: &Frame) -> bool {
        self.same_pieces_and_rights(other) && self.legal_en_passant == other.legal_en_passant
    }

    fn same_pieces_and_rights(&self, other: &Frame) -> bool {
        self.board == other.board && self.castling == other.castling && self.turn == other.turn
    }
}

/// The latest earlier occurrence of `now` by the draw rules.
pub(crate) fn previous_for_rules<'a>(earlier: &'a [Frame], now: &Frame) -> Option<&'a Frame> {
    // The same side is to move every second ply, and two plies cannot undo one another's moves
    // of both sides. No position recurs across a capture or pawn move.
    (4..=plies_back(earlier, now))
        .step_by(2)
        .map(|back| &earlier[earlier.len() - back])
        .find(|frame| frame.is_same_position(now))
}

/// The latest earlier occurrence of `now` by Lc0's repetition planes (LC0_FORMAT section 2).
pub(crate) fn previous_for_planes<'a>(earlier: &'a [Frame], now: &Frame) -> Option<&'a Frame> {
    if now.clock < 4 {
        return None;
    }
    for back in (4..=earlier.len()).step_by(2) {
        let frame = &earlier[earlier.len() - back];
        if frame.same_pieces_and_rights(now) && frame.en_passant == now.en_passant {
            return Some(frame);
        }
        if frame.clock < 2 {
            return None;
        }
    }
    None
}

/// How many plies before `now` a position can lie that equals it.
fn plies_back(earlier: &[Frame], now: &Frame) -> usize {
    usize::try_from(now.clock).map_or(earlier.len(), |clock| clock.min(earlier.len()))
}
