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
