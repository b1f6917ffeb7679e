//! `searchless recovery`: what changed between networks.

use std::fs;

use crate::support::{ATTENTION, CLASSICAL, SUITE, Workspace, without_sums};

#[test]
fn changes_of_one_network_and_of_two() {
    let workspace = Workspace::new();
    let compare = ["recovery", CLASSICAL, ATTENTION, "--suite", SUITE];
    insta::assert_snapshot!("recovery", without_sums(&workspace.print(&compare, "")));
    let other = ["recovery", CLASSICAL, ATTENTION, CLASSICAL, "--suite", SUITE];
    let both = without_sums(&workspace.print(&other, ""));
    insta::assert_snapshot!("recovery_of_two", both);
}

/// A puzzle for each legal move of a position: every network solves exactly one of them.
pub(super) fn one_for_each_move() -> String {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let pawns = ["a", "b", "c", "d", "e", "f", "g", "h"]
        .iter()
        .flat_map(|file| [format!("{file}7{file}6"), format!("{file}7{file}5")]);
    let knights = ["b8a6", "b8c6", "g8f6", "g8h6"].map(str::to_owned);
    pawns
        .chain(knights)
        .enumerate()
        .fold("PuzzleId,FEN,Moves,Rating\n".to_owned(), |rows, (number, mv)| {
            rows + &format!("m{number},{start},e2e4 {mv},{}\n", 1000 + number)
        })
}

#[test]
fn boards_are_drawn_of_recovered_positions() {
    let workspace = Workspace::new();
    fs::write(workspace.path().join("moves.csv"), one_for_each_move()).expect("written");
    let arguments = [
        "recovery",
        CLASSICAL,
        ATTENTION,
        "--suite",
        "moves.csv",
        "--boards",
        "boards",
        "--engine-time",
        "0.01",
    ];
    let printed = workspace.print(&arguments, "");
    let pictures: Vec<&str> = printed.lines().filter(|line| line.ends_with(".svg")).collect();
    assert_eq!(pictures.len(), 1, "{printed}");
    let svg = fs::read_to_string(workspace.path().join(pictures[0])).expect("a picture");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    for part in ["1: base classical.pb.gz", "2: tuned attention.pb.gz", "* solves the position"] {
        assert!(svg.contains(part), "{part}");
    }
    assert!(printed.contains("gained                         1"), "{printed}");
    assert!(printed.contains("given back                     1"), "{printed}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let workspace = Workspace::new();
    let check = |more: &[&str], expected: &str| {
        let compare = ["recovery", CLASSICAL, ATTENTION, "--suite", SUITE];
        let error = workspace.refuse(&[&compare[..], more].concat());
        assert!(error.contains(expected), "{error}");
    };
    check(&["--engine-time", "0"], "--engine-time 0: expected a number above 0");
    check(&["--boards", "boards", "--engine", "/nowhere/engine"], "cannot be started");
    let error = workspace.refuse(&["recovery", CLASSICAL, "nowhere.pb", "--suite", SUITE]);
    assert!(error.contains("nowhere.pb"), "{error}");
}
