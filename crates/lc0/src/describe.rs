//! What a network is, for people and for programs.

mod display;
mod measure;

use crate::proto::{
    ActivationFunction, DefaultActivation, InputEmbedding, InputFormat, MovesLeftFormat,
    NetworkFormat, NetworkStructure, OutputFormat, PolicyFormat, TrainingParams, ValueFormat,
};
use crate::{NetworkFile, NetworkFileError, layer};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// What a network is. Sizes follow from element counts; one is `None` where its layer is absent
/// or its element count does not divide as it should.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Description {
    /// The file.
    pub name: String,
    /// Bytes of the file.
    pub size: u64,
    /// SHA-256 of the file in hexadecimal.
    pub sha256: String,
    /// Licence of the weights.
    pub license: Option<String>,
    /// The oldest lc0 that reads the file, `major.minor.patch`.
    pub min_version: Option<String>,
    /// Markers by field name, after normalisation; `unknown (n)` where `n` is undefined.
    pub markers: BTreeMap<&'static str, String>,
    /// Transformer encoder.
    pub encoder: Option<Encoder>,
    /// Residual tower.
    pub tower: Option<Tower>,
    /// Whether the network is an ONNX model.
    pub onnx: bool,
    /// Policy heads by name; empty where there is one head without a name.
    pub policy_heads: Vec<String>,
    /// Value heads by name; empty where there is one head without a name.
    pub value_heads: Vec<String>,
    /// Layers.
    pub layers: usize,
    /// Numbers in all layers.
    pub parameters: u64,
    /// Layers by encoding.
    pub encodings: BTreeMap<String, usize>,
    /// What the trainer recorded.
    pub training: Option<Training>,
}

/// Sizes of a transformer encoder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Encoder {
    /// Encoder layers.
    pub layers: usize,
    /// Numbers per square, `E`.
    pub embedding: Option<usize>,
    /// Width of all attention heads together.
    pub d_model: Option<usize>,
    /// Attention heads.
    pub heads: Option<usize>,
    /// Hidden width of the feed-forward networks.
    pub dff: Option<usize>,
    /// Channels per square of the dense position encoding.
    pub position_channels: Option<usize>,
    /// Hidden width of the embedding's feed-forward network.
    pub embedding_dff: Option<usize>,
    /// Whether the embedding is gated.
    pub gating: bool,
    /// Generated attention biases.
    pub smolgen: Option<Smolgen>,
}

/// Sizes of smolgen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Smolgen {
    /// Channels that each square is compressed to.
    pub compress: Option<usize>,
    /// Hidden width.
    pub hidden: Option<usize>,
    /// Numbers generated for each head.
    pub generated: Option<usize>,
}

/// Sizes of a residual tower.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tower {
    /// Residual blocks.
    pub blocks: usize,
    /// Channels.
    pub filters: Option<usize>,
    /// Hidden width of squeeze and excitation, where the blocks have it.
    pub squeeze: Option<usize>,
}

/// What the trainer recorded.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Training {
    /// Optimiser steps.
    pub steps: Option<u32>,
    /// Last learning rate.
    pub learning_rate: Option<f32>,
    /// Last value loss.
    pub value_loss: Option<f32>,
    /// Last policy loss.
    pub policy_loss: Option<f32>,
    /// Last policy accuracy.
    pub accuracy: Option<f32>,
}

impl NetworkFile {
    /// What the network is.
    ///
    /// # Errors
    /// Where the elements of a layer cannot be counted.
    pub fn describe(&self) -> Result<Description, NetworkFileError> {
        let net = self.net();
        let mut layers = 0;
        let mut parameters = 0;
        let mut encodings = BTreeMap::new();
        for (path, layer) in self.layers() {
            let count = layer::element_count(layer).and_then(|count| {
                *encodings.entry(format!("{:?}", layer::encoding(layer)?)).or_insert(0) += 1;
                Ok(count)
            });
            layers += 1;
            parameters += count.map_err(|source| self.layer_error(&path, source))? as u64;
        }
        let format = net.format.as_ref().and_then(|format| format.network_format.as_ref());
        Ok(Description {
            name: self.name().to_owned(),
            size: self.size(),
            sha256: self.sha256().to_owned(),
            license: net.license.clone(),
            min_version: net.min_version.as_ref().map(|version| {
                format!("{}.{}.{}", version.major(), version.minor(), version.patch())
            }),
            markers: format.map(markers).unwrap_or_default(),
            encoder: measure::encoder(self),
            tower: measure::tower(self),
            onnx: net.onnx_model.is_some(),
            policy_heads: measure::policy_heads(self),
            value_heads: measure::value_heads(self),
            layers,
            parameters,
            encodings,
            training: net.training_params.as_ref().map(training),
        })
    }
}

fn markers(format: &NetworkFormat) -> BTreeMap<&'static str, String> {
    [
        ("input", marker::<InputFormat>(format.input)),
        ("output", marker::<OutputFormat>(format.output)),
        ("network", marker::<NetworkStructure>(format.network)),
        ("policy", marker::<PolicyFormat>(format.policy)),
        ("value", marker::<ValueFormat>(format.value)),
        ("moves_left", marker::<MovesLeftFormat>(format.moves_left)),
        ("default_activation", marker::<DefaultActivation>(format.default_activation)),
        ("smolgen_activation", marker::<ActivationFunction>(format.smolgen_activation)),
        ("ffn_activation", marker::<ActivationFunction>(format.ffn_activation)),
        ("input_embedding", marker::<InputEmbedding>(format.input_embedding)),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name, value?)))
    .collect()
}

fn marker<E: TryFrom<i32> + Debug>(value: Option<i32>) -> Option<String> {
    value.map(|number| match E::try_from(number) {
        Ok(value) => format!("{value:?}"),
        Err(_) => format!("unknown ({number})"),
    })
}

fn training(params: &TrainingParams) -> Training {
    Training {
        steps: params.training_steps,
        learning_rate: params.learning_rate,
        value_loss: params.mse_loss,
        policy_loss: params.policy_loss,
        accuracy: params.accuracy,
    }
}

#[cfg(test)]
mod tests;
