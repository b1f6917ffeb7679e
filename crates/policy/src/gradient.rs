//! Gradients with respect to the policy's logits, in closed form.
//!
//! Throughout, `pi = softmax(z)`: z are the logits at temperature 1, up to the constant that a
//! softmax ignores. All derivations start from the derivative of a log-softmax,
//!
//! ```text
//! d ln pi_j / d z_i = [i = j] - pi_i,    hence    d pi_j / d z_i = pi_j ([i = j] - pi_i),
//! ```
//!
//! where `[i = j]` is 1 if i equals j and 0 otherwise. Every gradient sums to 0 over the moves,
//! because adding a constant to all logits changes nothing.
//!
//! Each function *adds* `coefficient` times its gradient to `gradient`, so that the terms of an
//! objective accumulate in one buffer, one entry per legal move. The base policy, the action and
//! the coefficient are constants to the derivative.

use crate::MovePolicy;
use crate::divergence::reverse_kl as reverse_kl_value;
use crate::expectation::weighted;

/// Adds `coefficient * d(-ln pi(action)) / dz`.
///
/// Directly from the log-softmax: `d(-ln pi_a)/dz_i = pi_i - [i = a]`.
///
/// # Panics
///
/// If `action` is not a move of the policy, or `gradient` is not one entry per move.
pub fn negative_log_probability(
    policy: &MovePolicy,
    action: usize,
    coefficient: f64,
    gradient: &mut [f64],
) {
    assert!(action < policy.move_count(), "action {action} of {} moves", policy.move_count());
    accumulate(policy, coefficient, gradient, |index, pi, _| {
        pi - if index == action { 1.0 } else { 0.0 }
    });
}

/// Adds `coefficient * d KL(base||pi) / dz`.
///
/// `KL(base||pi) = sum_j base_j (ln base_j - ln pi_j)`, of which only the second part depends on
/// z: `-sum_j base_j ([i = j] - pi_i) = pi_i - base_i`, as the base sums to 1.
///
/// # Panics
///
/// If `base` or `gradient` is not over the policy's moves.
pub fn forward_kl(base: &MovePolicy, policy: &MovePolicy, coefficient: f64, gradient: &mut [f64]) {
    assert_same_moves(base, policy);
    accumulate(policy, coefficient, gradient, |index, pi, _| pi - base.probability(index));
}

/// Adds `coefficient * d KL(pi||base) / dz`.
///
/// With `KL = sum_j pi_j (ln pi_j - ln base_j)`,
///
/// ```text
/// dKL/dz_i = sum_j pi_j ([i = j] - pi_i) (ln pi_j - ln base_j)  +  sum_j pi_j ([i = j] - pi_i)
///          = pi_i (ln pi_i - ln base_i) - pi_i KL               +  pi_i - pi_i
///          = pi_i (ln(pi_i / base_i) - KL).
/// ```
///
/// # Panics
///
/// If `base` or `gradient` is not over the policy's moves, or if the divergence is infinite: it
/// has no gradient there. At temperature 1 no finite logits give such a base.
pub fn reverse_kl(base: &MovePolicy, policy: &MovePolicy, coefficient: f64, gradient: &mut [f64]) {
    assert_same_moves(base, policy);
    let divergence = reverse_kl_value(base, policy);
    assert!(divergence.is_finite(), "an infinite divergence has no gradient");
    accumulate(policy, coefficient, gradient, |index, pi, log_pi| {
        weighted(pi, log_pi - base.log_probability(index) - divergence)
    });
}

/// Adds `coefficient * d KL(pi||uniform) / dz`.
///
/// The gradient of the reverse KL with `base_i = 1/n` and `KL = ln n - H`, H being the entropy of
/// pi: `pi_i (ln pi_i + ln n - ln n + H) = pi_i (ln pi_i + H)`.
///
/// # Panics
///
/// If `gradient` is not one entry per move.
pub fn kl_to_uniform(policy: &MovePolicy, coefficient: f64, gradient: &mut [f64]) {
    let entropy = policy.entropy();
    accumulate(policy, coefficient, gradient, |_, pi, log_pi| weighted(pi, log_pi + entropy));
}

/// Adds `coefficient * term(index, pi, ln pi)` for every move.
fn accumulate(
    policy: &MovePolicy,
    coefficient: f64,
    gradient: &mut [f64],
    term: impl Fn(usize, f64, f64) -> f64,
) {
    assert_eq!(gradient.len(), policy.move_count(), "a gradient has one entry per legal move");
    for (index, (sum, log_pi)) in gradient.iter_mut().zip(policy.log_probabilities()).enumerate() {
        *sum += coefficient * term(index, log_pi.exp(), log_pi);
    }
}

fn assert_same_moves(base: &MovePolicy, policy: &MovePolicy) {
    assert_eq!(
        base.move_count(),
        policy.move_count(),
        "base and policy must be over the same legal moves"
    );
}

#[cfg(test)]
mod tests;
