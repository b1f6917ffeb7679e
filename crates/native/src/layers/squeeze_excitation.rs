//! `z = activation(sigmoid(s[..C]) * y + s[C..] + residual)` with
//! `s = expand(reduce(mean of y over the squares))`.

use network::SQUARES;

use super::dense::{Dense, DenseTape};
use super::{Gradient, Pass, Source, positions};
use crate::kernels::{
    Activation, MatrixMut, MatrixRef, Save, board_means, excite, multiply_assign,
};
use crate::pool::Buffer;

pub(crate) struct SqueezeExcitation {
    reduce: Dense,
    expand: Dense,
    activation: Activation,
}

pub(crate) struct SqueezeExcitationTape {
    means: Buffer,
    reduce: DenseTape,
    reduced: Buffer,
    /// `[positions][2 C]`: gates behind their sigmoid, then shifts.
    gates: Buffer,
    /// That of the activation.
    derivative: Option<Buffer>,
}

impl SqueezeExcitation {
    pub(crate) fn new(
        layer: &network::SqueezeExcitation,
        activation: Activation,
        source: Source<'_>,
    ) -> Self {
        let (reduce, expand) =
            (Dense::new(&layer.reduce, source), Dense::new(&layer.expand, source));
        Self { reduce, expand, activation }
    }

    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        self.reduce.refresh(source);
        self.expand.refresh(source);
    }

    /// `y` to `z`, both `[positions][64][C]`.
    pub(crate) fn forward_residual(
        &self,
        pass: Pass<'_>,
        y: &[f32],
        residual: &[f32],
    ) -> (Buffer, SqueezeExcitationTape) {
        let (channels, rows) = (self.reduce.inputs, y.len() / self.reduce.inputs);
        let boards = positions(y, channels);
        let mut means = pass.pool.take(boards * channels);
        let matrix = |values| MatrixRef::new(values, rows, channels);
        board_means(pass.set, matrix(y), MatrixMut::new(&mut means, boards, channels));
        let (reduced, reduce) = self.reduce.forward(pass, &means);
        let (mut gates, _) = self.expand.forward(pass, &reduced);
        let mut z = pass.pool.take(y.len());
        let mut derivative = pass.keep.then(|| pass.pool.take(y.len()));
        let save = derivative.as_mut().map_or(Save::Nothing, |derivative| {
            Save::Derivative(MatrixMut::new(derivative, rows, channels))
        });
        excite(
            pass.set,
            matrix(y),
            MatrixMut::new(&mut gates, boards, 2 * channels),
            matrix(residual),
            self.activation,
            save,
            MatrixMut::new(&mut z, rows, channels),
        );
        (z, SqueezeExcitationTape { means, reduce, reduced, gates, derivative })
    }

    /// From `dz` to `dy`; `dz` becomes `dv`, the gradient of the activation's argument, and so that
    /// of the residual.
    ///
    /// With `f = sigmoid(s1)`: `ds1 = f (1 - f) sum dv y`, `ds2 = sum dv` over the squares, and
    /// `dy = f dv + dmean / 64`.
    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        y: &[f32],
        tape: &SqueezeExcitationTape,
        dz: &mut [f32],
        gradient: &mut Gradient<'_>,
    ) -> Buffer {
        let Some(derivative) = &tape.derivative else {
            unreachable!("a backward pass follows a forward pass that keeps")
        };
        multiply_assign(pass.set, dz, derivative);
        let dv = &*dz;
        let channels = self.reduce.inputs;
        let mut dgates = pass.pool.zeros(tape.gates.len());
        let boards = dv.chunks_exact(SQUARES * channels).zip(y.chunks_exact(SQUARES * channels));
        let gates = dgates.chunks_exact_mut(2 * channels);
        for (((dv, y), dgates), gates) in
            boards.zip(gates).zip(tape.gates.chunks_exact(2 * channels))
        {
            let (dfactors, dshifts) = dgates.split_at_mut(channels);
            for (dv, y) in dv.chunks_exact(channels).zip(y.chunks_exact(channels)) {
                for channel in 0..channels {
                    dfactors[channel] += dv[channel] * y[channel];
                    dshifts[channel] += dv[channel];
                }
            }
            for (dfactor, &factor) in dfactors.iter_mut().zip(gates) {
                *dfactor *= factor * (1.0 - factor);
            }
        }
        let mut dreduced =
            self.expand.backward(pass, &tape.reduced, &DenseTape::Nothing, &mut dgates, gradient);
        let dmeans = self.reduce.backward(pass, &tape.means, &tape.reduce, &mut dreduced, gradient);
        let mut dy = pass.pool.take(y.len());
        let boards =
            dy.chunks_exact_mut(SQUARES * channels).zip(dv.chunks_exact(SQUARES * channels));
        let gates = tape.gates.chunks_exact(2 * channels);
        for (((dy, dv), gates), dmeans) in boards.zip(gates).zip(dmeans.chunks_exact(channels)) {
            for (dy, dv) in dy.chunks_exact_mut(channels).zip(dv.chunks_exact(channels)) {
                for channel in 0..channels {
                    dy[channel] = gates[channel] * dv[channel] + dmeans[channel] / SQUARES as f32;
                }
            }
        }
        dy
    }
}
