//! From an Lc0 file to an [`Architecture`] and its parameters.
//!
//! The file says few of its sizes; all others follow from element counts (LC0_FORMAT section 1),
//! and every count is checked against the layers before it.

mod attention;
mod convolution;
mod heads;

use chess::InputFormat;
use lc0::NetworkFile;
use lc0::proto::{ActivationFunction, NetworkStructure};

use crate::activation::Activation;
use crate::architecture::{Architecture, Dense, LayerNorm};
use crate::heads::HeadSelection;
use crate::tensor::{FileOrder, Group, Layout, Source, TensorId};

/// Why a file that lc0's format allows is no network that we can compute.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A layer that the structure needs is absent.
    #[error("{file}: layer {path} is missing")]
    MissingLayer {
        /// Name of the file.
        file: String,
        /// Path of the layer below `weights`.
        path: String,
    },
    /// A layer has a number of elements that does not fit the layers before it.
    #[error("{file}: layer {path} has {found} elements, expected {expected}")]
    ElementCount {
        /// Name of the file.
        file: String,
        /// Path of the layer below `weights`.
        path: String,
        /// Number of elements in the file.
        found: usize,
        /// What would fit.
        expected: String,
    },
    /// A layer that cannot be decoded.
    #[error(transparent)]
    Layer(#[from] lc0::NetworkFileError),
    /// A head that the file does not have.
    #[error("{file}: no {kind} head '{wanted}'; the file has {present}")]
    NoSuchHead {
        /// Name of the file.
        file: String,
        /// `policy` or `value`.
        kind: &'static str,
        /// lc0's name of the head asked for.
        wanted: &'static str,
        /// lc0's names of the heads that are there.
        present: String,
    },
    /// A structure that we do not compute.
    #[error("{file}: {what}")]
    Unsupported {
        /// Name of the file.
        file: String,
        /// The structure, and what is supported instead.
        what: String,
    },
}

/// A network as data: its structure and all parameters in one flat vector.
#[derive(Clone, Debug)]
pub struct Network {
    /// Structure; its layout names the parts of `parameters`.
    pub architecture: Architecture,
    /// Flat vector of the layout's length; all values are finite.
    pub parameters: Vec<f32>,
}

impl Network {
    /// Reads the structure and the weights that the selected heads need.
    ///
    /// # Errors
    ///
    /// [`LoadError`], naming the layer, where layers are missing or do not fit each other.
    pub fn load(file: &NetworkFile, heads: HeadSelection) -> Result<Self, LoadError> {
        let mut loader = Loader::new(file);
        let format = loader.format.clone();
        let input_format =
            u32::try_from(format.input.unwrap_or_default()).ok().and_then(InputFormat::from_id);
        let input_format = input_format.ok_or_else(|| {
            loader.unsupported(format!("unknown input format {:?}", format.input))
        })?;
        let structure = loader.structure()?;
        let body = match structure {
            Structure::Attention => loader.attention_body()?,
            Structure::Residual => loader.residual_tower()?,
        };
        let width = body.width();
        let policy = loader.policy_head(heads.policy, structure, width)?;
        let value = loader.value_head(heads.value, structure, width)?;
        let moves_left = loader.moves_left_head(structure, width)?;
        let Loader { layout, values, .. } = loader;
        let architecture = Architecture { input_format, body, policy, value, moves_left, layout };
        Ok(Self { architecture, parameters: values })
    }
}

/// Which kind of body the file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Structure {
    Attention,
    Residual,
}

/// The file being read, and what was read so far.
struct Loader<'a> {
    file: &'a NetworkFile,
    format: lc0::proto::NetworkFormat,
    layout: Layout,
    values: Vec<f32>,
    group: Group,
}

impl<'a> Loader<'a> {
    fn new(file: &'a NetworkFile) -> Self {
        let format = file.net().format.as_ref().and_then(|format| format.network_format.clone());
        Self {
            file,
            format: format.unwrap_or_default(),
            layout: Layout::default(),
            values: Vec::new(),
            group: Group::Backbone,
        }
    }

    fn structure(&self) -> Result<Structure, LoadError> {
        match self.format.network() {
            NetworkStructure::ClassicalWithHeadformat | NetworkStructure::SeWithHeadformat => {
                Ok(Structure::Residual)
            }
            NetworkStructure::AttentionbodyWithHeadformat
            | NetworkStructure::AttentionbodyWithMultiheadformat => {
                if self.layer_count("residual.0.conv1.weights").is_some() {
                    let what = "an attention body over a residual tower; lc0 itself has no complete \
                                CPU path for it";
                    return Err(self.unsupported(what.into()));
                }
                Ok(Structure::Attention)
            }
            other => Err(self.unsupported(format!(
                "network structure {other:?}; supported are residual towers and attention bodies"
            ))),
        }
    }

