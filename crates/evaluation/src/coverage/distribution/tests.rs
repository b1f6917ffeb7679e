use proptest::prelude::*;

use super::*;

fn distribution(probabilities: &[f64]) -> SequenceDistribution {
    let logs = probabilities.iter().map(|p| p.ln()).collect();
    SequenceDistribution::new(logs, Vec::new()).expect("probabilities")
}

/// Probabilities of up to 40 sequences that differ by up to 27 powers of ten.
fn probabilities() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-30f64..30.0, 1..40).prop_map(|logits| {
        let total: f64 = logits.iter().map(|logit| logit.exp()).sum();
        logits.iter().map(|logit| logit.exp() / total).collect()
    })
}

/// `Omega_K` from its definition: the mean over all `n^K` outcomes of `K` draws.
fn brute_force(probabilities: &[f64], draws: u32) -> f64 {
    let n = probabilities.len();
    let outcomes = 0..n.pow(draws);
    let outcome = |mut code: usize| {
        let (mut probability, mut seen) = (1.0, vec![false; n]);
        for _ in 0..draws {
            probability *= probabilities[code % n];
            seen[code % n] = true;
            code /= n;
        }
        let distinct: f64 =
            probabilities.iter().zip(&seen).filter(|(_, seen)| **seen).map(|(p, _)| p).sum();
        probability * distinct
    };
    outcomes.map(outcome).sum()
}

#[test]
fn hand_computed_rows() {
    let check = |probabilities: &[f64], draws: u64, expected: f64| {
        let found = distribution(probabilities).coverage(draws);
        assert!((found - expected).abs() < 1e-15, "{probabilities:?} {draws}: {found}");
    };
    check(&[1.0], 0, 0.0);
    check(&[1.0], 1, 1.0);
    check(&[1.0], u64::MAX, 1.0);
    // One draw covers sum p^2.
    check(&[0.5, 0.3, 0.2], 0, 0.0);
    check(&[0.5, 0.3, 0.2], 1, 0.25 + 0.09 + 0.04);
    // 0.5 (1 - 0.25) + 0.3 (1 - 0.49) + 0.2 (1 - 0.64).
    check(&[0.5, 0.3, 0.2], 2, 0.375 + 0.153 + 0.072);
    check(&[0.25; 4], 3, 1.0 - 0.421_875);
    // Sequences that are never drawn add nothing.
    check(&[0.0, 1.0, 0.0], 1, 1.0);
    check(&[0.5, 0.0, 0.5], 1, 0.5);
}

#[test]
fn draws_smallest_set_and_entropy() {
    let check = |probabilities: &[f64], draws: u64, set: u64, entropy: f64| {
        let distribution = distribution(probabilities);
        assert_eq!(distribution.draws_to_cover(0.95), Some(draws), "{probabilities:?}");
        assert_eq!(distribution.smallest_set(0.95), set, "{probabilities:?}");
        assert!((distribution.entropy() - entropy).abs() < 1e-14, "{probabilities:?}");
        assert_eq!(distribution.sequence_count(), probabilities.len() as u64);
        let largest = probabilities.iter().copied().fold(0.0, f64::max);
        assert!((distribution.largest_probability() - largest).abs() < 1e-15);
    };
    check(&[1.0], 1, 1, 0.0);
    // As the unregularised policy of the paper: one line with nearly all mass.
    check(&[0.999, 0.001], 1, 1, -(0.999 * 0.999f64.ln() + 0.001 * 0.001f64.ln()));
    // 1 - 0.5^5 = 0.96875, 1 - 0.5^4 = 0.9375.
    check(&[0.5, 0.5], 5, 2, 2f64.ln());
    // 1 - 0.75^11 = 0.9578, 1 - 0.75^10 = 0.9437.
    check(&[0.25; 4], 11, 4, 4f64.ln());
    // The smallest set does not take the sequences in their order.
    let six = [0.02, 0.5, 0.01, 0.3, 0.02, 0.15];
    let entropy = six.iter().map(|p: &f64| -p * p.ln()).sum();
    let draws = (1..)
        .find(|&k| six.iter().map(|p: &f64| p * (1.0 - (1.0 - p).powi(k))).sum::<f64>() >= 0.95);
    check(&six, draws.expect("reached") as u64, 3, entropy);
}

#[test]
fn numbers_of_draws_that_are_too_large_are_none() {
    // Half of the mass is spread over 1000 sequences of 5e-4, or hidden in one that never comes.
    let spread: Vec<f64> = std::iter::once(0.5).chain([5e-4; 1000]).collect();
    let draws = distribution(&spread).draws_to_cover(0.95).expect("few enough");
    // 0.5 (1 - (1 - 5e-4)^K) = 0.45 at K = ln 0.1 / ln(1 - 5e-4) = 4604.02.
    assert_eq!(draws, 4605);
    // A million draws of a million: 1 - (1 - 1e-6)^K reaches 0.95 at K = 2,995,730.8.
    assert_eq!(distribution(&vec![1e-6; 1_000_000]).draws_to_cover(0.95), Some(2_995_731));
    // 1e-14 of the mass needs K ln(1 - p) = ln 0.05 or so: with p = 1e-17 beyond what is told apart.
    let mut hidden = vec![1e-17; 1000];
    hidden.push(1.0 - 1e-14);
    let distribution = distribution(&hidden);
    assert_eq!(distribution.draws_to_cover(0.95), Some(1));
    assert_eq!(distribution.draws_to_cover(1.0 - 1e-15), None);
}

