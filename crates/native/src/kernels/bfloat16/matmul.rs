use super::packed::PairPanels;
use super::tiles::{BLOCK, Inner, Part, Side, pack, parts, with_memory};
use crate::kernels::MatrixRef;
use crate::kernels::epilogue::Output;
use crate::simd::bfloat16::{PairKernel, PairSums, Pairs};

/// Parts of the left operand that meet a panel one after another, where its depth leaves room for
/// more than one block of rows: 32 kB, so that they stay in the first-level cache, and the panel is
/// fetched into it once for all of them.
const GROUP: usize = 16;

impl PairPanels {
    /// As [`matmul`](crate::kernels::matmul), which has compared the shapes.
    pub(in crate::kernels) fn matmul(&self, a: MatrixRef<'_>, columns: usize, output: Output<'_>) {
        let depth = parts(a.columns());
        let blocks = (GROUP / depth).clamp(1, a.rows().div_ceil(BLOCK).max(1));
        with_memory([blocks * depth], |[left]| {
            self.unit.run(PairMatmul { a, left, right: &self.parts, columns, output });
        });
    }
}

struct PairMatmul<'a> {
    a: MatrixRef<'a>,
    /// Memory for one or more blocks of rows.
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
        let (rows, depth) = (a.rows(), parts(a.columns()));
        let group = left.len() / depth * BLOCK;
        let mut sums = Sums([[0.0; BLOCK]; BLOCK]);
        for start in (0..rows).step_by(group) {
            let blocks = (start..rows.min(start + group)).step_by(BLOCK);
            let blocks = blocks.map(|row| (row, (rows - row).min(BLOCK)));
            for (block, left) in blocks.clone().zip(left.chunks_exact_mut(depth)) {
                pack(pairs, &a, Inner::AlongRows, Side::Left, block, (0, a.columns()), left);
            }
            for (column, panel) in (0..columns).step_by(BLOCK).zip(right.chunks_exact(depth)) {
                let width = (columns - column).min(BLOCK);
                for ((row, count), left) in blocks.clone().zip(left.chunks_exact(depth)) {
                    let target = PairSums { values: sums.0.as_flattened_mut(), stride: BLOCK };
                    pairs.multiply_add(left, panel, count, target, true);
                    output.finish(pairs.simd(), &sums.0[..count], row, (column, width));
                }
            }
        }
    }
}
