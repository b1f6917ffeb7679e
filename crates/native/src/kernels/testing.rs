//! What the kernels' tests share.

use super::InstructionSet;

/// `count` numbers between -1 and 1 that depend on `seed` alone.
pub(super) fn numbers(seed: u32, count: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9) ^ 0x5851_f42d;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as i32 as f32 / i32::MAX as f32
    };
    (0..count).map(|_| next()).collect()
}

/// The bits of numbers, those of all NaNs made the same.
pub(super) fn bits(values: &[f32]) -> Vec<u32> {
    let canonical = |x: &f32| if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() };
    values.iter().map(canonical).collect()
}

/// Runs a kernel on every instruction set, asserts that all give the same bits, and returns them.
#[track_caller]
pub(super) fn on_every_set(kernel: impl Fn(InstructionSet) -> Vec<f32>) -> Vec<f32> {
    let expected = kernel(InstructionSet::PORTABLE);
    for set in InstructionSet::available() {
        assert_same_bits(&kernel(set), &expected, &format!("{set}"));
    }
    expected
}

/// Asserts that two results have the same bits.
#[track_caller]
pub(super) fn assert_same_bits(actual: &[f32], expected: &[f32], context: &str) {
    assert_eq!(actual.len(), expected.len(), "{context}");
    let difference = bits(actual).into_iter().zip(bits(expected)).position(|(a, b)| a != b);
    if let Some(i) = difference {
        panic!("{context}: element {i} is {:e}, not {:e}", actual[i], expected[i]);
    }
}

/// Asserts that each number is within `tolerance * scale` of its expectation; `scale` is usually
/// the sum of the magnitudes that went into it.
#[track_caller]
pub(super) fn assert_close(actual: &[f32], expected: &[f64], scale: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len());
    for (i, ((&a, &e), &s)) in actual.iter().zip(expected).zip(scale).enumerate() {
        let error = (f64::from(a) - e).abs();
        assert!(error <= tolerance * s, "element {i} is {a:e}, not {e:e}; off by {error:e}");
    }
}

/// Asserts that `gradient` is the gradient of `function` at `x`, by central differences.
#[track_caller]
pub(super) fn assert_gradient(
    function: impl Fn(&[f64]) -> f64,
    x: &[f32],
    gradient: &[f32],
    tolerance: f64,
) {
    const STEP: f64 = 1e-5;
    assert_eq!(x.len(), gradient.len());
    let mut x = widen(x);
    for i in 0..x.len() {
        let centre = x[i];
        x[i] = centre + STEP;
        let above = function(&x);
        x[i] = centre - STEP;
        let below = function(&x);
        x[i] = centre;
        let expected = (above - below) / (2.0 * STEP);
        let error = (f64::from(gradient[i]) - expected).abs();
        assert!(error <= tolerance, "element {i} is {:e}, not {expected:e}", gradient[i]);
    }
}

/// The same numbers in f64.
pub(super) fn widen(x: &[f32]) -> Vec<f64> {
    x.iter().map(|&x| f64::from(x)).collect()
}

/// The sum of products.
pub(super) fn dot(a: &[f64], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, &b)| a * f64::from(b)).sum()
}
