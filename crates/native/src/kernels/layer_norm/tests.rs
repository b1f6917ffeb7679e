use proptest::prelude::*;

use super::*;
use crate::kernels::testing::{assert_close, assert_gradient, dot, numbers, on_every_set, widen};

const EPSILON: f32 = 1e-3;

/// Each row normalised, in f64.
fn reference(x: &[f64], gamma: &[f64], beta: &[f64]) -> Vec<f64> {
    let width = gamma.len();
    let mut out = Vec::new();
    for row in x.chunks(width) {
        let mean = row.iter().sum::<f64>() / width as f64;
        let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / width as f64;
        let deviation = (variance + f64::from(EPSILON)).sqrt();
        let numbers = row.iter().zip(gamma).zip(beta);
        out.extend(numbers.map(|((x, g), b)| g * (x - mean) / deviation + b));
    }
    out
}

/// Forward and backward: output, gradient of `x`, and of the weights added to `start`.
fn run(
    set: InstructionSet,
    x: &[f32],
    gamma: &[f32],
    beta: &[f32],
    dy: &[f32],
    start: &[f32],
) -> [Vec<f32>; 4] {
    let width = gamma.len();
    let weights = LayerNormWeights { gamma, beta, epsilon: EPSILON };
    let (mut out, mut plain) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    let (mut normalized, mut reciprocal) = (vec![0.0; x.len()], vec![0.0; x.len() / width]);
    layer_norm(set, x, weights, &mut plain, None);
    let saved =
        LayerNormSaved { normalized: &mut normalized, reciprocal_deviation: &mut reciprocal };
    layer_norm(set, x, weights, &mut out, Some(saved));
    assert_eq!(out, plain);
    let mut dx = vec![0.0; x.len()];
    let (mut d_gamma, mut d_beta) = (start.to_vec(), start.to_vec());
    let gradients = LayerNormGradients { gamma: &mut d_gamma, beta: &mut d_beta };
    layer_norm_backward(set, dy, gamma, (&normalized, &reciprocal), &mut dx, gradients);
    [out, dx, d_gamma, d_beta]
}

fn check(rows: usize, width: usize, offset: f32) {
    let x: Vec<f32> = numbers(1, rows * width).into_iter().map(|x| x + offset).collect();
    let (gamma, beta) = (numbers(2, width), numbers(3, width));
    let (dy, start) = (numbers(4, rows * width), numbers(5, width));
    let results = [0, 1, 2, 3]
        .map(|index| on_every_set(|set| run(set, &x, &gamma, &beta, &dy, &start)[index].clone()));
    let [out, dx, d_gamma, d_beta] = results;
    let (x64, gamma64, beta64) = (widen(&x), widen(&gamma), widen(&beta));
    let expected = reference(&x64, &gamma64, &beta64);
    // Inputs around 10 are rounded ten times as coarsely.
    let tolerance = 1e-5 * (1.0 + f64::from(offset));
    assert_close(&out, &expected, &vec![1.0; out.len()], tolerance);
    // Where a row is all but constant the derivative is as large as 1 / sqrt(epsilon).
    let tolerance = tolerance * 30.0;
    assert_gradient(|x| dot(&reference(x, &gamma64, &beta64), &dy), &x, &dx, tolerance);
    let added = |gradient: &[f32]| -> Vec<f32> {
        gradient.iter().zip(&start).map(|(g, s)| g - s).collect()
    };
    assert_gradient(
        |g| dot(&reference(&x64, g, &beta64), &dy),
        &gamma,
        &added(&d_gamma),
        tolerance,
    );
    assert_gradient(|b| dot(&reference(&x64, &gamma64, b), &dy), &beta, &added(&d_beta), tolerance);
}

#[test]
fn ordinary_widths() {
    for (rows, width, offset) in [(1, 1, 0.0), (3, 2, 0.0), (2, 16, 10.0), (3, 40, 0.0)] {
        check(rows, width, offset);
    }
}

#[test]
fn not_a_number_stays_in_its_row() {
    let mut x = numbers(1, 3 * 20);
    x[25] = f32::NAN;
    let weights = LayerNormWeights { gamma: &[1.0; 20], beta: &[0.0; 20], epsilon: EPSILON };
    let out = on_every_set(|set| {
        let mut out = vec![0.0; x.len()];
        layer_norm(set, &x, weights, &mut out, None);
        out
    });
    assert!(out[20..40].iter().all(|x| x.is_nan()));
    assert!(out[..20].iter().chain(&out[40..]).all(|x| x.is_finite()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_width(rows in 1..3_usize, width in 1..130_usize) {
        check(rows, width, 0.0);
    }
}
