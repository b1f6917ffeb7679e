//! Dense layers, normalisations and activations.

use network::{Activation, Dense, LayerNorm};
use tch::{Kind, Tensor};

use super::Pass;

impl Pass<'_> {
    /// `activation(W x + b)` over the last axis.
    pub(super) fn dense(&self, layer: &Dense, x: &Tensor) -> Tensor {
        let weight = self.operand(layer.weight);
        let bias = layer.bias.map(|bias| self.operand(bias));
        activate(layer.activation, x.to_kind(self.kind).linear(&weight, bias))
    }

    /// `gammas (x - mean) / sqrt(variance + epsilon) + betas` over the last axis.
    pub(super) fn layer_norm(&self, norm: &LayerNorm, x: &Tensor) -> Tensor {
        let (gammas, betas) = (self.tensor(norm.gammas), self.tensor(norm.betas));
        let (width, epsilon) = (norm.width as i64, f64::from(norm.epsilon));
        x.to_kind(Kind::Float).layer_norm(width, Some(gammas), Some(betas), epsilon, true)
    }
}

/// `x + scale * y`, in 32-bit floats.
pub(super) fn residual(x: &Tensor, y: &Tensor, scale: f32) -> Tensor {
    x.to_kind(Kind::Float) + y.to_kind(Kind::Float) * f64::from(scale)
}

pub(super) fn activate(activation: Activation, x: Tensor) -> Tensor {
    match activation {
        Activation::Identity => x,
        Activation::Relu => x.relu(),
        Activation::ReluSquared => x.relu().square(),
        Activation::Mish => x.mish(),
        Activation::Swish => x.silu(),
        Activation::Sigmoid => x.sigmoid(),
        Activation::Tanh => x.tanh(),
        Activation::Selu => x.selu(),
        Activation::Softmax => x.softmax(-1, Kind::Float),
    }
}
