//! Weights of a residual tower (LC0_FORMAT section 6).

use super::attention_body::{EncoderSize, encoder, fill_moves_left, policy_head};
use super::source::{Fill, Source};
use super::{MOVES, PLANES, ResidualTower, SQUARES, TowerPolicy};
use crate::proto::{ConvBlock, Residual, SeUnit, Weights};

/// Squares under a kernel.
const KERNEL: usize = 9;

/// Planes of a convolutional policy, of which 73 are used.
const POLICY_PLANES: usize = 80;

/// Minor number of the first lc0 that loads such a network.
pub(super) fn minor_version(tower: &ResidualTower) -> u32 {
    match tower.policy {
        TowerPolicy::Attention { .. } => 29,
        TowerPolicy::Convolution | TowerPolicy::Classical { .. } => 21,
    }
}

impl ResidualTower {
    pub(super) fn weights(&self, source: &mut impl Source) -> Weights {
        let filters = self.filters;
        // About a dozen planes are 1 on an average square.
        let planes = Fill::Planes { inputs: PLANES, kernel: KERNEL, active: 12 * KERNEL };
        let mut weights = Weights {
            input: Some(ConvBlock {
                weights: source.layer(filters * PLANES * KERNEL, planes),
                ..normalisation(filters, source)
            }),
            residual: (0..self.blocks)
                .map(|_| Residual {
                    conv1: Some(convolution(filters, filters, KERNEL, source)),
                    conv2: Some(convolution(filters, filters, KERNEL, source)),
                    se: self.squeeze.map(|squeeze| se_unit(filters, squeeze, source)),
                })
                .collect(),
            ..Weights::default()
        };
        self.fill_policy(&mut weights, source);
        let outputs = if self.wdl { 3 } else { 1 };
        let value = &self.value;
        weights.value = Some(convolution(value.embedding, filters, 1, source));
        weights.ip1_val_w = source.matrix(value.hidden, SQUARES * value.embedding, 1.0);
        weights.ip1_val_b = source.biases(value.hidden);
        weights.ip2_val_w = source.matrix(outputs, value.hidden, 1.0);
        weights.ip2_val_b = source.biases(outputs);
        if let Some(size) = &self.moves_left {
            weights.moves_left = Some(convolution(size.embedding, filters, 1, source));
            fill_moves_left(&mut weights, size, source);
        }
        weights
    }

    fn fill_policy(&self, weights: &mut Weights, source: &mut impl Source) {
        let filters = self.filters;
        match self.policy {
            TowerPolicy::Attention { size, encoders } => {
                weights.ip_pol_w = source.matrix(size.embedding, filters, 1.0);
                weights.ip_pol_b = source.biases(size.embedding);
                if let Some(encoders) = encoders {
                    let layer = EncoderSize {
                        embedding: size.embedding,
                        attention_heads: encoders.attention_heads,
                        depth: encoders.depth,
                        feed_forward: encoders.feed_forward,
                    };
                    weights.pol_encoder =
                        (0..encoders.layers).map(|_| encoder(&layer, None, source)).collect();
                    weights.pol_headcount = Some(
                        u32::try_from(encoders.attention_heads).expect("fewer than 2^32 heads"),
                    );
                }
                let head = policy_head(&size, source);
                weights.ip2_pol_w = head.ip2_pol_w;
                weights.ip2_pol_b = head.ip2_pol_b;
                weights.ip3_pol_w = head.ip3_pol_w;
                weights.ip3_pol_b = head.ip3_pol_b;
                weights.ip4_pol_w = head.ip4_pol_w;
            }
            TowerPolicy::Convolution => {
                weights.policy1 = Some(convolution(filters, filters, KERNEL, source));
                weights.policy = Some(ConvBlock {
                    weights: source.matrix(POLICY_PLANES, filters * KERNEL, 1.5),
                    biases: source.biases(POLICY_PLANES),
                    ..ConvBlock::default()
                });
            }
            TowerPolicy::Classical { channels } => {
                weights.policy = Some(convolution(channels, filters, 1, source));
                weights.ip_pol_w = source.matrix(MOVES, SQUARES * channels, 1.5);
                weights.ip_pol_b = source.biases(MOVES);
            }
        }
    }
}

fn convolution(
    outputs: usize,
    inputs: usize,
    kernel: usize,
    source: &mut impl Source,
) -> ConvBlock {
    ConvBlock {
        weights: source.matrix(outputs, inputs * kernel, 1.0),
        ..normalisation(outputs, source)
    }
}

/// Batch normalisation without kernels.
fn normalisation(channels: usize, source: &mut impl Source) -> ConvBlock {
    ConvBlock {
        bn_means: source.biases(channels),
        bn_stddivs: source.layer(channels, Fill::VARIANCE),
        bn_gammas: source.scales(channels),
        bn_betas: source.biases(channels),
        ..ConvBlock::default()
    }
}

fn se_unit(filters: usize, squeeze: usize, source: &mut impl Source) -> SeUnit {
    SeUnit {
        w1: source.matrix(squeeze, filters, 1.0),
        b1: source.biases(squeeze),
        w2: source.matrix(2 * filters, squeeze, 1.0),
        b2: source.biases(2 * filters),
    }
}
