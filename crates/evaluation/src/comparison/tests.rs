use std::num::NonZeroU32;

use proptest::prelude::*;

use super::*;

fn bootstrap() -> Bootstrap {
    Bootstrap { resamples: NonZeroU32::new(400).expect("not 0"), seed: 1 }
}

fn trials(solved: &[bool], probabilities: &[f64]) -> Vec<Trial> {
    let trial = |(&solved, &probability): (&bool, &f64)| Trial {
        solved,
        log_probability: probability.ln(),
    };
    solved.iter().zip(probabilities).map(trial).collect()
}

#[test]
fn hand_computed_comparisons() {
    let reference = trials(&[true, false, true, false], &[0.5, 0.25, 1.0, 0.125]);
    let network = trials(&[true, true, false, true], &[1.0, 0.5, 0.5, 0.5]);
    let comparison = Comparison::new(&reference, &network, bootstrap()).expect("puzzles");
    assert_eq!((comparison.gained, comparison.lost), (2, 1));
    assert_eq!(comparison.accuracy_difference.value, 0.25);
    // Ratios 2, 2, 1/2, 4: the fourth root of 8; 2.5 / 1.875.
    assert!((comparison.geometric_ratio.value - 1.681_792_830_507_429).abs() < 1e-12);
    assert!((comparison.arithmetic_ratio.value - 4.0 / 3.0).abs() < 1e-12);
    // 2 (C(3,0) + C(3,1)) / 8.
    assert_eq!(comparison.p_value, 1.0);
    for estimate in
        [comparison.accuracy_difference, comparison.geometric_ratio, comparison.arithmetic_ratio]
    {
        let interval = estimate.interval.expect("finite");
        assert!(interval.low < estimate.value && estimate.value < interval.high, "{estimate:?}");
    }
    assert_eq!(Comparison::new(&[], &[], bootstrap()), None);
}

#[test]
fn a_network_is_its_own_equal() {
    let network = trials(&[true, false, true], &[0.5, 1e-200, 1.0]);
    let comparison = Comparison::new(&network, &network, bootstrap()).expect("puzzles");
    assert_eq!((comparison.gained, comparison.lost, comparison.p_value), (0, 0, 1.0));
    let sure = |value| PairedEstimate {
        value,
        interval: Some(BootstrapInterval { low: value, high: value }),
    };
    assert_eq!(comparison.accuracy_difference, sure(0.0));
    assert_eq!(comparison.geometric_ratio, sure(1.0));
    assert_eq!(comparison.arithmetic_ratio, sure(1.0));
}

#[test]
fn probabilities_below_the_smallest_number_still_have_a_geometric_ratio() {
    let of = |log_probability| vec![Trial { solved: false, log_probability }; 3];
    let comparison = Comparison::new(&of(-2000.0), &of(-1999.0), bootstrap()).expect("puzzles");
    assert!((comparison.geometric_ratio.value - std::f64::consts::E).abs() < 1e-9);
    assert!(comparison.arithmetic_ratio.value.is_nan());
    assert_eq!(comparison.arithmetic_ratio.interval, None);
}

#[test]
fn p_values() {
    let check = |gained: u64, lost: u64, expected: f64| {
        let found = mcnemar(gained, lost);
        assert!((found / expected - 1.0).abs() < 1e-9, "{gained} {lost}: {found}");
        assert_eq!(found, mcnemar(lost, gained));
    };
    check(0, 0, 1.0);
    check(1, 0, 1.0);
    check(5, 5, 1.0);
    // 2 / 2^6, 2 (1 + 10) / 2^10, 2 (1 + 20 + 190 + 1140) / 2^20.
    check(6, 0, 0.03125);
    check(9, 1, 0.021484375);
    check(17, 3, 0.002_576_828_002_929_687_5);
    // Of 1788 discordant puzzles (the paper's section 3.5): Fractions of Python.
    check(1405, 383, 8.742_030_354_965_983e-137);
}

proptest! {
    #[test]
    fn p_values_are_probabilities_that_fall_with_the_imbalance(total in 1u64..3000, share in 0f64..0.5) {
        let lost = (share * total as f64) as u64;
        let p = mcnemar(total - lost, lost);
        prop_assert!((0.0..=1.0).contains(&p));
        if lost > 0 {
            prop_assert!(mcnemar(total - lost + 1, lost - 1) <= p);
        }
    }

    #[test]
    fn ratios_are_those_of_the_means(
        pairs in prop::collection::vec((any::<bool>(), -20f64..0.0, any::<bool>(), -20f64..0.0), 1..40),
    ) {
        let trials: Vec<[Trial; 2]> = pairs
            .iter()
            .map(|&(one, first, two, second)| [
                Trial { solved: one, log_probability: first },
                Trial { solved: two, log_probability: second },
            ])
            .collect();
        let side = |side: usize| trials.iter().map(|pair| pair[side]).collect::<Vec<_>>();
        let [reference, network] = [side(0), side(1)];
        let comparison = Comparison::new(&reference, &network, bootstrap()).expect("puzzles");
        let [of_reference, of_network]: [crate::Tally; 2] =
            [reference, network].map(|trials| trials.into_iter().collect());
        let ratio = |mean: fn(&crate::Tally) -> Option<f64>| {
            mean(&of_network).expect("puzzles") / mean(&of_reference).expect("puzzles")
        };
        let close = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-9;
        prop_assert!(close(comparison.geometric_ratio.value, ratio(crate::Tally::geometric_mean)));
        prop_assert!(close(comparison.arithmetic_ratio.value, ratio(crate::Tally::arithmetic_mean)));
        let difference = of_network.solved() as f64 - of_reference.solved() as f64;
        prop_assert!((comparison.accuracy_difference.value - difference / pairs.len() as f64).abs() < 1e-12);
        prop_assert_eq!(comparison.gained as f64 - comparison.lost as f64, difference);
    }
}
