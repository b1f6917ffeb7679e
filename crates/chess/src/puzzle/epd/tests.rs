use std::io::Cursor;

use proptest::prelude::*;

use super::EpdReader;
use crate::puzzle::{Acceptance, FirstMove, Puzzle};

fn read(text: &str) -> Vec<Result<Puzzle, String>> {
    let reader = EpdReader::new("some/wac.epd", Cursor::new(text.as_bytes().to_vec()));
    let rows = reader.expect("a file");
    rows.map(|row| row.map_err(|error| error.to_string())).collect()
}

fn one(line: &str) -> Result<Puzzle, String> {
    read(&format!("{line}\n")).pop().expect("a row")
}

/// The acceptable moves, the marked one first.
fn moves(line: &str) -> Vec<String> {
    let puzzle = one(line).expect("a puzzle");
    assert_eq!(
        (puzzle.first_move, puzzle.acceptance),
        (FirstMove::Solver, Some(Acceptance::Given))
    );
    assert_eq!(puzzle.start.ply(), 0);
    let acceptable = puzzle.acceptable.as_ref().expect("given");
    assert_eq!((acceptable.len(), &acceptable[0][..1]), (1, &puzzle.line[..]));
    // What a suite has of it is the same.
    let row = puzzle.to_row();
    assert_eq!(Puzzle::from_row(&row).expect("a puzzle").to_row(), row);
    acceptable[0].iter().map(|&mv| puzzle.start.uci(mv)).collect()
}

const ROOKS: &str = "8/1p6/p5R1/k7/Prpp4/K7/1NP5/8 w - -";
const CASTLING: &str = "4k3/7p/8/8/8/8/7P/4K2R w K -";

#[test]
fn best_moves_are_acceptable() {
    let check = |line: &str, expected: &[&str]| assert_eq!(moves(line), expected, "{line}");
    check(&format!("{ROOKS} am Rd6; bm Rb6 Rg5+; id \"WAC.274\";"), &["g6b6", "g6g5"]);
    check(&format!("{ROOKS} bm Rb6"), &["g6b6"]);
    check(&format!("{ROOKS} 3 40 bm Rb6! Rb6;"), &["g6b6"]);
    check(&format!("{ROOKS} bm g6b6 Rg5+; c0 \"bm; Rd6;\";"), &["g6b6", "g6g5"]);
    check(&format!("{CASTLING} bm O-O;"), &["e1g1"]);
    check(&format!("{CASTLING} bm 0-0 e1f1;"), &["e1g1", "e1f1"]);
    check("6k1/1P6/8/8/8/8/8/6K1 w - - bm b8=Q+ b7b8r;", &["b7b8q", "b7b8r"]);
}

#[test]
fn moves_to_avoid_leave_the_others() {
    let king = "7k/8/8/8/8/8/8/K7 w - -";
    assert_eq!(moves(&format!("{king} am Kb2;")), ["a1b1", "a1a2"]);
    // In the order of their index, from Black's side for Black.
    let black = "k7/8/8/8/8/8/8/7K b - -";
    assert_eq!(moves(&format!("{black} am Kb7;")), ["a8b8", "a8a7"]);
}

#[test]
fn names_and_clocks() {
    let check = |line: &str, id: &str, fen: &str| {
        let puzzle = one(line).expect("a puzzle");
        assert_eq!((puzzle.id.as_str(), puzzle.start.fen().as_str()), (id, fen));
    };
    let fen = |clocks: &str| format!("{CASTLING} {clocks}");
    check(&format!("{CASTLING} bm Ke2; id \"a; b\";"), "a; b", &fen("0 1"));
    check(&format!("{CASTLING} bm Ke2; id plain;"), "plain", &fen("0 1"));
    check(&format!("{CASTLING} bm Ke2; id \" \";"), "wac:1", &fen("0 1"));
    check(&format!("{CASTLING} bm Ke2; hmvc 5; fmvn 30;"), "wac:1", &fen("5 30"));
    check(&format!("{CASTLING} 7 31 bm Ke2;"), "wac:1", &fen("7 31"));
    let second = read(&format!("# a comment\n\n{CASTLING} bm Ke2;\r\n")).remove(0);
    assert_eq!(second.expect("a puzzle").id, "wac:3");
}

#[test]
fn what_is_no_puzzle_is_named_and_passed_over() {
    let check = |line: &str, problem: &str| {
        let rows = read(&format!("{CASTLING} bm Ke2;\n{line}\n{CASTLING} bm Ke2;\n"));
        let error = rows[1].as_ref().expect_err("a problem");
        assert!(error.starts_with("some/wac.epd, line 2: ") && error.contains(problem), "{error}");
        assert!(rows.len() == 3 && rows[0].is_ok() && rows[2].is_ok());
    };
    let operations = |text: &str| format!("{CASTLING} {text}");
    check(&operations("id \"a\";"), "neither the operation bm (best move) nor am");
    check(&operations(""), "neither the operation bm");
    check(&operations("bm ;"), "neither the operation bm");
    check(&operations("bm Ke2; bm Kf2;"), "the operation bm stands twice");
    check(&operations("bm Ke3;"), "bm Ke3: not legal in \"4k3/");
    check(&operations("bm x;"), "bm x: not a move in \"4k3/");
    check(&operations("bm Ke2; am Ke2;"), "e1e2 is both a best move and one to avoid");
    check(&operations("bm Ke2; hmvc x;"), "expected a number after hmvc, found \"x\"");
    check(&operations("bm Ke2; id \"open;"), "a quotation mark is not closed");
    check("7k/8/8/8/8/8/8/KR6 w - - bm Rc1 Rb1;", "bm Rb1: not legal");
    check("R6k/8/8/8/8/8/8/R5K1 b - - am Kg7 Kh7;", "every legal move is to be avoided");
    check("8/8/8/8/8/8/8/8 w - - bm e4;", "the board is empty");
    check("text", "FEN \"text\"");
    check("k7/8/8/8/8/8/8/K1N1N3 w - - bm Nd3;", "bm Nd3: ambiguous");
}

#[test]
fn a_file_that_is_cut_off_says_so() {
    let line = format!("{CASTLING} bm Ke2 Kf2; id \"a\";");
    assert!(read(&line)[0].is_ok());
    for length in [line.len() - 1, line.len() - 3, line.len() - 10, CASTLING.len(), 5] {
        let rows = read(&line[..length]);
        // A line that is cut behind a semicolon has lost its name at most.
        let cut = rows[0].as_ref().expect_err("cut off");
        assert!(cut.ends_with("the file ends without a line end, so that the row may be cut off"));
    }
}

proptest! {
    /// Whatever the bytes are, reading ends.
    #[test]
    fn hostile_files_are_read_to_their_end(
        text in "([ -~é]{0,40}|\n|[rnbqkpRNBQKP1-8/ wb-]{0,60}( bm [a-hRNBQK1-8; \"]{0,9})?){0,9}",
    ) {
        let lines = text.lines().count();
        prop_assert!(read(&text).len() <= lines);
    }
}
