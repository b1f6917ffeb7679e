//! Attention among the 64 squares of a board, one head at a time.

use std::cell::RefCell;

use super::packed::{PANEL, PanelRow, pack_rows, pack_transposed};
use super::tile::{self, TILE_ROWS, Tile, Transposed};
use super::{InstructionSet, MatrixMut, MatrixRef};
use crate::simd::math::exp;
use crate::simd::{Kernel, LANES, Lanes, Simd};

#[cfg(test)]
mod tests;

/// The number of tokens: squares of the board.
pub const TOKENS: usize = 64;

/// Where a head's queries, keys and values stand in a buffer that holds those of one position, and
/// in the buffer of their gradients.
///
/// With one product for all three the rows are `[queries, keys, values]`; three buffers of
/// `[64 x width]` one after another do as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadLayout {
    /// The index of the first square's query.
    pub query: usize,
    /// The index of the first square's key.
    pub key: usize,
    /// The index of the first square's value.
    pub value: usize,
    /// The distance from one square's to the next one's.
    pub stride: usize,
    /// The length of queries, keys and values.
    pub depth: usize,
}

impl HeadLayout {
    #[inline(always)]
    fn view<'a>(&self, buffer: &'a [f32], start: usize) -> MatrixRef<'a> {
        MatrixRef::strided(&buffer[start..], TOKENS, self.depth, self.stride)
    }

    #[inline(always)]
    fn view_mut<'a>(&self, buffer: &'a mut [f32], start: usize) -> MatrixMut<'a> {
        MatrixMut::strided(&mut buffer[start..], TOKENS, self.depth, self.stride)
    }
}

/// Whether the scores get a bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreBias {
    /// None; what the buffer of probabilities holds before is ignored.
    None,
    /// The buffer of probabilities holds the bias `[64 queries x 64 keys]`.
    InPlace,
}

/// `probabilities = softmax over keys (scale q k^T + bias)` and `out = probabilities v`
/// (LC0_FORMAT section 5, encoder layer, steps 2 to 4).
///
/// `probabilities` are `[64 queries x 64 keys]`, `out` is `[64 x depth]`.
///
/// # Panics
///
/// If the buffers do not hold what the layout says.
pub fn attention(
    set: InstructionSet,
    qkv: &[f32],
    layout: HeadLayout,
    scale: f32,
    bias: ScoreBias,
    probabilities: &mut [f32; TOKENS * TOKENS],
    out: MatrixMut<'_>,
) {
    assert_eq!((out.rows(), out.columns()), (TOKENS, layout.depth), "output");
    let query = layout.view(qkv, layout.query);
    let key = layout.view(qkv, layout.key);
    let value = layout.view(qkv, layout.value);
    let (probabilities, _) = probabilities.as_chunks_mut();
    SCRATCH.with_borrow_mut(|scratch| {
        set.run(Forward { query, key, value, scale, bias, probabilities, out, scratch });
    });
}

/// The backward pass of [`attention`]: writes the gradients of queries, keys and values to
/// `gradients`, in the layout of `qkv`, and replaces the probabilities by the gradient of the
/// bias.
///
/// # Panics
///
/// If the buffers do not hold what the layout says.
pub fn attention_backward(
    set: InstructionSet,
    qkv: &[f32],
    layout: HeadLayout,
    scale: f32,
    probabilities: &mut [f32; TOKENS * TOKENS],
    out_gradient: MatrixRef<'_>,
    gradients: &mut [f32],
) {
    let shape = (out_gradient.rows(), out_gradient.columns());
    assert_eq!(shape, (TOKENS, layout.depth), "gradient of the output");
    let query = layout.view(qkv, layout.query);
    let key = layout.view(qkv, layout.key);
    let value = layout.view(qkv, layout.value);
    let (probabilities, _) = probabilities.as_chunks_mut();
    SCRATCH.with_borrow_mut(|scratch| {
        let forward = (query, key, value);
        set.run(Backward {
            forward,
            scale,
            probabilities,
            out_gradient,
            layout,
            gradients,
            scratch,
        });
    });
}

/// Depth that is packed at a time.
const DEPTH: usize = 64;

