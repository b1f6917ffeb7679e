//! `y = gammas * xhat + betas` with `xhat = (x - mean) / sqrt(variance + epsilon)`, row by row.

use std::ops::Range;

use super::{Gradient, Pass, Source};
use crate::kernels::{
    LayerNormGradients, LayerNormSaved, LayerNormWeights, layer_norm, layer_norm_backward,
};
use crate::pool::Buffer;

pub(crate) struct LayerNorm {
    width: usize,
    epsilon: f32,
    gammas: Vec<f32>,
    betas: Vec<f32>,
    ids: [network::TensorId; 2],
    ranges: [Range<usize>; 2],
}

/// The normalised rows `xhat`, and `1 / sqrt(variance + epsilon)` of each.
pub(crate) struct LayerNormTape {
    kept: Option<[Buffer; 2]>,
}

impl LayerNorm {
    pub(crate) fn new(norm: &network::LayerNorm, source: Source<'_>) -> Self {
        Self {
            width: norm.width,
            epsilon: norm.epsilon,
            gammas: source.tensor(norm.gammas).to_vec(),
            betas: source.tensor(norm.betas).to_vec(),
            ids: [norm.gammas, norm.betas],
            ranges: [norm.gammas, norm.betas].map(|id| source.layout.range(id)),
        }
    }

    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        self.gammas.copy_from_slice(source.tensor(self.ids[0]));
        self.betas.copy_from_slice(source.tensor(self.ids[1]));
    }

    /// `x: [rows][width]` to `y`.
    pub(crate) fn forward(&self, pass: Pass<'_>, x: &[f32]) -> (Buffer, LayerNormTape) {
        let mut y = pass.pool.take(x.len());
        let mut kept =
            pass.keep.then(|| [x.len(), x.len() / self.width].map(|len| pass.pool.take(len)));
        let saved = kept.as_mut().map(|[normalized, reciprocal_deviation]| LayerNormSaved {
            normalized,
            reciprocal_deviation,
        });
        let weights =
            LayerNormWeights { gamma: &self.gammas, beta: &self.betas, epsilon: self.epsilon };
        layer_norm(pass.set, x, weights, &mut y, saved);
        (y, LayerNormTape { kept })
    }

    /// From `dy` to `dx`.
    ///
    /// With `g = gammas dy`: `dx = (g - mean(g) - xhat mean(g xhat)) / sqrt(variance + epsilon)`,
    /// since mean and variance depend on every element of the row.
    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        tape: &LayerNormTape,
        dy: &[f32],
        gradient: &mut Gradient<'_>,
    ) -> Buffer {
        let Some([normalized, reciprocal_deviation]) = &tape.kept else {
            unreachable!("a backward pass follows a forward pass that keeps")
        };
        let mut dx = pass.pool.take(dy.len());
        let [gammas, betas] = &self.ranges;
        let (gamma, beta) = gradient.pair(gammas, betas);
        layer_norm_backward(
            pass.set,
            dy,
            &self.gammas,
            (normalized, reciprocal_deviation),
            &mut dx,
            LayerNormGradients { gamma, beta },
        );
        dx
    }
}
