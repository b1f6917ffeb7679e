//! The markers of a file, each refused where its value is none that the format defines.

use chess::InputFormat;
use lc0::NetworkFile;
use lc0::proto::{
    ActivationFunction, DefaultActivation, Encoding, InputEmbedding, MovesLeftFormat,
    NetworkStructure, PolicyFormat, ValueFormat,
};

use super::LoadError;
use crate::activation::Activation;

/// Which kind of body the file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Structure {
    Attention,
    Residual,
}

/// What a file says of its network beside the layers (LC0_FORMAT section 1).
#[derive(Clone, Copy, Debug)]
pub(super) struct Markers {
    pub(super) input: InputFormat,
    pub(super) structure: Structure,
    pub(super) policy: PolicyFormat,
    pub(super) value: ValueFormat,
    pub(super) moves_left: MovesLeftFormat,
    pub(super) embedding: InputEmbedding,
    /// `act_d` of LC0_FORMAT section 4.
    pub(super) default_activation: Activation,
    /// `act_s`.
    pub(super) smolgen_activation: Activation,
    /// `act_f`.
    pub(super) feed_forward_activation: Activation,
}

impl Markers {
    pub(super) fn read(file: &NetworkFile) -> Result<Self, LoadError> {
        let format = file.net().format.clone().unwrap_or_default();
        let network = format.network_format.unwrap_or_default();
        let refuse = |what: String| LoadError::Unsupported { file: file.name().to_owned(), what };

        let encoding = defined("weights_encoding", format.weights_encoding, Encoding::Linear16);
        if encoding.map_err(refuse)? != Encoding::Linear16 {
            let what =
                "weights_encoding is not LINEAR16; other encodings are marked layer by layer";
            return Err(refuse(what.to_owned()));
        }
        let input = network.input.unwrap_or(InputFormat::Classical112.id() as i32);
        let input = u32::try_from(input)
            .ok()
            .and_then(InputFormat::from_id)
            .ok_or_else(|| refuse(format!("input format {input} is not defined")))?;
        let structure = defined("network", network.network, NetworkStructure::Unknown);
        let structure = match structure.map_err(refuse)? {
            NetworkStructure::ClassicalWithHeadformat | NetworkStructure::SeWithHeadformat => {
                Structure::Residual
            }
            NetworkStructure::AttentionbodyWithHeadformat
            | NetworkStructure::AttentionbodyWithMultiheadformat => Structure::Attention,
            other => {
                let what = format!(
                    "network structure {other:?}; supported are residual towers and attention \
                     bodies"
                );
                return Err(refuse(what));
            }
        };

        let default_activation =
            defined("default_activation", network.default_activation, DefaultActivation::Relu);
        let default_activation = match default_activation.map_err(refuse)? {
            DefaultActivation::Relu => Activation::Relu,
            DefaultActivation::Mish => Activation::Mish,
        };
        let activation = |name: &str, value: Option<i32>| {
            let function = defined(name, value, ActivationFunction::Default).map_err(refuse)?;
            Ok::<_, LoadError>(match function {
                ActivationFunction::Default => default_activation,
                ActivationFunction::Mish => Activation::Mish,
                ActivationFunction::Relu => Activation::Relu,
                ActivationFunction::None => Activation::Identity,
                ActivationFunction::Tanh => Activation::Tanh,
                ActivationFunction::Sigmoid => Activation::Sigmoid,
                ActivationFunction::Selu => Activation::Selu,
                ActivationFunction::Swish => Activation::Swish,
                ActivationFunction::Relu2 => Activation::ReluSquared,
                ActivationFunction::Softmax => Activation::Softmax,
            })
        };
        Ok(Self {
            input,
            structure,
            policy: defined("policy", network.policy, PolicyFormat::Unknown).map_err(refuse)?,
            value: defined("value", network.value, ValueFormat::Unknown).map_err(refuse)?,
            moves_left: defined("moves_left", network.moves_left, MovesLeftFormat::None)
                .map_err(refuse)?,
            embedding: defined("input_embedding", network.input_embedding, InputEmbedding::None)
                .map_err(refuse)?,
            default_activation,
            smolgen_activation: activation("smolgen_activation", network.smolgen_activation)?,
            feed_forward_activation: activation("ffn_activation", network.ffn_activation)?,
        })
    }
}

/// The marker's meaning, `absent` where the file does not have it, or what is wrong with it.
fn defined<T: TryFrom<i32>>(name: &str, value: Option<i32>, absent: T) -> Result<T, String> {
    let Some(value) = value else { return Ok(absent) };
    T::try_from(value).map_err(|_| format!("the marker {name} has the undefined value {value}"))
}
