use super::*;
use crate::kernels::testing::{assert_same_bits, numbers, on_every_set};

/// The function, its derivative, and the magnitude that rounding errors of the derivative are
/// relative to, in f64.
fn reference(activation: Activation, x: f64) -> (f64, f64, f64) {
    // 1 / (1 + e^-x) without overflow or cancellation.
    let sigmoid =
        |x: f64| if x > 0.0 { 1.0 / (1.0 + (-x).exp()) } else { x.exp() / (1.0 + x.exp()) };
    let step = f64::from(u8::from(x > 0.0));
    let (scale, alpha) = (1.050_700_98, 1.673_263_24);
    match activation {
        Activation::Identity => (x, 1.0, 1.0),
        Activation::Relu => (x * step, step, 1.0),
        Activation::ReluSquared => (x * x * step, 2.0 * x * step, 2.0 * x.abs()),
        Activation::Mish => {
            let t = x.exp().ln_1p().tanh();
            let slope = (1.0 - t * t) * sigmoid(x);
            (x * t, t + x * slope, t + (x * slope).abs())
        }
        Activation::Swish => {
            let (s, slope) = (sigmoid(x), sigmoid(x) * sigmoid(-x));
            (x * s, s + x * slope, s + (x * slope).abs())
        }
        Activation::Sigmoid => {
            let slope = sigmoid(x) * sigmoid(-x);
            (sigmoid(x), slope, slope)
        }
        Activation::Tanh => {
            let slope = 4.0 * sigmoid(2.0 * x) * sigmoid(-2.0 * x);
            (x.tanh(), slope, slope)
        }
        Activation::Selu if x > 0.0 => (scale * x, scale, scale),
        Activation::Selu => {
            let slope = scale * alpha * x.exp();
            (scale * alpha * x.exp_m1(), slope, slope)
        }
    }
}

/// Numbers between -90 and 90, dense around zero, and both zeros.
fn arguments() -> Vec<f32> {
    let even = (-90_000..=90_000).map(|i| i as f32 * 1e-3);
    let small = numbers(1, 5000).into_iter().map(|x| x * x * x * 1e-3);
    let tiny = numbers(2, 500).into_iter().map(|x| x * 1e-30);
    even.chain(small).chain(tiny).chain([0.0, -0.0]).collect()
}

/// Values and derivatives on every instruction set.
fn evaluate(activation: Activation, x: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let values = on_every_set(|set| {
        let mut values = x.to_vec();
        activate(set, activation, &mut values);
        values
    });
    let derivatives = on_every_set(|set| {
        let mut gradient = vec![1.0; x.len()];
        activate_backward(set, activation, x, &mut gradient);
        gradient
    });
    (values, derivatives)
}

/// Units in the last place by which `x` is off, relative to `scale`. Below the normal numbers, where
/// a unit is a larger part, absolute errors of 1e-42 are left out.
fn error(x: f32, expected: f64, scale: f64) -> f64 {
    let excess = ((f64::from(x) - expected).abs() - 1e-42).max(0.0);
    if excess == 0.0 { 0.0 } else { excess / (scale.abs() * f64::from(f32::EPSILON)) }
}

#[test]
fn values_and_derivatives_are_accurate() {
    let x = arguments();
    for activation in Activation::ALL {
        let (values, derivatives) = evaluate(activation, &x);
        let (mut worst, mut worst_derivative) = ((0.0, 0.0), (0.0, 0.0));
        for ((&x, &value), &derivative) in x.iter().zip(&values).zip(&derivatives) {
            let (expected, slope, scale) = reference(activation, f64::from(x));
            let errors = (error(value, expected, expected), error(derivative, slope, scale));
            if errors.0 > worst.0 {
                worst = (errors.0, x);
            }
            if errors.1 > worst_derivative.0 {
                worst_derivative = (errors.1, x);
            }
        }
        assert!(worst.0 < 4.0, "{activation:?}: {} units at {}", worst.0, worst.1);
        let (units, at) = worst_derivative;
        assert!(units < 6.0, "the derivative of {activation:?}: {units} units at {at}");
    }
}

#[test]
fn large_numbers_give_limits() {
    let x = [-1e30, -1000.0, 1000.0, 1e30];
    let rows = [
        (Activation::Relu, [0.0, 0.0, 1000.0, 1e30], [0.0, 0.0, 1.0, 1.0]),
        (Activation::Mish, [0.0, 0.0, 1000.0, 1e30], [0.0, 0.0, 1.0, 1.0]),
        (Activation::Swish, [0.0, 0.0, 1000.0, 1e30], [0.0, 0.0, 1.0, 1.0]),
        (Activation::Sigmoid, [0.0, 0.0, 1.0, 1.0], [0.0; 4]),
        (Activation::Tanh, [-1.0, -1.0, 1.0, 1.0], [0.0; 4]),
    ];
    for (activation, expected, slopes) in rows {
        let (values, derivatives) = evaluate(activation, &x);
        assert_eq!(values, expected, "{activation:?}");
        assert_eq!(derivatives, slopes, "the derivative of {activation:?}");
    }
}

#[test]
fn not_a_number_comes_through() {
    for activation in Activation::ALL {
        let (values, derivatives) = evaluate(activation, &[f32::NAN; 3]);
        assert!(values.iter().all(|x| x.is_nan()), "{activation:?}");
        // The derivative of the identity does not depend on its argument.
        let expected = activation != Activation::Identity;
        assert!(derivatives.iter().all(|x| x.is_nan() == expected), "{activation:?}");
    }
}

#[test]
fn every_length() {
    let x = numbers(3, 100);
    let mut all = x.clone();
    activate(InstructionSet::PORTABLE, Activation::Mish, &mut all);
    for length in 0..=x.len() {
        let (values, _) = evaluate(Activation::Mish, &x[..length]);
        assert_same_bits(&values, &all[..length], "the first numbers");
    }
}
