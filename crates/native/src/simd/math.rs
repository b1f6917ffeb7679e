//! Elementary functions of sixteen lanes.

use std::f32::consts::LOG2_E;

use super::{Lanes, Simd};

/// ln 2 in two parts: the first has nine significant bits, so that its products with the integers
/// that occur here are exact.
const LN_2_HIGH: f32 = 355.0 / 512.0;
const LN_2_LOW: f32 = (std::f64::consts::LN_2 - 355.0 / 512.0) as f32;

/// Coefficients of `(e^r - 1 - r) / r^2`, interpolated at the Chebyshev nodes of |r| <= ln(2) / 2:
/// e^r comes out within 1.1e-8 of its value, relatively.
const SERIES: [f32; 5] = [0.5, 0.166_665_73, 0.041_666_55, 0.008_363_774, 0.001_392_692_7];

/// Writes `x = n ln 2 + r` with an integer `n` and |r| <= ln(2) / 2; returns `n` and `e^r - 1`.
#[inline(always)]
fn reduced_exp_minus_one<S: Simd>(simd: S, x: S::Lanes) -> (S::Lanes, S::Lanes) {
    let n = (x * simd.splat(LOG2_E)).round();
    let r = n.mul_add(simd.splat(-LN_2_HIGH), x);
    let r = n.mul_add(simd.splat(-LN_2_LOW), r);
    let mut series = simd.splat(SERIES[4]);
    for coefficient in [SERIES[3], SERIES[2], SERIES[1], SERIES[0]] {
        series = series.mul_add(r, simd.splat(coefficient));
    }
    (n, series.mul_add(r * r, r))
}

/// `e^x` within two units in the last place, with subnormal results, 0 from -104 down, infinity
/// from 88.8 up, and NaN for NaN.
#[inline(always)]
pub(crate) fn exp<S: Simd>(simd: S, x: S::Lanes) -> S::Lanes {
    // In this order NaN stays NaN: `max` and `min` return their argument where one is NaN.
    let x = simd.splat(89.0).min(simd.splat(-104.0).max(x));
    let (n, minus_one) = reduced_exp_minus_one(simd, x);
    (minus_one + simd.splat(1.0)).times_power_of_two(n)
}

/// `e^x - 1` for `x <= 0`, with a small relative error near zero as well; NaN for NaN.
#[inline(always)]
pub(crate) fn exp_minus_one_of_negative<S: Simd>(simd: S, x: S::Lanes) -> S::Lanes {
    let x = simd.splat(-104.0).max(x);
    let (n, minus_one) = reduced_exp_minus_one(simd, x);
    let one = simd.splat(1.0);
    let scale = one.times_power_of_two(n);
    scale.mul_add(minus_one, scale - one)
}
