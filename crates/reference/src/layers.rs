//! Layers that both kinds of body use.

use network::{Dense, FeedForward, LayerNorm, Layout, ResidualFeedForward, TensorId};

use crate::activation::activate;
use crate::board::Board;

/// The tensors of a flat parameter vector.
#[derive(Clone, Copy)]
pub(crate) struct Parameters<'a> {
    layout: &'a Layout,
    flat: &'a [f64],
}

impl<'a> Parameters<'a> {
    pub(crate) fn new(layout: &'a Layout, flat: &'a [f64]) -> Self {
        assert_eq!(flat.len(), layout.len(), "one value for each element of the layout");
        Self { layout, flat }
    }

    /// The elements of a tensor.
    pub(crate) fn tensor(self, id: TensorId) -> &'a [f64] {
        &self.flat[self.layout.range(id)]
    }

    /// `activation(W x + b)`.
    pub(crate) fn dense(self, layer: &Dense, inputs: &[f64]) -> Vec<f64> {
        assert_eq!(inputs.len(), layer.inputs);
        let weight = self.tensor(layer.weight);
        let bias = layer.bias.map(|bias| self.tensor(bias));
        let output = |row: usize| {
            let weights = &weight[row * layer.inputs..][..layer.inputs];
            dot(weights, inputs) + bias.map_or(0.0, |bias| bias[row])
        };
        activate(layer.activation, &(0..layer.outputs).map(output).collect::<Vec<f64>>())
    }

    /// [`dense`](Self::dense) of each square.
    pub(crate) fn dense_rows(self, layer: &Dense, board: &Board) -> Board {
        board.map_rows(|row| self.dense(layer, row))
    }

    /// `gammas (x - mean) / sqrt(variance + epsilon) + betas`, the variance a plain mean.
    pub(crate) fn layer_norm(self, layer: &LayerNorm, inputs: &[f64]) -> Vec<f64> {
        assert_eq!(inputs.len(), layer.width);
        let (gammas, betas) = (self.tensor(layer.gammas), self.tensor(layer.betas));
        let count = layer.width as f64;
        let mean = inputs.iter().sum::<f64>() / count;
        let variance = inputs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
        let deviation = (variance + f64::from(layer.epsilon)).sqrt();
        let normalised = inputs.iter().map(|x| (x - mean) / deviation);
        normalised.zip(gammas).zip(betas).map(|((x, gamma), beta)| gamma * x + beta).collect()
    }

    /// `norm(x + scale * f)` of each square.
    pub(crate) fn add_and_norm(
        self,
        skip: &Board,
        scale: f32,
        sublayer: &Board,
        norm: &LayerNorm,
    ) -> Board {
        let scale = f64::from(scale);
        Board::from_rows(|square| {
            let sum: Vec<f64> = (0..skip.width())
                .map(|feature| skip.at(square, feature) + scale * sublayer.at(square, feature))
                .collect();
            self.layer_norm(norm, &sum)
        })
    }

    fn feed_forward(self, layers: &FeedForward, board: &Board) -> Board {
        self.dense_rows(&layers.dense2, &self.dense_rows(&layers.dense1, board))
    }

    /// `norm(x + scale * feed_forward(x))` of each square.
    pub(crate) fn residual_feed_forward(self, block: &ResidualFeedForward, x: &Board) -> Board {
        let inner = self.feed_forward(&block.feed_forward, x);
        self.add_and_norm(x, block.residual_scale, &inner, &block.norm)
    }
}

pub(crate) fn dot(left: &[f64], right: &[f64]) -> f64 {
    assert_eq!(left.len(), right.len());
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}
