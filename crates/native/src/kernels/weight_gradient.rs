use super::elementwise::add_column_sums;
use super::packed::{PANEL, PanelRow, pack_rows};
use super::tile::{self, Tile, TransposedLeft};
use super::{InstructionSet, MatrixMut, MatrixRef};
use crate::simd::{Kernel, Simd};

#[cfg(test)]
mod tests;

/// Adds the gradient of a layer's weights and biases: `weights += dy^T x`, `bias += sum of dy over
/// rows`, for rows `dy [m x outputs]`, `x [m x inputs]` and `weights [outputs x inputs]`.
///
/// Each element continues its chain of fused multiply-adds over the rows in ascending order, so
/// that rows in several calls give the same bits as all in one.
///
/// # Panics
///
/// If shapes do not match.
pub fn matmul_transposed_left(
    set: InstructionSet,
    dy: MatrixRef<'_>,
    x: MatrixRef<'_>,
    weights: MatrixMut<'_>,
    bias: Option<&mut [f32]>,
) {
    assert_eq!(dy.rows(), x.rows(), "rows");
    assert_eq!((weights.rows(), weights.columns()), (dy.columns(), x.columns()), "weights");
    if let Some(bias) = &bias {
        assert_eq!(bias.len(), dy.columns(), "bias");
    }
    set.run(WeightGradient { dy, x, weights, bias });
}

/// Rows that are taken at a time: their part of a panel stays in the first-level cache.
const BLOCK: usize = 256;

struct WeightGradient<'a> {
    dy: MatrixRef<'a>,
    x: MatrixRef<'a>,
    weights: MatrixMut<'a>,
    bias: Option<&'a mut [f32]>,
}

impl Kernel for WeightGradient<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let (rows, inputs, outputs) = (self.x.rows(), self.x.columns(), self.dy.columns());
        let mut panel = [PanelRow([0.0; PANEL]); BLOCK];
        let mut sums = Tile::zeros();
        for start in (0..rows).step_by(BLOCK) {
            let panel = &mut panel[..(rows - start).min(BLOCK)];
            for input in (0..inputs).step_by(PANEL) {
                let width = (inputs - input).min(PANEL);
                pack_rows(simd, &self.x, start, (input, width), panel);
                for (output, count) in tile::tiles::<S>(outputs) {
                    let dy = TransposedLeft::new(&self.dy, start, (output, count));
                    sums.load(simd, &mut self.weights, (output, count), (input, width));
                    sums.multiply_add(simd, &dy, panel, (count, width), false);
                    sums.store(simd, 1.0, &mut self.weights, (output, count), (input, width));
                }
            }
        }
        if let Some(bias) = self.bias {
            add_column_sums(simd, &self.dy, bias);
        }
    }
}
