//! Mates by hand, by plain exhaustion, and by working backwards from all mates of an endgame.

mod backwards;
mod plain;

use std::num::NonZeroU32;

use super::table::Table;
use super::{MateSearch, MateSolver};
use crate::Game;

const BUDGET: u64 = 50_000_000;

fn game(fen: &str) -> Game {
    Game::from_fen(fen).expect("a position")
}

/// "mate in 2: a1a6", "no mate" or "unproved".
fn text(game: &Game, answer: &MateSearch) -> String {
    match answer {
        MateSearch::Mate(mate) => {
            let mut keeping: Vec<String> = mate.keeping.iter().map(|&mv| game.uci(mv)).collect();
            keeping.sort();
            format!("mate in {}: {}", mate.moves, keeping.join(" "))
        }
        MateSearch::NoMate { .. } => "no mate".to_owned(),
        MateSearch::Unproved { .. } => "unproved".to_owned(),
    }
}

fn nodes(answer: &MateSearch) -> u64 {
    match answer {
        MateSearch::Mate(mate) => mate.nodes,
        MateSearch::NoMate { nodes } | MateSearch::Unproved { nodes } => *nodes,
    }
}

#[test]
fn mates_and_the_moves_that_keep_them() {
    let mut solver = MateSolver::new(BUDGET);
    let mut check = |name: &str, fen: &str, most_moves: u8, expected: &str| {
        let game = game(fen);
        let answer = solver.solve(game.position(), most_moves);
        assert_eq!(text(&game, &answer), expected, "{name}: {fen}");
        if let MateSearch::Mate(mate) = &answer {
            let mut legal = game.legal_moves().into_iter();
            let in_order = mate.keeping.iter().all(|&mv| legal.any(|other| other == mv));
            assert!(in_order, "{name}: {:?}", mate.keeping);
        }
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let fools_mate = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2";
    let morphy = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let excelsior = "n1rb4/1p3p1p/1p6/1R5K/8/p3p1PN/1PP1R3/N6k w - - 0 1";
    let reti = "rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 1";
    let philidor = "r5rk/5Qpp/8/6N1/8/8/5PPP/1q4K1 w - - 0 1";

    check("the start", start, 3, "no mate");
    check("fool's mate", fools_mate, 1, "mate in 1: d8h4");
    check("the smallest number", fools_mate, 4, "mate in 1: d8h4");
    check("back rank", "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1", 2, "mate in 1: a1a8 e1e8");
    check("one rook short", "6k1/5ppp/r7/8/8/8/8/R5K1 w - - 0 1", 1, "no mate");
    check("quiet key", "k7/8/2K5/8/8/8/8/1R6 w - - 0 1", 3, "mate in 2: c6c7");
    check("zugzwang", morphy, 2, "mate in 2: a1a6");
    check("too few moves", morphy, 1, "no mate");
    check("a pawn walks", excelsior, 5, "mate in 5: b2b4");
    check("queen and double check", reti, 3, "mate in 3: d3d8");
    check("smothered", "r6k/6pp/7N/8/2Q5/8/6PP/6K1 w - - 0 1", 2, "mate in 2: c4g8");
    check("smothered at once", "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", 1, "mate in 1: g5f7");
    check("the mating side is threatened", philidor, 2, "no mate");

    check("knight", "6br/5Ppk/6pp/8/8/8/8/7K w - - 0 1", 1, "mate in 1: f7f8n");
    check("knight, Black", "7k/8/8/8/8/6PP/5pPK/6BR b - - 0 1", 1, "mate in 1: f2f1n");
    check("rook, or stalemate", "8/5P2/1Q4K1/8/k7/8/8/8 w - - 0 1", 2, "mate in 2: f7f8r");
    check("rook in the corner", "8/5P1k/5K2/8/8/8/8/8 w - - 0 1", 2, "mate in 2: f7f8r");
    check("four promotions", "8/1P6/k7/3Q4/8/8/6K1/8 w - - 0 1", 2, "mate in 2: b7b8r");

    check("short castling", "8/8/8/p6B/6n1/8/6R1/2k1K2R w K - 0 1", 1, "mate in 1: e1g1");
    check("long castling", "8/8/8/8/N7/8/Q7/R3K1k1 w Q - 0 1", 1, "mate in 1: e1c1");
    check("right lost", "8/8/8/8/N7/8/Q7/R3K1k1 w - - 0 1", 1, "no mate");
    check("en passant", "8/8/5K1k/P5pP/8/8/8/7R w - g6 0 1", 1, "mate in 1: h5g6");
    check("en passant over", "8/8/5K1k/P5pP/8/8/8/7R w - - 0 1", 1, "no mate");
    check("double check", "7Q/8/5Q2/5BpP/5b1k/8/5K2/8 w - g6 0 1", 1, "mate in 1: h5g6");

    check("mated already", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 6, "no mate");
    check("stalemated already", "k7/2Q5/8/8/8/8/8/6K1 b - - 0 1", 6, "no mate");
    check("bare kings", "8/8/4k3/8/8/3K4/8/8 w - - 0 1", 6, "no mate");
    check("the other side would mate", "6k1/5ppp/8/8/8/8/r4PPP/6K1 w - - 0 1", 2, "no mate");
}

#[test]
fn a_spent_budget_is_said() {
    let game = game("rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 1");
    let answer = MateSolver::new(BUDGET).solve(game.position(), 3);
    let needed = nodes(&answer);
    let budgets = [0, 1, 2, 10, needed / 10, needed / 2, needed - 2, needed - 1];
    for budget in budgets {
        let short = MateSolver::new(budget).solve(game.position(), 3);
        assert_eq!(short, MateSearch::Unproved { nodes: budget });
    }
    for budget in [needed, needed + 1, u64::MAX] {
        assert_eq!(MateSolver::new(budget).solve(game.position(), 3), answer);
    }
    // Without a legal move there is nothing to search.
    let mated = self::game("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
    let answer = MateSolver::new(0).solve(mated.position(), 6);
    assert_eq!(answer, MateSearch::NoMate { nodes: 0 });
}

#[test]
fn an_answer_does_not_depend_on_earlier_ones() {
    let fens = [
        "rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 1",
        "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
        "8/5P1k/5K2/8/8/8/8/8 w - - 0 1",
        "8/5P1k/5K2/8/8/8/8/8 b - - 0 1",
        "rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR b kq - 0 1",
    ];
    let fresh = |fen| MateSolver::new(BUDGET).solve(game(fen).position(), 3);
    let mut used = MateSolver::new(BUDGET);
    for fen in fens.iter().chain(fens.iter().rev()) {
        assert_eq!(used.solve(game(fen).position(), 3), fresh(fen), "{fen}");
    }
}

#[test]
fn a_table_that_forgets_costs_time_only() {
    let fens = [
        ("rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 1", 3),
        ("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", 4),
        ("8/8/8/8/3k4/8/8/KQ6 w - - 0 1", 4),
    ];
    for (fen, most_moves) in fens {
        let game = game(fen);
        let expected = MateSolver::new(BUDGET).solve(game.position(), most_moves);
        for buckets in [1, 2, 64] {
            let mut solver = MateSolver::with_table(BUDGET, Table::new(buckets));
            let answer = solver.solve(game.position(), most_moves);
            assert_eq!(text(&game, &answer), text(&game, &expected), "{fen}, {buckets} buckets");
        }
    }
}

#[test]
fn the_clocks_are_left_out() {
    let late = game("k7/8/2K5/8/8/8/8/1R6 w - - 99 80");
    let answer = MateSolver::new(BUDGET).solve(late.position(), 3);
    assert_eq!(text(&late, &answer), "mate in 2: c6c7");
    assert_eq!(shakmaty::Position::fullmoves(late.position()), NonZeroU32::new(80).unwrap());
}

#[test]
#[should_panic(expected = "a mate in 7 asked for, expected 1 to 6")]
fn longer_mates_cannot_be_asked_for() {
    MateSolver::new(1).solve(Game::new().position(), 7);
}

#[test]
#[should_panic(expected = "a mate in 0 asked for, expected 1 to 6")]
fn no_move_cannot_be_asked_for() {
    MateSolver::new(1).solve(Game::new().position(), 0);
}
