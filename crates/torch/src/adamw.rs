//! The optimiser's step on flat vectors.

use std::ops::Range;

use network::{AdamW, Group, Layout, LearningRates};
use tch::{Kind, Tensor, no_grad};

/// Elements of one piece, at the most: bounds the memory for intermediate results to a few times
/// 64 MiB.
const PIECE: usize = 1 << 24;

/// Parts of the flat vector, each of one group: neighbours of a group stand in one part, since a
/// step costs a dozen kernels a part.
pub(crate) struct Parts(Vec<(Group, Range<usize>)>);

impl Parts {
    pub(crate) fn new(layout: &Layout) -> Self {
        let mut parts: Vec<(Group, Range<usize>)> = Vec::new();
        for tensor in layout.tensors() {
            match parts.last_mut() {
                Some((group, range)) if *group == tensor.group => range.end = tensor.range().end,
                _ => parts.push((tensor.group, tensor.range())),
            }
        }
        let cut = |(group, range): (Group, Range<usize>)| {
            let end = range.end;
            range.step_by(PIECE).map(move |start| (group, start..end.min(start + PIECE)))
        };
        Self(parts.into_iter().flat_map(cut).collect())
    }
}

/// Vectors of the same length on one device.
pub(crate) struct AdamWState<'a> {
    pub(crate) parameters: &'a Tensor,
    pub(crate) first_moment: &'a Tensor,
    pub(crate) second_moment: &'a Tensor,
}

/// The step numbered `step`, from 1, as PyTorch's `AdamW` with a weight decay of zero:
///
/// `m += (1 - beta1)(g - m)`, `v = beta2 v + (1 - beta2) g^2`,
/// `p -= rate / (1 - beta1^step) * m / (sqrt(v) / sqrt(1 - beta2^step) + epsilon)`.
pub(crate) fn adamw(
    parts: &Parts,
    constants: &AdamW,
    rates: &LearningRates,
    step: u64,
    state: &AdamWState<'_>,
    gradient: &Tensor,
) {
    let correction = |beta: f64| 1.0 - beta.powf(step as f64);
    let deviation_correction = correction(constants.beta2).sqrt();
    no_grad(|| {
        for (group, range) in &parts.0 {
            let rate = rates.of(*group) / correction(constants.beta1);
            let part = |vector: &Tensor| vector.narrow(0, range.start as i64, range.len() as i64);
            let g = part(gradient);
            let mut m = part(state.first_moment);
            let mut v = part(state.second_moment);
            let mut p = part(state.parameters);
            let _ = m.lerp_(&g, 1.0 - constants.beta1);
            let _ = v.g_mul_scalar_(constants.beta2);
            v += (&g * (1.0 - constants.beta2)) * &g;
            let deviation = v.sqrt() / deviation_correction + constants.epsilon;
            p -= m / deviation * rate;
        }
    });
}

/// `average <- decay * average + (1 - decay) * parameters`.
pub(crate) fn move_average(average: &Tensor, decay: f64, parameters: &Tensor) {
    no_grad(|| {
        let _ = average.shallow_clone().lerp_(parameters, 1.0 - decay);
    });
}

/// Whether all elements are numbers.
pub(crate) fn is_finite(vector: &Tensor) -> bool {
    no_grad(|| vector.isfinite().all().to_kind(Kind::Int64).int64_value(&[]) != 0)
}
