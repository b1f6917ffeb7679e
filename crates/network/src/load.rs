//! From an Lc0 file to an [`Architecture`] and its parameters.
//!
//! The file says few of its sizes; all others follow from element counts (LC0_FORMAT section 1),
//! and every count is checked against the layers before it.

mod attention;
mod convolution;
mod heads;
mod markers;

use lc0::NetworkFile;

use self::markers::{Markers, Structure};
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
        let mut loader = Loader::new(file)?;
        let Markers { input: input_format, structure, .. } = loader.markers;
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

/// The file being read, and what was read so far.
struct Loader<'a> {
    file: &'a NetworkFile,
    markers: Markers,
    layout: Layout,
    values: Vec<f32>,
    group: Group,
}

impl<'a> Loader<'a> {
    fn new(file: &'a NetworkFile) -> Result<Self, LoadError> {
        Ok(Self {
            file,
            markers: Markers::read(file)?,
            layout: Layout::default(),
            values: Vec::new(),
            group: Group::Backbone,
        })
    }

    fn weights(&self) -> &'a lc0::proto::Weights {
        self.file.net().weights.as_ref().expect("a network file has weights")
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

    /// Whether a layer is there with anything in it, be it broken.
    fn has(&self, path: &str) -> bool {
        let params = self.file.layer(path).and_then(|layer| layer.params.as_ref());
        params.is_some_and(|params| !params.is_empty())
    }

    /// Number of elements of a layer that must be there.
    fn count(&self, path: &str) -> Result<usize, LoadError> {
        let layer = self.file.layer(path).filter(|_| self.has(path));
        let layer = layer.ok_or_else(|| self.missing(path))?;
        lc0::layer::element_count(layer).map_err(|source| {
            let (name, path) = (self.file.name().to_owned(), path.to_owned());
            LoadError::Layer(lc0::NetworkFileError::Layer { name, path, source })
        })
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
}
