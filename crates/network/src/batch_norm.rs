//! Batch normalisation of a convolution block (LC0_FORMAT section 6).
//!
//! With `scale = gamma / sqrt(variance + epsilon)` a block computes
//! `scale (W x + bias - mean) + beta`: a convolution with weights `scale W` and bias
//! `beta - scale (mean - bias)`.

use lc0::{NetworkFile, NetworkFileError};

/// Added to the variance before its root is taken.
const EPSILON: f32 = 1e-5;

/// What a block does behind its convolution's weights, for each output channel.
pub(crate) struct BatchNorm {
    /// Factor of the weights.
    pub(crate) scales: Vec<f32>,
    /// Bias behind the factor without `beta`: `-scale (mean - bias)`.
    pub(crate) shifts: Vec<f32>,
    /// `beta`, zero where the file has none.
    pub(crate) betas: Vec<f32>,
}

/// A layer of a block with a wrong number of elements, or a variance without a root.
pub(crate) enum BatchNormError {
    File(NetworkFileError),
    Count { path: String, found: usize },
    Variance { path: String, channel: usize, variance: f32 },
}

impl From<NetworkFileError> for BatchNormError {
    fn from(error: NetworkFileError) -> Self {
        Self::File(error)
    }
}

impl BatchNorm {
    /// The normalisation of the block at `path`, or `None` where it has none.
    pub(crate) fn read(
        file: &NetworkFile,
        path: &str,
        outputs: usize,
    ) -> Result<Option<Self>, BatchNormError> {
        let layer = |name: &str| {
            let path = format!("{path}.{name}");
            if file.layer(&path).is_none() {
                return Ok(None);
            }
            let values = file.values(&path)?;
            match values.len() {
                0 => Ok(None),
                found if found == outputs => Ok(Some(values)),
                found => Err(BatchNormError::Count { path, found }),
            }
        };
        let Some(means) = layer("bn_means")? else { return Ok(None) };
        // The field's name says deviation, its values are variances.
        let variances = layer("bn_stddivs")?.unwrap_or_default();
        let path = format!("{path}.bn_stddivs");
        if variances.len() != outputs {
            return Err(BatchNormError::Count { path, found: variances.len() });
        }
        let gammas = layer("bn_gammas")?.unwrap_or_else(|| vec![1.0; outputs]);
        let betas = layer("bn_betas")?.unwrap_or_else(|| vec![0.0; outputs]);
        let biases = layer("biases")?.unwrap_or_else(|| vec![0.0; outputs]);
        let mut scales = Vec::with_capacity(outputs);
        for (channel, (gamma, &variance)) in gammas.iter().zip(&variances).enumerate() {
            let scale = gamma / (variance + EPSILON).sqrt();
            if !scale.is_finite() {
                return Err(BatchNormError::Variance { path, channel, variance });
            }
            scales.push(scale);
        }
        let shift = |channel: usize| -scales[channel] * (means[channel] - biases[channel]);
        let shifts = (0..outputs).map(shift).collect();
        Ok(Some(Self { scales, shifts, betas }))
    }

    /// Takes a convolution's weights `[outputs][..]` to those behind the normalisation, and gives
    /// its bias.
    pub(crate) fn fold(&self, weights: &mut [f32]) -> Vec<f32> {
        let width = weights.len() / self.scales.len();
        for (weights, scale) in weights.chunks_exact_mut(width).zip(&self.scales) {
            weights.iter_mut().for_each(|weight| *weight *= scale);
        }
        self.shifts.iter().zip(&self.betas).map(|(shift, beta)| beta + shift).collect()
    }

    /// The convolution's weights and the `beta` of which [`fold`](Self::fold) makes these, or
    /// `None` where a weight would be larger than `most`: a channel with a scale near zero has no
    /// such weights.
    pub(crate) fn unfold(
        &self,
        weights: &[f32],
        bias: &[f32],
        most: f32,
    ) -> Option<(Vec<f32>, Vec<f32>)> {
        let width = weights.len() / self.scales.len();
        let mut unfolded = Vec::with_capacity(weights.len());
        for (weights, scale) in weights.chunks_exact(width).zip(&self.scales) {
            unfolded.extend(weights.iter().map(|weight| weight / scale));
        }
        let betas = bias.iter().zip(&self.shifts).map(|(bias, shift)| bias - shift).collect();
        // Written so that NaN, of zero by zero, is refused as well.
        unfolded.iter().all(|weight| weight.abs() <= most).then_some((unfolded, betas))
    }
}
