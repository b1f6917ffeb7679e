//! Convolution blocks and the residual tower (LC0_FORMAT section 6).

use super::{LoadError, Loader};
use crate::activation::Activation;
use crate::architecture::{
    Body, Convolution, INPUT_CHANNELS, ResidualBlock, ResidualTower, SqueezeExcitation,
};
use crate::batch_norm::{BatchNorm, BatchNormError};
use crate::tensor::{FileOrder, Group, Source};

impl Loader<'_> {
    pub(super) fn residual_tower(&mut self) -> Result<Body, LoadError> {
        let activation = self.markers.default_activation;
        let input = self.convolution("input", INPUT_CHANNELS, 3, activation)?;
        let filters = input.outputs;
        let count = self.weights().residual.len();
        let mut blocks = Vec::new();
        for block in 0..count {
            if block + 1 == count {
                self.group = Group::FinalBlock;
            }
            blocks.push(self.residual_block(&format!("residual.{block}"), filters)?);
        }
        Ok(Body::Residual(ResidualTower { input, blocks }))
    }

    fn residual_block(&mut self, path: &str, filters: usize) -> Result<ResidualBlock, LoadError> {
        let activation = self.markers.default_activation;
        let conv1 = self.convolution(&format!("{path}.conv1"), filters, 3, activation)?;
        let conv2_path = format!("{path}.conv2");
        let conv2 = self.convolution(&conv2_path, conv1.outputs, 3, Activation::Identity)?;
        if conv2.outputs != filters {
            let found = self.count(&format!("{conv2_path}.weights"))?;
            let expected = (filters * conv2.inputs * 9).to_string();
            return Err(self.wrong_count(&format!("{conv2_path}.weights"), found, expected));
        }
        let squeeze_excitation = match self.has(&format!("{path}.se.w1")) {
            true => Some(self.squeeze_excitation(&format!("{path}.se"), filters)?),
            false => None,
        };
        Ok(ResidualBlock { conv1, conv2, squeeze_excitation, activation })
    }

    fn squeeze_excitation(
        &mut self,
        path: &str,
        filters: usize,
    ) -> Result<SqueezeExcitation, LoadError> {
        let (weight, bias) = (format!("{path}.w1"), format!("{path}.b1"));
        let reduce = self.dense(&weight, &bias, filters, self.markers.default_activation)?;
        let (weight, bias) = (format!("{path}.w2"), format!("{path}.b2"));
        let identity = Activation::Identity;
        let expand = self.dense_to(&weight, &bias, reduce.outputs, 2 * filters, identity)?;
        Ok(SqueezeExcitation { reduce, expand })
    }

    /// A convolution with its batch normalisation folded in.
    pub(super) fn convolution(
        &mut self,
        path: &str,
        inputs: usize,
        kernel: usize,
        activation: Activation,
    ) -> Result<Convolution, LoadError> {
        let weights_path = format!("{path}.weights");
        let count = self.count(&weights_path)?;
        let per_output = inputs * kernel * kernel;
        if count % per_output != 0 {
            let expected = format!("a multiple of {per_output}");
            return Err(self.wrong_count(&weights_path, count, expected));
        }
        let outputs = count / per_output;
        let mut weights = self.decode(&weights_path, count)?;
        let bias = match BatchNorm::read(self.file, path, outputs) {
            Ok(Some(norm)) => norm.fold(&mut weights),
            Ok(None) => self.optional_bias(&format!("{path}.biases"), outputs)?,
            Err(BatchNormError::File(error)) => return Err(error.into()),
            Err(BatchNormError::Count { path, found }) => {
                return Err(self.wrong_count(&path, found, outputs.to_string()));
            }
            Err(BatchNormError::Variance { path, channel, variance }) => {
                let what = format!("{path}: variance {variance} of channel {channel} has no root");
                return Err(self.unsupported(what));
            }
        };
        if weights.iter().chain(&bias).any(|value| !value.is_finite()) {
            let what = format!("{path}: weights are not finite behind the batch normalisation");
            return Err(self.unsupported(what));
        }
        let order =
            FileOrder::Transposed { outer: outputs, rows: inputs, columns: kernel * kernel };
        let shape = vec![outputs, kernel, kernel, inputs];
        let source = Source::ConvolutionWeights(path.to_owned());
        let weight = self.push(weights_path, shape, order, source, weights);
        let source = Source::ConvolutionBias(path.to_owned());
        let name = format!("{path}.biases");
        let bias = self.push(name, vec![outputs], FileOrder::Same, source, bias);
        Ok(Convolution { inputs, outputs, kernel, weight, bias, activation })
    }

    fn optional_bias(&self, path: &str, len: usize) -> Result<Vec<f32>, LoadError> {
        match self.has(path) {
            true => self.decode(path, len),
            false => Ok(vec![0.0; len]),
        }
    }
}
