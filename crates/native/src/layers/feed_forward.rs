//! `y = norm(x + scale * dense2(dense1(x)))`.

use super::dense::{Dense, DenseTape};
use super::layer_norm::{LayerNorm, LayerNormTape};
use super::{Gradient, Pass, Source, scaled};
use crate::pool::Buffer;

pub(crate) struct ResidualFeedForward {
    dense1: Dense,
    dense2: Dense,
    norm: LayerNorm,
    residual_scale: f32,
}

pub(crate) struct FeedForwardTape {
    pub(super) x: Buffer,
    dense1: DenseTape,
    hidden: Buffer,
    norm: LayerNormTape,
}

impl ResidualFeedForward {
    pub(crate) fn new(block: &network::ResidualFeedForward, source: Source<'_>) -> Self {
        Self {
            dense1: Dense::new(&block.feed_forward.dense1, source),
            dense2: Dense::new(&block.feed_forward.dense2, source),
            norm: LayerNorm::new(&block.norm, source),
            residual_scale: block.residual_scale,
        }
    }

    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        self.dense1.refresh(source);
        self.dense2.refresh(source);
        self.norm.refresh(source);
    }

    pub(crate) fn forward(&self, pass: Pass<'_>, x: Buffer) -> (Buffer, FeedForwardTape) {
        let (hidden, dense1) = self.dense1.forward(pass, &x);
        let sum = self.dense2.forward_residual(pass, &hidden, &x, self.residual_scale);
        let (y, norm) = self.norm.forward(pass, &sum);
        (y, FeedForwardTape { x, dense1, hidden, norm })
    }

    /// With `s = x + scale * f(x)`: `dx = ds + f'(x)^T (scale * ds)`.
    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        tape: FeedForwardTape,
        dy: Buffer,
        gradient: &mut Gradient<'_>,
    ) -> Buffer {
        let mut dx = self.norm.backward(pass, &tape.norm, &dy, gradient);
        let mut scaled = scaled(pass, &dx, self.residual_scale);
        let FeedForwardTape { x, dense1, hidden, .. } = tape;
        let (mut dhidden, dense1) =
            self.dense2.backward_through(pass, &hidden, dense1, &mut scaled, gradient);
        self.dense1.backward_adding(pass, &x, &dense1, &mut dhidden, &mut dx, gradient);
        dx
    }
}
