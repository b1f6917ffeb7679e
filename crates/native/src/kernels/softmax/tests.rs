use proptest::prelude::*;

use super::*;
use crate::kernels::testing::{assert_close, assert_gradient, dot, numbers, on_every_set, widen};

fn reference(x: &[f64]) -> Vec<f64> {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let e: Vec<f64> = x.iter().map(|x| (x - largest).exp()).collect();
    let sum: f64 = e.iter().sum();
    e.into_iter().map(|e| e / sum).collect()
}

fn run(x: &[f32], width: usize) -> Vec<f32> {
    on_every_set(|set| {
        let mut x = x.to_vec();
        softmax(set, &mut x, width);
        x
    })
}

/// Rows of logits between `-spread` and `spread`: relative errors within 2e-6, the rounding of the
/// difference from the largest logit included.
fn check(rows: usize, width: usize, spread: f32) {
    let x: Vec<f32> = numbers(1, rows * width).into_iter().map(|x| x * spread).collect();
    let expected: Vec<f64> = x.chunks(width).flat_map(|row| reference(&widen(row))).collect();
    let tolerance = 2e-6 + 2.4e-7 * f64::from(spread);
    assert_close(&run(&x, width), &expected, &expected, tolerance);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_shape(rows in 0..4_usize, width in 1..200_usize, spread in 0.1..40.0_f32) {
        check(rows, width, spread);
    }
}

#[test]
fn the_gradient() {
    for width in [1, 3, 16, 37] {
        let (x, dp) = (numbers(1, width), numbers(2, width));
        let gradient = on_every_set(|set| {
            let mut p = x.clone();
            softmax(set, &mut p, width);
            let mut gradient = dp.clone();
            softmax_backward(set, &p, &mut gradient, width);
            gradient
        });
        assert_gradient(|x| dot(&reference(x), &dp), &x, &gradient, 1e-6);
    }
}

#[test]
fn special_logits() {
    let infinite = f32::NEG_INFINITY;
    assert_eq!(run(&[infinite, 0.0, infinite, 0.0], 4), [0.0, 0.5, 0.0, 0.5]);
    assert_eq!(run(&[-1e30, 1e30], 2), [0.0, 1.0]);
    for bad in
        [[f32::NAN, 0.0, 1.0], [0.0, 1.0, f32::NAN], [f32::INFINITY, 0.0, 1.0], [infinite; 3]]
    {
        assert!(run(&bad, 3).iter().all(|p| p.is_nan()), "{bad:?}");
    }
}
