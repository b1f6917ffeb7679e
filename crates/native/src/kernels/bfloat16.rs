//! Products whose operands are rounded to bfloat16.

mod matmul;
mod packed;
#[cfg(test)]
mod tests;
mod tiles;
mod weight_gradient;

use super::packed::PanelRow;
use crate::simd::bfloat16::round_lanes;
use crate::simd::{LANES, Lanes, Simd};
pub(super) use packed::PairPanels;
pub(super) use weight_gradient::add_weight_gradient;

/// Rounds the first `depth` numbers of each row.
#[inline(always)]
pub(super) fn round_rows<S: Simd, const STRIDE: usize>(
    simd: S,
    rows: &mut [[f32; STRIDE]],
    depth: usize,
) {
    for chunk in rows.iter_mut().flat_map(|row| row[..depth].chunks_mut(LANES)) {
        round_lanes(simd, simd.load_chunk(chunk, 0.0)).store_chunk(chunk);
    }
}

/// Rounds all numbers of a panel.
#[inline(always)]
pub(super) fn round_panel<S: Simd>(simd: S, panel: &mut [PanelRow]) {
    for chunk in panel.iter_mut().flat_map(|row| row.0.as_chunks_mut().0) {
        round_lanes(simd, simd.load(chunk)).store(chunk);
    }
}
