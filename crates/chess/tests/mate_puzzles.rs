//! The mate solver on Lichess's mate puzzles.

use chess::mate::{MateSearch, MateSolver};
use chess::puzzle::PuzzleReader;

/// Puzzles of each length.
const EACH: u32 = 50;

#[test]
fn marked_mates_are_the_shortest_and_their_moves_keep_them() {
    let file = "puzzles/lichess_mate_in_1_to_5.csv.zst";
    let Some(path) = fixtures::reference(file) else { return };
    let mut solver = MateSolver::new(20_000_000);
    let mut left = [EACH; 4];
    for puzzle in PuzzleReader::open(&path).expect("a puzzle file") {
        let puzzle = puzzle.expect("a puzzle");
        let length = puzzle.line.len().div_ceil(2);
        let Some(left) = left.get_mut(length - 1).filter(|left| **left > 0) else { continue };
        *left -= 1;
        let mut game = puzzle.start.clone();
        for (moves, pair) in (1..=length as u8).rev().zip(puzzle.line.chunks(2)) {
            let MateSearch::Mate(mate) = solver.solve(game.position(), moves) else {
                panic!("{}: no mate in {moves} in {}", puzzle.id, game.fen());
            };
            assert_eq!(mate.moves, moves, "{}: {}", puzzle.id, game.fen());
            assert!(mate.keeping.contains(&pair[0]), "{}: {}", puzzle.id, game.fen());
            for &mv in pair {
                game.play(mv).expect("a legal line");
            }
        }
    }
    assert_eq!(left, [0; 4]);
}
