use super::*;

fn check(pairs: [u64; 5], logistic: [f64; 3], normalised: [f64; 3], superiority: f64) {
    let near = |found: EloEstimate, [elo, low, high]: [f64; 3]| {
        for (found, expected) in [(found.elo, elo), (found.low, low), (found.high, high)] {
            assert!((found - expected).abs() < 1e-3, "{pairs:?}: {found}, expected {expected}");
        }
    };
    let pentanomial = Pentanomial { pairs };
    near(pentanomial.logistic_elo(0.95).expect("pairs"), logistic);
    near(pentanomial.normalised_elo(0.95).expect("pairs"), normalised);
    let found = pentanomial.superiority().expect("pairs");
    assert!((found - superiority).abs() < 1e-6, "{pairs:?}: {found}");
    let reversed = pentanomial.reversed();
    near(reversed.logistic_elo(0.95).expect("pairs"), [-logistic[0], -logistic[2], -logistic[1]]);
    assert_eq!(reversed.reversed(), pentanomial);
}

#[test]
fn estimates_by_hand() {
    // Mean 1/2, variance 2 * 20/100 / 16 = 1/40 of a pair: its standard error over 100 pairs is
    // 0.0158114, and 1.959964 of it are 0.0309897. t = 0, so that normalised Elo has the error
    // 347.4356 / sqrt(2) / 10 = 24.5674.
    check([0, 20, 60, 20, 0], [0.0, -21.5611, 21.5611], [0.0, -48.1512, 48.1512], 0.5);
    // Both games won or both lost: mean 3/4, variance 3/16, t = 1 / sqrt(3). Skewness is
    // -2 / sqrt(3) and kurtosis 7/3, so that the variance of t is (1 + 2/3 + 1/9) / 48 and its
    // root 0.192450; half of the interval is 0.377195. The mean has the standard error 1/16.
    check(
        [12, 0, 0, 0, 36],
        [190.8485, 90.5967, 334.0986],
        [141.8400, 49.1728, 234.5071],
        0.999_968_328_758_167,
    );
}

#[test]
fn pairs_that_do_not_differ_tell_no_deviation() {
    for pairs in [[0; 5], [0, 0, 7, 0, 0], [0, 0, 0, 0, 3]] {
        let pentanomial = Pentanomial { pairs };
        assert_eq!(pentanomial.normalised_elo(0.95), None, "{pairs:?}");
        assert_eq!(pentanomial.superiority(), None, "{pairs:?}");
    }
    assert_eq!(Pentanomial::default().logistic_elo(0.95), None);
    let won = Pentanomial { pairs: [0, 0, 0, 0, 3] }.logistic_elo(0.95).expect("pairs");
    assert_eq!(won.elo, f64::INFINITY);
}
