//! Mirror images: the same position with the files a to h exchanged.

use chess::{InputFormat, MoveIndex, MoverMove, MoverSquare, Planes};
use policy::MovePolicy;

use super::sample::Sample;

#[cfg(test)]
mod tests;

/// The planes of castling rights, in every format.
const RIGHTS: std::ops::Range<usize> = 104..108;

impl Sample {
    /// The sample as it is when the board's left and right are exchanged, which changes nothing of
    /// chess but castling. `None` where somebody may still castle, or where the format turns
    /// positions about by itself.
    pub fn mirrored(&self, format: InputFormat) -> Option<Sample> {
        let Sample { planes, moves, policy, value } = self;
        if format.is_canonical() || planes.masks[RIGHTS].iter().any(|&rights| rights != 0) {
            return None;
        }
        let masks = planes.masks.map(mirrored_mask);
        // Moves stand in the order of their indices.
        let mut entries: Vec<(MoveIndex, f64)> =
            moves.iter().map(|&index| mirrored_move(index)).zip(policy.probabilities()).collect();
        entries.sort_by_key(|&(index, _)| index);
        let (moves, weights): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
        let policy = MovePolicy::from_weights(&weights).expect("a policy's probabilities are one");
        let planes = Planes { masks, values: planes.values };
        Some(Sample { planes, moves, policy, value: *value })
    }
}

/// A byte is a rank, its lowest bit the a-file.
fn mirrored_mask(mask: u64) -> u64 {
    mask.reverse_bits().swap_bytes()
}

fn mirrored_move(index: MoveIndex) -> MoveIndex {
    let square = |square: MoverSquare| {
        MoverSquare::new(square.index() as u8 ^ 7).expect("another square of its rank")
    };
    let MoverMove { from, to, promotion } = index.mover_move();
    let mirrored = MoverMove { from: square(from), to: square(to), promotion };
    mirrored.index().expect("every move's mirror image has an entry")
}
