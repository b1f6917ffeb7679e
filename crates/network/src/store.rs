//! From trained parameters back into an Lc0 file.

use std::collections::BTreeSet;

use lc0::NetworkFile;
use lc0::proto::Encoding;

use crate::batch_norm::{BatchNorm, BatchNormError};
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
    /// The file is not the one that the network was loaded from.
    #[error("convolution block {block} is not that of the network")]
    OtherFile {
        /// Path of the block.
        block: String,
    },
    /// A layer that cannot be written.
    #[error(transparent)]
    Layer(#[from] lc0::NetworkFileError),
}

impl Network {
    /// Puts `parameters` into `file`, the file that this network was loaded from.
    ///
    /// Only tensors that differ from the loaded ones are written, each in the encoding that the
    /// file uses for it; everything else keeps its bytes. A convolution that differs keeps its
    /// batch normalisation, with new weights and a new `beta`; where a channel's scale is so near
    /// zero that its weights would grow beyond twice the tensor's range, which costs all others
    /// their precision, the block is written with the normalisation folded in, as weights and
    /// biases alone. lc0 reads both (LC0_FORMAT section 6).
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
        for block in blocks {
            self.store_block(block, parameters, file)?;
        }
        Ok(())
    }

    /// Writes the convolution block at `block`, see [`store`](Self::store).
    fn store_block(
        &self,
        block: &str,
        parameters: &[f32],
        file: &mut NetworkFile,
    ) -> Result<(), StoreError> {
        let tensor = |source: Source| {
            let mut tensors = self.architecture.layout.tensors().iter();
            let tensor = tensors.find(|tensor| tensor.source == source);
            tensor.expect("a block has weights and a bias")
        };
        let weight = tensor(Source::ConvolutionWeights(block.to_owned()));
        let bias = tensor(Source::ConvolutionBias(block.to_owned()));
        let weights = weight.file_order.to_file(&parameters[weight.range()]);
        let biases = &parameters[bias.range()];
        let path = |layer: &str| format!("{block}.{layer}");
        let present = file.values(&path("weights"))?;
        let most = 2.0 * present.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
        let norm = match BatchNorm::read(file, block, biases.len()) {
            Ok(norm) => norm,
            Err(BatchNormError::File(error)) => return Err(error.into()),
            Err(_) => return Err(StoreError::OtherFile { block: block.to_owned() }),
        };
        let Some(norm) = norm else {
            file.replace(&path("weights"), &weights)?;
            return set(file, &path("biases"), biases);
        };
        if let Some((weights, betas)) = norm.unfold(&weights, biases, most) {
            file.replace(&path("weights"), &weights)?;
            return set(file, &path("bn_betas"), &betas);
        }
        file.replace(&path("weights"), &weights)?;
        set(file, &path("biases"), biases)?;
        for statistic in ["bn_means", "bn_stddivs", "bn_gammas", "bn_betas"] {
            if file.layer(&path(statistic)).is_some() {
                file.remove(&path(statistic))?;
            }
        }
        Ok(())
    }
}

/// Replaces a layer, or adds it.
fn set(file: &mut NetworkFile, path: &str, values: &[f32]) -> Result<(), StoreError> {
    match file.layer(path) {
        Some(_) => file.replace(path, values)?,
        None => file.set(path, values, Encoding::Linear16)?,
    }
    Ok(())
}
