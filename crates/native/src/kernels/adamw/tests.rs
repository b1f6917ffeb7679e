use super::*;
use crate::kernels::testing::{assert_close, numbers, on_every_set, widen};

/// Five steps against the same formula in f64.
fn check(length: usize, learning_rate: f64) {
    let constants = AdamW::default();
    let start = numbers(1, length);
    let gradients = |step: u64| numbers(10 + step as u32, length);
    let trained = on_every_set(|set| {
        let (mut p, mut m, mut v) = (start.clone(), vec![0.0; length], vec![0.0; length]);
        for step in 1..=5 {
            let state =
                AdamWState { parameters: &mut p, first_moment: &mut m, second_moment: &mut v };
            let correction = BiasCorrection::new(&constants, step);
            adamw(set, &constants, learning_rate, correction, state, &gradients(step));
        }
        p
    });
    let (mut p, mut m, mut v) = (widen(&start), vec![0.0; length], vec![0.0; length]);
    for step in 1..=5 {
        for (i, g) in widen(&gradients(step)).into_iter().enumerate() {
            m[i] = 0.9 * m[i] + 0.1 * g;
            v[i] = 0.98 * v[i] + 0.02 * g * g;
            let (m, v) = (
                m[i] / (1.0 - 0.9_f64.powi(step as i32)),
                v[i] / (1.0 - 0.98_f64.powi(step as i32)),
            );
            p[i] -= learning_rate * m / (v.sqrt() + 1e-8);
        }
    }
    let scale = vec![1.0 + 10.0 * learning_rate; length];
    assert_close(&trained, &p, &scale, 1e-6);
}

#[test]
fn steps_are_those_of_the_formula() {
    for length in [1, 15, 16, 17, 100] {
        check(length, 1e-3);
        check(length, 0.5);
    }
}

#[test]
fn the_first_step_has_the_size_of_the_rate() {
    let (mut p, mut m, mut v) = ([1.0, 1.0], [0.0; 2], [0.0; 2]);
    let constants = AdamW::default();
    let state = AdamWState { parameters: &mut p, first_moment: &mut m, second_moment: &mut v };
    let correction = BiasCorrection::new(&constants, 1);
    adamw(InstructionSet::detect(), &constants, 0.25, correction, state, &[3.0, -1e-3]);
    assert!((p[0] - 0.75).abs() < 1e-6 && (p[1] - 1.25).abs() < 1e-5, "{p:?}");
}

#[test]
fn no_gradient_changes_nothing_and_nan_is_seen() {
    let parameters = on_every_set(|set| {
        let (mut p, mut m, mut v) = (vec![1.0, 2.0, 3.0], vec![0.0; 3], vec![0.0; 3]);
        let constants = AdamW::default();
        let state = AdamWState { parameters: &mut p, first_moment: &mut m, second_moment: &mut v };
        let gradients = [0.0, f32::NAN, 0.0];
        adamw(set, &constants, 0.1, BiasCorrection::new(&constants, 1), state, &gradients);
        p
    });
    assert!(parameters[0] == 1.0 && parameters[1].is_nan() && parameters[2] == 3.0);
}
