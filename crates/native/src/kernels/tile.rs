//! A few rows of a product with one panel, the sums kept in registers.

use super::packed::{PANEL, PanelRow};
use super::{MatrixMut, MatrixRef};
use crate::simd::{LANES, Lanes, Simd};

/// The most rows of a tile on any instruction set.
pub(super) const TILE_ROWS: usize = 14;

/// Rows of the panel that are asked for ahead of their use.
const PREFETCH: usize = 64;

/// The left operand of a tile.
pub(super) trait Left {
    /// Whether there are `rows` rows and `depth` columns.
    fn covers(&self, rows: usize, depth: usize) -> bool;

    /// The element at a row and column.
    ///
    /// # Safety
    ///
    /// The row and the column must be covered.
    unsafe fn get(&self, row: usize, k: usize) -> f32;
}

/// Rows at a distance known to the compiler: all are then reached from one address register.
impl<const STRIDE: usize> Left for [[f32; STRIDE]] {
    #[inline(always)]
    fn covers(&self, rows: usize, depth: usize) -> bool {
        rows <= self.len() && depth <= STRIDE
    }

    #[inline(always)]
    unsafe fn get(&self, row: usize, k: usize) -> f32 {
        // SAFETY: the caller's promise.
        unsafe { *self.get_unchecked(row).get_unchecked(k) }
    }
}

/// The transpose of some rows, from a column on.
pub(super) struct Transposed<'a, const STRIDE: usize> {
    /// The rows.
    pub(super) rows: &'a [[f32; STRIDE]],
    /// The column that is the first row of the transpose.
    pub(super) first: usize,
}

impl<const STRIDE: usize> Left for Transposed<'_, STRIDE> {
    #[inline(always)]
    fn covers(&self, rows: usize, depth: usize) -> bool {
        self.first + rows <= STRIDE && depth <= self.rows.len()
    }

    #[inline(always)]
    unsafe fn get(&self, row: usize, k: usize) -> f32 {
        // SAFETY: the caller's promise.
        unsafe { *self.rows.get_unchecked(k).get_unchecked(self.first + row) }
    }
}

/// Copies `count` rows of `a` from `row` on, in `depth` columns from `k` on, to the start of
/// `block`.
#[inline(always)]
pub(super) fn copy_rows<S: Simd, const STRIDE: usize>(
    simd: S,
    a: &MatrixRef<'_>,
    (row, count): (usize, usize),
    (k, depth): (usize, usize),
    block: &mut [[f32; STRIDE]],
) {
    for (target, row) in block[..count].iter_mut().zip(row..) {
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

/// Cuts rows into tiles of about the same height, as start and height: 64 rows into four times 13
/// and 12 rather than four times 14 and 8.
#[inline(always)]
pub(super) fn tiles<S: Simd>(rows: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = rows.div_ceil(S::TILE_ROWS).max(1);
    let height = rows.div_ceil(count).max(1);
    (0..rows).step_by(height).map(move |row| (row, (rows - row).min(height)))
}

/// Rows of a panel for each row of what is needed next.
pub(super) const AHEAD: usize = 16;

/// What a later product needs, asked for little by little: much at once would hold up what this one
/// waits for.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    row: *const f32,
    stride: usize,
}

impl Ahead {
    /// Rows of [`PANEL`] numbers, each `stride` after the one before. They may end anywhere.
    #[inline(always)]
    pub(super) fn rows(first: *const f32, stride: usize) -> Self {
        Self { row: first, stride }
    }

    #[inline(always)]
    fn fetch<S: Simd>(&mut self, simd: S) {
        simd.prefetch(self.row);
        simd.prefetch(self.row.wrapping_add(LANES));
        self.row = self.row.wrapping_add(self.stride);
    }
}

/// Where sums stand: rows of which each starts `stride` after the one before.
pub(super) struct Sums<'a> {
    /// From the first sum on.
    pub(super) values: &'a mut [f32],
    /// The distance between rows.
    pub(super) stride: usize,
}

