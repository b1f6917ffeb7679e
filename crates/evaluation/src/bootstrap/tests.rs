use proptest::prelude::*;

use super::*;

fn bootstrap(resamples: u32, seed: u64) -> Bootstrap {
    Bootstrap { resamples: NonZeroU32::new(resamples).expect("not 0"), seed }
}

fn mean(rows: &[[f64; 1]], seed: u64) -> BootstrapInterval {
    let [interval] = bootstrap(500, seed).intervals(rows, |means| means);
    interval.expect("finite")
}

#[test]
fn quantiles_of_few_values() {
    let check = |values: &[f64], probability: f64, expected: f64| {
        assert!((quantile(values, probability) - expected).abs() < 1e-12);
    };
    check(&[3.0], 0.025, 3.0);
    check(&[3.0], 1.0, 3.0);
    check(&[0.0, 1.0], 0.25, 0.25);
    check(&[0.0, 10.0, 40.0], 0.5, 10.0);
    check(&[0.0, 10.0, 40.0], 0.75, 25.0);
    check(&[0.0, 10.0, 40.0], 0.0, 0.0);
    check(&[0.0, 10.0, 40.0], 1.0, 40.0);
}

/// The mean of n coin flips has standard deviation 1 / (2 sqrt n), and is nearly normal.
#[test]
fn intervals_of_a_mean_have_the_width_of_the_normal_approximation() {
    let rows: Vec<[f64; 1]> = (0..10_000).map(|number| [f64::from(number % 2)]).collect();
    let [interval] = bootstrap(4000, 1).intervals(&rows, |means| means);
    let interval = interval.expect("finite");
    let expected = 1.959_964 * 0.5 / 100.0;
    for distance in [interval.high - 0.5, 0.5 - interval.low] {
        // An end of 4000 resamples has a standard error of 4%.
        assert!((distance / expected - 1.0).abs() < 0.1, "{interval:?}");
    }
}

#[test]
fn equal_rows_leave_no_doubt() {
    let interval = mean(&[[0.25]; 7], 3);
    assert_eq!(interval, BootstrapInterval { low: 0.25, high: 0.25 });
}

#[test]
fn statistics_see_the_same_draws() {
    let rows: Vec<[f64; 2]> =
        (0..50).map(|number| [f64::from(number), f64::from(-number)]).collect();
    let [one, other, sum] =
        bootstrap(300, 9).intervals(&rows, |[one, other]| [one, other, one + other]);
    let (one, other) = (one.expect("finite"), other.expect("finite"));
    assert!((one.low + other.high).abs() < 1e-9 && (one.high + other.low).abs() < 1e-9);
    assert_eq!(sum, Some(BootstrapInterval { low: 0.0, high: 0.0 }));
}

#[test]
fn what_is_not_a_number_has_no_interval() {
    let [ratio, sound] = bootstrap(100, 1).intervals(&[[0.0], [1.0]], |[mean]| [1.0 / mean, mean]);
    // Some resample draws 0 twice.
    assert_eq!(ratio, None);
    assert!(sound.is_some());
    let none: [Option<BootstrapInterval>; 1] =
        bootstrap(100, 1).intervals::<1, 1>(&[], |means| means);
    assert_eq!(none, [None]);
}

#[test]
fn seeds_draw_differently() {
    let rows: Vec<[f64; 1]> = (0..40).map(|number| [f64::from(number * number)]).collect();
    assert_ne!(mean(&rows, 1), mean(&rows, 2));
}

proptest! {
    #[test]
    fn one_seed_one_interval(
        rows in prop::collection::vec(prop::array::uniform1(-1e3f64..1e3), 1..40),
        seed in any::<u64>(),
        shuffle in any::<prop::sample::Index>(),
    ) {
        let interval = mean(&rows, seed);
        prop_assert_eq!(interval, mean(&rows, seed));
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        prop_assert_eq!(interval, one_thread.install(|| mean(&rows, seed)));
        // Another order of the same puzzles.
        let mut turned = rows.clone();
        turned.rotate_left(shuffle.index(rows.len()));
        turned.reverse();
        prop_assert_eq!(interval, mean(&turned, seed));
        let (lowest, highest) = rows.iter().fold((f64::MAX, f64::MIN), |(low, high), &[value]| {
            (low.min(value), high.max(value))
        });
        prop_assert!(lowest - 1e-9 <= interval.low && interval.high <= highest + 1e-9);
        prop_assert!(interval.low <= interval.high);
    }
}
