use proptest::prelude::*;

use super::*;
use crate::divergence;

fn policy(logits: &[f64]) -> MovePolicy {
    MovePolicy::from_log_weights(logits.to_vec())
}

fn weights(weights: &[f64]) -> MovePolicy {
    MovePolicy::from_weights(weights).expect("weights")
}

fn assert_close(actual: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len());
    for (a, e) in actual.iter().zip(expected) {
        assert!((a - e).abs() <= tolerance, "{actual:?} is not {expected:?}");
    }
}

/// Runs `add` on zeros.
fn gradient_of(moves: usize, add: impl Fn(&mut [f64])) -> Vec<f64> {
    let mut gradient = vec![0.0; moves];
    add(&mut gradient);
    gradient
}

#[test]
fn rows_by_hand() {
    let (base, pi) = (weights(&[1.0, 1.0]), weights(&[3.0, 1.0]));
    assert_close(
        &gradient_of(2, |out| negative_log_probability(&pi, 1, 1.0, out)),
        &[0.75, -0.75],
        1e-15,
    );
    assert_close(&gradient_of(2, |out| forward_kl(&base, &pi, 1.0, out)), &[0.25, -0.25], 1e-15);
    // pi_0 pi_1 (ln(pi_0/base_0) - ln(pi_1/base_1)) = 3/16 ln 3 for two moves.
    let expected = 3.0 / 16.0 * 3f64.ln();
    assert_close(
        &gradient_of(2, |out| reverse_kl(&base, &pi, 1.0, out)),
        &[expected, -expected],
        1e-15,
    );
    // The base of this row is uniform, so that the entropy term is the same.
    assert_close(
        &gradient_of(2, |out| kl_to_uniform(&pi, 1.0, out)),
        &[expected, -expected],
        1e-15,
    );
}

#[test]
fn terms_accumulate_with_their_coefficients() {
    let (base, pi) = (weights(&[1.0, 1.0]), weights(&[3.0, 1.0]));
    let mut gradient = [100.0, 200.0];
    negative_log_probability(&pi, 1, 2.0, &mut gradient);
    forward_kl(&base, &pi, -4.0, &mut gradient);
    assert_close(&gradient, &[100.5, 199.5], 1e-12);
}

#[test]
fn impossible_moves_get_no_gradient_rather_than_nan() {
    let (base, pi) = (weights(&[1.0, 0.0, 1.0]), weights(&[3.0, 0.0, 1.0]));
    for gradient in [
        gradient_of(3, |out| forward_kl(&base, &pi, 1.0, out)),
        gradient_of(3, |out| reverse_kl(&base, &pi, 1.0, out)),
        gradient_of(3, |out| kl_to_uniform(&pi, 1.0, out)),
    ] {
        assert_eq!(gradient[1], 0.0);
        assert!(gradient.iter().all(|entry| entry.is_finite()), "{gradient:?}");
    }
}

#[test]
#[should_panic(expected = "an infinite divergence has no gradient")]
fn an_infinite_divergence_is_refused() {
    reverse_kl(&weights(&[1.0, 0.0]), &weights(&[1.0, 1.0]), 1.0, &mut [0.0; 2]);
}

#[test]
#[should_panic(expected = "one entry per legal move")]
fn a_gradient_of_another_shape_is_refused() {
    kl_to_uniform(&weights(&[1.0, 1.0]), 1.0, &mut [0.0; 3]);
}

#[test]
#[should_panic(expected = "action 2 of 2 moves")]
fn an_action_that_is_no_move_is_refused() {
    negative_log_probability(&weights(&[1.0, 1.0]), 2, 1.0, &mut [0.0; 2]);
}

/// Central differences of `value` at `logits`.
fn slopes(logits: &[f64], value: impl Fn(&MovePolicy) -> f64) -> Vec<f64> {
    const STEP: f64 = 1e-5;
    (0..logits.len())
        .map(|index| {
            let at = |step: f64| {
                let mut moved = logits.to_vec();
                moved[index] += step;
                value(&policy(&moved))
            };
            (at(STEP) - at(-STEP)) / (2.0 * STEP)
        })
        .collect()
}

proptest! {
    #[test]
    fn gradients_are_the_slopes(
        pairs in prop::collection::vec((-6f64..6.0, -6f64..6.0), 1..40),
        action in any::<prop::sample::Index>(),
    ) {
        let (base, logits): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let (base, pi) = (policy(&base), policy(&logits));
        let moves = logits.len();
        let action = action.index(moves);
        let rows = [
            (
                gradient_of(moves, |out| negative_log_probability(&pi, action, 1.0, out)),
                slopes(&logits, |pi| -pi.log_probability(action)),
            ),
            (
                gradient_of(moves, |out| forward_kl(&base, &pi, 1.0, out)),
                slopes(&logits, |pi| divergence::forward_kl(&base, pi)),
            ),
            (
                gradient_of(moves, |out| reverse_kl(&base, &pi, 1.0, out)),
                slopes(&logits, |pi| divergence::reverse_kl(&base, pi)),
            ),
            (
                gradient_of(moves, |out| kl_to_uniform(&pi, 1.0, out)),
                slopes(&logits, divergence::kl_to_uniform),
            ),
        ];
        for (gradient, slopes) in rows {
            assert_close(&gradient, &slopes, 1e-8);
            prop_assert!(gradient.iter().sum::<f64>().abs() < 1e-12);
        }
    }

    #[test]
    fn no_divergence_has_slope_at_its_minimum(row in prop::collection::vec(-6f64..6.0, 1..40)) {
        let pi = policy(&row);
        let zeros = vec![0.0; row.len()];
        let moves = row.len();
        assert_close(&gradient_of(moves, |out| forward_kl(&pi, &pi, 1.0, out)), &zeros, 0.0);
        assert_close(&gradient_of(moves, |out| reverse_kl(&pi, &pi, 1.0, out)), &zeros, 0.0);
        let uniform = policy(&zeros);
        assert_close(&gradient_of(moves, |out| kl_to_uniform(&uniform, 1.0, out)), &zeros, 1e-15);
    }
}
