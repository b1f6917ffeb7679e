use std::ops::Range;

use super::tiles::{BLOCK, Inner, Part, Side, pack, parts, with_memory};
use crate::kernels::{MatrixMut, MatrixRef, Start};
use crate::simd::bfloat16::{PairKernel, PairSums, PairUnit, Pairs};
use crate::simd::{LANES, Simd};

/// Rows that are taken at a time: their part of a block of outputs and of a panel of inputs, 32 kB
/// each, stay near the processor. A multiple of [`BLOCK`].
const ROWS: usize = 512;

/// `weights += dy^T x`, as [`matmul_transposed_left`](crate::kernels::matmul_transposed_left), which
/// has compared the shapes.
pub(in crate::kernels) fn add_weight_gradient(
    unit: PairUnit,
    dy: MatrixRef<'_>,
    x: MatrixRef<'_>,
    weights: MatrixMut<'_>,
    start: Start,
) {
    let depth = parts(dy.rows().min(ROWS));
    with_memory([depth, x.columns().div_ceil(BLOCK) * depth], |[left, right]| {
        unit.run(PairWeightGradient { dy, x, weights, start, left, right });
    });
}

struct PairWeightGradient<'a> {
    dy: MatrixRef<'a>,
    x: MatrixRef<'a>,
    weights: MatrixMut<'a>,
    start: Start,
    left: &'a mut [Part],
    right: &'a mut [Part],
}

impl PairKernel for PairWeightGradient<'_> {
    #[inline(always)]
    fn run<P: Pairs>(self, pairs: P) {
        let Self { dy, x, mut weights, start, left, right } = self;
        let (rows, inputs, outputs) = (x.rows(), x.columns(), dy.columns());
        for row in (0..rows).step_by(ROWS) {
            let first = row == 0 && start == Start::Zero;
            let rows = (row, (rows - row).min(ROWS));
            let depth = parts(rows.1);
            for (input, panel) in (0..inputs).step_by(BLOCK).zip(right.chunks_exact_mut(depth)) {
                let lines = (input, (inputs - input).min(BLOCK));
                pack(pairs, &x, Inner::AlongColumns, Side::Right, lines, rows, panel);
            }
            for output in (0..outputs).step_by(BLOCK) {
                let count = (outputs - output).min(BLOCK);
                let left = &mut left[..depth];
                let lines = (output, count);
                pack(pairs, &dy, Inner::AlongColumns, Side::Left, lines, rows, left);
                for (input, panel) in (0..inputs).step_by(BLOCK).zip(right.chunks_exact(depth)) {
                    let width = (inputs - input).min(BLOCK);
                    if input + BLOCK < inputs {
                        let next = input + BLOCK..(input + 2 * BLOCK).min(inputs);
                        fetch(pairs, &mut weights, (output, count), next);
                    }
                    let place = ((output, count), (input, width));
                    add_product(pairs, left, panel, &mut weights, place, first);
                }
            }
        }
    }
}

/// Has the weights near by the time of the next product: they are more than any cache holds, and
/// tiles wait for each line of theirs.
#[inline(always)]
fn fetch<P: Pairs>(
    pairs: P,
    weights: &mut MatrixMut<'_>,
    (output, count): (usize, usize),
    inputs: Range<usize>,
) {
    for output in output..output + count {
        for line in weights.row_mut(output, inputs.clone()).chunks(LANES) {
            pairs.simd().prefetch(line.as_ptr());
        }
    }
}

/// Adds the product of a block of outputs with a panel to the weights, or sets them to it if it is
/// the `first`.
#[inline(always)]
fn add_product<P: Pairs>(
    pairs: P,
    left: &[Part],
    right: &[Part],
    weights: &mut MatrixMut<'_>,
    ((output, count), (input, width)): ((usize, usize), (usize, usize)),
    first: bool,
) {
    if count.is_multiple_of(LANES) && width == BLOCK {
        let sums = weights.sums(output, input);
        let sums = PairSums { values: sums.values, stride: sums.stride };
        return pairs.multiply_add(left, right, count, sums, first);
    }
    // Whole tiles would reach beyond the matrix.
    let mut sums = [[0.0; BLOCK]; BLOCK];
    if !first {
        for (sums, output) in sums[..count].iter_mut().zip(output..) {
            sums[..width].copy_from_slice(weights.row_mut(output, input..input + width));
        }
    }
    let target = PairSums { values: sums.as_flattened_mut(), stride: BLOCK };
    pairs.multiply_add(left, right, count, target, first);
    for (sums, output) in sums[..count].iter().zip(output..) {
        weights.row_mut(output, input..input + width).copy_from_slice(&sums[..width]);
    }
}
