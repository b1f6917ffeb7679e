use super::*;
use crate::description::Scale;
use crate::request::tests::request;

/// Work that is like that of a study.
fn seconds(sizes: &Sizes) -> f64 {
    let runs = (sizes.betas.len() * 6 + 2 + sizes.half_decades.len()) as f64;
    let puzzles: u64 = sizes.puzzles.values().sum();
    let games = sizes.ladder_games + sizes.base_games + sizes.sampled_games + sizes.shape_games;
    runs * (sizes.steps * sizes.games) as f64 * 1e-3
        + puzzles as f64 * 1e-2
        + games as f64
        + 40f64.powi(sizes.coverage_depth as i32) * 1e-4
}

#[test]
fn a_study_without_a_budget_is_whole() {
    let full = Sizes::of(Scale::Small, &request(Scale::Small, None).suites);
    assert_eq!(fit(&full, None, seconds), full);
    assert_eq!(fit(&full, Some(1e9), seconds), full);
    assert_eq!(full.cuts(&full), Vec::<String>::new());
}

#[test]
fn a_study_fits_its_budget_and_uses_it() {
    let full = Sizes::of(Scale::Small, &request(Scale::Small, None).suites);
    let whole = seconds(&full);
    let mut last = f64::INFINITY;
    for part in [0.9, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02] {
        let sizes = fit(&full, Some(part * whole), seconds);
        let taken = seconds(&sizes);
        assert!(taken <= part * whole && taken > 0.7 * part * whole, "{part}: {taken} of {whole}");
        assert!(taken < last);
        last = taken;
        assert!(!sizes.cuts(&full).is_empty());
        assert!([sizes.ladder_games, sizes.base_games].iter().all(|games| games.is_multiple_of(2)));
    }
}

#[test]
fn what_is_least_missed_is_left_out_first() {
    let full = Sizes::of(Scale::Small, &request(Scale::Small, None).suites);
    let mut parts = full.clone();
    for omission in Omission::ALL {
        let before = parts.clone();
        parts = parts.without(omission);
        assert_ne!(parts, before, "{omission:?}");
        let budget = seconds(&parts.scaled(LEAST_FACTOR));
        if budget < seconds(&before.scaled(LEAST_FACTOR)) {
            assert_eq!(fit(&full, Some(budget), seconds), parts.scaled(LEAST_FACTOR));
        }
    }
    assert_eq!(parts.betas, [1e-2]);
    let least = fit(&full, Some(0.0), seconds);
    assert_eq!((least.steps, least.games, least.ladder_games), (2, 2, 2));
    assert!(least.puzzles.values().all(|&puzzles| puzzles == 10));
}

#[test]
fn puzzles_that_take_little_stay() {
    let full = Sizes::of(Scale::Small, &request(Scale::Small, None).suites);
    let check = |seconds_of_a_puzzle: f64, stay: bool| {
        let seconds = |sizes: &Sizes| {
            let puzzles: u64 = sizes.puzzles.values().sum();
            seconds(&Sizes { puzzles: Default::default(), ..sizes.clone() })
                + puzzles as f64 * seconds_of_a_puzzle
        };
        let budget = 0.4 * seconds(&full);
        let sizes = fit(&full, Some(budget), seconds);
        assert!(seconds(&sizes) <= budget && sizes.steps < full.steps, "{seconds_of_a_puzzle}");
        assert_eq!(sizes.puzzles == full.puzzles, stay, "{seconds_of_a_puzzle}");
    };
    check(1e-4, true);
    check(1e-1, false);
}
