use super::InstructionSet;
use crate::simd::{Kernel, LANES, Lanes, Simd};

#[cfg(test)]
mod tests;

/// The weights of a layer normalisation, one of each for every column.
#[derive(Clone, Copy, Debug)]
pub struct LayerNormWeights<'a> {
    /// Factors.
    pub gamma: &'a [f32],
    /// Summands.
    pub beta: &'a [f32],
    /// Added to the variance.
    pub epsilon: f32,
}

/// What the forward pass keeps for the backward pass.
#[derive(Debug)]
pub struct LayerNormSaved<'a> {
    /// Rows of `(x - mean) / sqrt(variance + epsilon)`.
    pub normalized: &'a mut [f32],
    /// `1 / sqrt(variance + epsilon)`, one for each row.
    pub reciprocal_deviation: &'a mut [f32],
}

/// Gradients of the weights, which the backward pass adds to.
#[derive(Debug)]
pub struct LayerNormGradients<'a> {
    /// Of the factors.
    pub gamma: &'a mut [f32],
    /// Of the summands.
    pub beta: &'a mut [f32],
}

/// `out = gamma (x - mean) / sqrt(variance + epsilon) + beta` for rows of the weights' length, with
/// the biased variance (LC0_FORMAT section 4). The variance is computed after the mean.
///
/// # Panics
///
/// If lengths do not match.
pub fn layer_norm(
    set: InstructionSet,
    x: &[f32],
    weights: LayerNormWeights<'_>,
    out: &mut [f32],
    saved: Option<LayerNormSaved<'_>>,
) {
    let width = weights.gamma.len();
    assert!(width > 0 && x.len().is_multiple_of(width), "{} numbers in rows of {width}", x.len());
    assert_eq!((weights.beta.len(), out.len()), (width, x.len()), "lengths");
    if let Some(saved) = &saved {
        let lengths = (saved.normalized.len(), saved.reciprocal_deviation.len());
        assert_eq!(lengths, (x.len(), x.len() / width), "saved");
    }
    set.run(Forward { x, weights, out, saved });
}

/// The backward pass of [`layer_norm`]: the gradient of `x` from that of the output, `dy`, and what
/// was saved; adds to the gradients of the weights, row after row.
///
/// With `h` the normalised numbers, `r` the reciprocal deviation and `g = gamma dy`:
/// `dx = r (g - mean(g) - h mean(g h))`.
///
/// # Panics
///
/// If lengths do not match.
pub fn layer_norm_backward(
    set: InstructionSet,
    dy: &[f32],
    gamma: &[f32],
    (normalized, reciprocal_deviation): (&[f32], &[f32]),
    dx: &mut [f32],
    gradients: LayerNormGradients<'_>,
) {
    let width = gamma.len();
    assert!(width > 0 && dy.len().is_multiple_of(width), "{} numbers in rows of {width}", dy.len());
    let lengths = (normalized.len(), reciprocal_deviation.len(), dx.len());
    assert_eq!(lengths, (dy.len(), dy.len() / width, dy.len()), "lengths");
    assert_eq!((gradients.gamma.len(), gradients.beta.len()), (width, width), "gradients");
    set.run(Backward { dy, gamma, normalized, reciprocal_deviation, dx, gradients });
}

struct Forward<'a> {
    x: &'a [f32],
    weights: LayerNormWeights<'a>,
    out: &'a mut [f32],
    saved: Option<LayerNormSaved<'a>>,
}

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let LayerNormWeights { gamma, beta, epsilon } = self.weights;
        let width = gamma.len();
        let rows = self.x.chunks_exact(width).zip(self.out.chunks_exact_mut(width));
        for (index, (x, out)) in rows.enumerate() {
            let mut sum = simd.splat(0.0);
            for x in x.chunks(LANES) {
                sum = sum + simd.load_chunk(x, 0.0);
            }
            let mean = sum.sum() / width as f32;
            let mut sum = simd.splat(0.0);
            for x in x.chunks(LANES) {
                let centred = simd.load_chunk(x, mean) - simd.splat(mean);
                sum = centred.mul_add(centred, sum);
            }
            let reciprocal = 1.0 / (sum.sum() / width as f32 + epsilon).sqrt();
            let mut normalized = None;
            if let Some(saved) = &mut self.saved {
                saved.reciprocal_deviation[index] = reciprocal;
                normalized = Some(&mut saved.normalized[index * width..][..width]);
            }
            let weights = gamma.chunks(LANES).zip(beta.chunks(LANES));
            let numbers = x.chunks(LANES).zip(out.chunks_mut(LANES));
            for (chunk, ((x, out), (gamma, beta))) in numbers.zip(weights).enumerate() {
                let h = (simd.load_chunk(x, 0.0) - simd.splat(mean)) * simd.splat(reciprocal);
                if let Some(normalized) = &mut normalized {
                    h.store_chunk(&mut normalized[chunk * LANES..][..x.len()]);
                }
                h.mul_add(simd.load_chunk(gamma, 0.0), simd.load_chunk(beta, 0.0)).store_chunk(out);
            }
        }
    }
}

struct Backward<'a> {
    dy: &'a [f32],
    gamma: &'a [f32],
    normalized: &'a [f32],
    reciprocal_deviation: &'a [f32],
    dx: &'a mut [f32],
    gradients: LayerNormGradients<'a>,
}

impl Kernel for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let width = self.gamma.len();
        let inputs = self.dy.chunks_exact(width).zip(self.normalized.chunks_exact(width));
        let outputs = self.dx.chunks_exact_mut(width).zip(self.reciprocal_deviation);
        for ((dy, h), (dx, &reciprocal)) in inputs.zip(outputs) {
            let (mut sum, mut product_sum) = (simd.splat(0.0), simd.splat(0.0));
            let gradients =
                (self.gradients.gamma.chunks_mut(LANES)).zip(self.gradients.beta.chunks_mut(LANES));
            let inputs = dy.chunks(LANES).zip(h.chunks(LANES)).zip(self.gamma.chunks(LANES));
            for (((dy, h), gamma), (d_gamma, d_beta)) in inputs.zip(gradients) {
                let (dy, h) = (simd.load_chunk(dy, 0.0), simd.load_chunk(h, 0.0));
                dy.mul_add(h, simd.load_chunk(d_gamma, 0.0)).store_chunk(d_gamma);
                (dy + simd.load_chunk(d_beta, 0.0)).store_chunk(d_beta);
                let g = dy * simd.load_chunk(gamma, 0.0);
                sum = sum + g;
                product_sum = g.mul_add(h, product_sum);
            }
            let mean = simd.splat(sum.sum() / width as f32);
            let product_mean = simd.splat(-product_sum.sum() / width as f32);
            let inputs = dy.chunks(LANES).zip(h.chunks(LANES)).zip(self.gamma.chunks(LANES));
            for (((dy, h), gamma), dx) in inputs.zip(dx.chunks_mut(LANES)) {
                let g = simd.load_chunk(dy, 0.0) * simd.load_chunk(gamma, 0.0);
                let centred = simd.load_chunk(h, 0.0).mul_add(product_mean, g - mean);
                (centred * simd.splat(reciprocal)).store_chunk(dx);
            }
        }
    }
}