impl Sums<'_> {
    /// The part of a row in sixteen columns from `start` on.
    #[inline(always)]
    fn chunk(&mut self, row: usize, start: usize) -> &mut [f32; LANES] {
        let chunk = self.values[row * self.stride + start..].first_chunk_mut();
        chunk.expect("the sums reach to the end of each lane")
    }

    /// Continues `count` rows of `width` sums, filled up to whole lanes, by the products of a left
    /// operand with a panel; starts them from zero if `first`.
    #[inline(always)]
    pub(super) fn multiply_add<S: Simd, A: Left + ?Sized>(
        self,
        simd: S,
        a: &A,
        panel: &[PanelRow],
        shape: (usize, usize),
        first: bool,
    ) {
        let nothing = Ahead::rows(panel.as_ptr().cast(), 0);
        self.multiply_add_before(simd, a, panel, shape, first, nothing);
    }

    /// As [`multiply_add`](Self::multiply_add), and asks for what is needed after it.
    #[inline(always)]
    pub(super) fn multiply_add_before<S: Simd, A: Left + ?Sized>(
        mut self,
        simd: S,
        a: &A,
        panel: &[PanelRow],
        (count, width): (usize, usize),
        first: bool,
        ahead: Ahead,
    ) {
        // One instance for each height, without those that this instruction set does not use.
        macro_rules! dispatch {
            ($lanes:literal, $start:expr, $($height:literal)*) => {
                match count {
                    $($height if $height <= S::TILE_ROWS => {
                        self.fixed::<S, A, $height, $lanes>(simd, a, panel, $start, first, ahead)
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
    fn fixed<S: Simd, A: Left + ?Sized, const R: usize, const C: usize>(
        &mut self,
        simd: S,
        a: &A,
        panel: &[PanelRow],
        start: usize,
        first: bool,
        mut ahead: Ahead,
    ) {
        assert!(a.covers(R, panel.len()) && start + C * LANES <= PANEL);
        let mut sums = [[simd.splat(0.0); C]; R];
        if !first {
            for (r, sums) in sums.iter_mut().enumerate() {
                for (c, sum) in sums.iter_mut().enumerate() {
                    *sum = simd.load(self.chunk(r, start + c * LANES));
                }
            }
        }
        for (part, rows) in panel.chunks(AHEAD).enumerate() {
            ahead.fetch(simd);
            for (k, panel_row) in (part * AHEAD..).zip(rows) {
                let mut b = [simd.splat(0.0); C];
                for (b, chunk) in b.iter_mut().zip(panel_row.0[start..].as_chunks().0) {
                    simd.prefetch(chunk.as_ptr().wrapping_add(PREFETCH * PANEL));
                    *b = simd.load(chunk);
                }
                for (r, sums) in sums.iter_mut().enumerate() {
                    // SAFETY: `covers` holds for all `r < R` and `k < panel.len()`.
                    let x = simd.splat(unsafe { a.get(r, k) });
                    for (sum, b) in sums.iter_mut().zip(b) {
                        *sum = x.mul_add(b, *sum);
                    }
                }
            }
        }
        for (r, sums) in sums.iter().enumerate() {
            for (c, sum) in sums.iter().enumerate() {
                sum.store(self.chunk(r, start + c * LANES));
            }
        }
    }
}

/// Memory for the sums of a tile.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Tile(pub(super) [[f32; PANEL]; TILE_ROWS]);

impl Tile {
    #[inline(always)]
    pub(super) fn zeros() -> Self {
        Self([[0.0; PANEL]; TILE_ROWS])
    }

    /// All of it.
    #[inline(always)]
    pub(super) fn sums(&mut self) -> Sums<'_> {
        Sums { values: self.0.as_flattened_mut(), stride: PANEL }
    }

    /// Reads the sums from a matrix.
    #[inline(always)]
    pub(super) fn load<S: Simd>(
        &mut self,
        simd: S,
        matrix: &mut MatrixMut<'_>,
        (row, count): (usize, usize),
        (column, width): (usize, usize),
    ) {
        for (row, sums) in (row..row + count).zip(&mut self.0) {
            let source = matrix.row_mut(row, column..column + width);
            let (low, high) = source.split_at(width.min(LANES));
            let (sums, _) = sums.as_chunks_mut();
            simd.load_chunk(low, 0.0).store(&mut sums[0]);
            simd.load_chunk(high, 0.0).store(&mut sums[1]);
        }
    }

    /// Writes the sums, times `factor`, to a matrix.
    #[inline(always)]
    pub(super) fn store<S: Simd>(
        &self,
        simd: S,
        factor: f32,
        matrix: &mut MatrixMut<'_>,
        (row, count): (usize, usize),
        (column, width): (usize, usize),
    ) {
        let factor = simd.splat(factor);
        for (row, sums) in (row..row + count).zip(&self.0) {
            let target = matrix.row_mut(row, column..column + width);
            let (low, high) = target.split_at_mut(width.min(LANES));
            let (sums, _) = sums.as_chunks();
            (simd.load(&sums[0]) * factor).store_chunk(low);
            (simd.load(&sums[1]) * factor).store_chunk(high);
        }
    }
}
