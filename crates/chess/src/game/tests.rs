use super::Game;
use crate::{Color, Role, Square};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn played(fen: &str, moves: &str) -> Game {
    let mut game = Game::from_fen(fen).expect("a position");
    for uci in moves.split_whitespace() {
        game.play_uci(uci).expect("a legal line");
    }
    game
}

#[test]
fn fens_are_read_or_refused_with_a_reason() {
    let check = |fen: &str, expected: Result<&str, &str>| match (Game::from_fen(fen), expected) {
        (Ok(game), Ok(printed)) => assert_eq!(game.fen(), printed),
        (Err(error), Err(reason)) => {
            assert_eq!(error.to_string(), format!("FEN \"{fen}\": {reason}"));
        }
        (found, _) => panic!("{fen}: {found:?}"),
    };
    let same = |fen| check(fen, Ok(fen));
    same(START);
    same("8/8/8/3pP3/8/8/8/k1K5 w - d6 0 3");
    // Nothing can capture on e6, yet the square says what the last move was.
    same("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2");
    same("8/8/4k3/8/2R5/4K3/8/5b2 w - - 4294967295 50");
    check("k7/8/8/8/8/8/8/K6R w - -", Ok("k7/8/8/8/8/8/8/K6R w - - 0 1"));
    check("  k7/8/8/8/8/8/8/K6R  b - - 3\n", Ok("k7/8/8/8/8/8/8/K6R b - - 3 1"));
    // A mark of promotion is no part of the position.
    check("k7/8/8/8/8/8/8/K5Q~1 w - - 0 1", Ok("k7/8/8/8/8/8/8/K5Q1 w - - 0 1"));
    // Shredder-FEN of the standard start, and a Chess960 start with an outer rook.
    check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", Ok(START));
    same("nrbqkrnb/pppppppp/8/8/8/8/PPPPPPPP/NRBQKRNB w KQkq - 0 1");

    let fields = "expected board, side, castling, en passant and at most two clocks, found";
    let refused = |fen, reason: &str| check(fen, Err(reason));
    refused("", &format!("{fields} 0 fields"));
    refused("k7/8/8/8/8/8/8/K6R w", &format!("{fields} 2 fields"));
    refused("k7/8/8/8/8/8/8/K6R w - - 0 1 x", &format!("{fields} 7 fields"));
    refused("k7/8/8/8/8/8/8/K7R w - - 0 1", "invalid board part in fen");
    refused("k7/8/8/8/8/8/8/K6R x - - 0 1", "invalid turn part in fen");
    refused("k7/8/8/8/8/8/8/K6R w x - 0 1", "invalid castling part in fen");
    refused("k7/8/8/8/8/8/8/K6R w - x9 0 1", "invalid ep square in fen");
    refused("k7/8/8/8/8/8/8/K6R w - - -1 1", "invalid halfmove clock in fen");
    refused("k7/8/8/8/8/8/8/K6R[Q] w - - 0 1", "this is a position of a chess variant");
    refused("k7/8/8/8/8/8/8/K6R w - - 3+3 0 1", &format!("{fields} 7 fields"));

    let impossible = |fen, reason| check(fen, Err(&format!("impossible position: {reason}")));
    impossible("8/8/8/8/8/8/8/8 w - - 0 1", "the board is empty, a king is missing");
    impossible("k7/8/8/8/8/8/8/7R w - - 0 1", "a king is missing");
    impossible("k7/8/8/8/8/8/8/K6K w - - 0 1", "a side has more than one king");
    impossible("k6R/8/8/8/8/8/8/K7 w - - 0 1", "the side not to move is in check");
    impossible("k6P/8/8/8/8/8/8/K7 w - - 0 1", "a pawn stands on the first or last rank");
    impossible(
        "1k6/8/8/8/8/8/8/K6B w K - 0 1",
        "a castling right lacks its king or rook on the home rank",
    );
    impossible(
        "k7/8/8/8/8/8/8/K6R w - e6 0 1",
        "no pawn can just have passed the en-passant square",
    );
    impossible("k7/8/8/8/8/4r3/8/r3K2r w - - 0 1", "no move can have given this check");
    impossible("k7/8/8/8/QQQQQ3/QQQQQ3/8/K7 b - - 0 1", "more pieces than promotion allows");
}

#[test]
fn castling_is_read_both_ways_and_written_as_the_variant_wants() {
    let standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let chess960 = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1";
    let check = |fen: &str, moves: &str, uci: &str, (king, rook), printed: &str| {
        let game = played(fen, moves);
        let mv = game.parse_uci(uci).expect("castling");
        assert_eq!(mv, crate::Move::Castle { king, rook }, "{fen} {uci}");
        assert_eq!(game.uci(mv), printed, "{fen} {uci}");
        assert_eq!(game.parse_uci(printed), Ok(mv), "{fen} {uci}");
    };
    check(standard, "", "e1g1", (Square::E1, Square::H1), "e1g1");
    check(standard, "", "e1h1", (Square::E1, Square::H1), "e1g1");
    check(standard, "", "e1c1", (Square::E1, Square::A1), "e1c1");
    check(standard, "", "e1a1", (Square::E1, Square::A1), "e1c1");
    check(standard, "e1d1", "e8g8", (Square::E8, Square::H8), "e8g8");
    check(standard, "e1d1", "e8h8", (Square::E8, Square::H8), "e8g8");
    check(standard, "e1d1", "e8a8", (Square::E8, Square::A8), "e8c8");
    check(chess960, "", "e1g1", (Square::E1, Square::G1), "e1g1");
    check(chess960, "", "e1b1", (Square::E1, Square::B1), "e1b1");
    check(chess960, "e1d1", "e8b8", (Square::E8, Square::B8), "e8b8");
    assert!(!Game::from_fen(standard).expect("a position").is_chess960());
    assert!(Game::from_fen(chess960).expect("a position").is_chess960());
}

