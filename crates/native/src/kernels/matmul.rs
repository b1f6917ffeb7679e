use std::cell::RefCell;

use super::bfloat16::round_rows;
use super::epilogue::{Epilogue, Output};
use super::packed::{PANEL, PackedMatrix, PanelRow, Panels};
use super::tile::{self, AHEAD, Ahead, TILE_ROWS, Tile};
use super::{InstructionSet, MatrixMut, MatrixRef};
use crate::simd::{Kernel, LANES, Simd};

#[cfg(test)]
mod tests;

/// `out = epilogue(a b)` for rows `a [m x k]`, `b [k x n]` and `out [m x n]`.
///
/// Each element of the product of `f32` is a chain of fused multiply-adds over `k` in ascending
/// order. Where `b` is packed for bfloat16, `a` is rounded likewise.
///
/// # Panics
///
/// If shapes do not match.
pub fn matmul(
    set: InstructionSet,
    a: MatrixRef<'_>,
    b: &PackedMatrix,
    out: MatrixMut<'_>,
    epilogue: Epilogue<'_>,
) {
    assert_eq!(a.columns(), b.depth(), "inner dimension");
    let output = Output::new((a.rows(), b.columns()), out, epilogue);
    let (panels, rounded) = match b.panels() {
        Panels::Exact(panels) => (panels, false),
        Panels::Rounded(panels) => (panels, true),
        Panels::Pairs(panels) => return panels.matmul(a, b.columns(), output),
    };
    let columns = b.columns();
    SCRATCH.with_borrow_mut(|scratch| {
        set.run(Matmul { a, panels, columns, rounded, output, scratch });
    });
}

/// Panels that a block of the left operand passes before the next block is copied.
const GROUP: usize = 8;

/// The most elements of the inner dimension between two stops of the sums in memory.
const DEPTH: usize = 512;

/// The distance of the left operand's rows in the block: a cache line more than a power of two, so
/// that the rows do not compete for the same places in the first-level cache.
const STRIDE: usize = DEPTH + LANES;

/// Memory for a block of the left operand and the sums with a group of panels.
struct Scratch {
    left: [[f32; STRIDE]; TILE_ROWS],
    sums: [Tile; GROUP],
}

thread_local! {
    /// Kept for the thread's next product: clearing it would take as long as a small one.
    static SCRATCH: RefCell<Box<Scratch>> = RefCell::new(Box::new(Scratch {
        left: [[0.0; STRIDE]; TILE_ROWS],
        sums: [Tile::zeros(); GROUP],
    }));
}

struct Matmul<'a> {
    a: MatrixRef<'a>,
    panels: &'a [PanelRow],
    columns: usize,
    /// Whether the left operand is rounded to bfloat16, as the right one is.
    rounded: bool,
    output: Output<'a>,
    scratch: &'a mut Scratch,
}

impl Kernel for Matmul<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let (rows, depth, columns) = (self.a.rows(), self.a.columns(), self.columns);
        let Scratch { left, sums } = self.scratch;
        let panels = columns.div_ceil(PANEL);
        let width = |panel: usize| (columns - panel * PANEL).min(PANEL);
        for group in (0..panels).step_by(GROUP) {
            let group = group..(group + GROUP).min(panels);
            let next = &self.panels[group.end * depth..];
            let mut asked = 0;
            for (row, count) in tile::tiles::<S>(rows) {
                for k in (0..depth.max(1)).step_by(DEPTH) {
                    let length = (depth - k).min(DEPTH);
                    tile::copy_rows(simd, &self.a, (row, count), (k, length), left);
                    if self.rounded {
                        round_rows(simd, &mut left[..count], length);
                    }
                    for (panel, sums) in group.clone().zip(&mut *sums) {
                        let rows = &self.panels[panel * depth..][k..k + length];
                        let ahead = next.get(asked..).unwrap_or(rows).as_ptr().cast();
                        asked += length.div_ceil(AHEAD);
                        sums.sums().multiply_add_before(
                            simd,
                            left.as_slice(),
                            rows,
                            (count, width(panel)),
                            k == 0,
                            Ahead::rows(ahead, PANEL),
                        );
                        if k + length == depth {
                            let columns = (panel * PANEL, width(panel));
                            self.output.finish(simd, &sums.0[..count], row, columns);
                        }
                    }
                }
            }
        }
    }
}
