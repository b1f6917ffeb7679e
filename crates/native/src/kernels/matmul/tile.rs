//! A few rows of a product with one panel, the sums kept in registers.

use super::MatrixRef;
use crate::kernels::packed::{PANEL, PanelRow};
use crate::simd::{LANES, Lanes, Simd};

/// The most rows of a tile on any instruction set.
pub(super) const TILE_ROWS: usize = 14;

/// The most elements of the inner dimension between two stops of the sums in memory.
pub(super) const DEPTH: usize = 512;

/// Rows of the panel that are asked for ahead of their use.
const PREFETCH: usize = 8;

/// One cache line more than a power of two, so that the rows do not compete for the same places in
/// the first-level cache.
const STRIDE: usize = DEPTH + LANES;

/// A block of the left operand at a distance between rows that is known to the compiler: all rows
/// are then reached from one address register.
#[repr(C, align(64))]
pub(super) struct LeftBlock([[f32; STRIDE]; TILE_ROWS]);

impl LeftBlock {
    #[inline(always)]
    pub(super) fn zeros() -> Self {
        Self([[0.0; STRIDE]; TILE_ROWS])
    }

    /// Copies `count` rows from `row` on, `depth` columns from `k` on.
    #[inline(always)]
    pub(super) fn fill<S: Simd>(
        &mut self,
        simd: S,
        a: MatrixRef<'_>,
        (row, count): (usize, usize),
        (k, depth): (usize, usize),
    ) {
        for (target, row) in self.0[..count].iter_mut().zip(row..) {
            let (chunks, rest) = a.row(row, k..k + depth).as_chunks::<LANES>();
            let (targets, target_rest) = target[..depth].as_chunks_mut::<LANES>();
            for (target, chunk) in targets.iter_mut().zip(chunks) {
                simd.load(chunk).store(target);
            }
            if !rest.is_empty() {
                simd.load_first(rest, 0.0).store_first(target_rest);
            }
        }
    }
}

/// Sums of a tile.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Tile(pub(super) [[f32; PANEL]; TILE_ROWS]);

impl Tile {
    #[inline(always)]
    pub(super) fn zeros() -> Self {
        Self([[0.0; PANEL]; TILE_ROWS])
    }

    /// Continues the sums of the first `count` rows and `width` columns by the products of a block
    /// of the left operand with as many rows of a panel; starts them from zero if `first`.
    #[inline(always)]
    pub(super) fn multiply_add<S: Simd>(
        &mut self,
        simd: S,
        a: &LeftBlock,
        panel: &[PanelRow],
        (count, width): (usize, usize),
        first: bool,
    ) {
        // One instance for each height, without those that this instruction set does not use.
        macro_rules! dispatch {
            ($lanes:literal, $start:expr, $($height:literal)*) => {
                match count {
                    $($height if $height <= S::TILE_ROWS => {
                        self.fixed::<S, $height, $lanes>(simd, a, panel, $start, first)
                    })*
                    _ => unreachable!("a tile of {count} rows"),
                }
            };
        }
        if S::TILE_LANES == 2 && width > LANES {
            dispatch!(2, 0, 1 2 3 4 5 6 7 8 9 10 11 12 13 14);
        } else {
            for start in (0..width).step_by(LANES) {
                dispatch!(1, start, 1 2 3 4 5 6 7 8 9 10 11 12 13 14);
            }
        }
    }

    /// `R` rows and `16 C` columns from `start` on.
    #[inline(always)]
    fn fixed<S: Simd, const R: usize, const C: usize>(
        &mut self,
        simd: S,
        a: &LeftBlock,
        panel: &[PanelRow],
        start: usize,
        first: bool,
    ) {
        assert!(R <= TILE_ROWS && panel.len() <= STRIDE && start + C * LANES <= PANEL);
        let mut sums = [[simd.splat(0.0); C]; R];
        if !first {
            for (sums, row) in sums.iter_mut().zip(&self.0) {
                for (sum, chunk) in sums.iter_mut().zip(row[start..].as_chunks().0) {
                    *sum = simd.load(chunk);
                }
            }
        }
        for (k, panel_row) in panel.iter().enumerate() {
            let mut b = [simd.splat(0.0); C];
            for (b, chunk) in b.iter_mut().zip(panel_row.0[start..].as_chunks().0) {
                simd.prefetch(chunk.as_ptr().wrapping_add(PREFETCH * PANEL));
                *b = simd.load(chunk);
            }
            for (sums, row) in sums.iter_mut().zip(&a.0) {
                // SAFETY: `k < panel.len() <= STRIDE`, the length of the row.
                let x = simd.splat(unsafe { *row.get_unchecked(k) });
                for (sum, b) in sums.iter_mut().zip(b) {
                    *sum = x.mul_add(b, *sum);
                }
            }
        }
        for (sums, row) in sums.iter().zip(&mut self.0) {
            for (sum, chunk) in sums.iter().zip(row[start..].as_chunks_mut().0) {
                sum.store(chunk);
            }
        }
    }
}
