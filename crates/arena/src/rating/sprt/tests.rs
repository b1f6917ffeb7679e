use proptest::prelude::*;

use super::*;

#[test]
fn ratios_are_those_of_fishtest() {
    // Finished tests of Stockfish with what fishtest shows for them,
    // https://tests.stockfishchess.org/tests/view/ID; all with alpha = beta = 0.05.
    let check = |id: &str, pairs: [u64; 5], [elo0, elo1]: [f64; 2], shown: f64| {
        let sprt = Sprt::new(elo0, elo1, 0.05, 0.05).expect("a test");
        let ratio = sprt.log_likelihood_ratio(&Pentanomial { pairs }).expect("a ratio");
        assert!((ratio - shown).abs() < 0.0051, "{id}: {ratio}, expected {shown}");
        assert!((sprt.lower() + 2.944_439).abs() < 1e-6 && (sprt.upper() - 2.944_439).abs() < 1e-6);
    };
    let gains = [0.0, 2.0];
    let slow = [0.5, 2.5];
    let simplifications = [-1.75, 0.25];
    check("69675ab9d5a3b5895b50fb44", [19, 4020, 10316, 4215, 24], simplifications, 2.94);
    check("6984bbe6473df9d1d24a937b", [103, 3851, 8316, 3728, 98], gains, -2.03);
    check("6983867b473df9d1d24a9148", [291, 10353, 21899, 10175, 306], gains, -3.08);
    check("698432f5473df9d1d24a926d", [99, 3323, 8399, 3606, 109], gains, 2.98);
    check("6984bb68473df9d1d24a9378", [2, 40, 72, 14, 0], gains, -0.36);
    check("69839ed7473df9d1d24a91ae", [326, 12015, 26044, 12357, 362], gains, 2.93);
    check("6982cf46eb87369ff4d0c888", [59, 6427, 15570, 6693, 91], gains, 2.94);
    check("69840701473df9d1d24a924f", [328, 12094, 26412, 11964, 338], gains, -2.93);
    check("697e32ae5f56030af97b59c9", [900, 30596, 67292, 30899, 809], gains, -2.96);
    check("6983946d473df9d1d24a916d", [45, 8506, 25934, 8883, 57], slow, 2.94);
    check("69843133473df9d1d24a9269", [14, 6935, 20257, 7273, 30], slow, 2.95);
    check("697f19db5f56030af97b5b01", [105, 19880, 51075, 20005, 108], slow, -2.94);
    check("698154f56362aee5c8a5544d", [68, 15448, 39104, 15441, 94], slow, -2.94);
    check("69827c6beb87369ff4d0c7d5", [41, 5118, 12924, 5334, 31], simplifications, 2.94);
    check("6980e5846362aee5c8a55396", [36, 5804, 14811, 5986, 39], simplifications, 2.94);
    check("none", [0; 5], simplifications, 0.0);
    check("won", [0, 0, 0, 0, 10], simplifications, 0.08);
    check("lost", [10, 0, 0, 0, 0], simplifications, -0.08);
}

#[test]
fn verdicts() {
    let sprt = Sprt::new(0.0, 2.0, 0.05, 0.1).expect("a test");
    // ln(0.1 / 0.95) and ln(0.9 / 0.05).
    assert!((sprt.lower() + 2.251_292).abs() < 1e-6 && (sprt.upper() - 2.890_372).abs() < 1e-6);
    for (ratio, verdict) in [
        (-2.3, Verdict::AcceptsH0),
        (-2.2, Verdict::Continues),
        (2.8, Verdict::Continues),
        (2.9, Verdict::AcceptsH1),
    ] {
        assert_eq!(sprt.verdict(ratio), verdict, "{ratio}");
    }
}

#[test]
fn what_is_no_test_is_refused() {
    let refused = |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta).is_err();
    assert!(refused(2.0, 0.0, 0.05, 0.05) && refused(1.0, 1.0, 0.05, 0.05));
    assert!(refused(0.0, 101.0, 0.05, 0.05) && refused(f64::NAN, 1.0, 0.05, 0.05));
    assert!(refused(0.0, 1.0, 0.0, 0.05) && refused(0.0, 1.0, 0.05, f64::NAN));
    assert!(refused(0.0, 1.0, 0.5, 0.5));
}

proptest! {
    #[test]
    fn ratios_turn_with_the_sides(
        pairs in prop::array::uniform5(0u64..5_000),
        elo0 in -10.0..10.0,
        width in 0.5..10.0,
    ) {
        let elo1 = elo0 + width;
        let of = |elo0, elo1, pairs: &Pentanomial| {
            let sprt = Sprt::new(elo0, elo1, 0.05, 0.05).expect("a test");
            sprt.log_likelihood_ratio(pairs).expect("a ratio")
        };
        let pairs = Pentanomial { pairs };
        let (ratio, turned) = (of(elo0, elo1, &pairs), of(-elo1, -elo0, &pairs.reversed()));
        prop_assert!((ratio + turned).abs() < 1e-6 * (1.0 + ratio.abs()), "{} {}", ratio, turned);
        // A test in two steps.
        let middle = elo0 + width / 3.0;
        let steps = of(elo0, middle, &pairs) + of(middle, elo1, &pairs);
        prop_assert!((ratio - steps).abs() < 1e-6 * (1.0 + ratio.abs()), "{} {}", ratio, steps);
    }
}
