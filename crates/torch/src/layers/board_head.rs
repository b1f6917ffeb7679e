//! Value and moves-left heads: a layer per square, then two over the whole board.

use network::{BoardHead, SquareEmbedding};
use tch::Tensor;

use super::Pass;
use super::policy::channel_major;

impl Pass<'_> {
    /// `[positions][outputs]`.
    pub(crate) fn board_head(&self, head: &BoardHead, x: &Tensor) -> Tensor {
        let flat = match &head.embedding {
            SquareEmbedding::Dense(dense) => self.dense(dense, x).flatten(1, 2),
            SquareEmbedding::Convolution(layer) => channel_major(&self.convolution(layer, x)),
        };
        let hidden = self.dense(&head.dense1, &flat);
        self.single_precision().dense(&head.dense2, &hidden)
    }
}
