use proptest::prelude::*;

use super::*;
use crate::Temperature;

fn weights(weights: &[f64]) -> MovePolicy {
    MovePolicy::from_weights(weights).expect("weights")
}

fn logits(logits: &[f32]) -> MovePolicy {
    MovePolicy::from_logits(logits, Temperature::ONE).expect("finite logits")
}

#[test]
fn directions_by_hand() {
    let ln2 = 2f64.ln();
    let check = |base: &[f64], policy: &[f64], forward: f64, reverse: f64| {
        let (base, policy) = (weights(base), weights(policy));
        let actual = (forward_kl(&base, &policy), reverse_kl(&base, &policy));
        let close =
            |actual: f64, expected: f64| actual == expected || (actual - expected).abs() < 1e-14;
        assert!(close(actual.0, forward), "forward {} is not {forward}", actual.0);
        assert!(close(actual.1, reverse), "reverse {} is not {reverse}", actual.1);
    };
    // base 1/2 1/2, policy 3/4 1/4: forward = 1/2 ln(2/3) + 1/2 ln 2 = ln 2 - ln(3)/2,
    // reverse = 3/4 ln(3/2) + 1/4 ln(1/2) = 3/4 ln 3 - ln 2.
    check(&[1.0, 1.0], &[3.0, 1.0], ln2 - 3f64.ln() / 2.0, 0.75 * 3f64.ln() - ln2);
    // Numbers in decimals, so that no formula can be wrong in the same way twice.
    check(&[9.0, 1.0], &[1.0, 1.0], 0.368_064_207_168_497_6, 0.510_825_623_765_990_7);
    check(&[2.0, 1.0, 1.0], &[1.0, 1.0, 2.0], ln2 / 4.0, ln2 / 4.0);
    // A move that the base covers vanishes: only the forward direction minds.
    check(&[1.0, 1.0], &[1.0, 0.0], f64::INFINITY, ln2);
    // The policy plays what the base never does: only the reverse direction minds.
    check(&[1.0, 0.0], &[1.0, 1.0], ln2, f64::INFINITY);
    // Impossible for both: no matter.
    check(&[1.0, 0.0, 1.0], &[3.0, 0.0, 1.0], ln2 - 3f64.ln() / 2.0, 0.75 * 3f64.ln() - ln2);
    check(&[1.0], &[5.0], 0.0, 0.0);
}

#[test]
fn forward_diverges_as_a_covered_move_vanishes_and_reverse_does_not() {
    let base = logits(&[0.0, 0.0]);
    let mut last = 0.0;
    for gap in [1.0f32, 10.0, 100.0, 1e3, 1e6, 1e30] {
        let policy = logits(&[0.0, -gap]);
        let forward = forward_kl(&base, &policy);
        // 1/2 ln(1/2 / p) + 1/2 ln(1/2 / (1 - p)) with p = 1 / (1 + e^gap), also where that is 0
        // in f64.
        let gap = f64::from(gap);
        let expected = gap / 2.0 - 2f64.ln() + (-gap).exp().ln_1p();
        assert!((forward / expected - 1.0).abs() < 1e-12, "{gap}: {forward} {expected}");
        assert!(forward > last);
        assert!(reverse_kl(&base, &policy) <= 2f64.ln() + 1e-15);
        last = forward;
    }
}

#[test]
fn kl_to_uniform_rows() {
    let ln2 = 2f64.ln();
    for (row, expected) in [
        (&[1.0][..], 0.0),
        (&[1.0, 1.0], 0.0),
        (&[1.0, 0.0], ln2),
        (&[2.0, 1.0, 1.0, 0.0], 0.5 * ln2),
        (&[1.0, 0.0, 0.0, 0.0], 2.0 * ln2),
    ] {
        let actual = kl_to_uniform(&weights(row));
        assert!((actual - expected).abs() < 1e-14, "{row:?}: {actual}");
    }
}

