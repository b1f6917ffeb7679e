//! Networks of random weights: inputs of tests, and the start of training from nothing.
//!
//! The weights are scaled so that activations stay near 1 in size from the planes to the heads:
//! such a network is as good a test of arithmetic as a trained one. [`untrained_network`] makes those
//! from which training starts.

mod attention_body;
mod preset;
mod residual_tower;
mod source;
mod specification;

pub use preset::Preset;
pub use specification::{
    AttentionBody, AttentionPolicySize, Heads, HiddenSize, PolicyEncoderSize, PositionEncoding,
    ResidualTower, SmolgenSize, Specification, TowerPolicy,
};

use crate::proto::{
    Encoding, Format, InputFormat, MAGIC, MovesLeftFormat, Net, NetworkFormat, NetworkStructure,
    OutputFormat, PolicyFormat, TrainingParams, ValueFormat, Version, Weights,
};
use rand::Rng;
use source::{Counting, Random, Source, Untrained};

/// Squares of the board.
const SQUARES: usize = 64;

/// Input planes.
const PLANES: usize = 112;

/// Moves of a policy vector.
const MOVES: usize = 1858;

/// A network of the architecture `specification` with random weights, stored as LINEAR16 and
/// marked so that lc0 loads it. The same generator state gives the same network.
///
/// # Panics
/// Where a size in `specification` is 0.
pub fn random_network(specification: &Specification, generator: &mut impl Rng) -> Net {
    network(specification, &mut Random::new(generator))
}

/// As [`random_network`], but as training begins best: biases are 0, scales and gates 1, and no
/// matrix is larger than keeps its outputs at the size of its inputs.
///
/// # Panics
/// Where a size in `specification` is 0.
pub fn untrained_network(specification: &Specification, generator: &mut impl Rng) -> Net {
    network(specification, &mut Untrained::new(generator))
}

/// The number of weights that [`random_network`] makes, without making them.
///
/// # Panics
/// Where a size in `specification` is 0.
pub fn parameter_count(specification: &Specification) -> u64 {
    let mut counting = Counting::default();
    network(specification, &mut counting);
    counting.elements
}

fn network(specification: &Specification, source: &mut impl Source) -> Net {
    let (minor, format, weights) = match specification {
        Specification::AttentionBody(body) => {
            (attention_body::minor_version(body), body_format(body), body.weights(source))
        }
        Specification::ResidualTower(tower) => {
            (residual_tower::minor_version(tower), tower_format(tower), tower.weights(source))
        }
    };
    net(minor, format, weights)
}

fn net(minor: u32, format: NetworkFormat, weights: Weights) -> Net {
    Net {
        magic: Some(MAGIC),
        license: Some("random weights".to_owned()),
        min_version: Some(Version { major: Some(0), minor: Some(minor), patch: Some(0) }),
        format: Some(Format {
            weights_encoding: Some(Encoding::Linear16 as i32),
            network_format: Some(format),
        }),
        training_params: Some(TrainingParams { training_steps: Some(0), ..Default::default() }),
        weights: Some(weights),
        onnx_model: None,
    }
}

fn body_format(body: &AttentionBody) -> NetworkFormat {
    let structure = match body.heads {
        Heads::One => NetworkStructure::AttentionbodyWithHeadformat,
        Heads::Several { .. } => NetworkStructure::AttentionbodyWithMultiheadformat,
    };
    NetworkFormat {
        input: Some(InputFormat::Classical112Plane as i32),
        output: Some(OutputFormat::Wdl as i32),
        network: Some(structure as i32),
        policy: Some(PolicyFormat::Attention as i32),
        value: Some(ValueFormat::Wdl as i32),
        moves_left: Some(moves_left(body.moves_left.is_some())),
        default_activation: Some(body.default_activation as i32),
        smolgen_activation: Some(body.smolgen_activation as i32),
        ffn_activation: Some(body.ffn_activation as i32),
        input_embedding: Some(body.position.marker() as i32),
    }
}

fn tower_format(tower: &ResidualTower) -> NetworkFormat {
    let structure = if tower.squeeze.is_some() {
        NetworkStructure::SeWithHeadformat
    } else {
        NetworkStructure::ClassicalWithHeadformat
    };
    let (output, value) = if tower.wdl {
        (OutputFormat::Wdl, ValueFormat::Wdl)
    } else {
        (OutputFormat::Classical, ValueFormat::Classical)
    };
    NetworkFormat {
        input: Some(InputFormat::Classical112Plane as i32),
        output: Some(output as i32),
        network: Some(structure as i32),
        policy: Some(tower.policy.marker() as i32),
        value: Some(value as i32),
        moves_left: Some(moves_left(tower.moves_left.is_some())),
        default_activation: Some(tower.activation as i32),
        ..NetworkFormat::default()
    }
}

fn moves_left(present: bool) -> i32 {
    let format = if present { MovesLeftFormat::V1 } else { MovesLeftFormat::None };
    format as i32
}

#[cfg(test)]
mod tests;
