//! How self-play samples its moves, and the correction for not sampling from the policy itself.

use crate::{Temperature, Wdl};

/// The entropy-adaptive sampling temperature: the entropy of the outcome, `H(W, D, L)` in nats, in
/// `[0, ln 3]` and not normalised (paper, Equation (6)).
///
/// A decided position is played out greedily; an open one is sampled from nearly the raw policy.
pub fn adaptive_temperature(outcome: &Wdl) -> Temperature {
    Temperature::new(outcome.entropy()).expect("an entropy is finite and at least 0")
}

/// The truncated importance weight `rho = min(1, pi/mu)` of a move sampled from the behaviour
/// policy mu, for the target policy pi, from their log-probabilities (paper, Section 2.3).
///
/// In `[0, 1]`, and exactly 1 if the two are equal, as they are at temperature 1.
///
/// # Panics
///
/// If `log_mu` is not finite, since a move that mu cannot play was not sampled from it, or if
/// `log_pi` is NaN.
pub fn importance_weight(log_pi: f64, log_mu: f64) -> f64 {
    assert!(log_mu.is_finite(), "a sampled move has ln mu = {log_mu}");
    assert!(!log_pi.is_nan(), "ln pi is NaN");
    (log_pi - log_mu).exp().min(1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::MovePolicy;

    #[test]
    fn adaptive_temperature_is_the_raw_outcome_entropy() {
        let check = |win: f64, draw: f64, loss: f64, expected: f64| {
            let outcome = Wdl::new(win, draw, loss).expect("a distribution");
            let temperature = adaptive_temperature(&outcome).get();
            assert!((temperature - expected).abs() < 1e-12, "{outcome:?}: {temperature}");
        };
        check(1.0, 0.0, 0.0, 0.0);
        check(0.0, 1.0, 0.0, 0.0);
        check(0.5, 0.0, 0.5, 2f64.ln());
        // -(0.5 ln 0.5 + 2 * 0.25 ln 0.25) = 1.5 ln 2.
        check(0.25, 0.5, 0.25, 1.5 * 2f64.ln());
        let third = 1.0 / 3.0;
        check(third, third, third, 3f64.ln());
    }

    #[test]
    fn importance_weight_rows() {
        let check = |log_pi: f64, log_mu: f64, expected: f64| {
            assert_eq!(importance_weight(log_pi, log_mu), expected, "{log_pi} {log_mu}");
        };
        check(-0.3, -0.3, 1.0);
        check(-0.1, -5.0, 1.0);
        check(-0.1, -744.0, 1.0);
        check(f64::NEG_INFINITY, -1.0, 0.0);
        check(-1e38, -0.5, 0.0);
        assert!((importance_weight(0.2f64.ln(), 0.8f64.ln()) - 0.25).abs() < 1e-15);
        // The probabilities themselves would both be 0 in f64.
        assert!((importance_weight(-1001.0, -1000.0) - (-1f64).exp()).abs() < 1e-15);
    }

    #[test]
    #[should_panic(expected = "ln mu = -inf")]
    fn a_move_that_the_behaviour_policy_cannot_play_is_refused() {
        importance_weight(-1.0, f64::NEG_INFINITY);
    }

    #[test]
    #[should_panic(expected = "ln pi is NaN")]
    fn nan_is_refused() {
        importance_weight(f64::NAN, -1.0);
    }

    proptest! {
        #[test]
        fn importance_weight_is_exactly_one_at_temperature_one(
            logits in prop::collection::vec(-50f32..50.0, 1..60),
        ) {
            let pi = MovePolicy::from_logits(&logits, Temperature::ONE).expect("finite");
            let mu = MovePolicy::from_logits(&logits, Temperature::ONE).expect("finite");
            for index in 0..logits.len() {
                let weight = importance_weight(pi.log_probability(index), mu.log_probability(index));
                prop_assert_eq!(weight, 1.0);
            }
        }

        #[test]
        fn sharpening_caps_the_favourite_and_never_exceeds_one(
            logits in prop::collection::vec(-5f32..5.0, 2..60),
            sharp in 0.1f64..0.99,
        ) {
            let pi = MovePolicy::from_logits(&logits, Temperature::ONE).expect("finite");
            let sharp = Temperature::new(sharp).expect("positive");
            let mu = MovePolicy::from_logits(&logits, sharp).expect("finite");
            for index in 0..logits.len() {
                let weight = importance_weight(pi.log_probability(index), mu.log_probability(index));
                let ratio = pi.probability(index) / mu.probability(index);
                prop_assert!((weight - ratio.min(1.0)).abs() < 1e-9);
            }
            let favourite = pi.argmax();
            prop_assert!(pi.probability(favourite) <= mu.probability(favourite) * (1.0 + 1e-12));
        }
    }
}
