use crate::Game;
use crate::puzzle::{FirstMove, HistoryError, Puzzle};

fn game(moves: &str) -> Game {
    let mut game = Game::new();
    moves.split_whitespace().for_each(|uci| game.play_uci(uci).expect("legal"));
    game
}

/// The moves known after `moves` are offered as the history of a puzzle at `fen`.
fn given(fen: &str, first_move: FirstMove, line: &str, moves: &str) -> Option<usize> {
    let before = Game::from_fen(fen).expect("a position");
    let mut puzzle = Puzzle::of_game("id", before, first_move, line).expect("a puzzle");
    let (key, line) = (puzzle.position_key(), puzzle.line.clone());
    let outcome = puzzle.set_history(&game(moves));
    // With or without a history it is the same puzzle.
    assert_eq!((puzzle.position_key(), &puzzle.line), (key, &line));
    match outcome {
        Ok(()) => {
            assert!(Puzzle::from_row(&puzzle.to_row()).is_ok());
            Some(puzzle.history().map_or(0, <[_]>::len))
        }
        Err(HistoryError::NotReached { .. }) => {
            assert_eq!(puzzle.history(), None);
            None
        }
        Err(HistoryError::OtherStart) => unreachable!("the game begins at the standard start"),
    }
}

#[test]
fn the_game_is_cut_where_the_puzzle_begins() {
    let scholar = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
    let moves = "e2e4 e7e5 f1c4 b8c6 d1h5";
    let check = |moves: &str, expected| {
        assert_eq!(given(scholar, FirstMove::Opponent, "g8f6 h5f7", moves), expected, "{moves}");
        assert_eq!(given(scholar, FirstMove::Solver, "g7g6", moves), expected, "{moves}");
    };
    check(moves, Some(5));
    check(&format!("{moves} g8f6 h5f7"), Some(5));
    check(&format!("{moves} g7g6"), Some(5));
    // By another road to the same position.
    check("e2e4 b8c6 f1c4 e7e5 d1h5", Some(5));
    check("e2e4 e7e5", None);
    check("", None);
    // The position stands twice; the FEN is at its first time.
    check(&format!("{moves} g8h6 h5d1 h6g8 d1h5"), Some(5));
}

#[test]
fn move_numbers_tell_occurrences_apart() {
    let moves = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6";
    let at = |number: u32, moves: &str| {
        let fen = format!("rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 {number}");
        given(&fen, FirstMove::Opponent, "f3g1 f6g8", moves)
    };
    assert_eq!(at(2, moves), Some(2));
    assert_eq!(at(4, moves), Some(6));
    // A number that fits none takes the first.
    assert_eq!(at(3, moves), Some(2));
    assert_eq!(at(4_000_000_000, moves), Some(2));
}

#[test]
fn castling_rights_and_en_passant_must_agree() {
    let check = |fen: &str, line: &str, moves: &str, expected| {
        assert_eq!(given(fen, FirstMove::Opponent, line, moves), expected, "{fen}");
    };
    let rights = "rnbqkbnr/ppppp1pp/8/5p2/8/7N/PPPPPPPP/RNBQKB1R w KQkq - 0 2";
    check(rights, "e2e4 f5e4", "g1h3 f7f5", Some(2));
    let lost = rights.replace("KQkq", "Qkq");
    check(&lost, "e2e4 f5e4", "g1h3 f7f5", None);
    // En passant is possible in the game, and the FEN denies it.
    let passant = "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq";
    let moves = "a2a3 e7e5 a3a4 e5e4 d2d4";
    let board = passant.replace("/8/PPP1PPPP/", "/8/1PP1PPPP/").replace("3Pp3", "P2Pp3");
    check(&format!("{board} d3 0 3"), "e4d3 e2d3", moves, Some(5));
    check(&format!("{board} - 0 3"), "e4e3 f2e3", moves, None);
}

#[test]
fn a_game_from_elsewhere_is_no_history() {
    let mut puzzle =
        Puzzle::new("id", "4k3/7p/8/8/8/8/7P/4K2R b K - 0 1", "h7h6 e1g1").expect("a puzzle");
    let other = Game::from_fen("4k3/7p/8/8/8/8/7P/4K2R b K - 0 1").expect("a position");
    assert_eq!(puzzle.set_history(&other), Err(HistoryError::OtherStart));
}

#[test]
fn keys_leave_out_clocks_and_captures_that_are_not_possible() {
    let key = |fen: &str| {
        let before = Game::from_fen(fen).expect("a position");
        let puzzle = Puzzle::of_game("id", before, FirstMove::Solver, "e2e4").expect("a puzzle");
        puzzle.position_key()
    };
    let plain = "rnbqkbnr/ppppp1pp/8/5p2/8/8/PPPPPPPP/RNBQKBNR w KQkq";
    assert_eq!(key(&format!("{plain} - 0 2")), format!("{plain} -"));
    assert_eq!(key(&format!("{plain} f6 7 30")), format!("{plain} -"));
}
