//! Convolutions of 3 x 3 squares with fewer multiplications (Winograd 1980; Lavin and Gray 2015).
//!
//! The board is cut into tiles of `M x M` squares. Those of a tile depend on the `N x N` squares,
//! `N = M + 2`, on and around it. Read each row of `N` values as a polynomial's coefficients and
//! the convolution is (the transpose of) a product of polynomials, which can be computed at `N`
//! points instead: with the matrices of `winograd/tiling.rs`,
//!
//! ```text
//! output tile = A^T ( sum over inputs of (G weights G^T) * (B^T input tile B) ) A
//! ```
//!
//! where `*` multiplies element by element. So each of the `N^2` elements is a product of matrices
//! of its own, `[tiles x inputs]` times `[inputs x outputs]`: `N^2` multiplications for `M^2`
//! squares, where the definition takes `9 M^2`.

mod input;
mod output;
#[cfg(test)]
mod tests;
mod tiling;
mod weights;

use super::epilogue::{Epilogue, Output};
use super::packed::{PANEL, PanelRow};
use super::tile::{self, Sums};
use super::{InstructionSet, MatrixMut};
use crate::simd::{Kernel, LANES, Simd};
use tiling::{Four, Two};
pub use weights::{Tiling, WinogradWeights};

/// Squares in a row of the board, and rows.
const SIDE: usize = 8;

/// Squares of the board.
const SQUARES: usize = SIDE * SIDE;

/// Input channels that stand together in a row of a transformed input. A tile's rows are then one
/// piece of memory, and all reached from one address.
const DEPTH: usize = 64;

/// Numbers between the operands of one product and of the next: a cache line more than what often
/// is a power of two, so that the elements of a tile do not compete for the same place in the
/// first-level cache.
const PAD: usize = LANES;

/// Bytes of transformed inputs and outputs that should be under way together, so that they stay
/// in the second-level cache.
const PASS_BYTES: usize = 640 << 10;

/// Rows of a product below which the weights would be read too often.
const PASS_ROWS: usize = 32;

/// Where the transformed inputs and outputs of some boards stand.
#[derive(Clone, Copy)]
struct Shape {
    inputs: usize,
    outputs: usize,
    /// Tiles: rows of each product.
    rows: usize,
    /// Numbers from the inputs of one product to those of the next.
    input_stride: usize,
    /// Numbers from one row of outputs to the next.
    output_row: usize,
    /// Numbers from the outputs of one product to those of the next.
    output_stride: usize,
}

impl Shape {
    fn new(weights: &WinogradWeights, boards: usize) -> Self {
        let (inputs, outputs) = (weights.inputs(), weights.outputs());
        let rows = boards * weights.tiling().tiles();
        let output_row = outputs.next_multiple_of(LANES);
        Self {
            inputs,
            outputs,
            rows,
            input_stride: rows * inputs.next_multiple_of(DEPTH) + PAD,
            output_row,
            output_stride: rows * output_row + PAD,
        }
    }
}

/// Boards that are transformed together.
fn boards_of_pass(weights: &WinogradWeights) -> usize {
    let tiling = weights.tiling();
    let one = Shape::new(weights, 1);
    let bytes = tiling.products() * (one.input_stride + one.output_stride) * size_of::<f32>();
    (PASS_BYTES / bytes).max(PASS_ROWS.div_ceil(tiling.tiles()))
}

/// The numbers that [`winograd`] needs as working memory for some boards.
pub fn winograd_scratch(weights: &WinogradWeights, boards: usize) -> usize {
    let shape = Shape::new(weights, boards.min(boards_of_pass(weights)));
    weights.tiling().products() * (shape.input_stride + shape.output_stride) + LANES
}

/// `out = epilogue(convolution of x)` for boards `x [64 boards x inputs]` and
/// `out [64 boards x outputs]`, zeros beyond the edges of the board. The contents of `scratch` do
/// not matter. A number that is infinite or NaN makes all squares NaN whose tile it is on or around.
///
/// # Panics
///
/// If shapes do not match or `scratch` is shorter than [`winograd_scratch`].
pub fn winograd(
    set: InstructionSet,
    x: &[f32],
    weights: &WinogradWeights,
    scratch: &mut [f32],
    out: MatrixMut<'_>,
    epilogue: Epilogue<'_>,
) {
    let board = SQUARES * weights.inputs();
    assert!(x.len().is_multiple_of(board), "{} numbers in boards of {board}", x.len());
    let boards = x.len() / board;
    assert!(scratch.len() >= winograd_scratch(weights, boards), "working memory");
    let output = Output::new((SQUARES * boards, weights.outputs()), out, epilogue);
    // Whole cache lines, where the address is known.
    let start = scratch.as_ptr().align_offset(LANES * size_of::<f32>()).min(LANES);
    let scratch = &mut scratch[start..];
    set.run(Winograd { x, boards, weights, scratch, output });
}

struct Winograd<'a> {
    x: &'a [f32],
    boards: usize,
    weights: &'a WinogradWeights,
    scratch: &'a mut [f32],
    output: Output<'a>,
}

impl Kernel for Winograd<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let (pass, weights) = (boards_of_pass(self.weights), self.weights);
        for board in (0..self.boards).step_by(pass) {
            let boards = (self.boards - board).min(pass);
            let shape = Shape::new(weights, boards);
            let transformed = weights.tiling().products() * shape.input_stride;
            let (v, sums) = self.scratch.split_at_mut(transformed);
            let size = SQUARES * weights.inputs();
            let x = &self.x[board * size..][..boards * size];
            match weights.tiling() {
                Tiling::Two => input::transform::<S, Two, 4, 2>(simd, x, &shape, v),
                Tiling::Four => input::transform::<S, Four, 6, 4>(simd, x, &shape, v),
            }
            for (index, panels) in weights.panels().enumerate() {
                let v = &v[index * shape.input_stride..];
                let sums = &mut sums[index * shape.output_stride..];
                multiply(simd, &shape, v, panels, sums);
            }
            let (square, out) = (board * SQUARES, &mut self.output);
            match weights.tiling() {
                Tiling::Two => output::transform::<S, Two, 4, 2>(simd, sums, &shape, square, out),
                Tiling::Four => output::transform::<S, Four, 6, 4>(simd, sums, &shape, square, out),
            }
        }
    }
}

/// One of the products: transformed inputs with transformed weights, to `sums`.
#[inline(always)]
fn multiply<S: Simd>(simd: S, shape: &Shape, v: &[f32], panels: &[PanelRow], sums: &mut [f32]) {
    let &Shape { inputs, outputs, rows, output_row, .. } = shape;
    let (left, _) = v.as_chunks::<DEPTH>();
    for (row, count) in tile::tiles::<S>(rows) {
        for (panel, column) in panels.chunks_exact(inputs).zip((0..outputs).step_by(PANEL)) {
            let width = (outputs - column).min(PANEL);
            for (part, panel) in panel.chunks(DEPTH).enumerate() {
                let left = &left[part * rows + row..][..count];
                let values = &mut sums[row * output_row + column..];
                let sums = Sums { values, stride: output_row };
                sums.multiply_add(simd, left, panel, (count, width), part == 0);
            }
        }
    }
}
