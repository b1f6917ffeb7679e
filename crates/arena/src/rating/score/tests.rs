use super::*;

#[test]
fn superiorities_are_those_of_the_paper() {
    // Table 1, direct record against the base; LOS printed with two digits, ">0.99" and "<0.01"
    // where these do not show it.
    let check = |wins, draws, losses, printed: &str| {
        let los = Score { wins, draws, losses }.superiority();
        let found = match los {
            _ if los > 0.99 => ">0.99".to_owned(),
            _ if los < 0.01 => "<0.01".to_owned(),
            _ => format!("{los:.2}"),
        };
        assert_eq!(found, printed, "{wins}-{draws}-{losses}: {los}");
        assert_eq!(wins + draws + losses, 1_000);
    };
    check(326, 351, 323, "0.55");
    check(380, 295, 325, "0.98");
    check(331, 323, 346, "0.28");
    check(344, 335, 321, "0.81");
    check(388, 314, 298, ">0.99");
    check(335, 349, 316, "0.77");
    check(385, 267, 348, "0.91");
    check(361, 318, 321, "0.94");
    check(169, 101, 730, "<0.01");
}

#[test]
fn superiority_of_little() {
    let of = |wins, draws, losses| Score { wins, draws, losses }.superiority();
    assert_eq!((of(0, 0, 0), of(0, 9, 0)), (0.5, 0.5));
    // Phi(1) and Phi(-2).
    assert!((of(1, 5, 0) - 0.841_344_746_068_543).abs() < 1e-12);
    assert!((of(0, 0, 4) - 0.022_750_131_948_179).abs() < 1e-12);
    assert!((of(7, 3, 2) + of(2, 3, 7) - 1.0).abs() < 1e-12);
}

#[test]
fn logistic_elo_is_that_of_the_mean_score() {
    let check = |wins, draws, losses, [elo, low, high]: [f64; 3]| {
        let found = Score { wins, draws, losses }.logistic_elo(0.95).expect("games");
        for (found, expected) in [(found.elo, elo), (found.low, low), (found.high, high)] {
            let near = (found - expected).abs() < 1e-3 || found == expected;
            assert!(near, "{wins}-{draws}-{losses}: {found}, expected {expected}");
        }
    };
    // A mean of 3/4 is 400 log10(3). Its variance: (50/16 + 50/16) / 100 = 1/16, its standard
    // error 1/40, so that the ends are those of 0.75 -+ 0.048999.
    check(50, 50, 0, [190.8485, 148.0195, 239.7393]);
    check(10, 20, 10, [0.0, -77.3887, 77.3887]);
    check(3, 0, 0, [f64::INFINITY; 3]);
    check(0, 0, 3, [f64::NEG_INFINITY; 3]);
    // Wider than the scale: one win in two games.
    check(1, 0, 1, [0.0, f64::NEG_INFINITY, f64::INFINITY]);
    assert_eq!(Score::default().logistic_elo(0.95), None);
    assert_eq!(Score::default().mean(), None);
}
