use super::*;
use crate::kernels::testing::{assert_close, numbers, on_every_set};

/// Both kernels against their definitions in `f64`.
fn check(boards: usize, channels: usize, activation: Activation) {
    let (rows, count) = (64 * boards, 64 * boards * channels);
    let (y, residual) = (numbers(1, count), numbers(2, count));
    let gates = numbers(3, boards * 2 * channels);
    let result = on_every_set(|set| {
        let matrix = |values| MatrixRef::new(values, rows, channels);
        let mut means = vec![f32::NAN; boards * channels];
        board_means(set, matrix(&y), MatrixMut::new(&mut means, boards, channels));
        let (mut gates, mut z) = (gates.clone(), vec![f32::NAN; count]);
        let mut derivative = vec![f32::NAN; count];
        excite(
            set,
            matrix(&y),
            MatrixMut::new(&mut gates, boards, 2 * channels),
            matrix(&residual),
            activation,
            Save::Derivative(MatrixMut::new(&mut derivative, rows, channels)),
            MatrixMut::new(&mut z, rows, channels),
        );
        [means, gates, z, derivative].concat()
    });
    let at = |values: &[f32], index: usize| f64::from(values[index]);
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    let (mut means, mut after) = (Vec::new(), Vec::new());
    let (mut z, mut derivative) = (Vec::new(), Vec::new());
    for board in 0..boards {
        for channel in 0..channels {
            let column = (0..64).map(|square| at(&y, (64 * board + square) * channels + channel));
            means.push(column.sum::<f64>() / 64.0);
        }
        let gate = |column: usize| at(&gates, board * 2 * channels + column);
        after.extend((0..channels).map(|channel| sigmoid(gate(channel))));
        after.extend((channels..2 * channels).map(gate));
    }
    for index in 0..count {
        let (board, channel) = (index / (64 * channels), index % channels);
        let gate = |column: usize| at(&gates, board * 2 * channels + column);
        let v = sigmoid(gate(channel)) * at(&y, index) + gate(channels + channel);
        let v = v + at(&residual, index);
        let (value, slope) = match activation {
            Activation::Relu => (v.max(0.0), if v > 0.0 { 1.0 } else { 0.0 }),
            Activation::Tanh => (v.tanh(), 1.0 - v.tanh().powi(2)),
            _ => (v, 1.0),
        };
        z.push(value);
        derivative.push(slope);
    }
    let expected = [means, after, z, derivative].concat();
    assert_close(&result, &expected, &vec![1.0; expected.len()], 1e-6);
}

#[test]
fn means_and_gates() {
    for (boards, channels) in [(1, 1), (2, 16), (1, 33)] {
        for activation in [Activation::Identity, Activation::Relu, Activation::Tanh] {
            check(boards, channels, activation);
        }
    }
}

/// What is not kept for the backward pass does not change the output.
#[test]
fn nothing_or_the_pre_activation_is_kept() {
    let (y, residual, gates) = (numbers(4, 64 * 5), numbers(5, 64 * 5), numbers(6, 10));
    let run = |save: Save<'_>| {
        let (mut gates, mut z) = (gates.clone(), vec![f32::NAN; 64 * 5]);
        let matrix = |values| MatrixRef::new(values, 64, 5);
        let set = InstructionSet::detect();
        let (gates, out) = (MatrixMut::new(&mut gates, 1, 10), MatrixMut::new(&mut z, 64, 5));
        excite(set, matrix(&y), gates, matrix(&residual), Activation::Relu, save, out);
        z
    };
    let mut kept = vec![f32::NAN; 64 * 5];
    let mut derivative = vec![f32::NAN; 64 * 5];
    let z = run(Save::Nothing);
    assert_eq!(z, run(Save::PreActivation(MatrixMut::new(&mut kept, 64, 5))));
    assert_eq!(z, run(Save::Derivative(MatrixMut::new(&mut derivative, 64, 5))));
    let relu: Vec<f32> = kept.iter().map(|v| v.max(0.0)).collect();
    assert_eq!(z, relu);
}
