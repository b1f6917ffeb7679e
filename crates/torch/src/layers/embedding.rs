//! From the planes of each square to tokens (LC0_FORMAT section 5, `PE_DENSE` and `PE_MAP`).

use network::{Embedding, PositionEncoding};
use tch::Tensor;

use super::{BOARD, Pass};

/// Pieces of the current position, which stand first among the planes.
const PIECE_PLANES: i64 = 12;

impl Pass<'_> {
    pub(super) fn embedding(&self, embedding: &Embedding, squares: &Tensor) -> Tensor {
        let mut h = self.dense(&embedding.dense, &self.tokens(&embedding.position, squares));
        if let Some(norm) = &embedding.norm {
            h = self.layer_norm(norm, &h);
        }
        if let Some(gate) = &embedding.gate {
            h = h * self.tensor(gate.multiply) + self.tensor(gate.add);
        }
        match &embedding.feed_forward {
            Some(block) => self.residual_feed_forward(block, &h),
            None => h,
        }
    }

    /// The planes of each square with its position encoding.
    fn tokens(&self, position: &PositionEncoding, squares: &Tensor) -> Tensor {
        let positions = squares.size()[0];
        let encoding = match position {
            PositionEncoding::None => return squares.shallow_clone(),
            PositionEncoding::Map => {
                self.constants.position_map.expand([positions, BOARD, BOARD], false)
            }
            PositionEncoding::Dense(dense) => {
                let pieces = squares.narrow(2, 0, PIECE_PLANES);
                let encoding =
                    self.dense(dense, &pieces.reshape([positions, BOARD * PIECE_PLANES]));
                encoding.view([positions, BOARD, -1]).to_kind(squares.kind())
            }
        };
        Tensor::cat(&[squares, &encoding], 2)
    }
}