/// Rows of a left operand, a cache line more than a power of two apart.
const STRIDE: usize = DEPTH + LANES;

/// Panels of keys.
const KEY_PANELS: usize = TOKENS / PANEL;

/// Memory for the products of all rows with all keys.
struct Scores {
    keys: [[PanelRow; DEPTH]; KEY_PANELS],
    left: [[f32; STRIDE]; TILE_ROWS],
    sums: [Tile; KEY_PANELS],
}

/// Memory for a pass over one head.
struct Scratch {
    scores: Scores,
    panel: [PanelRow; TOKENS],
    sums: Tile,
}

thread_local! {
    /// Kept for the thread's next head: clearing it would take as long as a part of one.
    static SCRATCH: RefCell<Box<Scratch>> = RefCell::new(Box::new(Scratch {
        scores: Scores {
            keys: [[PanelRow([0.0; PANEL]); DEPTH]; KEY_PANELS],
            left: [[0.0; STRIDE]; TILE_ROWS],
            sums: [Tile::zeros(); KEY_PANELS],
        },
        panel: [PanelRow([0.0; PANEL]); TOKENS],
        sums: Tile::zeros(),
    }));
}

impl Scores {
    /// Packs a block of the columns of the right operand.
    #[inline(always)]
    fn pack<S: Simd>(&mut self, simd: S, right: &MatrixRef<'_>, (k, length): (usize, usize)) {
        for (panel, keys) in self.keys.iter_mut().enumerate() {
            pack_transposed(simd, right, (panel * PANEL, PANEL), k, &mut keys[..length]);
        }
    }

    /// Sets the sums to the products of some rows on the left with all rows on the right.
    #[inline(always)]
    fn multiply<S: Simd>(
        &mut self,
        simd: S,
        left: &MatrixRef<'_>,
        right: &MatrixRef<'_>,
        (row, count): (usize, usize),
    ) {
        let depth = left.columns();
        for k in (0..depth.max(1)).step_by(DEPTH) {
            let length = (depth - k).min(DEPTH);
            // Heads of up to `DEPTH` are packed once, with the first rows.
            if row == 0 || depth > DEPTH {
                self.pack(simd, right, (k, length));
            }
            tile::copy_rows(simd, left, (row, count), (k, length), &mut self.left);
            for (keys, sums) in self.keys.iter().zip(&mut self.sums) {
                let left = self.left.as_slice();
                sums.sums().multiply_add(simd, left, &keys[..length], (count, PANEL), k == 0);
            }
        }
    }

    /// A row of the sums, in lanes.
    #[inline(always)]
    fn row<S: Simd>(&self, simd: S, row: usize) -> [S::Lanes; TOKENS / LANES] {
        let mut lanes = [simd.splat(0.0); TOKENS / LANES];
        let chunks = self.sums.iter().flat_map(|sums| sums.0[row].as_chunks().0);
        for (lanes, chunk) in lanes.iter_mut().zip(chunks) {
            *lanes = simd.load(chunk);
        }
        lanes
    }
}

struct Forward<'a> {
    query: MatrixRef<'a>,
    key: MatrixRef<'a>,
    value: MatrixRef<'a>,
    scale: f32,
    bias: ScoreBias,
    probabilities: &'a mut [[f32; TOKENS]],
    out: MatrixMut<'a>,
    scratch: &'a mut Scratch,
}

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let scale = simd.splat(self.scale);
        let scores = &mut self.scratch.scores;
        for (start, count) in tile::tiles::<S>(TOKENS) {
            scores.multiply(simd, &self.query, &self.key, (start, count));
            for row in 0..count {
                let mut lanes = scores.row(simd, row);
                let (chunks, _) = self.probabilities[start + row].as_chunks_mut::<LANES>();
                for (lanes, bias) in lanes.iter_mut().zip(&*chunks) {
                    *lanes = match self.bias {
                        ScoreBias::None => *lanes * scale,
                        ScoreBias::InPlace => lanes.mul_add(scale, simd.load(bias)),
                    };
                }
                let [a, b, c, d] = lanes;
                let largest = simd.splat(a.max(b).max(c.max(d)).largest());
                for lanes in &mut lanes {
                    *lanes = exp(simd, *lanes - largest);
                }
                let [a, b, c, d] = lanes;
                let factor = simd.splat(1.0 / ((a + b) + (c + d)).sum());
                for (lanes, chunk) in lanes.iter().zip(chunks) {
                    (*lanes * factor).store(chunk);
                }
            }
        }
        let sums = WeightedSums::of(self.scratch);
        sums.plain(simd, self.probabilities, &self.value, 1.0, &mut self.out);
    }
}

