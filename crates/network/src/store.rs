//! From trained parameters back into an Lc0 file.

use std::collections::BTreeSet;

use lc0::NetworkFile;
use lc0::proto::Encoding;

use crate::load::Network;
use crate::tensor::{Source, TensorInfo};

/// Why parameters cannot be put into a file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The flat vector is not of the network's length.
    #[error("{found} parameters for a network of {expected}")]
    Length {
        /// Length of the vector.
        found: usize,
        /// Length of the layout.
        expected: usize,
    },
    /// A layer that cannot be written.
    #[error(transparent)]
    Layer(#[from] lc0::NetworkFileError),
}

impl Network {
    /// Puts `parameters` into `file`, the file that this network was loaded from.
    ///
    /// Only tensors that differ from the loaded ones are written, each in the encoding that the
    /// file uses for it; everything else keeps its bytes. A convolution that differs is written
    /// with its batch normalisation folded in, as weights and biases alone, which lc0 reads as
    /// well (LC0_FORMAT section 6): undoing the fold would divide by scales that can be tiny.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the length is wrong or a value cannot be encoded; `file` is then
    /// incomplete and must not be written.
    pub fn store(&self, parameters: &[f32], file: &mut NetworkFile) -> Result<(), StoreError> {
        let layout = &self.architecture.layout;
        if parameters.len() != layout.len() {
            return Err(StoreError::Length { found: parameters.len(), expected: layout.len() });
        }
        let changed = |tensor: &&TensorInfo| {
            let range = tensor.range();
            parameters[range.clone()] != self.parameters[range]
        };
        let mut blocks = BTreeSet::new();
        for tensor in layout.tensors().iter().filter(changed) {
            match &tensor.source {
                Source::Layer(path) => {
                    let values = tensor.file_order.to_file(&parameters[tensor.range()]);
                    file.replace(path, &values)?;
                }
                Source::ConvolutionWeights(block) | Source::ConvolutionBias(block) => {
                    blocks.insert(block);
                }
            }
        }
        for tensor in layout.tensors() {
            let (block, layer) = match &tensor.source {
                Source::ConvolutionWeights(block) => (block, "weights"),
                Source::ConvolutionBias(block) => (block, "biases"),
                Source::Layer(_) => continue,
            };
            if blocks.contains(block) {
                let values = tensor.file_order.to_file(&parameters[tensor.range()]);
                let path = format!("{block}.{layer}");
                match file.layer(&path) {
                    Some(_) => file.replace(&path, &values)?,
                    None => file.set(&path, &values, Encoding::Linear16)?,
                }
            }
        }
        for block in blocks {
            for statistic in ["bn_means", "bn_stddivs", "bn_gammas", "bn_betas"] {
                let path = format!("{block}.{statistic}");
                if file.layer(&path).is_some() {
                    file.remove(&path)?;
                }
            }
        }
        Ok(())
    }
}
