//! Kullback-Leibler divergences between distributions over the same legal moves.
//!
//! The direction is in the name, seen from the trained policy: *forward* puts the reference first
//! (mass-covering), *reverse* puts the policy first (mode-seeking). See the paper, Section 2.2.
//!
//! # A sum that cannot be negative
//!
//! `KL(p||q) = sum p ln(p/q)` has terms of both signs, and for p close to q their rounding errors
//! outweigh the result, which then comes out negative. As p and q both sum to 1,
//!
//! ```text
//! KL(p||q) = sum [ p ln(p/q) - p + q ] = sum p (r - 1 - ln r),    r = q/p,
//! ```
//!
//! where no term is negative, since `ln r <= r - 1`. Each is computed so that rounding cannot make
//! it negative either. The second form also keeps its *relative* accuracy when p approaches q,
//! because an error in the normalisation of p or q enters it only squared.

use crate::MovePolicy;

/// `KL(base||policy) = sum base ln(base/policy)` in nats: the mass-covering direction.
///
/// At least 0, and infinite if the policy gives probability 0 to a move that the base may play.
///
/// # Panics
///
/// If the two are not over the same number of moves.
pub fn forward_kl(base: &MovePolicy, policy: &MovePolicy) -> f64 {
    kl(base, policy)
}

/// `KL(policy||base) = sum policy ln(policy/base)` in nats: the mode-seeking direction.
///
/// At least 0, and infinite if the base gives probability 0 to a move that the policy may play.
///
/// # Panics
///
/// If the two are not over the same number of moves.
pub fn reverse_kl(base: &MovePolicy, policy: &MovePolicy) -> f64 {
    kl(policy, base)
}

/// `KL(policy||uniform) = ln n - entropy` in nats, uniform over the n legal moves: in `[0, ln n]`.
///
/// Minimising it is the entropy bonus (paper, Equation (1)).
pub fn kl_to_uniform(policy: &MovePolicy) -> f64 {
    let log_count = (policy.move_count() as f64).ln();
    let sum: f64 = policy.log_probabilities().map(|log_p| kl_term(log_p, -log_count)).sum();
    sum.min(log_count)
}

fn kl(first: &MovePolicy, second: &MovePolicy) -> f64 {
    assert_eq!(
        first.move_count(),
        second.move_count(),
        "a divergence needs two policies over the same legal moves"
    );
    first
        .log_probabilities()
        .zip(second.log_probabilities())
        .map(|(log_p, log_q)| kl_term(log_p, log_q))
        .sum()
}

/// `p ln(p/q) - p + q`, at least 0, from `ln p` and `ln q`.
pub(crate) fn kl_term(log_p: f64, log_q: f64) -> f64 {
    let (p, q) = (log_p.exp(), log_q.exp());
    if p == 0.0 {
        return q;
    }
    let difference = log_q - log_p;
    if difference > 1.0 {
        // e^d may overflow here, but q = p e^d is at hand. It exceeds p (1 + d) by a third or more,
        // so that only a subnormal p, which is rounded coarsely, can bring this below 0.
        (q - p * (1.0 + difference)).max(0.0)
    } else {
        p * exp_minus_tangent(difference)
    }
}

/// `e^d - 1 - d`, which is at least 0.
fn exp_minus_tangent(d: f64) -> f64 {
    if d.abs() < 0.01 {
        // The leading terms cancel; the Taylor series d^2/2! + d^3/3! + ... does not. Cut after
        // d^7/7!, its relative error is below 2 d^6 / 8! = 5e-17.
        let tail = 1.0 + d / 6.0 * (1.0 + d / 7.0);
        let tail = 1.0 + d / 4.0 * (1.0 + d / 5.0 * tail);
        d * d / 2.0 * (1.0 + d / 3.0 * tail)
    } else {
        d.exp_m1() - d
    }
}

#[cfg(test)]
mod tests;
