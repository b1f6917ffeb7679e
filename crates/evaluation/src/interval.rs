//! Confidence intervals of a proportion.

/// The 0.975 quantile of the standard normal distribution: 2.5% lie beyond it on either side.
const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

/// A range of proportions, `0 <= low <= high <= 1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Wilson's 95% score interval of the success probability after `solved` successes in `total`
/// independent trials.
///
/// It holds the probabilities `p` that a two-sided test at 5% does not reject:
/// `|solved/total - p| <= z sqrt(p (1 - p) / total)`. Unlike the interval around the proportion
/// itself it stays inside `[0, 1]` and has a width when all or none succeeded. No trials say
/// nothing: `[0, 1]`.
///
/// # Panics
///
/// If `solved > total`.
pub fn wilson_interval(solved: u64, total: u64) -> Interval {
    assert!(solved <= total, "{solved} solved of {total}");
    if total == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    wilson(solved as f64, total as f64)
}

/// As [`wilson_interval`], of `n > 0` trials and `solved` of them successes, neither of which needs
/// to be whole: an average over clusters is worth some effective number of trials.
pub(crate) fn wilson(solved: f64, n: f64) -> Interval {
    let z2 = NORMAL_QUANTILE * NORMAL_QUANTILE;
    // The roots of (p - solved/n)^2 = z^2 p (1 - p) / n, multiplied by n + z^2.
    let centre = solved + z2 / 2.0;
    let spread = NORMAL_QUANTILE * (solved * (n - solved) / n + z2 / 4.0).sqrt();
    // At the ends the exact roots are 0 and 1, which rounding misses by an ulp.
    let low = if solved == 0.0 { 0.0 } else { (centre - spread) / (n + z2) };
    let high = if solved == n { 1.0 } else { (centre + spread) / (n + z2) };
    Interval { low, high }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn hand_computed_rows() {
        let check = |solved: u64, total: u64, low: f64, high: f64| {
            let interval = wilson_interval(solved, total);
            assert!((interval.low - low).abs() < 5e-5, "{solved}/{total}: {interval:?}");
            assert!((interval.high - high).abs() < 5e-5, "{solved}/{total}: {interval:?}");
        };
        check(0, 0, 0.0, 1.0);
        // z^2 / (n + z^2) = 3.8415 / 4.8415 and 3.8415 / 13.8415.
        check(0, 1, 0.0, 0.79345);
        check(1, 1, 0.20655, 1.0);
        check(0, 10, 0.0, 0.27753);
        check(10, 10, 0.72247, 1.0);
        // (5 + 1.92073 -+ 1.95996 sqrt(2.5 + 0.96036)) / 13.84146.
        check(5, 10, 0.23659, 0.76341);
        check(81, 263, 0.25529, 0.36618);
        check(50_000, 100_000, 0.49690, 0.50310);
    }

    #[test]
    #[should_panic(expected = "2 solved of 1")]
    fn more_successes_than_trials_are_refused() {
        wilson_interval(2, 1);
    }

    proptest! {
        #[test]
        fn ends_solve_the_defining_equation(total in 1u64..1_000_000, share in 0f64..=1.0) {
            let solved = (share * total as f64) as u64;
            let observed = solved as f64 / total as f64;
            let Interval { low, high } = wilson_interval(solved, total);
            prop_assert!(0.0 <= low && low <= observed && observed <= high && high <= 1.0);
            for end in [low, high] {
                let distance = NORMAL_QUANTILE * (end * (1.0 - end) / total as f64).sqrt();
                // An end at exactly 0 or 1 has no distance: it is the observed proportion.
                prop_assert!(((observed - end).abs() - distance).abs() < 1e-9);
            }
        }

        #[test]
        fn failures_mirror_successes(total in 1u64..100_000, share in 0f64..=1.0) {
            let solved = (share * total as f64) as u64;
            let interval = wilson_interval(solved, total);
            let mirrored = wilson_interval(total - solved, total);
            prop_assert!((interval.low - (1.0 - mirrored.high)).abs() < 1e-12);
        }
    }
}
