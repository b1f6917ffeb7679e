//! How self-play picks a move.

use policy::{MovePolicy, PolicyError, Temperature, importance_weight};
use rand::Rng;

/// A move drawn from the behaviour policy.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    /// `pi(.|s)`.
    pub(crate) policy: MovePolicy,
    /// `tau(s)`.
    pub(crate) temperature: Temperature,
    /// The move a, as an index among the legal moves.
    pub(crate) action: usize,
    /// `rho = min(1, pi(a|s) / mu(a|s))`.
    pub(crate) rho: f64,
    /// True where rho is cut off at 1.
    pub(crate) capped: bool,
}

impl Decision {
    /// Draws `a ~ mu(.|s) = softmax(z / tau)` with `pi = softmax(z)`.
    pub(crate) fn sample(
        logits: &[f32],
        temperature: Temperature,
        generator: &mut impl Rng,
    ) -> Result<Self, PolicyError> {
        let policy = MovePolicy::from_logits(logits, Temperature::ONE)?;
        let behaviour = MovePolicy::from_logits(logits, temperature)?;
        let action = behaviour.sample(generator);
        let (log_pi, log_mu) = (policy.log_probability(action), behaviour.log_probability(action));
        let rho = importance_weight(log_pi, log_mu);
        Ok(Self { policy, temperature, action, rho, capped: log_pi > log_mu })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn a_decided_position_is_played_greedily_and_weighted_down() {
        let mut generator = ChaCha8Rng::seed_from_u64(1);
        let logits = [0.0, 3f32.ln()];
        let decision = Decision::sample(&logits, Temperature::ZERO, &mut generator).expect("moves");
        assert_eq!(decision.action, 1);
        assert!((decision.rho - 0.75).abs() < 1e-7, "{decision:?}");
        assert!(!decision.capped);
    }

    proptest! {
        #[test]
        fn at_temperature_one_sampler_and_policy_are_the_same_bits(
            logits in prop::collection::vec(-30f32..30.0, 1..60),
            seed in any::<u64>(),
        ) {
            let mut generator = ChaCha8Rng::seed_from_u64(seed);
            let decision =
                Decision::sample(&logits, Temperature::ONE, &mut generator).expect("moves");
            prop_assert_eq!(decision.rho, 1.0);
            prop_assert!(!decision.capped);
        }

        #[test]
        fn flattening_caps_the_favourite(logits in prop::collection::vec(-3f32..3.0, 2..20)) {
            let mut generator = ChaCha8Rng::seed_from_u64(2);
            let flat = Temperature::new(1.0986).expect("a temperature");
            let decision = Decision::sample(&logits, flat, &mut generator).expect("moves");
            prop_assert_eq!(decision.capped, decision.rho == 1.0);
        }
    }
}
