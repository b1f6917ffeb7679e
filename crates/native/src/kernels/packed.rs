use super::arithmetic::{Arithmetic, Operands};
use super::bfloat16::{PairPanels, round_panel};
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
    panels: Panels,
}

/// The numbers, panel after panel.
#[derive(Clone, Debug)]
pub(super) enum Panels {
    /// As they are.
    Exact(Vec<PanelRow>),
    /// Rounded to bfloat16.
    Rounded(Vec<PanelRow>),
    /// Rounded to bfloat16, in pairs.
    Pairs(PairPanels),
}

impl PackedMatrix {
    /// A matrix of zeros.
    pub fn zeros(arithmetic: impl Into<Arithmetic>, depth: usize, columns: usize) -> Self {
        let rows = || vec![PanelRow([0.0; PANEL]); columns.div_ceil(PANEL) * depth];
        let panels = match arithmetic.into().operands() {
            Operands::Exact => Panels::Exact(rows()),
            Operands::Rounded => Panels::Rounded(rows()),
            Operands::Pairs(unit) => Panels::Pairs(PairPanels::zeros(unit, depth, columns)),
        };
        Self { depth, columns, panels }
    }

    /// The matrix itself: `a * rows`. With a layer's weights `[outputs x inputs]` as `rows` this
    /// takes gradients of outputs to gradients of inputs.
    pub fn from_rows(arithmetic: impl Into<Arithmetic>, rows: MatrixRef<'_>) -> Self {
        let arithmetic = arithmetic.into();
        let mut packed = Self::zeros(arithmetic, rows.rows(), rows.columns());
        packed.repack_rows(arithmetic.instruction_set(), rows);
        packed
    }

    /// The transpose of weights `[outputs x inputs]`: takes rows of inputs to rows of outputs.
    pub fn from_output_input(arithmetic: impl Into<Arithmetic>, weights: MatrixRef<'_>) -> Self {
        let arithmetic = arithmetic.into();
        let mut packed = Self::zeros(arithmetic, weights.columns(), weights.rows());
        packed.repack_output_input(arithmetic.instruction_set(), weights);
        packed
    }

    /// Replaces the numbers, as [`PackedMatrix::from_rows`] would set them.
    ///
    /// # Panics
    ///
    /// If the shape differs.
    pub fn repack_rows(&mut self, set: InstructionSet, rows: MatrixRef<'_>) {
        assert_eq!((rows.rows(), rows.columns()), (self.depth, self.columns), "shape");
        match &mut self.panels {
            Panels::Exact(panels) => set.run(PackRows { rows, panels, rounded: false }),
            Panels::Rounded(panels) => set.run(PackRows { rows, panels, rounded: true }),
            Panels::Pairs(panels) => panels.pack_rows(rows),
        }
    }

    /// Replaces the numbers, as [`PackedMatrix::from_output_input`] would set them.
    ///
    /// # Panics
    ///
    /// If the shape differs.
    pub fn repack_output_input(&mut self, set: InstructionSet, weights: MatrixRef<'_>) {
        assert_eq!((weights.columns(), weights.rows()), (self.depth, self.columns), "shape");
        match &mut self.panels {
            Panels::Exact(panels) => set.run(PackTransposed { weights, panels, rounded: false }),
            Panels::Rounded(panels) => set.run(PackTransposed { weights, panels, rounded: true }),
            Panels::Pairs(panels) => panels.pack_output_input(weights),
        }
    }

    /// Rows of the matrix: the inner dimension of the product.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Columns of the matrix.
    pub fn columns(&self) -> usize {
        self.columns
    }

    pub(super) fn panels(&self) -> &Panels {
        &self.panels
    }
}

/// Copies `width <= PANEL` columns from `column` on of the rows from `row` on, as many as `panel`
/// has, and fills them up with zeros.
#[inline(always)]
pub(super) fn pack_rows<S: Simd>(
    simd: S,
    rows: &MatrixRef<'_>,
    row: usize,
    (column, width): (usize, usize),
    panel: &mut [PanelRow],
) {
    for (target, row) in panel.iter_mut().zip(row..) {
        let source = rows.row(row, column..column + width);
        if let Ok(source) = source.try_into() {
            target.0 = source;
            continue;
        }
        let (low, high) = source.split_at(width.min(LANES));
        let (targets, _) = target.0.as_chunks_mut();
        simd.load_chunk(low, 0.0).store(&mut targets[0]);
        simd.load_chunk(high, 0.0).store(&mut targets[1]);
    }
}

/// Packs the transpose of `count <= PANEL` rows from `row` on, in the columns from `column` on, as
/// many as `panel` has rows, and fills it up with zeros.
#[inline(always)]
pub(super) fn pack_transposed<S: Simd>(
    simd: S,
    matrix: &MatrixRef<'_>,
    (row, count): (usize, usize),
    column: usize,
    panel: &mut [PanelRow],
) {
    for half in (0..PANEL).step_by(LANES) {
        let count = count.saturating_sub(half).min(LANES);
        for (index, targets) in panel.chunks_mut(LANES).enumerate() {
            let start = column + index * LANES;
            let columns = start..start + targets.len();
            let mut block = [simd.splat(0.0); LANES];
            for (lanes, row) in block[..count].iter_mut().zip(row + half..) {
                *lanes = simd.load_chunk(matrix.row(row, columns.clone()), 0.0);
            }
            let block = S::Lanes::transpose(block);
            for (target, lanes) in targets.iter_mut().zip(block) {
                lanes.store_chunk(&mut target.0[half..half + LANES]);
            }
        }
    }
}

struct PackRows<'a> {
    rows: MatrixRef<'a>,
    panels: &'a mut [PanelRow],
    rounded: bool,
}

impl Kernel for PackRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (depth, columns) = (self.rows.rows(), self.rows.columns());
        let panels = self.panels.chunks_exact_mut(depth.max(1));
        for (panel, column) in panels.zip((0..columns).step_by(PANEL)) {
            let width = (columns - column).min(PANEL);
            pack_rows(simd, &self.rows, 0, (column, width), panel);
            if self.rounded {
                round_panel(simd, panel);
            }
        }
    }
}

struct PackTransposed<'a> {
    weights: MatrixRef<'a>,
    panels: &'a mut [PanelRow],
    rounded: bool,
}

impl Kernel for PackTransposed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (outputs, depth) = (self.weights.rows(), self.weights.columns());
        let panels = self.panels.chunks_exact_mut(depth.max(1));
        for (panel, output) in panels.zip((0..outputs).step_by(PANEL)) {
            let count = (outputs - output).min(PANEL);
            pack_transposed(simd, &self.weights, (output, count), 0, panel);
            if self.rounded {
                round_panel(simd, panel);
            }
        }
    }
}

#[cfg(test)]
mod tests;
