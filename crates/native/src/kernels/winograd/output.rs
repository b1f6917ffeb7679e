use super::tiling::Points;
use super::{SIDE, SQUARES, Shape};
use crate::kernels::activation::with_function;
use crate::kernels::epilogue::Output;
use crate::simd::{LANES, Simd};

/// `A^T m A` of the elements `m` of each tile, sixteen channels at a time, and through the epilogue
/// to the output, from row `square` on.
#[inline(always)]
pub(super) fn transform<S: Simd, P: Points<N, M>, const N: usize, const M: usize>(
    simd: S,
    sums: &[f32],
    shape: &Shape,
    square: usize,
    output: &mut Output<'_>,
) {
    let (across, tiles) = (SIDE / M, (SIDE / M) * (SIDE / M));
    for row in 0..shape.rows {
        let (board, tile) = (row / tiles, row % tiles);
        let corner = square + board * SQUARES + (tile / across * SIDE + tile % across) * M;
        for channel in (0..shape.outputs).step_by(LANES) {
            let channels = channel..shape.outputs.min(channel + LANES);
            let mut columns = [[simd.splat(0.0); N]; M];
            for j in 0..N {
                let mut m = [simd.splat(0.0); N];
                for (i, m) in m.iter_mut().enumerate() {
                    let start = (N * i + j) * shape.output_stride + row * shape.output_row;
                    let sums = sums[start + channel..].first_chunk();
                    *m = simd.load(sums.expect("rows are whole lanes"));
                }
                for (columns, &lanes) in columns.iter_mut().zip(&P::output(simd, m)) {
                    columns[j] = lanes;
                }
            }
            let mut tile = [[simd.splat(0.0); M]; M];
            for (tile, &columns) in tile.iter_mut().zip(&columns) {
                *tile = P::output(simd, columns);
            }
            with_function!(output.activation(), F => {
                for (i, tile) in tile.iter().enumerate() {
                    for (j, &lanes) in tile.iter().enumerate() {
                        let row = corner + i * SIDE + j;
                        output.finish_chunk::<S, F>(simd, lanes, row, channels.clone());
                    }
                }
            });
        }
    }
}
