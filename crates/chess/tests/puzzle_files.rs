//! Whole files of Lichess puzzles.

use chess::puzzle::{EpdReader, Puzzle, PuzzleReader};

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

#[test]
fn every_line_of_a_suite_of_test_positions_is_a_puzzle() {
    let Some(path) = fixtures::reference("positions/wac.epd") else { return };
    let puzzles: Vec<Puzzle> = EpdReader::open(&path)
        .expect("a file")
        .collect::<Result<_, _>>()
        .expect("every line is a puzzle");
    assert_eq!(puzzles.len(), 300);
    let acceptable = |id: &str| {
        let puzzle = puzzles.iter().find(|puzzle| puzzle.id == id).expect("its number");
        let moves = puzzle.acceptable.as_ref().expect("given");
        moves[0].iter().map(|&mv| puzzle.start.uci(mv)).collect::<Vec<_>>()
    };
    assert_eq!(acceptable("WAC.001"), ["g3g6"]);
    assert_eq!(acceptable("WAC.274"), ["g6b6", "g6g5"]);
}
