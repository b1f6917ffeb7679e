use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;

fn policy(logits: &[f32], temperature: f64) -> MovePolicy {
    let temperature = Temperature::new(temperature).expect("a temperature");
    MovePolicy::from_logits(logits, temperature).expect("finite logits")
}

#[test]
fn closed_form_rows() {
    let check = |logits: &[f32], temperature: f64, expected: &[f64]| {
        let policy = policy(logits, temperature);
        assert_eq!(policy.move_count(), expected.len());
        for (index, &expected) in expected.iter().enumerate() {
            let actual = policy.probability(index);
            assert!((actual - expected).abs() < 1e-7, "{logits:?} / {temperature}: {actual}");
            assert_eq!(policy.probabilities()[index], actual);
            assert_eq!(policy.log_probabilities().nth(index), Some(policy.log_probability(index)));
        }
    };
    let ln2 = std::f32::consts::LN_2;
    check(&[5.0], 1.0, &[1.0]);
    check(&[-3.0, -3.0], 1.0, &[0.5, 0.5]);
    check(&[0.0, ln2], 1.0, &[1.0 / 3.0, 2.0 / 3.0]);
    // Half the temperature squares the odds, twice the temperature takes their root.
    check(&[0.0, ln2], 0.5, &[0.2, 0.8]);
    check(&[0.0, 2.0 * ln2], 2.0, &[1.0 / 3.0, 2.0 / 3.0]);
    check(&[0.0, ln2, ln2], 0.0, &[0.0, 0.5, 0.5]);
    check(&[ln2, 0.0, -1.0], 0.0, &[1.0, 0.0, 0.0]);
    check(&[1.0, 2.0, 3.0], f64::MAX, &[1.0 / 3.0; 3]);
}

#[test]
fn weights_are_proportions() {
    let visits = MovePolicy::from_weights(&[3.0, 0.0, 1.0]).expect("weights");
    assert!((visits.probability(0) - 0.75).abs() < 1e-15);
    assert_eq!(visits.probability(1), 0.0);
    assert_eq!(visits.log_probability(1), f64::NEG_INFINITY);
    assert!((visits.probability(2) - 0.25).abs() < 1e-15);
    let extreme = MovePolicy::from_weights(&[f64::MAX, f64::MAX]).expect("weights");
    assert!((extreme.probability(1) - 0.5).abs() < 1e-15);
}

#[test]
fn what_is_no_distribution_is_refused_by_name() {
    let logits = |logits: &[f32]| MovePolicy::from_logits(logits, Temperature::ONE);
    assert_eq!(logits(&[]), Err(PolicyError::NoMoves));
    for value in [f32::INFINITY, f32::NEG_INFINITY] {
        let expected = PolicyError::NonFiniteLogit { index: 2, value };
        assert_eq!(logits(&[0.0, 1.0, value, value]), Err(expected));
    }
    match logits(&[0.0, f32::NAN]) {
        Err(error) => assert_eq!(error.to_string(), "logit 1 is NaN, expected a finite number"),
        Ok(policy) => panic!("{policy:?}"),
    }
    let weights = MovePolicy::from_weights;
    assert_eq!(weights(&[]), Err(PolicyError::NoMoves));
    assert_eq!(weights(&[0.0, 0.0]), Err(PolicyError::ZeroWeights { count: 2 }));
    for value in [-1.0, f64::INFINITY] {
        assert_eq!(weights(&[1.0, value]), Err(PolicyError::InvalidWeight { index: 1, value }));
    }
    assert!(weights(&[1.0, f64::NAN]).is_err());
}

