//! Convolutions of 3 x 3 squares as matrix products.

use super::InstructionSet;
use crate::simd::{Kernel, LANES, Lanes, Simd};

#[cfg(test)]
mod tests;

/// Squares in a row of the board, and rows.
const SIDE: usize = 8;

/// Squares of the board.
const SQUARES: usize = SIDE * SIDE;

/// Elements of the convolution's kernel.
const TAPS: usize = 9;

/// Collects, for each square of boards `x [64 boards x channels]`, the channels of the square and
/// its neighbours: rows of `9 * channels` in the order (rank, file, channel) of the convolution's
/// kernel, with zeros for squares off the board. A product with the kernel's weights is then the
/// convolution.
///
/// # Panics
///
/// If lengths do not match.
pub fn im2col(x: &[f32], channels: usize, columns: &mut [f32]) {
    check(x.len(), channels, columns.len());
    let boards = x.chunks_exact(SQUARES * channels);
    for (x, columns) in boards.zip(columns.chunks_exact_mut(SQUARES * TAPS * channels)) {
        for (square, row) in columns.chunks_exact_mut(TAPS * channels).enumerate() {
            for (tap, target) in row.chunks_exact_mut(channels).enumerate() {
                match neighbour(square, tap) {
                    Some(source) => target.copy_from_slice(&x[source * channels..][..channels]),
                    None => target.fill(0.0),
                }
            }
        }
    }
}

/// The adjoint of [`im2col`]: takes the gradient of `columns` to that of `x`, each number the sum
/// over the squares that it was copied to, in the order of the squares.
///
/// # Panics
///
/// If lengths do not match.
pub fn col2im(set: InstructionSet, columns: &[f32], channels: usize, x: &mut [f32]) {
    check(x.len(), channels, columns.len());
    set.run(Adjoint { columns, channels, x });
}

/// Panics unless the lengths are those of whole boards.
#[track_caller]
fn check(x: usize, channels: usize, columns: usize) {
    assert!(
        channels > 0 && x.is_multiple_of(SQUARES * channels),
        "{x} numbers in boards of {SQUARES} x {channels}"
    );
    assert_eq!(columns, x * TAPS, "columns");
}

/// The square under an element of a kernel that is centred on `square`, if it is on the board.
#[inline(always)]
fn neighbour(square: usize, tap: usize) -> Option<usize> {
    let rank = (square / SIDE + tap / 3).checked_sub(1).filter(|&rank| rank < SIDE)?;
    let file = (square % SIDE + tap % 3).checked_sub(1).filter(|&file| file < SIDE)?;
    Some(rank * SIDE + file)
}

struct Adjoint<'a> {
    columns: &'a [f32],
    channels: usize,
    x: &'a mut [f32],
}

impl Kernel for Adjoint<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let channels = self.channels;
        let boards = self.x.chunks_exact_mut(SQUARES * channels);
        for (x, columns) in boards.zip(self.columns.chunks_exact(SQUARES * TAPS * channels)) {
            x.fill(0.0);
            for (square, row) in columns.chunks_exact(TAPS * channels).enumerate() {
                for (tap, source) in row.chunks_exact(channels).enumerate() {
                    let Some(target) = neighbour(square, tap) else { continue };
                    let target = &mut x[target * channels..][..channels];
                    for (target, source) in target.chunks_mut(LANES).zip(source.chunks(LANES)) {
                        (simd.load_chunk(target, 0.0) + simd.load_chunk(source, 0.0))
                            .store_chunk(target);
                    }
                }
            }
        }
    }
}
