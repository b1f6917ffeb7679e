use super::tiling::Points;
use super::{DEPTH, SIDE, SQUARES, Shape};
use crate::simd::{LANES, Lanes, Simd};

/// `B^T d B` of each tile `d` of boards `x`, sixteen channels at a time. Element `(i, j)` goes to
/// product `N i + j`, whose rows of [`DEPTH`] channels stand in the order (channel / `DEPTH`, board,
/// tile's rank, tile's file).
#[inline(always)]
pub(super) fn transform<S: Simd, P: Points<N, M>, const N: usize, const M: usize>(
    simd: S,
    x: &[f32],
    shape: &Shape,
    v: &mut [f32],
) {
    let channels = shape.inputs;
    let mut row = 0;
    for board in x.chunks_exact(SQUARES * channels) {
        for rank in (0..SIDE).step_by(M) {
            for file in (0..SIDE).step_by(M) {
                for channel in (0..channels).step_by(LANES) {
                    let tile = Tile { board, channels, rank, file, channel };
                    let target = (channel / DEPTH * shape.rows + row) * DEPTH + channel % DEPTH;
                    let mut columns = [[simd.splat(0.0); N]; N];
                    tile.columns::<S, P, N, M>(simd, &mut columns);
                    for (i, &columns) in columns.iter().enumerate() {
                        for (j, lanes) in P::input(simd, columns).iter().enumerate() {
                            let start = (N * i + j) * shape.input_stride + target;
                            let target = v[start..].first_chunk_mut();
                            lanes.store(target.expect("rows are whole lanes"));
                        }
                    }
                }
                row += 1;
            }
        }
    }
}

/// Sixteen channels of the squares on and around a tile.
struct Tile<'a> {
    board: &'a [f32],
    channels: usize,
    /// Of the tile's first square.
    rank: usize,
    file: usize,
    channel: usize,
}

impl Tile<'_> {
    /// `B^T d` into zeros, column by column of `d`.
    #[inline(always)]
    fn columns<S: Simd, P: Points<N, M>, const N: usize, const M: usize>(
        &self,
        simd: S,
        columns: &mut [[S::Lanes; N]; N],
    ) {
        let channels = self.channel..self.channels.min(self.channel + LANES);
        for j in 0..N {
            // Beyond the edge all is zero, and so is its transform.
            let Some(file) = (self.file + j).checked_sub(1).filter(|&file| file < SIDE) else {
                continue;
            };
            let mut d = [simd.splat(0.0); N];
            for (i, d) in d.iter_mut().enumerate() {
                // Only the first and the last can be beyond the edge.
                if (i > 0 || self.rank > 0) && (i < N - 1 || self.rank + M < SIDE) {
                    let square = ((self.rank + i - 1) * SIDE + file) * self.channels;
                    let x = &self.board[square + channels.start..square + channels.end];
                    *d = simd.load_chunk(x, 0.0);
                }
            }
            for (columns, &lanes) in columns.iter_mut().zip(&P::input(simd, d)) {
                columns[j] = lanes;
            }
        }
    }
}
