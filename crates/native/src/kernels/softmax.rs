use super::InstructionSet;
use crate::simd::math::exp;
use crate::simd::{Kernel, LANES, Lanes, Simd};

#[cfg(test)]
mod tests;

/// Takes each row of `width` logits to its softmax.
///
/// Logits of minus infinity get a probability of zero; a row without a finite logit, or with NaN or
/// plus infinity, comes out as NaN.
///
/// # Panics
///
/// If the numbers are not whole rows.
pub fn softmax(set: InstructionSet, x: &mut [f32], width: usize) {
    check(x.len(), width);
    set.run(Softmax { x, width });
}

/// The backward pass of [`softmax`]: takes each row of `gradient` from `dp` to
/// `p (dp - sum of p dp)`.
///
/// # Panics
///
/// If lengths do not match.
pub fn softmax_backward(
    set: InstructionSet,
    probabilities: &[f32],
    gradient: &mut [f32],
    width: usize,
) {
    check(probabilities.len(), width);
    assert_eq!(gradient.len(), probabilities.len(), "gradient");
    set.run(SoftmaxBackward { probabilities, gradient, width });
}

/// Panics unless `length` numbers are whole rows.
#[track_caller]
fn check(length: usize, width: usize) {
    assert!(width > 0 && length.is_multiple_of(width), "{length} numbers in rows of {width}");
}

struct Softmax<'a> {
    x: &'a mut [f32],
    width: usize,
}

impl Kernel for Softmax<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for row in self.x.chunks_exact_mut(self.width) {
            let mut largest = simd.splat(f32::NEG_INFINITY);
            for x in row.chunks(LANES) {
                largest = largest.max(simd.load_chunk(x, f32::NEG_INFINITY));
            }
            let largest = simd.splat(largest.largest());
            let mut sum = simd.splat(0.0);
            for x in row.chunks_mut(LANES) {
                let e = exp(simd, simd.load_chunk(x, f32::NEG_INFINITY) - largest);
                sum = sum + e;
                e.store_chunk(x);
            }
            let factor = simd.splat(1.0 / sum.sum());
            for x in row.chunks_mut(LANES) {
                (simd.load_chunk(x, 0.0) * factor).store_chunk(x);
            }
        }
    }
}

struct SoftmaxBackward<'a> {
    probabilities: &'a [f32],
    gradient: &'a mut [f32],
    width: usize,
}

impl Kernel for SoftmaxBackward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let rows = self.probabilities.chunks_exact(self.width);
        for (p, gradient) in rows.zip(self.gradient.chunks_exact_mut(self.width)) {
            let mut sum = simd.splat(0.0);
            for (p, dp) in p.chunks(LANES).zip(gradient.chunks(LANES)) {
                sum = simd.load_chunk(p, 0.0).mul_add(simd.load_chunk(dp, 0.0), sum);
            }
            let sum = simd.splat(sum.sum());
            for (p, dp) in p.chunks(LANES).zip(gradient.chunks_mut(LANES)) {
                let lanes = simd.load_chunk(p, 0.0) * (simd.load_chunk(dp, 0.0) - sum);
                lanes.store_chunk(dp);
            }
        }
    }
}