#[test]
fn mixtures_by_hand() {
    let weights = |weights: &[f64]| MovePolicy::from_weights(weights).expect("weights");
    let (first, second) = (weights(&[1.0, 1.0, 0.0]), weights(&[1.0, 0.0, 3.0]));
    let check = |shares: [f64; 2], expected: [f64; 3]| {
        let mixture = MovePolicy::mixture(&shares, &[&first, &second]).expect("a mixture");
        for (actual, expected) in mixture.probabilities().iter().zip(expected) {
            assert!((actual - expected).abs() < 1e-15, "{shares:?}: {mixture:?}");
        }
    };
    // 1/2 (1/2, 1/2, 0) + 1/2 (1/4, 0, 3/4).
    check([1.0, 1.0], [0.375, 0.25, 0.375]);
    check([3.0, 1.0], [0.4375, 0.375, 0.1875]);
    check([f64::MAX, f64::MAX], [0.375, 0.25, 0.375]);
    for (shares, only) in [([2.0, 0.0], &first), ([0.0, 1e-9], &second)] {
        assert_eq!(MovePolicy::mixture(&shares, &[&first, &second]).as_ref(), Ok(only));
    }
    // A move that no f64 can give its probability is mixed as its logarithm.
    let sharp = policy(&[0.0, -2000.0], 1.0);
    let mixture = MovePolicy::mixture(&[1.0, 1.0], &[&sharp, &sharp]).expect("a mixture");
    assert!((mixture.log_probability(1) + 2000.0).abs() < 1e-9);

    let mix = |shares: &[f64]| MovePolicy::mixture(shares, &[&first, &second]);
    assert_eq!(mix(&[0.0, 0.0]), Err(PolicyError::ZeroWeights { count: 2 }));
    assert_eq!(mix(&[1.0, -1.0]), Err(PolicyError::InvalidWeight { index: 1, value: -1.0 }));
}

#[test]
#[should_panic(expected = "over the same legal moves")]
fn a_mixture_of_different_positions_is_refused() {
    let _ = MovePolicy::mixture(&[1.0, 1.0], &[&policy(&[0.0], 1.0), &policy(&[0.0, 1.0], 1.0)]);
}

#[test]
fn huge_logits_do_not_overflow() {
    for temperature in [0.0, f64::from_bits(1), 1e-300, 1.0, 1.359] {
        let policy = policy(&[1e30, -1e30, f32::MAX, f32::MIN], temperature);
        assert_eq!(policy.probabilities(), [0.0, 0.0, 1.0, 0.0], "temperature {temperature}");
        assert_eq!(policy.entropy(), 0.0);
        assert_eq!(policy.argmax(), 2);
    }
    let flat = policy(&[1e30, 1e30], 1.0);
    assert!((flat.probability(0) - 0.5).abs() < 1e-15);
    // Vanishing probabilities keep their logarithm.
    let steep = policy(&[1e30, -1e30], 1.0);
    assert!((steep.log_probability(1) / -2e30 - 1.0).abs() < 1e-6);
}

#[test]
fn a_nearly_certain_move_keeps_its_digits() {
    // ln p = -ln(1 + e^-60) = -e^-60 to first order; 1 - p is 0 in f64.
    let policy = policy(&[60.0, 0.0], 1.0);
    assert!((policy.log_probability(0) / -(-60f64).exp() - 1.0).abs() < 1e-12);
}

#[test]
fn small_temperatures_approach_temperature_zero() {
    for logits in [&[0.5f32, 2.0, 2.0, -1.0][..], &[0.0], &[1.0, 1.0], &[3.0, 2.999]] {
        let limit = policy(logits, 0.0).probabilities();
        let near = policy(logits, 1e-6).probabilities();
        for (limit, near) in limit.iter().zip(near) {
            assert!((limit - near).abs() < 1e-12, "{logits:?}: {limit} {near}");
        }
    }
}

#[test]
fn ties_go_to_the_lowest_index() {
    let policy = policy(&[1.0, 3.0, 2.0, 3.0, 2.0], 1.0);
    assert_eq!(policy.argmax(), 1);
    assert_eq!(policy.top(0), [0; 0]);
    assert_eq!(policy.top(3), [1, 3, 2]);
    assert_eq!(policy.top(9), [1, 3, 2, 4, 0]);
    let ranks: Vec<usize> = (0..5).map(|index| policy.rank_of(index)).collect();
    assert_eq!(ranks, [4, 0, 2, 1, 3]);
}

#[test]
fn different_logits_are_no_tie() {
    // The two log-probabilities round to the same f64; the logits still differ.
    let policy = policy(&[0.0, 1e-30], 1.0);
    assert_eq!(policy.log_probability(0), policy.log_probability(1));
    assert_eq!(policy.argmax(), 1);
    assert_eq!(policy.top(2), [1, 0]);
    assert_eq!(policy.rank_of(0), 1);
}

