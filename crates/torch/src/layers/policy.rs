//! From the body's features to 1858 logits (LC0_FORMAT sections 3, 5 and 6).

use network::{AttentionPolicy, ConvolutionPolicy, DensePolicy, PolicyHead};
use tch::{Kind, Tensor};

use super::{BOARD, Pass};

/// First squares of the ranks that promotions leave and reach, and the files of each.
const SEVENTH: i64 = 48;
const EIGHTH: i64 = 56;
const FILES: i64 = 8;
/// Row of the promotion tensor behind queen, rook and bishop.
const KNIGHT: i64 = 3;

impl Pass<'_> {
    pub(crate) fn policy(&self, head: &PolicyHead, x: &Tensor) -> Tensor {
        match head {
            PolicyHead::Attention(head) => self.attention_policy(head, x),
            PolicyHead::Convolution(head) => self.convolution_policy(head, x),
            PolicyHead::Dense(head) => self.dense_policy(head, x),
        }
    }

    /// Scores `Q K^T / sqrt(width)` of squares to squares; a promotion from `f` to `t` has the
    /// score plus `(row of the piece + row of the knight) . key of t`.
    fn attention_policy(&self, head: &AttentionPolicy, x: &Tensor) -> Tensor {
        let mut embedded = self.dense(&head.embedding, x);
        for encoder in &head.encoders {
            embedded = self.encoder(encoder, &embedded);
        }
        let query = self.dense(&head.query, &embedded).to_kind(Kind::Float);
        let key = self.dense(&head.key, &embedded).to_kind(Kind::Float);
        let scale = 1.0 / (head.query.outputs as f64).sqrt();
        let scores = query.matmul(&key.transpose(1, 2)) * scale;
        // One matrix of all positions: how libtorch multiplies more axes by a matrix depends on
        // whether autograd follows it.
        let reached = key.narrow(1, EIGHTH, FILES).reshape([-1, head.key.outputs as i64]);
        let products = reached.matmul(&self.tensor(head.promotion).transpose(0, 1));
        // [positions][to][piece]
        let products = products.view([-1, FILES, KNIGHT + 1]);
        let offsets = products.narrow(2, 0, KNIGHT) + products.narrow(2, KNIGHT, 1);
        // [positions][from][to][piece]
        let promoting = scores.narrow(1, SEVENTH, FILES).narrow(2, EIGHTH, FILES);
        let promotions = promoting.unsqueeze(3) + offsets.unsqueeze(1);
        let slots = Tensor::cat(&[scores.flatten(1, 2), promotions.flatten(1, 3)], 1);
        slots.index_select(1, &self.constants.move_slots)
    }

    /// Planes of move directions, read as `plane * 64 + square`.
    fn convolution_policy(&self, head: &ConvolutionPolicy, x: &Tensor) -> Tensor {
        let hidden = self.convolution(&head.conv1, x);
        let planes = self.single_precision().convolution(&head.conv2, &hidden);
        channel_major(&planes).index_select(1, &self.constants.move_slots)
    }

    fn dense_policy(&self, head: &DensePolicy, x: &Tensor) -> Tensor {
        let flat = channel_major(&self.convolution(&head.convolution, x));
        self.single_precision().dense(&head.dense, &flat)
    }
}

/// `[positions][64][channels]` to `[positions][channels * 64]`.
pub(super) fn channel_major(x: &Tensor) -> Tensor {
    x.transpose(1, 2).reshape([-1, x.size()[2] * BOARD])
}
