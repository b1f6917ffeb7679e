use std::io::Write;

use tempfile::NamedTempFile;

use super::*;

const HEADER: &str = "PuzzleId,FEN,Moves\n";
/// Two rooks mate by turns; three positions of the solver would be two too many to write.
const LADDER: &str = "ladder,6k1/8/8/8/8/8/1R6/R5K1 b - - 0 1,g8f8 a1a7 f8g8 b2b8\n";

fn file(rows: &str) -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a temporary file");
    file.write_all(HEADER.as_bytes()).expect("written");
    file.write_all(rows.as_bytes()).expect("written");
    file
}

#[test]
fn positions_of_puzzles() {
    let check = |rows: &str, exclude: &str, all: bool, expected: &[&str], counts: [u64; 3]| {
        let (puzzles, excluded) = (file(rows), file(exclude));
        let path = puzzles.path().to_owned();
        let source =
            if all { PositionSource::PuzzleLines(path) } else { PositionSource::Puzzles(path) };
        let exclude = [excluded.path().to_owned()];
        let mut positions = Positions::open(&[source], &exclude).expect("puzzles");
        let played: Vec<_> = positions
            .by_ref()
            .map(|position| position.game.uci(position.played.expect("the line's move")))
            .collect();
        assert_eq!(played, expected);
        let PositionCounts { duplicates, excluded, ref skipped, .. } = *positions.counts();
        assert_eq!([duplicates, excluded, skipped.values().map(|skip| skip.0).sum()], counts);
    };
    check(LADDER, "", false, &["a1a7", "b2b8"], [0; 3]);
    check(LADDER, "", true, &["g8f8", "a1a7", "f8g8", "b2b8"], [0; 3]);
    check(&[LADDER, LADDER].concat(), "", false, &["a1a7", "b2b8"], [2, 0, 0]);
    check(LADDER, LADDER, true, &["g8f8", "f8g8"], [0, 2, 0]);
    check(
        &["x,y,z\n", LADDER, "x,8/8/8/8/8/8/8/8 w - - 0 1,e2e4\n"].concat(),
        "",
        false,
        &["a1a7", "b2b8"],
        [0, 0, 2],
    );
    check("", "", false, &[], [0; 3]);
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let missing = PositionSource::Puzzles("/nowhere/puzzles.csv".into());
    let error = Positions::open(&[missing], &[]).err().expect("no file");
    assert!(error.to_string().contains("/nowhere/puzzles.csv"), "{error}");

    let (puzzles, damaged) = (file(LADDER), file("x,y,z\n"));
    let source = PositionSource::Puzzles(puzzles.path().to_owned());
    let error = Positions::open(&[source], &[damaged.path().to_owned()]).err().expect("no puzzle");
    assert!(error.to_string().starts_with("the positions to exclude: "), "{error}");
}

#[test]
fn positions_of_games() {
    let mut games = NamedTempFile::new().expect("a temporary file");
    let text = "1. e4 e5 1-0\n\n1. e4 c5 2. Nf3 1/2-1/2\n\n1. Ke2 *\n\n1. d4 *\n";
    games.write_all(text.as_bytes()).expect("written");
    let source = PositionSource::Games(games.path().to_owned());
    let mut positions = Positions::open(&[source], &[]).expect("games");
    let found: Vec<_> = positions
        .by_ref()
        .map(|position| {
            let played = position.game.uci(position.played.expect("the game's move"));
            (played, position.result.map(|result| result.q()), position.plies_left)
        })
        .collect();
    let expected = [
        ("e2e4", Some(1.0), Some(2)),
        ("e7e5", Some(-1.0), Some(1)),
        // The start and the position after e4 have been seen.
        ("g1f3", Some(0.0), Some(1)),
    ];
    assert_eq!(found, expected.map(|(uci, result, left)| (uci.to_owned(), result, left)));
    let counts = positions.counts();
    assert_eq!((counts.positions, counts.duplicates), (3, 3));
    assert_eq!(counts.skipped["games cannot be read"].0, 1);
}