    fn unsupported(&self, what: String) -> LoadError {
        LoadError::Unsupported { file: self.file.name().to_owned(), what }
    }

    fn missing(&self, path: &str) -> LoadError {
        LoadError::MissingLayer { file: self.file.name().to_owned(), path: path.to_owned() }
    }

    fn wrong_count(&self, path: &str, found: usize, expected: impl Into<String>) -> LoadError {
        LoadError::ElementCount {
            file: self.file.name().to_owned(),
            path: path.to_owned(),
            found,
            expected: expected.into(),
        }
    }

    /// Number of elements of a layer, `None` where it is absent or empty.
    fn layer_count(&self, path: &str) -> Option<usize> {
        // A layer whose bytes are no whole number of elements is reported when it is decoded.
        let count = lc0::layer::element_count(self.file.layer(path)?).unwrap_or_default();
        (count > 0).then_some(count)
    }

    /// Number of elements of a layer that must be there.
    fn count(&self, path: &str) -> Result<usize, LoadError> {
        self.layer_count(path).ok_or_else(|| self.missing(path))
    }

    /// The values of a layer that must have `expected` elements.
    fn decode(&self, path: &str, expected: usize) -> Result<Vec<f32>, LoadError> {
        let found = self.count(path)?;
        if found != expected {
            return Err(self.wrong_count(path, found, expected.to_string()));
        }
        Ok(self.file.values(path)?)
    }

    /// Appends a tensor that is a layer of its own.
    fn tensor(
        &mut self,
        path: &str,
        shape: Vec<usize>,
        order: FileOrder,
    ) -> Result<TensorId, LoadError> {
        let values = self.decode(path, shape.iter().product())?;
        Ok(self.push(path.to_owned(), shape, order, Source::Layer(path.to_owned()), values))
    }

    /// Appends a tensor given its elements in the file's order.
    fn push(
        &mut self,
        name: String,
        shape: Vec<usize>,
        order: FileOrder,
        source: Source,
        values: Vec<f32>,
    ) -> TensorId {
        self.values.extend(order.from_file(values));
        self.layout.push(name, shape, self.group, order, source)
    }

    /// `y = activation(W x + b)`; the number of outputs follows from the bias.
    fn dense(
        &mut self,
        weight: &str,
        bias: &str,
        inputs: usize,
        activation: Activation,
    ) -> Result<Dense, LoadError> {
        let outputs = self.count(bias)?;
        let weight = self.tensor(weight, vec![outputs, inputs], FileOrder::Same)?;
        let bias = Some(self.tensor(bias, vec![outputs], FileOrder::Same)?);
        Ok(Dense { inputs, outputs, weight, bias, activation })
    }

    /// As [`dense`](Self::dense), with a known number of outputs.
    fn dense_to(
        &mut self,
        weight: &str,
        bias: &str,
        inputs: usize,
        outputs: usize,
        activation: Activation,
    ) -> Result<Dense, LoadError> {
        let found = self.count(bias)?;
        if found != outputs {
            return Err(self.wrong_count(bias, found, outputs.to_string()));
        }
        self.dense(weight, bias, inputs, activation)
    }

    fn layer_norm(
        &mut self,
        path: &str,
        width: usize,
        epsilon: f32,
    ) -> Result<LayerNorm, LoadError> {
        let gammas = self.tensor(&format!("{path}_gammas"), vec![width], FileOrder::Same)?;
        let betas = self.tensor(&format!("{path}_betas"), vec![width], FileOrder::Same)?;
        Ok(LayerNorm { width, gammas, betas, epsilon })
    }

    /// `act_d` of LC0_FORMAT section 4.
    fn default_activation(&self) -> Activation {
        match self.format.default_activation() {
            lc0::proto::DefaultActivation::Relu => Activation::Relu,
            lc0::proto::DefaultActivation::Mish => Activation::Mish,
        }
    }

    /// An activation of the file, where 0 means the default.
    fn activation(&self, function: ActivationFunction) -> Activation {
        match function {
            ActivationFunction::Default => self.default_activation(),
            ActivationFunction::Mish => Activation::Mish,
            ActivationFunction::Relu => Activation::Relu,
            ActivationFunction::None => Activation::Identity,
            ActivationFunction::Tanh => Activation::Tanh,
            ActivationFunction::Sigmoid => Activation::Sigmoid,
            ActivationFunction::Selu => Activation::Selu,
            ActivationFunction::Swish => Activation::Swish,
            ActivationFunction::Relu2 => Activation::ReluSquared,
            ActivationFunction::Softmax => Activation::Softmax,
        }
    }
}
