use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

#[test]
fn hand_computed_rows() {
    let check = |clusters: &[&[f64]], mean: f64, standard_error: f64| {
        let clusters = clusters.iter().map(|values| {
            let mut cluster = Cluster::default();
            values.iter().for_each(|&value| cluster.add(value));
            cluster
        });
        let found = Estimate::of_clusters(clusters).expect("values");
        let same = |found: f64, expected: f64| {
            // Two infinities have no difference.
            found == expected || (found - expected).abs() < 1e-15
        };
        assert!(same(found.mean, mean), "{found:?}");
        assert!(same(found.standard_error, standard_error), "{found:?}");
    };
    check(&[&[0.25], &[0.25]], 0.25, 0.0);
    // Variance 2 of a single value, 1 of the mean of two.
    check(&[&[1.0], &[3.0]], 2.0, 1.0);
    // Squares 2.25 + 0.25 + 0.25 + 2.25 = 5, variance 5/3.
    check(&[&[0.0], &[1.0], &[2.0], &[3.0]], 1.5, (5f64 / 12.0).sqrt());
    // The same value twice in each game is one game's worth of knowledge.
    check(&[&[1.0, 1.0], &[3.0, 3.0]], 2.0, 1.0);
    // Mean 4/3; deviations 1 + 0 - 2 * 4/3 = -5/3 and 3 - 4/3 = 5/3.
    check(&[&[1.0, 0.0], &[3.0]], 4.0 / 3.0, (2.0 * 2.0 * 25.0 / 9.0f64).sqrt() / 3.0);
    // Empty games are no games.
    check(&[&[1.0], &[], &[3.0]], 2.0, 1.0);
    // One game does not say how games differ, nor does an infinite mean.
    check(&[&[1.0, 3.0]], 2.0, f64::INFINITY);
    check(&[&[1.0], &[f64::INFINITY]], f64::INFINITY, f64::INFINITY);
}

#[test]
fn nothing_has_no_mean() {
    assert_eq!(Estimate::of_values([]), None);
    assert_eq!(Estimate::of_clusters([Cluster::default(); 2]), None);
}

/// Games of 1 to 30 values that share half of their variance: the formula against the spread of
/// the mean over many repetitions, which the formula for independent values would miss by a factor.
#[test]
fn the_standard_error_is_that_of_repetitions() {
    let mut generator = ChaCha8Rng::seed_from_u64(5);
    let mut estimate = || {
        let games = (0..60).map(|_| {
            let shared: f64 = generator.random();
            let mut cluster = Cluster::default();
            for _ in 0..generator.random_range(1..=30) {
                cluster.add(shared + generator.random::<f64>());
            }
            cluster
        });
        Estimate::of_clusters(games).expect("values")
    };
    let repetitions: Vec<Estimate> = (0..2_000).map(|_| estimate()).collect();
    let means = repetitions.iter().map(|found| found.mean);
    let mean = means.clone().sum::<f64>() / 2_000.0;
    let spread = (means.map(|found| (found - mean).powi(2)).sum::<f64>() / 2_000.0).sqrt();
    let stated = repetitions.iter().map(|found| found.standard_error).sum::<f64>() / 2_000.0;
    assert!((mean - 1.0).abs() < 5e-3, "{mean}");
    assert!((stated / spread - 1.0).abs() < 0.06, "{stated} for {spread}");
}

proptest! {
    #[test]
    fn repeating_every_value_changes_nothing(values in prop::collection::vec(-5f64..5.0, 2..30)) {
        let once = Estimate::of_values(values.iter().copied()).expect("values");
        let thrice = values.iter().map(|value| Cluster { count: 3, sum: 3.0 * value });
        let thrice = Estimate::of_clusters(thrice).expect("values");
        prop_assert!((once.mean - thrice.mean).abs() < 1e-12);
        prop_assert!((once.standard_error - thrice.standard_error).abs() < 1e-12);
    }
}
