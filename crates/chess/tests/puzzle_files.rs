//! Whole files of Lichess puzzles.

use chess::puzzle::{Puzzle, PuzzleReader};

#[test]
fn every_row_of_real_files_is_a_puzzle() {
    for (file, expected) in [
        ("kagi_puzzles_1000.csv", 1000),
        ("lichess_2400plus_20k.csv.zst", 20_000),
        ("lichess_mate_in_1_to_5.csv.zst", 23_024),
        ("lichess_uniform_100k.csv.zst", 100_000),
    ] {
        let Some(path) = fixtures::reference(&format!("puzzles/{file}")) else { return };
        let mut count = 0;
        for puzzle in PuzzleReader::open(&path).expect("a puzzle file") {
            let puzzle = puzzle.expect("a puzzle");
            assert!(puzzle.rating.is_some() && !puzzle.themes.is_empty(), "{}", puzzle.id);
            let row = puzzle.to_row();
            assert_eq!(Puzzle::from_row(&row).expect("a puzzle").to_row(), row);
            count += 1;
        }
        assert_eq!(count, expected, "{file}");
    }
}