#[test]
fn a_move_that_cannot_be_played_is_named_with_its_place() {
    let check = |moves: &str, uci: &str, expected: &str| {
        let mut game = played(START, moves);
        let before = game.fen();
        assert_eq!(game.play_uci(uci).unwrap_err().to_string(), expected);
        assert_eq!((game.fen(), game.ply()), (before, moves.split(' ').count() as u32 - 1));
    };
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    check("e2e4 ", "e2e4", &format!("move \"e2e4\" at ply 2: not legal in \"{after_e4}\""));
    check("e2e4 ", "0000", &format!("move \"0000\" at ply 2: not legal in \"{after_e4}\""));
    check("e2e4 ", "e7e5q", &format!("move \"e7e5q\" at ply 2: not legal in \"{after_e4}\""));
    for text in ["", "e5", "Nf6", "e7-e5", "e7e5 ", "i7e5", "é7e5"] {
        check(
            "e2e4 ",
            text,
            &format!("move \"{text}\" at ply 2: not a move in UCI notation in \"{after_e4}\""),
        );
    }

    let mut game = Game::new();
    let mv = crate::Move::Normal {
        role: Role::King,
        from: Square::E1,
        capture: None,
        to: Square::E2,
        promotion: None,
    };
    assert_eq!(
        game.play(mv).unwrap_err().to_string(),
        format!("move \"e1e2\" at ply 1: not legal in \"{START}\"")
    );
}

/// Fen, moves, and after them: occurrences by the draw rules, Lc0's repetitions.
#[test]
fn a_position_is_counted_by_the_rules_and_by_lc0() {
    let check = |fen: &str, moves: &str, occurrences, repetitions| {
        let game = played(fen, moves);
        assert_eq!(
            (game.occurrences(), game.repetitions()),
            (occurrences, repetitions),
            "{fen} {moves}"
        );
    };
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
    check(START, "", 1, 0);
    check(START, "g1f3 g8f6 f3g1", 1, 0);
    check(START, shuffle, 2, 1);
    check(START, &shuffle.repeat(2), 3, 2);
    check(START, &shuffle.repeat(3), 4, 3);
    check(START, &format!("{}e2e4", shuffle.repeat(2)), 1, 0);

    // The rook's journey costs a castling right, so the start does not recur; what follows does.
    let rooks = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    check(rooks, "a1b1 a8b8 b1a1 b8a8", 1, 0);
    check(rooks, &"a1b1 a8b8 b1a1 b8a8 ".repeat(2), 2, 1);

    // After e2e4 Black could capture on e3 but for the pin on the fourth rank: by the rules the
    // same position as later without the right, for Lc0 another one.
    let pinned = "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1";
    check(pinned, "e2e4", 1, 0);
    check(pinned, "e2e4 a4a5 e1e2 a5a4 e2e1", 2, 0);
    check(pinned, "e2e4 a4a5 e1e2 a5a4 e2e1 a4a5 e1e2 a5a4 e2e1", 3, 1);
    // A capture that is legal makes a different position for both.
    let free = "8/8/k7/8/3p3R/8/4P3/4K3 w - - 0 1";
    check(free, "e2e4", 1, 0);
    check(free, "e2e4 a6a5 e1e2 a5a6 e2e1", 1, 0);
    check(free, "e2e4 a6a5 e1e2 a5a6 e2e1 a6a5 e1e2 a5a6 e2e1", 2, 1);
    // A FEN's square without a capturer is nothing by the rules.
    let flagged = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2";
    check(flagged, shuffle, 2, 0);
    check(flagged, &shuffle.repeat(2), 3, 1);
    // A double push with no pawn beside it leaves no flag.
    check(START, &format!("e2e4 e7e5 {shuffle}"), 2, 1);
    // A promoted piece is a piece like any other.
    let promoted = "k7/8/8/8/8/8/8/K5Q~1 w - - 0 1";
    check(promoted, "g1g2 a8b8 g2g1 b8a8", 2, 1);

    // The same pieces with the other side to move are another position.
    let triangle = "8/8/8/4k3/8/8/8/K7 w - - 0 1";
    check(triangle, "a1b1 e5e6 b1b2 e6e5 b2a1", 1, 0);
    // The position recurs two plies later only if both sides could pass.
    check(triangle, "a1b1 e5e6", 1, 0);
}

#[test]
fn a_game_tells_its_moves_and_clocks() {
    let game = played("8/8/8/4k3/8/8/8/K6R b - - 7 30", "e5e6 h1h6 e6e5");
    assert_eq!(game.turn(), Color::White);
    assert_eq!(game.ply(), 3);
    assert_eq!(game.half_move_clock(), 10);
    let moves: Vec<String> = game.moves().iter().map(|&mv| game.uci(mv)).collect();
    assert_eq!(moves, ["e5e6", "h1h6", "e6e5"]);
    assert_eq!(game.start_fen(), "8/8/8/4k3/8/8/8/K6R b - - 7 30");
    assert_eq!(game.fen(), "8/8/7R/4k3/8/8/8/K7 w - - 10 32");
}
