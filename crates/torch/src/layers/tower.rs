//! Convolutions and residual blocks (LC0_FORMAT section 6).

use network::{Convolution, ResidualBlock, SqueezeExcitation};
use tch::{Kind, Tensor};

use super::dense::{activate, residual};
use super::{BOARD, Pass};

/// Ranks and files of a board.
const SIDE: i64 = 8;

impl Pass<'_> {
    /// A dense layer over each square's neighbourhood. As a product it has the precision of all
    /// other products; cuDNN's convolutions have settings of their own.
    pub(super) fn convolution(&self, layer: &Convolution, x: &Tensor) -> Tensor {
        let x = x.to_kind(self.kind);
        let rows = if layer.kernel == 1 { x } else { neighbourhoods(&x, layer.kernel as i64) };
        let weight = self.operand(layer.weight).flatten(1, 3);
        activate(layer.activation, rows.linear(&weight, Some(self.operand(layer.bias))))
    }

    /// `activation(x + squeeze_excitation(conv2(conv1(x))))`.
    pub(super) fn residual_block(&self, block: &ResidualBlock, x: &Tensor) -> Tensor {
        let mut y = self.convolution(&block.conv2, &self.convolution(&block.conv1, x));
        if let Some(layer) = &block.squeeze_excitation {
            y = self.squeeze_excitation(layer, &y);
        }
        activate(block.activation, residual(x, &y, 1.0))
    }

    /// `sigmoid(s[..C]) * y + s[C..]` with `s = expand(reduce(mean of y over the squares))`.
    fn squeeze_excitation(&self, layer: &SqueezeExcitation, y: &Tensor) -> Tensor {
        let means = y.mean_dim(1, true, Kind::Float);
        let s = self.dense(&layer.expand, &self.dense(&layer.reduce, &means)).to_kind(Kind::Float);
        let halves = s.chunk(2, 2);
        halves[0].sigmoid() * y + &halves[1]
    }
}

/// The squares around each square, zeros beyond the edge, `[positions][64][rank][file][channels]`
/// with the last three axes flattened.
fn neighbourhoods(x: &Tensor, kernel: i64) -> Tensor {
    let channels = x.size()[2];
    let edge = kernel / 2;
    let board = x.view([-1, SIDE, SIDE, channels]);
    let padded = board.constant_pad_nd([0, 0, edge, edge, edge, edge]);
    let shifts = (0..kernel).flat_map(|rank| (0..kernel).map(move |file| (rank, file)));
    let shifted: Vec<Tensor> =
        shifts.map(|(rank, file)| padded.narrow(1, rank, SIDE).narrow(2, file, SIDE)).collect();
    Tensor::cat(&shifted, 3).view([-1, BOARD, kernel * kernel * channels])
}
