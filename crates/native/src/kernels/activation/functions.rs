//! The functions in lanes. Infinities may come out as NaN where the definition multiplies an
//! infinity by zero (mish and swish at minus infinity): they can only stem from a fault upstream.

use crate::simd::math::{exp, exp_minus_one_of_negative};
use crate::simd::{Lanes, Simd};

/// A function of each lane, with its derivative.
pub(in crate::kernels) trait Function {
    /// The function's value.
    fn value<S: Simd>(simd: S, x: S::Lanes) -> S::Lanes;

    /// The value, with the same bits as from `value`, and the derivative. A derivative at a kink is
    /// that of the side below.
    fn value_and_derivative<S: Simd>(simd: S, x: S::Lanes) -> (S::Lanes, S::Lanes);
}

/// `x`
pub(in crate::kernels) struct Identity;

impl Function for Identity {
    #[inline(always)]
    fn value<S: Simd>(_simd: S, x: S::Lanes) -> S::Lanes {
        x
    }

    #[inline(always)]
    fn value_and_derivative<S: Simd>(simd: S, x: S::Lanes) -> (S::Lanes, S::Lanes) {
        (x, simd.splat(1.0))
    }
}

/// `max(x, 0)`
pub(in crate::kernels) struct Relu;

impl Function for Relu {
    #[inline(always)]
    fn value<S: Simd>(simd: S, x: S::Lanes) -> S::Lanes {
        simd.splat(0.0).max(x)
    }

    #[inline(always)]
    fn value_and_derivative<S: Simd>(simd: S, x: S::Lanes) -> (S::Lanes, S::Lanes) {
        // Zero, but NaN for NaN.
        let zero = x + (simd.splat(0.0) - x);
        (Self::value(simd, x), x.select_positive(simd.splat(1.0), zero))
    }
}

/// `max(x, 0)^2`
pub(in crate::kernels) struct ReluSquared;

impl Function for ReluSquared {
    #[inline(always)]
    fn value<S: Simd>(simd: S, x: S::Lanes) -> S::Lanes {
        let positive = Relu::value(simd, x);
        positive * positive
    }

    #[inline(always)]
    fn value_and_derivative<S: Simd>(simd: S, x: S::Lanes) -> (S::Lanes, S::Lanes) {
        let positive = Relu::value(simd, x);
        (positive * positive, positive + positive)
    }
}

/// `x tanh(ln(1 + e^x)) = x t` with `t = n / (n + 2)`, `n = e^2x + 2 e^x`
pub(in crate::kernels) struct Mish;

impl Mish {
    /// Where `t` is 1 to the last bit, and from where on `x` counts as this in the exponential.
    const SATURATED: f32 = 20.0;
}

impl Function for Mish {
    #[inline(always)]
    fn value<S: Simd>(simd: S, x: S::Lanes) -> S::Lanes {
        let e = exp(simd, simd.splat(Self::SATURATED).min(x));
        let n = e.mul_add(e, e + e);
        x * (n / (n + simd.splat(2.0)))
    }

    #[inline(always)]
    fn value_and_derivative<S: Simd>(simd: S, x: S::Lanes) -> (S::Lanes, S::Lanes) {
        let bounded = simd.splat(Self::SATURATED).min(x);
        let e = exp(simd, bounded);
        let n = e.mul_add(e, e + e);
        let denominator = n + simd.splat(2.0);
        let t = n / denominator;
        // dt/dx = 4 e^x (e^x + 1) / (n + 2)^2. Above the bound x dt/dx is below a unit in the last
        // place of t, at the bounded x too.
        let slope = e.mul_add(e, e) * simd.splat(4.0) / denominator / denominator;
        (x * t, bounded.mul_add(slope, t))
    }
}

/// `1 / (1 + e^-x)` from `e^-|x|`, which does not overflow
pub(in crate::kernels) struct Sigmoid;

impl Function for Sigmoid {
    #[inline(always)]
    fn value<S: Simd>(simd: S, x: S::Lanes) -> S::Lanes {
        let (one, e) = (simd.splat(1.0), exp_of_negative_magnitude(simd, x));
        x.select_positive(one, e) / (one + e)
    }

    #[inline(always)]
    fn value_and_derivative<S: Simd>(simd: S, x: S::Lanes) -> (S::Lanes, S::Lanes) {
        let (one, e) = (simd.splat(1.0), exp_of_negative_magnitude(simd, x));
        let denominator = one + e;
        (x.select_positive(one, e) / denominator, e / denominator / denominator)
    }
}

/// `x / (1 + e^-x)`
pub(in crate::kernels) struct Swish;

impl Function for Swish {
    #[inline(always)]
    fn value<S: Simd>(simd: S, x: S::Lanes) -> S::Lanes {
        x * Sigmoid::value(simd, x)
    }

    #[inline(always)]
    fn value_and_derivative<S: Simd>(simd: S, x: S::Lanes) -> (S::Lanes, S::Lanes) {
        let (sigmoid, slope) = Sigmoid::value_and_derivative(simd, x);
        (x * sigmoid, x.mul_add(slope, sigmoid))
    }
}

/// `tanh(|x|) = -m / (m + 2)` with `m = e^(-2|x|) - 1`, exact in relative terms near zero
pub(in crate::kernels) struct Tanh;

impl Function for Tanh {
    #[inline(always)]
    fn value<S: Simd>(simd: S, x: S::Lanes) -> S::Lanes {
        let twice = negative_magnitude(simd, x + x);
        let m = exp_minus_one_of_negative(simd, twice);
        let t = m / (m + simd.splat(2.0));
        x.select_positive(simd.splat(0.0) - t, t)
    }

    #[inline(always)]
    fn value_and_derivative<S: Simd>(simd: S, x: S::Lanes) -> (S::Lanes, S::Lanes) {
        // 1 - tanh(x)^2 = 4 e / (1 + e)^2 with e = e^(-2|x|), without the cancellation.
        let e = exp_of_negative_magnitude(simd, x + x);
        let denominator = simd.splat(1.0) + e;
        let slope = simd.splat(4.0) * e / denominator / denominator;
        (Self::value(simd, x), slope)
    }
}

/// Scaled exponential linear unit
pub(in crate::kernels) struct Selu;

impl Selu {
    const SCALE: f32 = 1.050_701;
    const SCALE_ALPHA: f32 = (1.050_700_98_f64 * 1.673_263_24) as f32;
}

impl Function for Selu {
    #[inline(always)]
    fn value<S: Simd>(simd: S, x: S::Lanes) -> S::Lanes {
        let negative =
            simd.splat(Self::SCALE_ALPHA) * exp_minus_one_of_negative(simd, simd.splat(0.0).min(x));
        x.select_positive(simd.splat(Self::SCALE) * x, negative)
    }

    #[inline(always)]
    fn value_and_derivative<S: Simd>(simd: S, x: S::Lanes) -> (S::Lanes, S::Lanes) {
        let below = simd.splat(Self::SCALE_ALPHA) * exp(simd, simd.splat(0.0).min(x));
        (Self::value(simd, x), x.select_positive(simd.splat(Self::SCALE), below))
    }
}

/// `-|x|`; NaN for NaN.
#[inline(always)]
fn negative_magnitude<S: Simd>(simd: S, x: S::Lanes) -> S::Lanes {
    (simd.splat(0.0) - x).min(x)
}

/// `e^-|x|`
#[inline(always)]
fn exp_of_negative_magnitude<S: Simd>(simd: S, x: S::Lanes) -> S::Lanes {
    exp(simd, negative_magnitude(simd, x))
}