#[test]
fn entropy_rows() {
    let check = |weights: &[f64], expected: f64| {
        let entropy = MovePolicy::from_weights(weights).expect("weights").entropy();
        assert!((entropy - expected).abs() < 1e-14, "{weights:?}: {entropy}");
        assert!(entropy.is_sign_positive());
    };
    let ln2 = 2f64.ln();
    check(&[1.0], 0.0);
    check(&[0.0, 7.0], 0.0);
    check(&[1.0, 1.0], ln2);
    check(&[2.0, 1.0, 1.0], 1.5 * ln2);
    check(&[4.0, 2.0, 1.0, 1.0], 1.75 * ln2);
    check(&[1.0; 218], 218f64.ln());
}

#[test]
fn quantiles_invert_the_cumulative_distribution() {
    let policy = MovePolicy::from_weights(&[0.0, 1.0, 0.0, 2.0, 1.0, 0.0]).expect("weights");
    let below_one = 1.0 - f64::EPSILON / 2.0;
    for (level, expected) in
        [(0.0, 1), (0.2499, 1), (0.2501, 3), (0.7499, 3), (0.7501, 4), (below_one, 4)]
    {
        assert_eq!(policy.quantile(level), expected, "level {level}");
    }
}

#[test]
fn sampling_frequencies_pass_a_chi_square_test() {
    let policy = policy(&[0.0, 1.0, -1.0, 0.5, -2.0, 1.0], 0.8);
    let draws = 100_000;
    let mut counts = [0u32; 6];
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..draws {
        counts[policy.sample(&mut rng)] += 1;
    }
    let chi_square: f64 = counts
        .iter()
        .zip(policy.probabilities())
        .map(|(&count, probability)| {
            let expected = probability * f64::from(draws);
            (f64::from(count) - expected).powi(2) / expected
        })
        .sum();
    // 99.9% quantile for 5 degrees of freedom.
    assert!(chi_square < 20.52, "{chi_square}: {counts:?}");
}

#[test]
fn equal_seeds_give_equal_moves() {
    let policy = policy(&[0.0; 40], 1.0);
    let draw = |seed| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        std::array::from_fn::<usize, 20, _>(|_| policy.sample(&mut rng))
    };
    assert_eq!(draw(7), draw(7));
    assert_ne!(draw(7), draw(8));
}

proptest! {
    #[test]
    fn a_policy_is_a_distribution(
        logits in prop::collection::vec(-1e3f32..1e3, 1..218),
        temperature in prop_oneof![Just(0.0), 1e-6f64..10.0],
    ) {
        let policy = policy(&logits, temperature);
        let sum: f64 = policy.probabilities().iter().sum();
        prop_assert!((sum - 1.0).abs() < 1e-12);
        prop_assert!(policy.log_probabilities().all(|log_p| log_p <= 0.0));
        prop_assert!((0.0..=(logits.len() as f64).ln()).contains(&policy.entropy()));
        let order = policy.top(logits.len());
        prop_assert_eq!(order[0], policy.argmax());
        for (rank, &index) in order.iter().enumerate() {
            prop_assert_eq!(policy.rank_of(index), rank);
        }
    }

    #[test]
    fn argmax_is_the_first_largest_logit(logits in prop::collection::vec(-3i8..3, 1..40)) {
        let logits: Vec<f32> = logits.into_iter().map(f32::from).collect();
        let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let first = logits.iter().position(|&logit| logit == largest);
        for temperature in [0.0, 0.3, 1.0, 5.0] {
            prop_assert_eq!(Some(policy(&logits, temperature).argmax()), first);
        }
    }

    #[test]
    fn impossible_moves_are_never_drawn(
        logits in prop::collection::vec(prop_oneof![-1f32..1.0, -2000f32..-740.0], 1..20),
        level in prop_oneof![Just(0.0), Just(1.0 - f64::EPSILON / 2.0), 0f64..1.0],
    ) {
        let policy = policy(&logits, 1.0);
        prop_assert!(policy.probability(policy.quantile(level)) > 0.0);
    }

    #[test]
    fn lower_temperatures_have_less_entropy(
        logits in prop::collection::vec(-10f32..10.0, 1..40),
        low in 0f64..2.0,
        more in 0f64..2.0,
    ) {
        let (cold, warm) = (policy(&logits, low), policy(&logits, low + more));
        prop_assert!(cold.entropy() <= warm.entropy() + 1e-12);
    }
}