struct Backward<'a> {
    /// Queries, keys and values.
    forward: (MatrixRef<'a>, MatrixRef<'a>, MatrixRef<'a>),
    scale: f32,
    probabilities: &'a mut [[f32; TOKENS]],
    out_gradient: MatrixRef<'a>,
    layout: HeadLayout,
    gradients: &'a mut [f32],
    scratch: &'a mut Scratch,
}

impl Kernel for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { probabilities, layout, gradients, scale, scratch, .. } = self;
        let (query, key, value) = self.forward;
        let mut target = layout.view_mut(gradients, layout.value);
        let sums = WeightedSums::of(scratch);
        sums.transposed(simd, probabilities, &self.out_gradient, 1.0, &mut target);
        // The scores of the gradients with the values are the gradients of the probabilities.
        let scores = &mut scratch.scores;
        for (start, count) in tile::tiles::<S>(TOKENS) {
            scores.multiply(simd, &self.out_gradient, &value, (start, count));
            for row in 0..count {
                let lanes = scores.row(simd, row);
                let (chunks, _) = probabilities[start + row].as_chunks_mut::<LANES>();
                let mut sum = simd.splat(0.0);
                for (lanes, p) in lanes.iter().zip(&*chunks) {
                    sum = simd.load(p).mul_add(*lanes, sum);
                }
                let sum = simd.splat(sum.sum());
                for (lanes, p) in lanes.iter().zip(chunks) {
                    (simd.load(p) * (*lanes - sum)).store(p);
                }
            }
        }
        let mut target = layout.view_mut(gradients, layout.query);
        WeightedSums::of(scratch).plain(simd, probabilities, &key, scale, &mut target);
        let mut target = layout.view_mut(gradients, layout.key);
        WeightedSums::of(scratch).transposed(simd, probabilities, &query, scale, &mut target);
    }
}

/// Sums of rows with the weights of a head.
struct WeightedSums<'a> {
    panel: &'a mut [PanelRow; TOKENS],
    sums: &'a mut Tile,
}

impl<'a> WeightedSums<'a> {
    #[inline(always)]
    fn of(scratch: &'a mut Scratch) -> Self {
        Self { panel: &mut scratch.panel, sums: &mut scratch.sums }
    }

    /// `out = scale weights rows`
    #[inline(always)]
    fn plain<S: Simd>(
        self,
        simd: S,
        weights: &[[f32; TOKENS]],
        rows: &MatrixRef<'_>,
        scale: f32,
        out: &mut MatrixMut<'_>,
    ) {
        let Self { panel, sums } = self;
        for column in (0..rows.columns()).step_by(PANEL) {
            let width = (rows.columns() - column).min(PANEL);
            pack_rows(simd, rows, 0, (column, width), panel);
            for (row, count) in tile::tiles::<S>(TOKENS) {
                sums.sums().multiply_add(simd, &weights[row..], panel, (count, width), true);
                sums.store(simd, scale, out, (row, count), (column, width));
            }
        }
    }

    /// `out = scale weights^T rows`
    #[inline(always)]
    fn transposed<S: Simd>(
        self,
        simd: S,
        weights: &[[f32; TOKENS]],
        rows: &MatrixRef<'_>,
        scale: f32,
        out: &mut MatrixMut<'_>,
    ) {
        let Self { panel, sums } = self;
        for column in (0..rows.columns()).step_by(PANEL) {
            let width = (rows.columns() - column).min(PANEL);
            pack_rows(simd, rows, 0, (column, width), panel);
            for (row, count) in tile::tiles::<S>(TOKENS) {
                let left = Transposed { rows: weights, first: row };
                sums.sums().multiply_add(simd, &left, panel, (count, width), true);
                sums.store(simd, scale, out, (row, count), (column, width));
            }
        }
    }
}
