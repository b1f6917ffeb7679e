//! `z = sigmoid(s[..C]) * y + s[C..]` with `s = expand(reduce(mean of y over the squares))`.

use network::SQUARES;

use super::dense::{Dense, DenseTape};
use super::{Gradient, Pass, Source, positions};
use crate::kernels::{Activation, activate};
use crate::pool::Buffer;

pub(crate) struct SqueezeExcitation {
    reduce: Dense,
    expand: Dense,
}

pub(crate) struct SqueezeExcitationTape {
    means: Buffer,
    reduce: DenseTape,
    reduced: Buffer,
    /// `[positions][2 C]`: gates behind their sigmoid, then shifts.
    gates: Buffer,
}

impl SqueezeExcitation {
    pub(crate) fn new(layer: &network::SqueezeExcitation, source: Source<'_>) -> Self {
        let (reduce, expand) =
            (Dense::new(&layer.reduce, source), Dense::new(&layer.expand, source));
        Self { reduce, expand }
    }

    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        self.reduce.refresh(source);
        self.expand.refresh(source);
    }

    /// `y` to `z`, both `[positions][64][C]`, adding `residual`.
    pub(crate) fn forward_residual(
        &self,
        pass: Pass<'_>,
        y: &[f32],
        residual: &[f32],
    ) -> (Buffer, SqueezeExcitationTape) {
        let channels = self.reduce.inputs;
        let mut means = pass.pool.zeros(positions(y, channels) * channels);
        for (mean, board) in
            means.chunks_exact_mut(channels).zip(y.chunks_exact(SQUARES * channels))
        {
            for square in board.chunks_exact(channels) {
                mean.iter_mut().zip(square).for_each(|(mean, value)| *mean += value);
            }
            mean.iter_mut().for_each(|mean| *mean /= SQUARES as f32);
        }
        let (reduced, reduce) = self.reduce.forward(pass, &means);
        let (mut gates, _) = self.expand.forward(pass, &reduced);
        let mut z = pass.pool.take(y.len());
        let boards = z.chunks_exact_mut(SQUARES * channels).zip(y.chunks_exact(SQUARES * channels));
        let boards = boards.zip(residual.chunks_exact(SQUARES * channels));
        for (((z, y), residual), gates) in boards.zip(gates.chunks_exact_mut(2 * channels)) {
            let (factors, shifts) = gates.split_at_mut(channels);
            activate(pass.set, Activation::Sigmoid, factors);
            let squares = z.chunks_exact_mut(channels).zip(y.chunks_exact(channels));
            for ((z, y), residual) in squares.zip(residual.chunks_exact(channels)) {
                for channel in 0..channels {
                    z[channel] =
                        factors[channel] * y[channel] + shifts[channel] + residual[channel];
                }
            }
        }
        (z, SqueezeExcitationTape { means, reduce, reduced, gates })
    }

    /// From `dz` to `dy`.
    ///
    /// With `f = sigmoid(s1)`: `ds1 = f (1 - f) sum dz y`, `ds2 = sum dz` over the squares, and
    /// `dy = f dz + dmean / 64`.
    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        y: &[f32],
        tape: &SqueezeExcitationTape,
        dz: &[f32],
        gradient: &mut Gradient<'_>,
    ) -> Buffer {
        let channels = self.reduce.inputs;
        let mut dgates = pass.pool.zeros(tape.gates.len());
        let boards = dz.chunks_exact(SQUARES * channels).zip(y.chunks_exact(SQUARES * channels));
        let gates = dgates.chunks_exact_mut(2 * channels);
        for (((dz, y), dgates), gates) in
            boards.zip(gates).zip(tape.gates.chunks_exact(2 * channels))
        {
            let (dfactors, dshifts) = dgates.split_at_mut(channels);
            for (dz, y) in dz.chunks_exact(channels).zip(y.chunks_exact(channels)) {
                for channel in 0..channels {
                    dfactors[channel] += dz[channel] * y[channel];
                    dshifts[channel] += dz[channel];
                }
            }
            for (dfactor, &factor) in dfactors.iter_mut().zip(gates) {
                *dfactor *= factor * (1.0 - factor);
            }
        }
        let mut dreduced =
            self.expand.backward(pass, &tape.reduced, &DenseTape::NONE, &mut dgates, gradient);
        let dmeans = self.reduce.backward(pass, &tape.means, &tape.reduce, &mut dreduced, gradient);
        let mut dy = pass.pool.take(y.len());
        let boards =
            dy.chunks_exact_mut(SQUARES * channels).zip(dz.chunks_exact(SQUARES * channels));
        let gates = tape.gates.chunks_exact(2 * channels);
        for (((dy, dz), gates), dmeans) in boards.zip(gates).zip(dmeans.chunks_exact(channels)) {
            for (dy, dz) in dy.chunks_exact_mut(channels).zip(dz.chunks_exact(channels)) {
                for channel in 0..channels {
                    dy[channel] = gates[channel] * dz[channel] + dmeans[channel] / SQUARES as f32;
                }
            }
        }
        dy
    }
}
