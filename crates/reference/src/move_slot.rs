//! Where the policy heads hold a move, from the rules of LC0_FORMAT section 3.

use chess::{MoverMove, MoverPromotion};

/// Directions of a queen as (files, ranks), N first and clockwise.
const QUEEN: [(isize, isize); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// Moves of a knight as (files, ranks).
const KNIGHT: [(isize, isize); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Plane of a convolution policy.
pub(crate) fn convolution_plane(mv: MoverMove) -> usize {
    let files = mv.to.file() as isize - mv.from.file() as isize;
    let ranks = mv.to.rank() as isize - mv.from.rank() as isize;
    if let Some(piece) = mv.promotion {
        let side = usize::try_from(files + 1).expect("pawns move to a neighbouring file");
        return 64 + 3 * side + convolution_promotion(piece);
    }
    if let Some(knight) = KNIGHT.iter().position(|&step| step == (files, ranks)) {
        return 56 + knight;
    }
    let distance = files.abs().max(ranks.abs());
    let step = (files / distance, ranks / distance);
    let direction = QUEEN.iter().position(|&queen| queen == step).expect("a queen's move");
    7 * direction + (distance as usize - 1)
}

/// Order of the promotions in a convolution policy.
fn convolution_promotion(piece: MoverPromotion) -> usize {
    match piece {
        MoverPromotion::Rook => 0,
        MoverPromotion::Bishop => 1,
        MoverPromotion::Queen => 2,
    }
}

/// Row of an attention policy's promotion tensor; the knight's row is the last.
pub(crate) fn attention_promotion(piece: MoverPromotion) -> usize {
    match piece {
        MoverPromotion::Queen => 0,
        MoverPromotion::Rook => 1,
        MoverPromotion::Bishop => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::MoveIndex;

    #[test]
    fn slots_are_those_of_the_engine() {
        for index in MoveIndex::all() {
            let mv = index.mover_move();
            let slot = 64 * convolution_plane(mv) + mv.from.index();
            assert_eq!(slot, index.convolution_slot(), "{mv}");
            let slot = match mv.promotion {
                None => 64 * mv.from.index() + mv.to.index(),
                Some(piece) => {
                    let files = 24 * mv.from.file() + 3 * mv.to.file();
                    4096 + files + attention_promotion(piece)
                }
            };
            assert_eq!(slot, index.attention_slot(), "{mv}");
        }
    }
}
