//! Changing layers.

use super::{NetworkFile, NetworkFileError, WEIGHTS, decode};
use crate::LayerError;
use crate::layer::{self, encoding};
use crate::proto::{Encoding, Layer, MAGIC, Net, Version};
use prost::Message as _;

/// The first lc0 that reads encodings other than LINEAR16.
const ENCODINGS_VERSION: (u32, u32, u32) = (0, 33, 0);

impl NetworkFile {
    /// A file of a network made in memory, with the magic number that files start with.
    ///
    /// [`NetworkFile::sha256`] and [`NetworkFile::size`] are those of the message, uncompressed.
    /// `min_version` becomes 0.33 at least where a layer is not LINEAR16.
    ///
    /// # Errors
    /// Where a layer's encoding is undefined or the message is beyond the limits of reading.
    pub fn new(name: impl Into<String>, mut net: Net) -> Result<Self, NetworkFileError> {
        net.magic = Some(MAGIC);
        let bytes = net.encode_to_vec();
        // A large network should not be in memory more often than it must.
        drop(net);
        let mut file = Self::from_bytes(name, bytes)?;
        let layers: Vec<(String, Layer)> =
            file.layers().map(|(path, layer)| (path, layer.clone())).collect();
        for (path, layer) in layers {
            let encoding = encoding(&layer).map_err(|source| file.layer_error(&path, source))?;
            if file.require_version_for(encoding) {
                return Self::from_bytes(file.name.clone(), file.to_bytes());
            }
        }
        Ok(file)
    }

    /// Gives the layer at `path` new values, stored in the encoding it has.
    ///
    /// What is stored differs from `values` as the encoding demands: for LINEAR16 by half a step,
    /// `(max - min) / 65535 / 2`, plus single-precision rounding. Values that the layer already
    /// has change nothing at all.
    ///
    /// # Errors
    /// Where there is no such layer, it has another number of elements, or a value is not finite
    /// or beyond the encoding's range. The network is then as before.
    pub fn replace(&mut self, path: &str, values: &[f32]) -> Result<(), NetworkFileError> {
        let Some(layer) = self.layer(path) else {
            return Err(self.path_error(path, "there is no such layer".to_owned()));
        };
        let change = || {
            let expected = layer::element_count(layer)?;
            if expected != values.len() {
                return Err(LayerError::Length { expected, given: values.len() });
            }
            // A layer that does not decode has no values to keep.
            if layer::decode(layer).is_ok_and(|present| present == values) {
                return Ok(None);
            }
            let encoding = encoding(layer)?;
            let mut encoded = layer::encode(values, encoding)?;
            encoded.encoding = layer.encoding;
            Ok(Some((encoding, encoded)))
        };
        match change().map_err(|source| self.layer_error(path, source))? {
            Some((encoding, encoded)) => self.store(path, encoding, &encoded),
            None => Ok(()),
        }
    }

    /// Puts a layer of these values at `path`, stored in `encoding`, whether or not there was one;
    /// the messages on the way to it are added where they are absent, list elements are not.
    ///
    /// # Errors
    /// Where `path` cannot be a layer, a stored shape has another number of elements, or a value
    /// is not finite or beyond the encoding's range. The network is then as before.
    pub fn set(
        &mut self,
        path: &str,
        values: &[f32],
        encoding: Encoding,
    ) -> Result<(), NetworkFileError> {
        let dims = self.layer(path).map_or(&[][..], |layer| &layer.dims);
        let change = || {
            if !layer::fits(dims, values.len()) {
                return Err(LayerError::Shape { dims: dims.to_vec(), elements: values.len() });
            }
            let mut encoded = layer::encode(values, encoding)?;
            // LINEAR16 goes without a marker, which old versions of lc0 do not know.
            let is_linear = matches!(encoding, Encoding::Unknown | Encoding::Linear16);
            encoded.encoding = (!is_linear).then_some(encoding as i32);
            Ok(encoded)
        };
        let encoded = change().map_err(|source| self.layer_error(path, source))?;
        self.store(path, encoding, &encoded)
    }

    /// Removes the layer at `path`, or everything below it: a message (`policy_heads.soft`), a
    /// list element (`encoder.3`, those after it move down) or a whole list (`encoder`).
    ///
    /// # Errors
    /// Where there is nothing at `path`.
    pub fn remove(&mut self, path: &str) -> Result<(), NetworkFileError> {
        self.message
            .remove(&format!("{WEIGHTS}.{path}"))
            .map_err(|problem| self.path_error(path, problem))?;
        self.refresh();
        Ok(())
    }

    fn store(
        &mut self,
        path: &str,
        encoding: Encoding,
        layer: &Layer,
    ) -> Result<(), NetworkFileError> {
        self.message
            .set(&format!("{WEIGHTS}.{path}"), layer)
            .map_err(|problem| self.path_error(path, problem))?;
        self.require_version_for(encoding);
        self.refresh();
        Ok(())
    }

    /// Raises `min_version` to what `encoding` needs; whether it had to.
    fn require_version_for(&mut self, encoding: Encoding) -> bool {
        if matches!(encoding, Encoding::Unknown | Encoding::Linear16) {
            return false;
        }
        let stored = self.net.min_version.clone().unwrap_or_default();
        if (stored.major(), stored.minor(), stored.patch()) >= ENCODINGS_VERSION {
            return false;
        }
        let (major, minor, patch) = ENCODINGS_VERSION;
        let version = Version { major: Some(major), minor: Some(minor), patch: Some(patch) };
        self.message.child_mut("min_version").substitute(&[1, 2, 3], &version);
        true
    }

    /// Brings [`NetworkFile::net`] up to date with the tree.
    fn refresh(&mut self) {
        self.net = decode(&self.message).expect("parts that were read, and parts just written");
    }

    pub(super) fn path_error(&self, path: &str, problem: String) -> NetworkFileError {
        NetworkFileError::Path { name: self.name.clone(), path: path.to_owned(), problem }
    }

    pub(crate) fn layer_error(&self, path: &str, source: LayerError) -> NetworkFileError {
        NetworkFileError::Layer { name: self.name.clone(), path: path.to_owned(), source }
    }
}
