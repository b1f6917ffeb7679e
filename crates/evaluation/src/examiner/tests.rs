use std::sync::atomic::Ordering;

use chess::mate::MateSolver;
use chess::{Game, InputFormat};

use super::*;
use crate::Rule;
use crate::scripted::counting_evaluator;

const FILL: HistoryFill = HistoryFill::FenOnly;

fn puzzle(id: &str, fen: &str, moves: &str) -> Puzzle {
    Puzzle::new(id, fen, moves).expect("a puzzle")
}

fn pose(puzzles: &[Puzzle]) -> Vec<PosedPuzzle> {
    let mut solver = MateSolver::new(Rule::NODE_BUDGET);
    let pose = |puzzle| PosedPuzzle::new(puzzle, &Solutions::find(puzzle, &mut solver));
    puzzles.iter().map(pose).collect()
}

/// Different positions, repeated ones among them, one with another solution.
fn puzzles() -> Vec<Puzzle> {
    let ladder = "4k3/8/8/8/8/5R2/8/K5Q1 b - - 0 1";
    vec![
        puzzle("ladder", ladder, "e8d8 g1g7 d8e8 f3f8"),
        puzzle("promotion", "6k1/1P3ppp/8/8/8/8/8/6K1 b - - 0 1", "g8h8 b7b8q"),
        puzzle("other ladder", ladder, "e8d8 f3f7 d8e8 g1g8"),
        puzzle("ladder", ladder, "e8d8 g1g7 d8e8 f3f8"),
        puzzle("castling", "4k3/7p/8/8/8/8/7P/4K2R b K - 0 1", "h7h6 e1g1"),
        puzzle("promotion", "6k1/1P3ppp/8/8/8/8/8/6K1 b - - 0 1", "g8h8 b7b8r"),
    ]
}

#[test]
fn no_position_is_evaluated_twice() {
    let puzzles = puzzles();
    let choices: Vec<(Game, &str)> = [(0, 0, "f3f7"), (0, 1, "f3f8"), (1, 0, "b7b8r")]
        .map(|(number, place, uci)| (puzzles[number].solver_positions()[place].0.clone(), uci))
        .into();
    let mut alone = Vec::new();
    for puzzle in &puzzles {
        let (evaluator, _) = counting_evaluator(&choices);
        let census = Census::new(InputFormat::Classical112, FILL);
        let mut examiner = Examiner::new(Arc::clone(evaluator.engine()), FILL, census);
        alone.extend(examiner.examine(pose(std::slice::from_ref(puzzle))).expect("finite"));
    }
    for size in 1..=puzzles.len() {
        let (evaluator, evaluated) = counting_evaluator(&choices);
        let mut census = Census::new(InputFormat::Classical112, FILL);
        census.add(&puzzles).expect("standard chess");
        // Three ladders share their first position, two their second.
        assert_eq!((census.positions(), census.distinct()), (9, 5));
        let mut examiner = Examiner::new(Arc::clone(evaluator.engine()), FILL, census);
        let mut records = Vec::new();
        for block in puzzles.chunks(size) {
            records.extend(examiner.examine(pose(block)).expect("finite"));
        }
        assert_eq!(records, alone, "blocks of {size}");
        assert_eq!((evaluated.load(Ordering::Relaxed), examiner.evaluated()), (5, 5));
        assert!(examiner.kept.is_empty() && examiner.repeated.is_empty());
    }
}

#[test]
fn a_census_of_other_puzzles_costs_time_only() {
    let puzzles = puzzles();
    let (evaluator, evaluated) = counting_evaluator(&[]);
    let mut census = Census::new(InputFormat::Classical112, FILL);
    census.add(&puzzles[..3]).expect("standard chess");
    let mut examiner = Examiner::new(Arc::clone(evaluator.engine()), FILL, census);
    let together = examiner.examine(pose(&puzzles)).expect("finite");
    let again = examiner.examine(pose(&puzzles)).expect("finite");
    assert_eq!(together, again);
    assert!(evaluated.load(Ordering::Relaxed) >= 5);
}

#[test]
fn a_position_that_cannot_be_shown_is_named() {
    // The rook on g1 may castle: format 1 has no planes for that.
    let puzzles = [puzzle("chess960", "4k3/p7/8/8/8/8/8/4K1R1 b G - 0 1", "a7a6 g1g2")];
    let mut census = Census::new(InputFormat::Classical112, FILL);
    let error = census.add(&puzzles).expect_err("Chess960").to_string();
    assert!(error.starts_with("puzzle chess960: "), "{error}");
    let (evaluator, _) = counting_evaluator(&[]);
    let mut examiner = Examiner::new(Arc::clone(evaluator.engine()), FILL, census);
    let error = examiner.examine(pose(&puzzles)).expect_err("Chess960").to_string();
    assert!(error.starts_with("puzzle chess960, position 1 of the solver: "), "{error}");
}
