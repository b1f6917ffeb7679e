//! Post-norm transformer layer: attention and feed-forward, each with residual and normalisation.

use super::attention::{Attention, AttentionTape};
use super::dense::{Dense, DenseTape};
use super::feed_forward::{FeedForwardTape, ResidualFeedForward};
use super::layer_norm::{LayerNorm, LayerNormTape};
use super::{Gradient, Pass, Source, scaled};
use crate::pool::Buffer;

pub(crate) struct Encoder {
    attention: Attention,
    output: Dense,
    norm: LayerNorm,
    residual_scale: f32,
    feed_forward: ResidualFeedForward,
}

pub(crate) struct EncoderTape {
    pub(super) x: Buffer,
    pub(super) attention: AttentionTape,
    joined: Buffer,
    norm: LayerNormTape,
    pub(super) feed_forward: FeedForwardTape,
}

impl Encoder {
    pub(crate) fn new(encoder: &network::Encoder, source: Source<'_>) -> Self {
        Self {
            attention: Attention::new(&encoder.attention, source),
            output: Dense::new(&encoder.attention.output, source),
            norm: LayerNorm::new(&encoder.attention_norm, source),
            residual_scale: encoder.residual_scale,
            feed_forward: ResidualFeedForward::new(&encoder.feed_forward, source),
        }
    }

    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        self.attention.refresh(source);
        self.output.refresh(source);
        self.norm.refresh(source);
        self.feed_forward.refresh(source);
    }

    pub(crate) fn forward(
        &self,
        pass: Pass<'_>,
        x: Buffer,
        generate: Option<&Dense>,
    ) -> (Buffer, EncoderTape) {
        let (joined, attention) = self.attention.forward(pass, &x, generate);
        let sum = self.output.forward_residual(pass, &joined, &x, self.residual_scale);
        let (h, norm) = self.norm.forward(pass, &sum);
        let (y, feed_forward) = self.feed_forward.forward(pass, h);
        (y, EncoderTape { x, attention, joined, norm, feed_forward })
    }

    /// With `s = x + scale * f(x)`: `dx = ds + f'(x)^T (scale * ds)`.
    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        tape: EncoderTape,
        dy: Buffer,
        generate: Option<&Dense>,
        gradient: &mut Gradient<'_>,
    ) -> Buffer {
        let dh = self.feed_forward.backward(pass, tape.feed_forward, dy, gradient);
        let mut dx = self.norm.backward(pass, &tape.norm, &dh, gradient);
        let mut scaled = scaled(pass, &dx, self.residual_scale);
        let djoined =
            self.output.backward(pass, &tape.joined, &DenseTape::Nothing, &mut scaled, gradient);
        let attention = tape.attention;
        self.attention.backward(pass, &tape.x, generate, attention, &djoined, &mut dx, gradient);
        dx
    }
}
