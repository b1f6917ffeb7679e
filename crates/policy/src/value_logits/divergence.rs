//! Kullback-Leibler divergences between what two value heads say of one position.
//!
//! As for policies, *forward* puts the reference first and *reverse* the trained head. A WDL head
//! is compared over its three outcomes, a classical head over win and loss, the only ones it knows.

use super::{Head, ValueLogits};
use crate::divergence::kl_term;
use crate::expectation::weighted;

impl ValueLogits {
    /// `KL(reference||self)` in nats, at least 0 and 0 only at equality.
    ///
    /// # Panics
    ///
    /// Unless both are heads of the same kind.
    pub fn forward_kl(&self, reference: &ValueLogits) -> f64 {
        kl(reference, self)
    }

    /// `KL(self||reference)` in nats, at least 0 and 0 only at equality.
    ///
    /// # Panics
    ///
    /// Unless both are heads of the same kind.
    pub fn reverse_kl(&self, reference: &ValueLogits) -> f64 {
        kl(self, reference)
    }

    /// Adds `coefficient` times the gradient of [`ValueLogits::forward_kl`] with respect to the
    /// logits; the reference is a constant.
    ///
    /// It is that of the cross-entropy with the reference as its target, from which the divergence
    /// differs by the reference's entropy: `p_i - reference_i` for the logits of a WDL head,
    /// `2 (p - reference)` for a classical one.
    ///
    /// # Panics
    ///
    /// Unless both are heads of the same kind, and `gradient` has one entry per logit.
    pub fn accumulate_forward_kl_gradient(
        &self,
        reference: &ValueLogits,
        coefficient: f64,
        gradient: &mut [f64],
    ) {
        assert_same_kind(self, reference);
        self.accumulate_cross_entropy_gradient(&reference.outcome(), coefficient, gradient);
    }

    /// Adds `coefficient` times the gradient of [`ValueLogits::reverse_kl`] with respect to the
    /// logits; the reference is a constant.
    ///
    /// WDL head: `p_i (ln(p_i / reference_i) - KL)`, as for a policy. Classical head: with
    /// `p = sigmoid(u)`, `u = 2z` and `dp/du = p (1 - p)`, the derivative of
    /// `p ln(p/r) + (1 - p) ln((1 - p)/(1 - r))` is
    /// `2 p (1 - p) (ln(p/r) - ln((1 - p)/(1 - r)))`.
    ///
    /// # Panics
    ///
    /// Unless both are heads of the same kind, and `gradient` has one entry per logit.
    pub fn accumulate_reverse_kl_gradient(
        &self,
        reference: &ValueLogits,
        coefficient: f64,
        gradient: &mut [f64],
    ) {
        assert_eq!(gradient.len(), self.logit_count(), "a gradient has one entry per logit");
        let divergence = self.reverse_kl(reference);
        match (&self.0, &reference.0) {
            (Head::Wdl(own), Head::Wdl(other)) => {
                for (sum, (log_p, log_r)) in gradient.iter_mut().zip(own.iter().zip(other)) {
                    *sum += coefficient * weighted(log_p.exp(), log_p - log_r - divergence);
                }
            }
            (Head::Scalar([win, loss]), Head::Scalar([other_win, other_loss])) => {
                let difference = (win - other_win) - (loss - other_loss);
                gradient[0] += coefficient * 2.0 * weighted((win + loss).exp(), difference);
            }
            _ => unreachable!("the divergence of two kinds has been refused"),
        }
    }
}

fn kl(first: &ValueLogits, second: &ValueLogits) -> f64 {
    let sum = |first: &[f64], second: &[f64]| -> f64 {
        first.iter().zip(second).map(|(&log_p, &log_q)| kl_term(log_p, log_q)).sum()
    };
    match (&first.0, &second.0) {
        (Head::Wdl(first), Head::Wdl(second)) => sum(first, second),
        (Head::Scalar(first), Head::Scalar(second)) => sum(first, second),
        _ => panic!("{DIFFERENT_KINDS}"),
    }
}

fn assert_same_kind(first: &ValueLogits, second: &ValueLogits) {
    assert_eq!(first.logit_count(), second.logit_count(), "{DIFFERENT_KINDS}");
}

