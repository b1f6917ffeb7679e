use std::io::Write;

use tempfile::NamedTempFile;

use super::*;
use crate::scripted::evaluator;
use crate::{Reading, Suite};

#[test]
fn puzzles_are_counted_across_blocks() {
    // King moves: b1 has the lowest index, so every second puzzle is solved by a network of
    // equal logits.
    let rows: Vec<String> = (0..BLOCK + 9)
        .map(|number| {
            let solution = ["a1b1", "a1a2"][number % 2];
            format!("id{number},7k/8/8/8/8/8/8/K7 b - - 0 1,h8g8 {solution}\n")
        })
        .collect();
    let mut file = NamedTempFile::new().expect("a temporary file");
    write!(file, "PuzzleId,FEN,Moves\n{}broken\n", rows.concat()).expect("space");
    let suite = Suite::open(file.path()).expect("a file");
    let puzzles = suite.puzzles(Reading::Strict, None).expect("a suite");
    let mut observed = Vec::new();
    let score = score(&evaluator(&[]), Rule::Strict, puzzles, |puzzle, attempt| {
        observed.push((puzzle.id.clone(), attempt.solved()));
    })
    .expect("a score");
    assert_eq!(score.total, BLOCK as u64 + 9);
    assert_eq!(score.solved, (BLOCK as u64 + 9).div_ceil(2));
    assert_eq!(score.skipped.count(), 1);
    let expected: Vec<_> =
        (0..BLOCK + 9).map(|number| (format!("id{number}"), number % 2 == 0)).collect();
    assert_eq!(observed, expected);
}

#[test]
fn a_position_that_the_network_cannot_be_shown_is_named() {
    let mut file = NamedTempFile::new().expect("a temporary file");
    // The rook on g1 may castle: format 1 has no planes for that.
    let row = "chess960,4k3/p7/8/8/8/8/8/4K1R1 b G - 0 1,a7a6 g1g2";
    write!(file, "PuzzleId,FEN,Moves\n{row}\n").expect("space");
    let suite = Suite::open(file.path()).expect("a file");
    let puzzles = suite.puzzles(Reading::Strict, None).expect("a suite");
    let error = score(&evaluator(&[]), Rule::Strict, puzzles, |_, _| {}).expect_err("Chess960");
    let text = error.to_string();
    assert!(text.starts_with("puzzles chess960 to chess960: "), "{text}");
    assert!(text.contains("4K1R1 w K"), "{text}");
}

#[test]
fn no_puzzles_have_no_accuracy() {
    let score = Score::default();
    assert_eq!(score.accuracy(), None);
    assert_eq!(score.interval(), Interval { low: 0.0, high: 1.0 });
}
