//! A labelled position as a record of Lc0's training data.

use chess::{EncodingError, HistoryFill, InputFormat, MoveIndex};
use lc0::training_data::{MOVES, SearchValue, TrainingRecord};
use network::EncodedPosition;
use policy::Wdl;

use super::positions::LabelPosition;
use super::target::SearchTarget;

#[cfg(test)]
mod tests;

/// Where the planes begin that are the same for all of the history.
const REST: usize = 104;

/// The record of `position` with its target: the policy is the target's, root and best value are
/// both its value. Where the game's result is not known, the value stands for it. Visits are the
/// nodes of the search; the network's own value is not known, NaN as Lc0 writes it.
///
/// # Errors
///
/// Where the format cannot express the position.
pub fn record_of(
    position: &LabelPosition,
    target: &SearchTarget,
    format: InputFormat,
) -> Result<TrainingRecord, EncodingError> {
    let game = &position.game;
    let encoded = EncodedPosition::new(game, format, HistoryFill::FenOnly)?;
    let mut probabilities = Box::new([-1.0; MOVES]);
    let targets = target.over(&encoded.moves);
    for ((index, _), target) in encoded.moves.iter().zip(targets) {
        probabilities[index.get()] = target as f32;
    }
    let masks = &encoded.planes.masks;
    let mut planes = [0; REST];
    planes.copy_from_slice(&masks[..REST]);
    let rest = &masks[REST..];
    let black_to_move = game.turn().is_black();
    let value = search_value(&target.value, position.plies_left);
    let result = position.result.unwrap_or(target.value);
    let index = |played| MoveIndex::of(played, encoded.orientation).get() as u16;
    let best_index = index(target.best());
    let unknown = SearchValue { q: f32::NAN, d: f32::NAN, m: f32::NAN };
    Ok(TrainingRecord {
        input_format: format.id(),
        probabilities,
        planes,
        castling: castling(rest, format),
        side_to_move_or_en_passant: if format.is_canonical() {
            // The plane has at most one square, on the eighth rank.
            (rest[4] >> 56) as u8
        } else {
            u8::from(black_to_move)
        },
        half_move_clock: u8::try_from(game.half_move_clock()).unwrap_or(u8::MAX),
        invariance: if format.is_canonical() {
            encoded.orientation.lc0_transform() | u8::from(black_to_move) << 7
        } else {
            0
        },
        reserved_byte: 0,
        root: value,
        best: value,
        plies_left: plies(position.plies_left),
        result: SearchValue { m: 0.0, ..search_value(&result, None) },
        played: value,
        original: unknown,
        visits: target.nodes.map_or(0, |nodes| u32::try_from(nodes).unwrap_or(u32::MAX)),
        played_index: position.played.map_or(best_index, index),
        best_index,
        policy_kld: 0.0,
        reserved: 0,
    })
}

/// The mover's rights on the queen's and the king's side, then the opponent's (LC0_FORMAT
/// section 2).
fn castling(rest: &[u64], format: InputFormat) -> [[u8; 2]; 2] {
    if format == InputFormat::Classical112 {
        let [us_queen, us_king, them_queen, them_king] =
            [0, 1, 2, 3].map(|plane| u8::from(rest[plane] != 0));
        [[us_queen, us_king], [them_queen, them_king]]
    } else {
        let ours = |plane: usize| (rest[plane] & 0xff) as u8;
        let theirs = |plane: usize| (rest[plane] >> 56) as u8;
        [[ours(0), ours(1)], [theirs(0), theirs(1)]]
    }
}

fn search_value(value: &Wdl, plies_left: Option<u32>) -> SearchValue {
    SearchValue { q: value.q() as f32, d: value.draw() as f32, m: plies(plies_left) }
}

fn plies(left: Option<u32>) -> f32 {
    left.map_or(0.0, |plies| plies as f32)
}