#[test]
fn small_divergences_keep_their_digits() {
    // With p = 1/2 and q = 1/2 + e: KL = 2 e^2 + 4 e^4 + O(e^6). The plain sum is noise from
    // e = 1e-8 on.
    for e in [1e-3f64, 1e-5, 1e-8, 1e-12] {
        let actual = forward_kl(&weights(&[0.5, 0.5]), &weights(&[0.5 + e, 0.5 - e]));
        let expected = 2.0 * e * e + 4.0 * e.powi(4);
        // The weights 0.5 + e themselves carry a rounding error of 1e-16 / e.
        let tolerance = 1e-10 + 4e-16 / e;
        assert!((actual / expected - 1.0).abs() < tolerance, "{e}: {actual} {expected}");
    }
}

#[test]
fn both_forms_of_a_term_meet() {
    let check = |d: f64| {
        let (below, above) = (exp_minus_tangent(d * (1.0 - 1e-12)), exp_minus_tangent(d));
        assert!((above / below - 1.0).abs() < 1e-10, "{d}: {below} {above}");
    };
    check(0.01);
    check(-0.01);
    let (below, above) = (kl_term(-3.0, -2.0), kl_term(-3.0, -2.0 + 1e-12));
    assert!((above / below - 1.0).abs() < 1e-10, "{below} {above}");
}

#[test]
#[should_panic(expected = "over the same legal moves")]
fn different_positions_are_refused() {
    forward_kl(&weights(&[1.0]), &weights(&[1.0, 1.0]));
}

proptest! {
    #[test]
    fn no_term_is_negative(
        log_p in prop_oneof![-1.0f64..=0.0, -750f64..=0.0, Just(f64::NEG_INFINITY)],
        difference in prop_oneof![-1e-15f64..1e-15, -0.02f64..0.02, -2f64..2.0, -800f64..800.0],
    ) {
        prop_assert!(kl_term(log_p, (log_p + difference).min(0.0)) >= 0.0);
    }

    #[test]
    fn no_divergence_is_negative(
        pairs in prop::collection::vec((-1e3f32..1e3, -1e3f32..1e3), 1..218),
    ) {
        let (base, policy): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
        let (base, policy) = (logits(&base), logits(&policy));
        prop_assert!(forward_kl(&base, &policy) >= 0.0);
        prop_assert!(reverse_kl(&base, &policy) >= 0.0);
        prop_assert_eq!(forward_kl(&base, &policy), reverse_kl(&policy, &base));
        let log_count = (base.move_count() as f64).ln();
        prop_assert!((0.0..=log_count).contains(&kl_to_uniform(&policy)));
    }

    #[test]
    fn zero_at_equality_and_only_there(
        row in prop::collection::vec(-8f32..8.0, 2..60),
        moved in any::<prop::sample::Index>(),
        by in prop_oneof![-1f32..-1e-4, 1e-4f32..1.0],
    ) {
        let base = logits(&row);
        prop_assert_eq!(forward_kl(&base, &base), 0.0);
        prop_assert_eq!(reverse_kl(&base, &base), 0.0);
        let mut other = row.clone();
        other[moved.index(row.len())] += by;
        let other = logits(&other);
        prop_assert!(forward_kl(&base, &other) > 0.0);
        prop_assert!(reverse_kl(&base, &other) > 0.0);
    }

    #[test]
    fn agrees_with_the_plain_sums(
        pairs in prop::collection::vec((-8f32..8.0, -8f32..8.0), 1..60),
    ) {
        let (base, policy): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
        let (base, policy) = (logits(&base), logits(&policy));
        let plain: f64 = (0..base.move_count())
            .map(|a| {
                base.probability(a) * (base.log_probability(a) - policy.log_probability(a))
            })
            .sum();
        prop_assert!((forward_kl(&base, &policy) - plain).abs() < 1e-12);
        let from_entropy = (policy.move_count() as f64).ln() - policy.entropy();
        prop_assert!((kl_to_uniform(&policy) - from_entropy).abs() < 1e-12);
    }
}
