use super::*;
use crate::calibration::tests::{calibrated, prediction};
use crate::wilson_interval;

#[test]
fn bins_have_equal_width_and_the_last_includes_one() {
    for (expected_score, bin) in [(0.0, 0), (0.05, 0), (0.1, 1), (0.95, 9), (1.0, 9)] {
        assert_eq!(bin_of(expected_score), bin, "{expected_score}");
    }
}

#[test]
fn hand_computed_table() {
    // Expected scores 0.65, 0.65, 0.15, and 0.95 in four games.
    let predictions = [
        prediction(0, [0.5, 0.3, 0.2], 1.0),
        prediction(1, [0.5, 0.3, 0.2], 0.5),
        prediction(2, [0.1, 0.1, 0.8], 0.0),
        prediction(3, [0.92, 0.06, 0.02], 1.0),
    ];
    let table = Reliability::of(&predictions, 1);
    let filled: Vec<usize> = (0..BINS).filter(|&bin| table.bins[bin].positions > 0).collect();
    assert_eq!(filled, [1, 6, 9]);
    assert_eq!((table.bins[6].from, table.bins[6].to), (0.6, 0.7));
    let scores = table.bins[6].scores.expect("two positions");
    assert!((scores.predicted - 0.65).abs() < 1e-6 && scores.observed == 0.75, "{scores:?}");
    // The standard error of 1 and 1/2 is 1/4: as of 0.75 * 0.25 * 16 = 3 trials.
    assert_eq!(scores.interval, wilson(2.25, 3.0));
    // One game that was won says as much as one trial.
    let won = table.bins[9].scores.expect("a position");
    assert_eq!(won.interval, wilson_interval(1, 1));
    // (2 |0.65 - 0.75| + 0.15 + 0.05) / 4.
    assert!((table.calibration_error - 0.1).abs() < 1e-6, "{table:?}");
}

#[test]
fn positions_of_a_game_are_one_observation() {
    let once: Vec<_> =
        (0..40).map(|game| prediction(game, [0.5, 0.3, 0.2], (game % 2) as f64)).collect();
    let often: Vec<_> = once.iter().flat_map(|made| [*made; 25]).collect();
    let (once, often) = (Reliability::of(&once, 1), Reliability::of(&often, 1));
    let (one, many) = (once.bins[6].scores.expect("all"), often.bins[6].scores.expect("all"));
    assert!((one.interval.low - many.interval.low).abs() < 1e-9, "{one:?} {many:?}");
    assert!((once.interval.low - often.interval.low).abs() < 1e-9);
    assert_eq!((often.bins[6].positions, often.bins[6].games), (1_000, 40));
}

/// Over many files, intervals hold what they promise for a head that is calibrated, and the error
/// of one that is not.
#[test]
fn intervals_cover() {
    let (mut bins, mut inside) = (0, 0);
    for seed in 0..60 {
        let table = Reliability::of(&calibrated(400, seed), seed);
        for scores in table.bins.iter().filter_map(|bin| bin.scores) {
            bins += 1;
            // Calibrated: the expectation of what is observed is what is predicted.
            let Interval { low, high } = scores.interval;
            inside += u32::from((low..=high).contains(&scores.predicted));
        }
    }
    let coverage = f64::from(inside) / f64::from(bins);
    assert!((0.92..0.99).contains(&coverage), "{coverage} of {bins}");

    let mut inside = 0;
    for seed in 0..60 {
        // 0.65 is predicted and 0.45 comes of it: an error of 0.2.
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let mut score = || f64::from(u8::from(generator.random::<f64>() < 0.45));
        let wrong: Vec<_> =
            (0..300).map(|game| prediction(game, [0.5, 0.3, 0.2], score())).collect();
        let Interval { low, high } = Reliability::of(&wrong, seed).interval;
        inside += u32::from((low..=high).contains(&0.2));
    }
    assert!(inside >= 52, "{inside} of 60");
}

#[test]
fn threads_do_not_matter_and_seeds_do() {
    let predictions = calibrated(200, 1);
    let on = |threads: usize, seed| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| Reliability::of(&predictions, seed))
    };
    assert_eq!(on(1, 1), on(3, 1));
    assert_ne!(on(1, 1).interval, on(1, 2).interval);
    assert_eq!(on(1, 1).calibration_error, on(1, 2).calibration_error);
}
