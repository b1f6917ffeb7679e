use super::{InstructionSet, MatrixRef};
use crate::simd::{Kernel, LANES, Lanes, Simd};

/// Columns of a panel: two registers of sixteen lanes.
pub(super) const PANEL: usize = 2 * LANES;

/// One row of a panel: two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct PanelRow(pub(super) [f32; PANEL]);

/// The right operand of [`matmul`](super::matmul), in the order in which the product reads it.
///
/// The matrix `[depth x columns]` is cut into panels of 32 columns, the last one filled up with
/// zeros; each panel holds its rows one after another.
#[derive(Clone, Debug)]
pub struct PackedMatrix {
    depth: usize,
    columns: usize,
    panels: Vec<PanelRow>,
}

impl PackedMatrix {
    /// A matrix of zeros.
    pub fn zeros(depth: usize, columns: usize) -> Self {
        let rows = columns.div_ceil(PANEL) * depth;
        Self { depth, columns, panels: vec![PanelRow([0.0; PANEL]); rows] }
    }

    /// The matrix itself: `a * rows`. With a layer's weights `[outputs x inputs]` as `rows` this
    /// takes gradients of outputs to gradients of inputs.
    pub fn from_rows(set: InstructionSet, rows: MatrixRef<'_>) -> Self {
        let mut packed = Self::zeros(rows.rows(), rows.columns());
        packed.repack_rows(set, rows);
        packed
    }

    /// The transpose of weights `[outputs x inputs]`: takes rows of inputs to rows of outputs.
    pub fn from_output_input(set: InstructionSet, weights: MatrixRef<'_>) -> Self {
        let mut packed = Self::zeros(weights.columns(), weights.rows());
        packed.repack_output_input(set, weights);
        packed
    }

    /// Replaces the numbers, as [`PackedMatrix::from_rows`] would set them.
    ///
    /// # Panics
    ///
    /// If the shape differs.
    pub fn repack_rows(&mut self, _set: InstructionSet, rows: MatrixRef<'_>) {
        assert_eq!((rows.rows(), rows.columns()), (self.depth, self.columns), "shape");
        if self.depth == 0 {
            return;
        }
        for (index, panel) in self.panels.chunks_exact_mut(self.depth).enumerate() {
            let start = index * PANEL;
            let end = (start + PANEL).min(self.columns);
            for (row, target) in panel.iter_mut().enumerate() {
                let source = rows.row(row, start..end);
                match source.try_into() {
                    Ok(source) => target.0 = source,
                    Err(_) => target.0[..source.len()].copy_from_slice(source),
                }
            }
        }
    }

    /// Replaces the numbers, as [`PackedMatrix::from_output_input`] would set them.
    ///
    /// # Panics
    ///
    /// If the shape differs.
    pub fn repack_output_input(&mut self, set: InstructionSet, weights: MatrixRef<'_>) {
        assert_eq!((weights.columns(), weights.rows()), (self.depth, self.columns), "shape");
        set.run(PackTransposed { weights, panels: &mut self.panels });
    }

    /// Rows of the matrix: the inner dimension of the product.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Columns of the matrix.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The rows of the panel that starts at column `PANEL * index`.
    #[inline(always)]
    pub(super) fn panel(&self, index: usize) -> &[PanelRow] {
        &self.panels[index * self.depth..][..self.depth]
    }
}

struct PackTransposed<'a> {
    weights: MatrixRef<'a>,
    panels: &'a mut [PanelRow],
}

impl Kernel for PackTransposed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (outputs, depth) = (self.weights.rows(), self.weights.columns());
        // Sixteen outputs are half a panel.
        for start in (0..outputs).step_by(LANES) {
            let panel = &mut self.panels[start / PANEL * depth..][..depth];
            let half = start % PANEL;
            let count = (outputs - start).min(LANES);
            for k in (0..depth).step_by(LANES) {
                let length = (depth - k).min(LANES);
                let mut block = [simd.splat(0.0); LANES];
                for (row, lanes) in block[..count].iter_mut().enumerate() {
                    let source = self.weights.row(start + row, k..k + length);
                    *lanes = simd.load_chunk(source, 0.0);
                }
                let block = S::Lanes::transpose(block);
                for (target, lanes) in panel[k..k + length].iter_mut().zip(block) {
                    lanes.store_chunk(&mut target.0[half..half + LANES]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
