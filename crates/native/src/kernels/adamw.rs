use network::AdamW;

use super::InstructionSet;
use crate::simd::{Kernel, LANES, Lanes, Simd};

#[cfg(test)]
mod tests;

/// The factors `1 - beta^step` by which both averages, which start at zero, are too small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BiasCorrection {
    /// Of the average of gradients.
    pub first: f64,
    /// Of the average of squared gradients.
    pub second: f64,
}

impl BiasCorrection {
    /// The factors at `step`, counted from 1.
    pub fn new(constants: &AdamW, step: u64) -> Self {
        let correction = |beta: f64| 1.0 - beta.powf(step as f64);
        Self { first: correction(constants.beta1), second: correction(constants.beta2) }
    }
}

/// Parameters and their averages, of one length.
#[derive(Debug)]
pub struct AdamWState<'a> {
    /// What is trained.
    pub parameters: &'a mut [f32],
    /// Averages of the gradients.
    pub first_moment: &'a mut [f32],
    /// Averages of the squared gradients.
    pub second_moment: &'a mut [f32],
}

/// One step, as PyTorch's `AdamW` with a weight decay of zero:
///
/// `m += (1 - beta1)(g - m)`, `v = beta2 v + (1 - beta2) g^2`,
/// `p -= rate / first * m / (sqrt(v) / sqrt(second) + epsilon)`.
///
/// # Panics
///
/// If lengths differ.
pub fn adamw(
    set: InstructionSet,
    constants: &AdamW,
    learning_rate: f64,
    correction: BiasCorrection,
    state: AdamWState<'_>,
    gradients: &[f32],
) {
    let length = state.parameters.len();
    let lengths = (state.first_moment.len(), state.second_moment.len(), gradients.len());
    assert_eq!(lengths, (length, length, length), "lengths");
    set.run(Step {
        beta1_rest: (1.0 - constants.beta1) as f32,
        beta2: constants.beta2 as f32,
        beta2_rest: (1.0 - constants.beta2) as f32,
        epsilon: constants.epsilon as f32,
        rate: (learning_rate / correction.first) as f32,
        deviation_correction: correction.second.sqrt() as f32,
        state,
        gradients,
    });
}

struct Step<'a> {
    beta1_rest: f32,
    beta2: f32,
    beta2_rest: f32,
    epsilon: f32,
    rate: f32,
    deviation_correction: f32,
    state: AdamWState<'a>,
    gradients: &'a [f32],
}

impl Kernel for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let moments = (self.state.first_moment.chunks_mut(LANES))
            .zip(self.state.second_moment.chunks_mut(LANES));
        let parameters = self.state.parameters.chunks_mut(LANES).zip(self.gradients.chunks(LANES));
        for ((parameters, gradients), (first, second)) in parameters.zip(moments) {
            let g = simd.load_chunk(gradients, 0.0);
            let (m, v) = (simd.load_chunk(first, 0.0), simd.load_chunk(second, 0.0));
            let m = (g - m).mul_add(simd.splat(self.beta1_rest), m);
            let v = (g * simd.splat(self.beta2_rest)).mul_add(g, v * simd.splat(self.beta2));
            m.store_chunk(first);
            v.store_chunk(second);
            let deviation = v.sqrt() / simd.splat(self.deviation_correction);
            let step = m / (deviation + simd.splat(self.epsilon));
            let p = simd.load_chunk(parameters, 0.0);
            step.mul_add(simd.splat(-self.rate), p).store_chunk(parameters);
        }
    }
}
