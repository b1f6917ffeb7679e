//! A network file in memory.

mod container;
mod edit;
mod error;
mod markers;
mod tree;
mod write;

pub use container::MAXIMUM_SIZE;
pub use error::NetworkFileError;

use crate::layer;
use crate::proto::{Layer, Net, Structured};
use bytes::Bytes;
use container::Contents;
use prost::Message as _;
use std::fs::File;
use std::io::{BufReader, Cursor};
use std::path::Path;
use tree::{Content, Malformed, Message};

/// A network file: its markers, and its layers by path.
///
/// A path is the names of [`crate::proto::Weights`] and below, joined by dots, list elements by
/// their index: `encoder.0.mha.q_w`, `residual.3.conv1.weights`, `policy_heads.vanilla.ip2_pol_w`,
/// `ip_emb_w`.
///
/// Tensors share the memory of the file's message; they are decoded on demand.
#[derive(Clone, Debug)]
pub struct NetworkFile {
    name: String,
    sha256: String,
    size: u64,
    message: Message,
    net: Net,
}

impl NetworkFile {
    /// Reads the file at `path`, compressed with gzip or not.
    ///
    /// # Errors
    /// Where the file cannot be read, is no network, is larger than [`MAXIMUM_SIZE`], or is
    /// broken. Memory stays within a small multiple of what is really there.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, NetworkFileError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let file = File::open(path)
            .map_err(|source| NetworkFileError::Io { name: name.clone(), source })?;
        let contents = container::unpack(&name, BufReader::new(file), MAXIMUM_SIZE)?;
        Self::from_contents(name, contents)
    }

    /// Reads the bytes of a file; `name` stands for it in errors.
    ///
    /// # Errors
    /// As [`NetworkFile::read`].
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, NetworkFileError> {
        let name = name.into();
        let contents = container::unpack(&name, Cursor::new(bytes), MAXIMUM_SIZE)?;
        Self::from_contents(name, contents)
    }

    fn from_contents(name: String, contents: Contents) -> Result<Self, NetworkFileError> {
        let malformed = |mut fault: Malformed| {
            // As the path of a layer, that of a fault starts below the weights.
            if fault.fields.len() > 1 && fault.fields.last().is_some_and(|name| name == WEIGHTS) {
                fault.fields.pop();
            }
            fault.fields.reverse();
            NetworkFileError::Malformed {
                name: name.clone(),
                offset: fault.offset as u64,
                path: fault.fields.join("."),
                problem: fault.problem,
            }
        };
        let message =
            tree::read(Net::STRUCTURE, Bytes::from(contents.message)).map_err(malformed)?;
        let net = decode(&message).map_err(|error| NetworkFileError::Malformed {
            name: name.clone(),
            offset: 0,
            path: String::new(),
            problem: error.to_string(),
        })?;
        Ok(Self { name, sha256: contents.sha256, size: contents.size, message, net })
    }

    /// The name of the file, as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// SHA-256 of the file as it was on disk, compressed if it was, in lower-case hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Bytes of the file as it was on disk, compressed if it was.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The network as a message, with the markers of older files brought to today's values: see
    /// LC0_FORMAT section 1. `format.network_format` and `weights` are always there;
    /// activations of an attention body are never [`crate::proto::ActivationFunction::Default`].
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// All layers and their paths, in the order of the file.
    pub fn layers(&self) -> impl Iterator<Item = (String, &Layer)> {
        let mut layers = Vec::new();
        if let Some(weights) = self.weights() {
            weights.visit("", &mut |path, layer| layers.push((path, layer)));
        }
        layers.into_iter()
    }

    /// The layer at `path`, or `None` where there is none.
    pub fn layer(&self, path: &str) -> Option<&Layer> {
        self.weights()?.layer(path)
    }

    /// The numbers of the layer at `path`, in row-major order; see [`layer::decode`].
    ///
    /// # Errors
    /// Where there is no such layer, or its numbers are broken or not finite.
    pub fn values(&self, path: &str) -> Result<Vec<f32>, NetworkFileError> {
        let Some(layer) = self.layer(path) else {
            return Err(self.path_error(path, "there is no such layer".to_owned()));
        };
        layer::decode(layer).map_err(|source| self.layer_error(path, source))
    }

    fn weights(&self) -> Option<&Message> {
        self.message.nodes().find_map(|node| match &node.content {
            Content::Message(message) if node.field.name == WEIGHTS => Some(message),
            _ => None,
        })
    }
}

/// The field of [`Net`] below which paths start.
const WEIGHTS: &str = "weights";

fn decode(message: &Message) -> Result<Net, prost::DecodeError> {
    let mut net = Net::decode(message.rope())?;
    markers::normalise(&mut net);
    Ok(net)
}

#[cfg(test)]
mod tests;
