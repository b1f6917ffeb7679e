use proptest::prelude::*;

use super::*;

fn trial(solved: bool, probability: f64) -> Trial {
    Trial { solved, log_probability: probability.ln() }
}

#[test]
fn hand_computed_means() {
    let tally: Tally =
        [trial(true, 0.5), trial(false, 0.125), trial(true, 1.0)].into_iter().collect();
    assert_eq!((tally.total(), tally.solved()), (3, 2));
    assert_eq!(tally.accuracy(), Some(2.0 / 3.0));
    // The cube root of 1/16, and (1/2 + 1/8 + 1) / 3 = 13/24.
    assert!((tally.geometric_mean().expect("puzzles") - 0.396_850_262_992_049_9).abs() < 1e-15);
    assert!((tally.arithmetic_mean().expect("puzzles") - 13.0 / 24.0).abs() < 1e-15);
    assert_eq!(tally.interval(), wilson_interval(2, 3));
}

#[test]
fn one_abandoned_puzzle_takes_the_geometric_mean_along() {
    let kept = std::iter::repeat_n(trial(true, 1.0), 99);
    let lost = Trial { solved: false, log_probability: -1000.0 };
    let tally: Tally = kept.chain([lost]).collect();
    assert!((tally.geometric_mean().expect("puzzles") - (-10f64).exp()).abs() < 1e-15);
    // e^-1000 is below the smallest number.
    assert_eq!(tally.arithmetic_mean(), Some(0.99));
}

#[test]
fn no_puzzles_have_no_means() {
    let tally = Tally::default();
    assert_eq!(tally.accuracy(), None);
    assert_eq!(tally.geometric_mean(), None);
    assert_eq!(tally.arithmetic_mean(), None);
    assert_eq!(tally.interval(), Interval { low: 0.0, high: 1.0 });
}

proptest! {
    #[test]
    fn the_geometric_mean_is_the_smaller(logs in prop::collection::vec(-50f64..0.0, 1..50)) {
        let trials = logs.iter().map(|&log_probability| Trial { solved: true, log_probability });
        let tally: Tally = trials.clone().collect();
        let geometric = tally.geometric_mean().expect("puzzles");
        let arithmetic = tally.arithmetic_mean().expect("puzzles");
        prop_assert!(0.0 < geometric && geometric <= arithmetic * (1.0 + 1e-12));
        prop_assert!(arithmetic <= 1.0);
        let reversed: Tally = trials.rev().collect();
        prop_assert!((reversed.geometric_mean().expect("puzzles") / geometric - 1.0).abs() < 1e-12);
    }
}
