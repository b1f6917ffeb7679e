//! The messages of a network file (LC0_FORMAT section 1), proto2 in Lc0's field numbers.
//!
//! Every field is optional on the wire, and so it is here. Fields that this module does not name
//! are dropped from these structures but kept by [`crate::NetworkFile`].

mod format;
mod structure;
mod weights;

pub use format::{
    ActivationFunction, DefaultActivation, Encoding, Format, InputEmbedding, InputFormat,
    MovesLeftFormat, NetworkFormat, NetworkStructure, OutputFormat, PolicyFormat, ValueFormat,
};
pub(crate) use structure::{Field, Kind, Structure, Structured};
pub use weights::{
    ConvBlock, EncoderLayer, Ffn, Layer, Mha, PolicyHead, PolicyHeadMap, PolicyHeads, Residual,
    SeUnit, Smolgen, ValueHead, ValueHeadMap, ValueHeads, Weights,
};

use bytes::Bytes;
use structure::message;

/// What [`Net::magic`] must be.
pub const MAGIC: u32 = 0x1c0;

message! {
    /// A network file.
    pub struct Net {
        /// [`MAGIC`].
        #[prost(tag = 1, fixed32, optional)]
        pub magic: Option<u32>,
        /// The licence of the weights, in words.
        #[prost(tag = 2, string, optional)]
        pub license: Option<String>,
        /// The oldest lc0 that can read the file.
        #[prost(tag = 3, message, optional)]
        pub min_version: Option<Version>,
        /// How the weights are stored and combined.
        #[prost(tag = 4, message, optional)]
        pub format: Option<Format>,
        /// What the trainer recorded.
        #[prost(tag = 5, message, optional)]
        pub training_params: Option<TrainingParams>,
        /// The weights; absent where `onnx_model` holds the network.
        #[prost(tag = 10, message, optional)]
        pub weights: Option<Weights>,
        /// A network in ONNX form instead of `weights`.
        #[prost(tag = 11, message, optional)]
        pub onnx_model: Option<OnnxModel>,
    }
}

message! {
    /// A version of lc0.
    #[derive(Eq, Hash)]
    pub struct Version {
        /// First number.
        #[prost(tag = 1, uint32, optional)]
        pub major: Option<u32>,
        /// Second number.
        #[prost(tag = 2, uint32, optional)]
        pub minor: Option<u32>,
        /// Third number.
        #[prost(tag = 3, uint32, optional)]
        pub patch: Option<u32>,
    }
}

message! {
    /// What the trainer recorded; informative only.
    pub struct TrainingParams {
        /// Optimiser steps taken.
        #[prost(tag = 1, uint32, optional)]
        pub training_steps: Option<u32>,
        /// Last learning rate.
        #[prost(tag = 2, float, optional)]
        pub learning_rate: Option<f32>,
        /// Last value loss.
        #[prost(tag = 3, float, optional)]
        pub mse_loss: Option<f32>,
        /// Last policy loss, in nats.
        #[prost(tag = 4, float, optional)]
        pub policy_loss: Option<f32>,
        /// Last policy accuracy, in percent or as a share, as the trainer had it.
        #[prost(tag = 5, float, optional)]
        pub accuracy: Option<f32>,
        /// Options of the lc0 that generated the training games.
        #[prost(tag = 6, string, optional)]
        pub lc0_params: Option<String>,
    }
}

message! {
    /// A network in ONNX form; read so that it can be named, never evaluated here.
    pub struct OnnxModel {
        /// The serialised ONNX model.
        #[prost(tag = 1, bytes = "bytes", optional)]
        pub model: Option<Bytes>,
        /// The tensors' element type, as ONNX numbers it (1 float, 10 float16, 16 bfloat16).
        #[prost(tag = 2, int32, optional)]
        pub data_type: Option<i32>,
        /// Name of the input tensor.
        #[prost(tag = 3, string, optional)]
        pub input_planes: Option<String>,
        /// Name of the scalar value output.
        #[prost(tag = 4, string, optional)]
        pub output_value: Option<String>,
        /// Name of the win, draw, loss output.
        #[prost(tag = 5, string, optional)]
        pub output_wdl: Option<String>,
        /// Name of the policy output.
        #[prost(tag = 6, string, optional)]
        pub output_policy: Option<String>,
        /// Name of the moves-left output.
        #[prost(tag = 7, string, optional)]
        pub output_mlh: Option<String>,
    }
}