#[test]
fn no_distribution_is_refused() {
    let check = |probabilities: &[f64], expected: &str| {
        let logs = probabilities.iter().map(|p: &f64| p.ln()).collect();
        let error = SequenceDistribution::new(logs, Vec::new()).expect_err("refused").to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(&[], "sum to 0, expected 1");
    check(&[0.5, 0.499], "sum to 0.999, expected 1");
    check(&[0.5, 0.5, 1e-8], "sum to 1.00000001, expected 1");
    check(&[1.0, f64::NAN], "sum to NaN, expected 1");
    let nearly = SequenceDistribution::new(vec![0.5f64.ln(), (0.5 + 1e-10f64).ln()], Vec::new());
    assert!(nearly.is_ok());
}

#[test]
fn the_curve_has_every_step_once_and_ends() {
    let draws = |probabilities: &[f64], per_decade| -> Vec<u64> {
        distribution(probabilities).curve(per_decade).iter().map(|point| point.draws).collect()
    };
    assert_eq!(draws(&[1.0], 10), [1]);
    // 1 - 0.5^10 = 0.99902 is the first of at least 0.999.
    assert_eq!(draws(&[0.5, 0.5], 10), [1, 2, 3, 4, 5, 6, 8, 10]);
    assert_eq!(draws(&vec![1e-3; 1000], 1), [1, 10, 100, 1_000, 10_000]);
    let mut hidden = vec![1e-19; 1000];
    hidden.push(1.0 - 1e-16);
    assert_eq!(draws(&hidden, 2), [1]);
    let half: Vec<f64> = std::iter::once(0.5).chain(std::iter::repeat_n(5e-7, 1_000_000)).collect();
    let curve = distribution(&half).curve(3);
    assert_eq!(curve.last().map(|point| point.draws), Some(21_544_347));
}

#[test]
fn threads_do_not_matter() {
    let logits: Vec<f64> = (0..100_000).map(|i| f64::from(i % 977) / 100.0).collect();
    let total: f64 = logits.iter().map(|l| l.exp()).sum();
    let logs: Vec<f64> = logits.iter().map(|l| l - total.ln()).collect();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let found = SequenceDistribution::new(logs.clone(), Vec::new()).expect("sum 1");
            (found.entropy().to_bits(), found.coverage(777).to_bits(), found.draws_to_cover(0.95))
        })
    };
    assert_eq!(on(1), on(3));
}

#[test]
#[should_panic(expected = "a share of 1")]
fn all_of_the_mass_is_never_reached() {
    distribution(&[0.5, 0.5]).draws_to_cover(1.0);
}

proptest! {
    #[test]
    fn the_closed_form_is_the_mean_over_all_outcomes(
        logits in prop::collection::vec(-3f64..3.0, 1..5),
        draws in 0u32..6,
    ) {
        let total: f64 = logits.iter().map(|logit| logit.exp()).sum();
        let probabilities: Vec<f64> = logits.iter().map(|logit| logit.exp() / total).collect();
        let closed = distribution(&probabilities).coverage(draws.into());
        let brute = brute_force(&probabilities, draws);
        prop_assert!((closed - brute).abs() < 1e-13, "{closed} {brute}");
    }

    #[test]
    fn coverage_grows_with_draws(
        probabilities in probabilities(),
        mut draws in prop::collection::vec(0u64..MOST_DRAWS, 2..20),
        small in prop::collection::vec(0u64..200, 2..20),
    ) {
        let distribution = distribution(&probabilities);
        draws.extend(small);
        draws.sort_unstable();
        let mut before = 0.0;
        for draws in draws {
            let coverage = distribution.coverage(draws);
            // Only rounding of the sum, of some ulps, can go the other way.
            prop_assert!(coverage >= before - 1e-15, "{draws}: {coverage} after {before}");
            prop_assert!(coverage <= 1.0);
            before = coverage;
        }
    }

    #[test]
    fn the_number_of_draws_is_the_smallest(probabilities in probabilities(), share in 0.01f64..0.99) {
        let distribution = distribution(&probabilities);
        if let Some(draws) = distribution.draws_to_cover(share) {
            prop_assert!(distribution.coverage(draws) >= share);
            prop_assert!(distribution.coverage(draws - 1) < share);
        } else {
            prop_assert!(distribution.coverage(MOST_DRAWS) < share);
        }
    }

    #[test]
    fn the_smallest_set_is_the_smallest(
        logits in prop::collection::vec(-3f64..3.0, 1..10),
        share in 0.01f64..0.99,
    ) {
        let total: f64 = logits.iter().map(|logit| logit.exp()).sum();
        let probabilities: Vec<f64> = logits.iter().map(|logit| logit.exp() / total).collect();
        let mass = |set: usize| -> f64 {
            (0..probabilities.len()).filter(|x| set >> x & 1 == 1).map(|x| probabilities[x]).sum()
        };
        let sets = 0..1usize << probabilities.len();
        let smallest = sets.filter(|&set| mass(set) >= share).map(usize::count_ones).min();
        prop_assert_eq!(distribution(&probabilities).smallest_set(share), u64::from(smallest.expect("all of it")));
    }

    #[test]
    fn order_does_not_matter(probabilities in probabilities()) {
        let reversed: Vec<f64> = probabilities.iter().rev().copied().collect();
        prop_assert_eq!(distribution(&probabilities), distribution(&reversed));
    }
}
