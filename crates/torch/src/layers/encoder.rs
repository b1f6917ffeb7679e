//! Post-norm transformer layers (LC0_FORMAT section 5, encoder).

use network::{Attention, Encoder, ResidualFeedForward, Smolgen};
use tch::{Kind, Tensor};

use super::dense::residual;
use super::{BOARD, Pass};

impl Pass<'_> {
    pub(super) fn encoder(&self, encoder: &Encoder, x: &Tensor) -> Tensor {
        let attended = self.attention(&encoder.attention, x);
        let sum = residual(x, &attended, encoder.residual_scale);
        let h = self.layer_norm(&encoder.attention_norm, &sum);
        self.residual_feed_forward(&encoder.feed_forward, &h)
    }

    /// `norm(x + scale * dense2(dense1(x)))`.
    pub(super) fn residual_feed_forward(&self, block: &ResidualFeedForward, x: &Tensor) -> Tensor {
        let hidden = self.dense(&block.feed_forward.dense1, x);
        let y = self.dense(&block.feed_forward.dense2, &hidden);
        self.layer_norm(&block.norm, &residual(x, &y, block.residual_scale))
    }

    /// `softmax(Q K^T / sqrt(depth) + smolgen) V` and the output layer.
    fn attention(&self, attention: &Attention, x: &Tensor) -> Tensor {
        let (heads, depth) = (attention.heads as i64, attention.depth() as i64);
        let split = |y: Tensor| y.view([-1, BOARD, heads, depth]).transpose(1, 2);
        let query = split(self.dense(&attention.query, x));
        let key = split(self.dense(&attention.key, x));
        let value = split(self.dense(&attention.value, x));
        let scale = 1.0 / (depth as f64).sqrt();
        let mut scores = query.matmul(&key.transpose(2, 3)).to_kind(Kind::Float) * scale;
        if let Some(smolgen) = &attention.smolgen {
            scores += self.smolgen(smolgen, x, heads);
        }
        let probabilities = scores.softmax(-1, Kind::Float).to_kind(self.kind);
        let joined = probabilities.matmul(&value).transpose(1, 2);
        self.dense(&attention.output, &joined.reshape([-1, BOARD, heads * depth]))
    }

    /// Biases `[positions][heads][64 queries][64 keys]`.
    fn smolgen(&self, smolgen: &Smolgen, x: &Tensor, heads: i64) -> Tensor {
        let compressed = self.dense(&smolgen.compress, x);
        let hidden = self.dense(&smolgen.dense1, &compressed.flatten(1, 2));
        let hidden = self.layer_norm(&smolgen.norm1, &hidden);
        let codes = self.dense(&smolgen.dense2, &hidden);
        let codes = self.layer_norm(&smolgen.norm2, &codes);
        let biases = self.dense(&smolgen.generate, &codes.view([codes.size()[0], heads, -1]));
        biases.view([-1, heads, BOARD, BOARD]).to_kind(Kind::Float)
    }
}
