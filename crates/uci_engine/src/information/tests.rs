use chess::Game;
use proptest::prelude::*;

use super::*;

fn read(lines: &[&str]) -> (Vec<Variation>, Option<u64>) {
    let mut information = Information::default();
    let game = Game::new();
    lines.iter().for_each(|line| information.read(line, &game));
    information.finish()
}

#[test]
fn lines_are_read() {
    let check = |lines: &[&str], expected: &[(&str, Score, u32)], nodes: Option<u64>| {
        let game = Game::new();
        let (variations, counted) = read(lines);
        let found: Vec<_> = variations
            .iter()
            .map(|variation| (game.uci(variation.first), variation.score, variation.depth))
            .collect();
        let expected: Vec<_> =
            expected.iter().map(|&(uci, score, depth)| (uci.to_owned(), score, depth)).collect();
        assert_eq!(found, expected, "{lines:?}");
        assert_eq!(counted, nodes, "{lines:?}");
    };
    use Score::{Centipawns, Mated, Mates};
    check(&[], &[], None);
    check(
        &["depth 3 seldepth 4 multipv 1 score cp 21 nodes 40 nps 1 time 0 pv e2e4 e7e5"],
        &[("e2e4", Centipawns(21), 3)],
        Some(40),
    );
    check(&["depth 1 score mate 2 pv d2d4"], &[("d2d4", Mates(2), 1)], None);
    check(&["depth 1 score mate -3 pv d2d4"], &[("d2d4", Mated(3), 1)], None);
    // The last depth counts, by rank.
    check(
        &[
            "depth 1 multipv 1 score cp 1 pv a2a3",
            "depth 1 multipv 2 score cp 0 pv b2b3",
            "depth 2 multipv 1 score cp 5 pv b2b3",
            "depth 2 multipv 2 score cp 4 pv a2a3",
        ],
        &[("b2b3", Centipawns(5), 2), ("a2a3", Centipawns(4), 2)],
        None,
    );
    // Cut off between two ranks: the move stands once, with its deepest score.
    check(
        &[
            "depth 1 multipv 1 score cp 1 pv a2a3",
            "depth 1 multipv 2 score cp 0 pv b2b3",
            "depth 2 multipv 1 score cp 5 pv b2b3",
        ],
        &[("b2b3", Centipawns(5), 2)],
        None,
    );
    // A bound of the line that is known already changes nothing; one of another line does.
    check(
        &["depth 2 score cp 5 pv b2b3", "depth 3 score cp 60 lowerbound pv b2b3"],
        &[("b2b3", Centipawns(5), 2)],
        None,
    );
    check(
        &["depth 2 score cp 5 pv b2b3", "depth 3 score cp 60 lowerbound pv a2a3"],
        &[("a2a3", Centipawns(60), 3)],
        None,
    );
    // Nothing to learn from.
    check(&["string depth 1 score cp 1 pv e2e4"], &[], None);
    check(&["depth 1 score cp 1 pv e2e5"], &[], None);
    check(&["depth 1 score cp x pv e2e4", "multipv 0 score cp 1 pv e2e4"], &[], None);
    check(&["multipv 99999999999 score cp 1 pv e2e4", "score", "pv", "nodes x"], &[], None);
}

#[test]
fn the_best_move_settles() {
    let check = |lines: &[&str], best: &str, expected: Option<u64>| {
        let mut information = Information::default();
        let game = Game::new();
        lines.iter().for_each(|line| information.read(line, &game));
        let best = game.parse_uci(best).expect("a legal move");
        assert_eq!(information.settled(best), expected, "{lines:?}");
    };
    let lines = [
        "depth 1 multipv 1 score cp 1 nodes 20 pv a2a3",
        "depth 1 multipv 2 score cp 0 nodes 20 pv b2b3",
        "depth 2 multipv 1 score cp 5 nodes 50 pv b2b3",
        "depth 2 multipv 2 score cp 4 nodes 50 pv a2a3",
        "depth 3 multipv 1 score cp 5 nodes 90 pv b2b3",
    ];
    check(&lines, "b2b3", Some(50));
    check(&lines, "a2a3", None);
    check(&lines[..2], "a2a3", Some(20));
    // It went back to its first choice.
    let back = [&lines[..3], &["depth 3 score cp 5 nodes 70 pv a2a3"]].concat();
    check(&back, "a2a3", Some(70));
    check(&["depth 1 score cp 1 pv a2a3"], "a2a3", None);
    check(&[], "a2a3", None);
}

#[test]
fn outcomes_are_parts_of_a_thousand() {
    let check = |line: &str, expected: Option<[u16; 3]>| {
        assert_eq!(read(&[line]).0[0].wdl, expected, "{line}");
    };
    check("score cp 1 wdl 30 960 10 pv e2e4", Some([30, 960, 10]));
    check("score cp 1 wdl 30 960 11 pv e2e4", None);
    check("score cp 1 wdl 30 x 960 pv e2e4", None);
    check("score cp 1 pv e2e4", None);
}

proptest! {
    #[test]
    fn any_line_is_survived(line in "[a-z0-9 -]{0,80}") {
        let (variations, _) = read(&[&line]);
        prop_assert!(variations.len() <= 1);
    }
}
