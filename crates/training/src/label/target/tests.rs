use chess::Game;
use uci_engine::{Bound, Search, Variation};

use super::*;

fn search(lines: &[(&str, Score, Option<[u16; 3]>)]) -> Search {
    let game = Game::new();
    let variations: Vec<Variation> = lines
        .iter()
        .map(|&(uci, score, wdl)| Variation {
            first: game.parse_uci(uci).expect("a legal move"),
            score,
            bound: Bound::Exact,
            wdl,
            depth: 1,
        })
        .collect();
    let best = variations.first().map_or(game.legal_moves()[0], |best| best.first);
    Search { best, variations, nodes: Some(7), settled: None }
}

#[test]
fn scores_become_weights() {
    let check = |scores: &[Score], temperature: f64, expected: &[f64]| {
        let moves = ["e2e4", "d2d4", "c2c4"];
        let lines: Vec<_> =
            moves.into_iter().zip(scores).map(|(uci, &score)| (uci, score, None)).collect();
        let target = SearchTarget::of(&search(&lines), temperature).expect("a target");
        for (found, expected) in target.policy.probabilities().iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{scores:?}: {found}, expected {expected}");
        }
    };
    use Score::{Centipawns, Mated, Mates};
    check(&[Centipawns(30)], 0.05, &[1.0]);
    check(&[Centipawns(30), Centipawns(30)], 0.05, &[0.5, 0.5]);
    // 1 / (1 + exp(-0.368208)) = 0.5910259..., so exp((0.5910259 - 0.5) / 0.1) = 2.4850...
    let ratio = ((1.0 / (1.0 + (-0.368_208_f64).exp()) - 0.5) / 0.1).exp();
    check(&[Centipawns(100), Centipawns(0)], 0.1, &[ratio / (1.0 + ratio), 1.0 / (1.0 + ratio)]);
    // Each further move to the mate halves the weight; the longer defence is the better one.
    check(&[Mates(1), Mates(2), Mates(3)], 0.05, &[4.0 / 7.0, 2.0 / 7.0, 1.0 / 7.0]);
    check(&[Mated(3), Mated(1)], 0.05, &[0.8, 0.2]);
    // exp(1 / T) is beyond every number.
    check(&[Mates(1), Centipawns(0)], 1e-4, &[1.0, 0.0]);
}

#[test]
fn the_value_is_the_best_lines() {
    let check = |score, wdl, expected: [f64; 3]| {
        let target = SearchTarget::of(&search(&[("e2e4", score, wdl)]), 0.05).expect("a target");
        for (found, expected) in target.value.probabilities().iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{found}, expected {expected}");
        }
    };
    check(Score::Centipawns(0), Some([100, 850, 50]), [0.1, 0.85, 0.05]);
    check(Score::Centipawns(0), None, [0.5, 0.0, 0.5]);
    check(Score::Mates(2), None, [1.0, 0.0, 0.0]);
    check(Score::Mated(2), None, [0.0, 0.0, 1.0]);
}

#[test]
fn a_search_without_lines_is_no_target() {
    assert_eq!(SearchTarget::of(&search(&[]), 0.05), None);
}
