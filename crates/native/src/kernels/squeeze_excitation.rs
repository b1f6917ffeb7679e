//! Squeeze-excitation but for its dense layers.

use super::activation::{Activation, Function, Sigmoid, with_function};
use super::epilogue::Save;
use super::{InstructionSet, MatrixMut, MatrixRef};
use crate::simd::{Kernel, LANES, Lanes, Simd};

#[cfg(test)]
mod tests;

/// Squares of the board.
const SQUARES: usize = 64;

/// The mean of each channel over the squares of each board: `y [64 boards x channels]` to
/// `means [boards x channels]`. Squares are added in ascending order.
///
/// # Panics
///
/// If shapes do not match.
pub fn board_means(set: InstructionSet, y: MatrixRef<'_>, means: MatrixMut<'_>) {
    struct Means<'a>(MatrixRef<'a>, MatrixMut<'a>);
    impl Kernel for Means<'_> {
        type Output = ();

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            let Self(y, mut means) = self;
            let channels = y.columns();
            for board in 0..means.rows() {
                let means = means.row_mut(board, 0..channels);
                for (start, means) in (0..channels).step_by(LANES).zip(means.chunks_mut(LANES)) {
                    let mut sum = simd.splat(0.0);
                    for row in board * SQUARES..(board + 1) * SQUARES {
                        sum = sum + simd.load_chunk(y.row(row, start..start + means.len()), 0.0);
                    }
                    (sum * simd.splat(1.0 / SQUARES as f32)).store_chunk(means);
                }
            }
        }
    }
    let shape = (means.rows() * SQUARES, means.columns());
    assert_eq!((y.rows(), y.columns()), shape, "boards");
    set.run(Means(y, means));
}

/// `z = activation(f y + shift + residual)` with `f = sigmoid(factor)`, for boards
/// `y [64 boards x channels]`, and rows of factors, then shifts, `gates [boards x 2 channels]`.
/// The factors become `f`.
///
/// `f y + shift` rounds once.
///
/// # Panics
///
/// If shapes do not match.
pub fn excite(
    set: InstructionSet,
    y: MatrixRef<'_>,
    gates: MatrixMut<'_>,
    residual: MatrixRef<'_>,
    activation: Activation,
    save: Save<'_>,
    z: MatrixMut<'_>,
) {
    let shape = (gates.rows() * SQUARES, gates.columns() / 2);
    assert_eq!(gates.columns(), 2 * shape.1, "gates");
    assert_eq!((y.rows(), y.columns()), shape, "boards");
    assert_eq!((residual.rows(), residual.columns()), shape, "residual");
    assert_eq!((z.rows(), z.columns()), shape, "output");
    if let Save::PreActivation(saved) | Save::Derivative(saved) = &save {
        assert_eq!((saved.rows(), saved.columns()), shape, "saved values");
    }
    set.run(Excite { y, gates, residual, activation, save, z });
}

struct Excite<'a> {
    y: MatrixRef<'a>,
    gates: MatrixMut<'a>,
    residual: MatrixRef<'a>,
    activation: Activation,
    save: Save<'a>,
    z: MatrixMut<'a>,
}

impl Kernel for Excite<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        with_function!(self.activation, F => self.run_with::<S, F>(simd));
    }
}

impl Excite<'_> {
    #[inline(always)]
    fn run_with<S: Simd, F: Function>(mut self, simd: S) {
        let channels = self.y.columns();
        for board in 0..self.gates.rows() {
            let gates = self.gates.row_mut(board, 0..2 * channels);
            let (factors, shifts) = gates.split_at_mut(channels);
            for factors in factors.chunks_mut(LANES) {
                Sigmoid::value(simd, simd.load_chunk(factors, 0.0)).store_chunk(factors);
            }
            for row in board * SQUARES..(board + 1) * SQUARES {
                for start in (0..channels).step_by(LANES) {
                    let columns = start..channels.min(start + LANES);
                    let factor = simd.load_chunk(&factors[columns.clone()], 0.0);
                    let shift = simd.load_chunk(&shifts[columns.clone()], 0.0);
                    let y = simd.load_chunk(self.y.row(row, columns.clone()), 0.0);
                    let residual = simd.load_chunk(self.residual.row(row, columns.clone()), 0.0);
                    let v = y.mul_add(factor, shift) + residual;
                    let z = match &mut self.save {
                        Save::Nothing => F::value(simd, v),
                        Save::PreActivation(saved) => {
                            v.store_chunk(saved.row_mut(row, columns.clone()));
                            F::value(simd, v)
                        }
                        Save::Derivative(saved) => {
                            let (z, derivative) = F::value_and_derivative(simd, v);
                            derivative.store_chunk(saved.row_mut(row, columns.clone()));
                            z
                        }
                    };
                    z.store_chunk(self.z.row_mut(row, columns));
                }
            }
        }
    }
}
