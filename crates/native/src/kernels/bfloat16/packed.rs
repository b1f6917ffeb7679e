use super::tiles::{BLOCK, Inner, Part, Side, pack, parts};
use crate::kernels::MatrixRef;
use crate::simd::bfloat16::{PairKernel, PairTile, PairUnit, Pairs};

/// The right operand of a product in pairs: panels of 32 columns, the last one filled up with
/// zeros, each as parts of 32 rows one after another.
#[derive(Clone, Debug)]
pub(in crate::kernels) struct PairPanels {
    pub(super) unit: PairUnit,
    pub(super) parts: Vec<Part>,
}

impl PairPanels {
    pub(in crate::kernels) fn zeros(unit: PairUnit, depth: usize, columns: usize) -> Self {
        let count = columns.div_ceil(BLOCK) * parts(depth);
        Self { unit, parts: vec![[PairTile::ZERO; 2]; count] }
    }

    /// Packs the matrix itself.
    pub(in crate::kernels) fn pack_rows(&mut self, rows: MatrixRef<'_>) {
        let direction = Inner::AlongColumns;
        let (depth, columns) = (rows.rows(), rows.columns());
        self.unit.run(Pack { matrix: rows, direction, depth, columns, parts: &mut self.parts });
    }

    /// Packs the transpose of weights `[outputs x inputs]`.
    pub(in crate::kernels) fn pack_output_input(&mut self, weights: MatrixRef<'_>) {
        let direction = Inner::AlongRows;
        let (columns, depth) = (weights.rows(), weights.columns());
        self.unit.run(Pack { matrix: weights, direction, depth, columns, parts: &mut self.parts });
    }
}

struct Pack<'a> {
    matrix: MatrixRef<'a>,
    direction: Inner,
    depth: usize,
    columns: usize,
    parts: &'a mut [Part],
}

impl PairKernel for Pack<'_> {
    #[inline(always)]
    fn run<P: Pairs>(self, pairs: P) {
        let Self { matrix, direction, depth, columns, parts: all } = self;
        for (column, panel) in (0..columns).step_by(BLOCK).zip(all.chunks_exact_mut(parts(depth))) {
            let lines = (column, (columns - column).min(BLOCK));
            // One instance for each direction.
            match direction {
                Inner::AlongRows => {
                    pack(pairs, &matrix, Inner::AlongRows, Side::Right, lines, (0, depth), panel);
                }
                Inner::AlongColumns => {
                    pack(
                        pairs,
                        &matrix,
                        Inner::AlongColumns,
                        Side::Right,
                        lines,
                        (0, depth),
                        panel,
                    );
                }
            }
        }
    }
}
