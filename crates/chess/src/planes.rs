//! A network's input: 112 planes of 64 squares.

/// 112 planes over the mover's board, each a set of squares and one value.
///
/// Plane `p` is `values[p]` on the squares of `masks[p]` (bit 0 the mover's a1, bit 63 its h8)
/// and 0 elsewhere. What each plane means depends on the format: LC0_FORMAT section 2.
#[derive(Clone, Debug, PartialEq)]
pub struct Planes {
    /// The squares of each plane.
    pub masks: [u64; Planes::COUNT],
    /// The value of each plane on its squares.
    pub values: [f32; Planes::COUNT],
}

impl Planes {
    /// Planes.
    pub const COUNT: usize = 112;
    /// Numbers in the dense form: 112 planes of 64 squares.
    pub const LEN: usize = Planes::COUNT * 64;

    pub(crate) const EMPTY: Planes =
        Planes { masks: [0; Planes::COUNT], values: [1.0; Planes::COUNT] };

    /// Writes the planes one after another: `[112][64]`, as a convolution reads them.
    pub fn write_by_plane(&self, out: &mut [f32; Planes::LEN]) {
        for (plane, squares) in out.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            let (mask, value) = (self.masks[plane], self.values[plane]);
            if mask == u64::MAX {
                squares.fill(value);
                continue;
            }
            squares.fill(0.0);
            for square in bits(mask) {
                squares[square] = value;
            }
        }
    }

    /// Writes the squares one after another: `[64][112]`, as a transformer reads its tokens.
    pub fn write_by_square(&self, out: &mut [f32; Planes::LEN]) {
        out.fill(0.0);
        for (plane, (&mask, &value)) in self.masks.iter().zip(&self.values).enumerate() {
            for square in bits(mask) {
                out[square * Planes::COUNT + plane] = value;
            }
        }
    }
}

/// The positions of the set bits, lowest first.
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        lowest
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_dense_forms_hold_the_same_numbers() {
        let mut planes = Planes::EMPTY;
        planes.masks[3] = 1 << 63 | 1 << 10;
        planes.masks[109] = u64::MAX;
        planes.values[109] = 0.37;
        let (mut by_plane, mut by_square) = ([9.0; Planes::LEN], [9.0; Planes::LEN]);
        planes.write_by_plane(&mut by_plane);
        planes.write_by_square(&mut by_square);
        for plane in 0..Planes::COUNT {
            for square in 0..64 {
                let expected = match (plane, square) {
                    (3, 10 | 63) => 1.0,
                    (109, _) => 0.37,
                    _ => 0.0,
                };
                assert_eq!(by_plane[plane * 64 + square], expected, "{plane} {square}");
                assert_eq!(by_square[square * 112 + plane], expected, "{plane} {square}");
            }
        }
    }
}
