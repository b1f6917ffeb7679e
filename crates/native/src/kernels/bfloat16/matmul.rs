use super::packed::PairPanels;
use super::tiles::{BLOCK, Inner, Part, Side, pack, parts, with_memory};
use crate::kernels::MatrixRef;
use crate::kernels::epilogue::Output;
use crate::simd::bfloat16::{PairKernel, PairSums, Pairs};

impl PairPanels {
    /// As [`matmul`](crate::kernels::matmul), which has compared the shapes.
    pub(in crate::kernels) fn matmul(&self, a: MatrixRef<'_>, columns: usize, output: Output<'_>) {
        with_memory([parts(a.columns())], |[left]| {
            self.unit.run(PairMatmul { a, left, right: &self.parts, columns, output });
        });
    }
}

struct PairMatmul<'a> {
    a: MatrixRef<'a>,
    left: &'a mut [Part],
    right: &'a [Part],
    columns: usize,
    output: Output<'a>,
}

/// Sums of a block of rows with a panel.
#[repr(C, align(64))]
struct Sums([[f32; BLOCK]; BLOCK]);

impl PairKernel for PairMatmul<'_> {
    #[inline(always)]
    fn run<P: Pairs>(self, pairs: P) {
        let Self { a, left, right, columns, mut output } = self;
        let mut sums = Sums([[0.0; BLOCK]; BLOCK]);
        for row in (0..a.rows()).step_by(BLOCK) {
            let count = (a.rows() - row).min(BLOCK);
            let (rows, depth) = ((row, count), (0, a.columns()));
            pack(pairs, &a, Inner::AlongRows, Side::Left, rows, depth, left);
            let panels = right.chunks_exact(left.len());
            for (column, panel) in (0..columns).step_by(BLOCK).zip(panels) {
                let target = PairSums { values: sums.0.as_flattened_mut(), stride: BLOCK };
                pairs.multiply_add(left, panel, count, target, true);
                let width = (columns - column).min(BLOCK);
                output.finish(pairs.simd(), &sums.0[..count], row, (column, width));
            }
        }
    }
}
