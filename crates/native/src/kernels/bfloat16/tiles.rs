//! Parts of matrices as tiles of pairs.

use std::cell::RefCell;

use crate::kernels::MatrixRef;
use crate::simd::bfloat16::{PairTile, Pairs};
use crate::simd::{LANES, Lanes, Simd};

/// Rows or columns of an operand that are taken at a time.
pub(super) const BLOCK: usize = 2 * LANES;

/// The tiles of [`BLOCK`] rows of a left operand, or as many columns of a right one, for one part of
/// the inner dimension.
pub(super) type Part = [PairTile; 2];

/// Parts that `depth` numbers of the inner dimension are cut into; at least one, of zeros.
pub(super) fn parts(depth: usize) -> usize {
    depth.div_ceil(2 * LANES).max(1)
}

/// Runs `work` with memory for parts, of arbitrary contents, that is kept for the thread's next
/// product: at their speed, new memory would take as long as a product.
pub(super) fn with_memory<const N: usize>(counts: [usize; N], work: impl FnOnce([&mut [Part]; N])) {
    thread_local! {
        static MEMORY: RefCell<Vec<Part>> = const { RefCell::new(Vec::new()) };
    }
    MEMORY.with_borrow_mut(|memory| {
        let total = counts.iter().sum();
        if memory.len() < total {
            memory.resize(total, [PairTile::ZERO; 2]);
        }
        let mut rest = memory.as_mut_slice();
        work(counts.map(|count| {
            let (part, others) = std::mem::take(&mut rest).split_at_mut(count);
            rest = others;
            part
        }));
    });
}

/// The side of a product on which an operand stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// The direction in a matrix along which the inner dimension of the product runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Inner {
    AlongRows,
    AlongColumns,
}

/// Packs up to [`BLOCK`] lines, of `length` numbers along the inner dimension each, and fills up
/// with zeros: the `count` lines from `start` on, from their `inner`th number on.
#[inline(always)]
pub(super) fn pack<P: Pairs>(
    pairs: P,
    matrix: &MatrixRef<'_>,
    direction: Inner,
    side: Side,
    (start, count): (usize, usize),
    (inner, length): (usize, usize),
    parts: &mut [Part],
) {
    for (index, part) in parts.iter_mut().enumerate() {
        let inner = inner + index * BLOCK;
        let length = length.saturating_sub(index * BLOCK).min(BLOCK);
        for (half, tile) in part.iter_mut().enumerate() {
            let outer = (start + half * LANES, count.saturating_sub(half * LANES).min(LANES));
            if outer.1 == 0 {
                // A left operand may hold anything here: nobody reads the sums of these rows.
                if side == Side::Right {
                    *tile = PairTile::ZERO;
                }
                continue;
            }
            let lines = match direction {
                Inner::AlongRows => along_rows(pairs, matrix, outer, (inner, length)),
                Inner::AlongColumns => along_columns(pairs, matrix, outer, (inner, length)),
            };
            // A row of a left tile is a line of pairs, a row of a right tile is a pair of lines.
            let lines = match (direction, side) {
                (Inner::AlongRows, Side::Left) | (Inner::AlongColumns, Side::Right) => lines,
                _ => Lanes::transpose(lines),
            };
            for (row, lanes) in tile.0.iter_mut().zip(lines) {
                lanes.store(row);
            }
        }
    }
}

/// Row by row, pairs of neighbours in the row.
#[inline(always)]
fn along_rows<P: Pairs>(
    pairs: P,
    matrix: &MatrixRef<'_>,
    (row, count): (usize, usize),
    (column, length): (usize, usize),
) -> [<P::Simd as Simd>::Lanes; LANES] {
    let simd = pairs.simd();
    let mut tile = [simd.splat(0.0); LANES];
    let columns = column..column + length;
    if (count, length) == (LANES, BLOCK) {
        for (index, lanes) in tile.iter_mut().enumerate() {
            let (chunks, _) = matrix.row(row + index, columns.clone()).as_chunks();
            *lanes = pairs.join(simd.load(&chunks[0]), simd.load(&chunks[1]));
        }
    } else {
        for (lanes, row) in tile[..count].iter_mut().zip(row..) {
            let (first, second) = matrix.row(row, columns.clone()).split_at(length.min(LANES));
            *lanes = pairs.join(simd.load_chunk(first, 0.0), simd.load_chunk(second, 0.0));
        }
    }
    tile
}

/// Two rows by two rows, pairs of one number above the other.
#[inline(always)]
fn along_columns<P: Pairs>(
    pairs: P,
    matrix: &MatrixRef<'_>,
    (column, count): (usize, usize),
    (row, length): (usize, usize),
) -> [<P::Simd as Simd>::Lanes; LANES] {
    let simd = pairs.simd();
    let mut tile = [simd.splat(0.0); LANES];
    let columns = column..column + count;
    if (count, length) == (LANES, BLOCK) {
        let load = |row: usize| {
            let (chunks, _) = matrix.row(row, columns.clone()).as_chunks();
            simd.load(&chunks[0])
        };
        for (index, lanes) in tile.iter_mut().enumerate() {
            *lanes = pairs.interleave(load(row + 2 * index), load(row + 2 * index + 1));
        }
    } else {
        let load = |index: usize| match index < length {
            true => simd.load_chunk(matrix.row(row + index, columns.clone()), 0.0),
            false => simd.splat(0.0),
        };
        for (index, lanes) in tile.iter_mut().enumerate() {
            *lanes = pairs.interleave(load(2 * index), load(2 * index + 1));
        }
    }
    tile
}
