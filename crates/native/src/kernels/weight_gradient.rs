use std::cell::RefCell;

use super::arithmetic::{Arithmetic, Operands};
use super::bfloat16::{add_weight_gradient, round_panel, round_rows};
use super::elementwise::{add_column_sums, column_sums};
use super::packed::{PANEL, PanelRow, pack_rows};
use super::tile::{self, Ahead, Tile, Transposed};
use super::{MatrixMut, MatrixRef};
use crate::simd::{Kernel, LANES, Lanes, Simd};

#[cfg(test)]
mod tests;

/// What the sums of a product start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Zero, whatever the target holds.
    Zero,
    /// What the target holds.
    Target,
}

/// Adds the gradient of a layer's weights and biases: `weights += dy^T x`, `bias += sum of dy over
/// rows`, for rows `dy [m x outputs]`, `x [m x inputs]` and `weights [outputs x inputs]`. With
/// [`Start::Zero`] the weights are taken for zeros, with the same bits as if they were.
///
/// Each element continues its chain of fused multiply-adds over the rows in ascending order, so
/// that rows in several calls give the same bits as all in one. In bfloat16 this holds for calls
/// with a multiple of 32 rows each, and `bias` is added up without rounding `dy`.
///
/// # Panics
///
/// If shapes do not match.
pub fn matmul_transposed_left(
    arithmetic: impl Into<Arithmetic>,
    dy: MatrixRef<'_>,
    x: MatrixRef<'_>,
    mut weights: MatrixMut<'_>,
    start: Start,
    bias: Option<&mut [f32]>,
) {
    assert_eq!(dy.rows(), x.rows(), "rows");
    assert_eq!((weights.rows(), weights.columns()), (dy.columns(), x.columns()), "weights");
    if let Some(bias) = &bias {
        assert_eq!(bias.len(), dy.columns(), "bias");
    }
    if start == Start::Zero && dy.rows() == 0 {
        (0..weights.rows()).for_each(|row| weights.row_mut(row, 0..x.columns()).fill(0.0));
    }
    let arithmetic = arithmetic.into();
    let set = arithmetic.instruction_set();
    let rounded = match arithmetic.operands() {
        Operands::Exact => false,
        Operands::Rounded => true,
        Operands::Pairs(unit) => {
            add_weight_gradient(unit, dy, x, weights, start);
            if let Some(bias) = bias {
                column_sums(set, dy, bias);
            }
            return;
        }
    };
    SCRATCH.with_borrow_mut(|scratch| {
        set.run(WeightGradient { dy, x, weights, start, bias, rounded, scratch });
    });
}

/// Rows that are taken at a time: their parts of a panel and of a tile's outputs stay in the
/// first-level cache.
const BLOCK: usize = 256;

/// Panels that a tile's outputs meet before those of the next tile are copied, at half a megabyte
/// in the second-level cache. With four the copies took a twentieth of a training step: their rows
/// lie far apart.
const GROUP: usize = 16;

/// Memory for a block of rows: the panels of a group, sixteen outputs, and a tile at the edge.
struct Scratch {
    panels: [[PanelRow; BLOCK]; GROUP],
    columns: [[f32; LANES]; BLOCK],
    tile: Tile,
}

thread_local! {
    /// Kept for the thread's next product: clearing it would take as long as a small one.
    static SCRATCH: RefCell<Box<Scratch>> = RefCell::new(Box::new(Scratch {
        panels: [[PanelRow([0.0; PANEL]); BLOCK]; GROUP],
        columns: [[0.0; LANES]; BLOCK],
        tile: Tile::zeros(),
    }));
}

struct WeightGradient<'a> {
    dy: MatrixRef<'a>,
    x: MatrixRef<'a>,
    weights: MatrixMut<'a>,
    start: Start,
    bias: Option<&'a mut [f32]>,
    /// Whether `dy` and `x` are rounded to bfloat16 before they are multiplied.
    rounded: bool,
    scratch: &'a mut Scratch,
}

impl Kernel for WeightGradient<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let (rows, inputs, outputs) = (self.x.rows(), self.x.columns(), self.dy.columns());
        let Scratch { panels, columns, tile } = self.scratch;
        for start in (0..rows).step_by(BLOCK) {
            let length = (rows - start).min(BLOCK);
            let first = start == 0 && self.start == Start::Zero;
            for group in (0..inputs).step_by(GROUP * PANEL) {
                let group_end = (group + GROUP * PANEL).min(inputs);
                let starts = (group..group_end).step_by(PANEL);
                for (panel, input) in panels.iter_mut().zip(starts.clone()) {
                    let width = (inputs - input).min(PANEL);
                    pack_rows(simd, &self.x, start, (input, width), &mut panel[..length]);
                    if self.rounded {
                        round_panel(simd, &mut panel[..length]);
                    }
                }
                for (output, count) in tile::tiles::<S>(outputs) {
                    // Sixteen columns where there are as many: they are quicker to copy than fewer.
                    let end = (output + LANES).min(outputs);
                    for (target, row) in columns[..length].iter_mut().zip(start..) {
                        let source = self.dy.row(row, output..end);
                        simd.load_chunk(source, 0.0).store(target);
                    }
                    if self.rounded {
                        round_rows(simd, &mut columns[..length], LANES);
                    }
                    let dy = Transposed { rows: &columns[..length], first: 0 };
                    for (panel, input) in panels.iter().zip(starts.clone()) {
                        let (row, column) = ((output, count), (input, (inputs - input).min(PANEL)));
                        let panel = &panel[..length];
                        let shape = (row.1, column.1);
                        // The next sums, of which tiles would wait for each line.
                        let (next_row, next) = match input + PANEL < group_end {
                            true => (output, input + PANEL),
                            false => ((output + count).min(outputs - 1), group),
                        };
                        let stride = self.weights.stride();
                        let next = self.weights.row_mut(next_row, next..next + 1).as_ptr();
                        let ahead = Ahead::rows(next, stride);
                        if column.1 == PANEL {
                            let sums = self.weights.sums(output, input);
                            sums.multiply_add_before(simd, &dy, panel, shape, first, ahead);
                        } else {
                            if !first {
                                tile.load(simd, &mut self.weights, row, column);
                            }
                            let sums = tile.sums();
                            sums.multiply_add_before(simd, &dy, panel, shape, first, ahead);
                            tile.store(simd, 1.0, &mut self.weights, row, column);
                        }
                    }
                }
            }
        }
        if let Some(bias) = self.bias {
            add_column_sums(simd, &self.dy, bias);
        }
    }
}