const DIFFERENT_KINDS: &str = "a divergence needs two value heads of the same kind";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wdl(logits: [f32; 3]) -> ValueLogits {
        ValueLogits::wdl(logits).expect("finite")
    }

    fn scalar(logit: f32) -> ValueLogits {
        ValueLogits::scalar(logit).expect("finite")
    }

    /// Both gradients, forward first.
    fn gradients(value: &ValueLogits, reference: &ValueLogits) -> [Vec<f64>; 2] {
        let zeros = vec![0.0; value.logit_count()];
        let (mut forward, mut reverse) = (zeros.clone(), zeros);
        value.accumulate_forward_kl_gradient(reference, 1.0, &mut forward);
        value.accumulate_reverse_kl_gradient(reference, 1.0, &mut reverse);
        [forward, reverse]
    }

    #[test]
    fn divergences_and_gradients_by_hand() {
        let ln2 = 2f64.ln();
        // Heads in f32, so that a logarithm is right to 1e-7.
        let check = |value: ValueLogits, reference, kls: [f64; 2], slopes: [&[f64]; 2]| {
            let actual = [value.forward_kl(&reference), value.reverse_kl(&reference)];
            for (actual, expected) in actual.into_iter().zip(kls) {
                assert!((actual - expected).abs() < 1e-7, "{value:?}: {actual} {expected}");
            }
            for (actual, expected) in gradients(&value, &reference).iter().zip(slopes) {
                for (actual, expected) in actual.iter().zip(expected) {
                    assert!((actual - expected).abs() < 1e-7, "{value:?}: {actual} {expected}");
                }
            }
        };
        // p = (1/2, 1/4, 1/4), reference (1/4, 1/2, 1/4): forward is 1/4 ln(1/2) + 1/2 ln 2,
        // reverse 1/2 ln 2 + 1/4 ln(1/2), both ln(2)/4.
        check(
            wdl([2f32.ln(), 0.0, 0.0]),
            wdl([0.0, 2f32.ln(), 0.0]),
            [ln2 / 4.0; 2],
            [&[0.25, -0.25, 0.0], &[0.375 * ln2, -0.3125 * ln2, -0.0625 * ln2]],
        );
        // Scores 3/4 and 1/2.
        check(
            scalar(0.5f32.atanh()),
            scalar(0.0),
            [ln2 - 3f64.ln() / 2.0, 0.75 * 3f64.ln() - ln2],
            [&[0.5], &[0.375 * 3f64.ln()]],
        );
    }

    #[test]
    fn the_forward_direction_alone_diverges_where_an_outcome_vanishes() {
        let reference = wdl([0.0; 3]);
        let mut last = 0.0f64;
        for logit in [-10f32, -100.0, -1e3, -1e30] {
            let value = wdl([0.0, 0.0, logit]);
            assert!(value.forward_kl(&reference) > last.max(f64::from(-logit) / 4.0));
            assert!(value.reverse_kl(&reference) < 1.5f64.ln() + 1e-12);
            last = value.forward_kl(&reference);
        }
    }

    #[test]
    fn sure_heads_stay_finite() {
        for (value, reference) in
            [(wdl([1e30, 0.0, -1e30]), wdl([-1e30, 0.0, 1e30])), (scalar(1e30), scalar(-1e30))]
        {
            assert!(value.forward_kl(&reference).is_finite());
            for gradient in gradients(&value, &reference) {
                assert!(gradient.iter().all(|entry| entry.is_finite()), "{gradient:?}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "two value heads of the same kind")]
    fn heads_of_two_kinds_are_refused() {
        scalar(0.0).forward_kl(&wdl([0.0; 3]));
    }

    /// Exact in `f32` with a step of 1/1024, so that differences see the arithmetic in `f64`.
    fn exact_logit() -> impl Strategy<Value = f32> {
        (-256i16..=256).prop_map(|sixty_fourths| f32::from(sixty_fourths) / 64.0)
    }

    const STEP: f32 = 1.0 / 1024.0;

    proptest! {
        #[test]
        fn gradients_are_the_slopes(
            logits in prop::array::uniform3(exact_logit()),
            reference in prop::array::uniform3(exact_logit()),
        ) {
            let check = |at: &dyn Fn(f32) -> ValueLogits, reference, index: usize| {
                let [forward, reverse] = gradients(&at(0.0), &reference);
                let slope = |kl: fn(&ValueLogits, &ValueLogits) -> f64| {
                    let difference = kl(&at(STEP), &reference) - kl(&at(-STEP), &reference);
                    difference / f64::from(2.0 * STEP)
                };
                prop_assert!((slope(ValueLogits::forward_kl) - forward[index]).abs() < 1e-5);
                prop_assert!((slope(ValueLogits::reverse_kl) - reverse[index]).abs() < 1e-5);
                Ok(())
            };
            for index in 0..3 {
                let at = |step: f32| {
                    let mut moved = logits;
                    moved[index] += step;
                    wdl(moved)
                };
                check(&at, wdl(reference), index)?;
            }
            check(&|step| scalar(logits[0] + step), scalar(reference[0]), 0)?;
        }

        #[test]
        fn never_negative_and_zero_at_equality_only(
            logits in prop::array::uniform3(exact_logit()),
            moved in 0usize..3,
            by in prop_oneof![-1f32..-1e-3, 1e-3f32..1.0],
        ) {
            let mut other = logits;
            other[moved] += by;
            for (value, other) in
                [(wdl(logits), wdl(other)), (scalar(logits[0]), scalar(logits[0] + by))]
            {
                prop_assert_eq!((value.forward_kl(&value), value.reverse_kl(&value)), (0.0, 0.0));
                prop_assert!(value.forward_kl(&other) > 0.0);
                prop_assert!(value.reverse_kl(&other) > 0.0);
            }
        }
    }
}
