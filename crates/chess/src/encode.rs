//! From a game to a network's input planes (LC0_FORMAT section 2).

#[cfg(test)]
mod tests;

use shakmaty::{Bitboard, CastlingSide, Chess, Color, Position, Role, Square};

use crate::game::{Frame, Game};
use crate::input_format::{HistoryFill, InputFormat};
use crate::orientation::Orientation;
use crate::planes::Planes;

/// Positions in the input: the current one and up to seven before it.
const HISTORY: usize = 8;
/// Planes of each position: 6 pieces of ours, 6 of theirs, 1 for "has occurred before".
const PLANES_PER_POSITION: usize = 13;
/// First of the 8 planes about rights, clock and colour.
const RIGHTS: usize = HISTORY * PLANES_PER_POSITION;
/// First square of the eighth rank.
const RANK_8: usize = 56;

/// A position as a network reads it.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoding {
    /// The input planes.
    pub planes: Planes,
    /// How the board was turned; the network's moves are read in it
    /// ([`MoveIndex::to_move`](crate::MoveIndex::to_move)).
    pub orientation: Orientation,
}

/// A position that a format cannot express.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodingError {
    /// Format 1 says "may castle queenside" but not with which rook.
    #[error(
        "input format 1 cannot express the Chess960 castling rights of \"{fen}\"; \
         formats with castling planes (2 and above) can"
    )]
    Chess960 {
        /// The position.
        fen: String,
    },
}

/// The input planes of the position of `game` with its history.
///
/// # Errors
///
/// [`EncodingError::Chess960`] for [`InputFormat::Classical112`] while a castling right is left
/// that is not between a king on the e-file and a rook in the corner.
pub fn encode(
    game: &Game,
    format: InputFormat,
    fill: HistoryFill,
) -> Result<Encoding, EncodingError> {
    if format == InputFormat::Classical112 && has_chess960_rights(game.position()) {
        return Err(EncodingError::Chess960 { fen: game.fen() });
    }
    let orientation = Orientation::of(game, format);
    let mut planes = Planes::EMPTY;
    write_history(&mut planes, game.frames(), orientation, format, fill);
    write_castling(&mut planes, game.position(), orientation, format);
    write_rest(&mut planes, game, orientation, format);
    Ok(Encoding { planes, orientation })
}

fn has_chess960_rights(position: &Chess) -> bool {
    let castles = position.castles();
    Color::ALL.into_iter().any(|color| {
        let home = color.fold_wb(Square::E1, Square::E8);
        castles.has_color(color)
            && (position.board().king_of(color) != Some(home)
                || !(castles.castling_rights() & color.backrank()).is_subset(Bitboard::CORNERS))
    })
}

fn write_history(
    planes: &mut Planes,
    frames: &[Frame],
    orientation: Orientation,
    format: InputFormat,
    fill: HistoryFill,
) {
    let now = &frames[frames.len() - 1];
    let mut slot = 0;
    for (back, frame) in frames.iter().rev().enumerate() {
        if slot == HISTORY || is_cut_off(frame, back, now, format) {
            return;
        }
        if back == 0 || !format.keeps_only_repetitions() || frame.repetitions > 0 {
            write_pieces(planes, slot, frame, orientation);
            if frame.repetitions > 0 {
                planes.masks[slot * PLANES_PER_POSITION + 12] = u64::MAX;
            }
            slot += 1;
        }
        if format.is_canonical() && frame.clock == 0 {
            return;
        }
    }

    let oldest = &frames[0];
    let copies = match fill {
        // The oldest position repeats nothing.
        _ if format.keeps_only_repetitions() => 0,
        _ if is_cut_off(oldest, frames.len(), now, format) => 0,
        HistoryFill::FenOnly if oldest.is_standard_start() => 0,
        HistoryFill::No => usize::from(oldest.en_passant.is_some()),
        HistoryFill::FenOnly | HistoryFill::Always => HISTORY,
    };
    let before = oldest.before_double_push();
    for slot in (slot..HISTORY).take(copies) {
        write_pieces(planes, slot, &before, orientation);
    }
}

/// Whether canonical formats end the history before `frame`, which lies `back` plies ago: what
/// was possible then is not what is possible now.
fn is_cut_off(frame: &Frame, back: usize, now: &Frame, format: InputFormat) -> bool {
    format.is_canonical()
        && (frame.castling != now.castling || back > 0 && frame.en_passant.is_some())
}

fn write_pieces(planes: &mut Planes, slot: usize, frame: &Frame, orientation: Orientation) {
    let ours = frame.board.by_color(orientation.mover());
    let theirs = frame.board.by_color(!orientation.mover());
    let first = slot * PLANES_PER_POSITION;
    for (role, plane) in Role::ALL.into_iter().zip(first..) {
        let pieces = frame.board.by_role(role);
        planes.masks[plane] = orientation.mask(pieces & ours);
        planes.masks[plane + 6] = orientation.mask(pieces & theirs);
    }
}

fn write_castling(
    planes: &mut Planes,
    position: &Chess,
    orientation: Orientation,
    format: InputFormat,
) {
    let us = orientation.mover();
    let castles = position.castles();
    let sides = [CastlingSide::QueenSide, CastlingSide::KingSide];
    for (side, plane) in sides.into_iter().zip(RIGHTS..) {
        if format == InputFormat::Classical112 {
            planes.masks[plane] = whole_plane(castles.has(us, side));
            planes.masks[plane + 2] = whole_plane(castles.has(!us, side));
        } else {
            let rooks: Bitboard =
                Color::ALL.into_iter().filter_map(|color| castles.rook(color, side)).collect();
            planes.masks[plane] = orientation.mask(rooks);
        }
    }
}

fn write_rest(planes: &mut Planes, game: &Game, orientation: Orientation, format: InputFormat) {
    let black_to_move = whole_plane(game.turn().is_black());
    planes.masks[RIGHTS + 4] = if !format.is_canonical() {
        black_to_move
    } else {
        // Canonical orientations keep the ranks while there are pawns, and reverse the files
        // together with the pieces.
        let file = |square: Square| orientation.mover_square(square).file();
        game.now().en_passant.map_or(0, |square| 1 << (RANK_8 + file(square)))
    };
    let clock = game.half_move_clock() as f32;
    planes.masks[RIGHTS + 5] = u64::MAX;
    planes.values[RIGHTS + 5] = if format.clock_in_hundreds() { clock / 100.0 } else { clock };
    if format.is_armageddon() {
        planes.masks[RIGHTS + 6] = black_to_move;
    }
    planes.masks[RIGHTS + 7] = u64::MAX;
}

fn whole_plane(set: bool) -> u64 {
    if set { u64::MAX } else { 0 }
}
