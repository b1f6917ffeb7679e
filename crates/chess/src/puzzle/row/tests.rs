use std::io::Cursor;

use crate::puzzle::{Acceptance, FirstMove, Puzzle, PuzzleReader};

const HEADER: &str = "PuzzleId,FEN,Moves,FirstMove,History,Acceptable,Acceptance\n";
/// After 1. e4 e5 2. Bc4 Nc6 3. Qh5.
const SCHOLAR: &str = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
const SCHOLAR_MOVES: &str = "e2e4 e7e5 f1c4 b8c6 d1h5";

fn read(row: &str) -> Result<Puzzle, String> {
    let file = format!("{HEADER}{row}\n");
    let mut reader = PuzzleReader::new("s.csv", Cursor::new(file.into_bytes())).expect("a header");
    reader.next().expect("a row").map_err(|error| error.problem.to_string())
}

fn acceptable(puzzle: &Puzzle) -> Vec<Vec<String>> {
    let groups = puzzle.acceptable.iter().flatten();
    puzzle
        .solver_positions()
        .into_iter()
        .zip(groups)
        .map(|((game, _), moves)| moves.iter().map(|&mv| game.uci(mv)).collect())
        .collect()
}

#[test]
fn empty_columns_say_nothing() {
    let puzzle = read(&format!("id,{SCHOLAR},g8f6 h5f7,,,,")).expect("a puzzle");
    assert_eq!(puzzle.first_move, FirstMove::Opponent);
    assert_eq!((puzzle.history(), puzzle.start.ply()), (None, 1));
    assert_eq!((puzzle.acceptable, puzzle.acceptance), (None, None));
}

#[test]
fn a_history_is_the_game() {
    for (first, moves, plies) in [("", "g8f6 h5f7", 6), ("solver", "g7g6", 5)] {
        let row = format!("id,{SCHOLAR},{moves},{first},{SCHOLAR_MOVES},,");
        let puzzle = read(&row).expect("a puzzle");
        assert_eq!(puzzle.start.ply(), plies);
        assert_eq!(puzzle.start.start_fen(), crate::Game::new().fen());
        assert_eq!(puzzle.history().map(<[_]>::len), Some(5));
        assert_eq!(puzzle.fen(), SCHOLAR);
    }
}

#[test]
fn the_solver_may_move_first() {
    let puzzle = read(&format!("id,{SCHOLAR},g7g6 h5g6 h7g6,solver,,,")).expect("a puzzle");
    assert_eq!(puzzle.first_move, FirstMove::Solver);
    assert_eq!((puzzle.start.fen(), puzzle.line.len()), (SCHOLAR.to_owned(), 3));
    assert!(puzzle.solver().is_black());
    assert!(read(&format!("id,{SCHOLAR},g8f6 h5f7,opponent,,,")).is_ok());
}

#[test]
fn acceptable_moves_stand_by_position() {
    let two_mates = "7k/p4ppp/8/8/8/8/8/RR4K1 b - - 0 1";
    let row = format!("id,{two_mates},h8g8 b1b8,,,b1b8|a1a7,proved");
    let puzzle = read(&row).expect("a puzzle");
    assert_eq!(acceptable(&puzzle), [["b1b8", "a1a7"]]);
    assert_eq!(puzzle.acceptance, Some(Acceptance::Proved));
    // The king's move and the rook's square are the same castling.
    let castling = "4k3/7p/8/8/8/8/7P/4K2R b K - 0 1";
    let row = format!("id,{castling},h7h6 e1g1,,,e1h1|h1g1,given");
    assert_eq!(acceptable(&read(&row).expect("a puzzle")), [["e1g1", "h1g1"]]);
    let black = "8/8/8/8/8/k7/4p3/6K1 w - - 0 1";
    let row = format!("id,{black},g1g2 e2e1n g2f1 e1c2,,,e2e1n|e2e1q e1c2,");
    let puzzle = read(&row).expect("a puzzle");
    assert_eq!(acceptable(&puzzle), [vec!["e2e1n", "e2e1q"], vec!["e1c2"]]);
    assert_eq!(puzzle.acceptance, None);
}

#[test]
fn wrong_columns_are_named() {
    let check = |columns: &str, expected: &str| {
        let problem = read(&format!("id,{SCHOLAR},{columns}")).expect_err("a problem");
        assert!(problem.contains(expected), "{columns}: {problem}");
    };
    check("g8f6 h5f7,white,,,", "\"opponent\" or \"solver\" in column \"FirstMove\", found");
    check(",solver,,,", "expected at least one move, found none");
    check("g7g6 h5g6,solver,,,", "expected an odd number of moves");
    check("g8f6 h5f7,,e2e5,,", "history: move \"e2e5\" at ply 1: not legal");
    check("g8f6 h5f7,,e2e4 e7e5,,", "the history leads to \"rnbqkbnr/pppp1ppp/8/4p3/4P3/");
    // The same board, but the castling right is lost.
    check("g8f6 h5f7,,e2e4 e7e5 f1c4 b8c6 d1h5 a8b8 h5d1 b8a8 d1h5,,", "the history leads to");
    check("g8f6 h5f7,,,h5f7 h5f7,", "expected acceptable moves of 1 positions, found 2 groups");
    check("g8f6 h5f7,,,h5f8,", "acceptable moves of position 1: move \"h5f8\"");
    check("g8f6 h5f7,,,h5f7|,", "acceptable moves of position 1: move \"\"");
    check("g8f6 h5f7,,,h5f7|c4f7|h5f7,", "position 1: \"h5f7\" stands twice");
    check("g8f6 h5f7,,,c4f7|h5f7,", "position 1: expected the marked move h5f7 first");
    check("g8f6 h5f7,,,h5f7,sure", "(proved, marked, unproved or given), found \"sure\"");
    check("g8f6 h5f7,,,,proved", "\"proved\" of acceptable moves that are not there");
}
