use std::io::{self, Cursor, Read, Write};

use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;

use super::{Puzzle, PuzzleReader, RowProblem};
use crate::Color;

const HEADER: &str = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,\
                      OpeningTags\n";
const MATE: &str = "J4KYb,1k1r3r/ppp5/3p1p1b/8/4P3/1N3Q2/2P2PPq/R5RK w - - 0 23,h1h2 h6f4,674,99,\
                    -90,388,mate mateIn1,https://lichess.org/0b2LVg6r#45,\n";
const FORK: &str = "tewjc,r5k1/pp3p1p/2b2qp1/3pr3/8/4P2P/R1PN1PP1/Q3K2R w K - 0 19,\
                    a2a7 e5e3 f2e3 f6a1 a7a1 a8a1,1493,76,94,18768,crushing,,Polish_Opening A B\n";

fn read(file: impl Into<Vec<u8>>) -> PuzzleReader {
    PuzzleReader::new("p.csv", Cursor::new(file.into())).expect("a header")
}

/// For each row the puzzle's name, or the error in words.
fn rows(file: impl Into<Vec<u8>>) -> Vec<String> {
    read(file).map(|row| row.map_or_else(|error| error.to_string(), |puzzle| puzzle.id)).collect()
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).expect("written");
    encoder.finish().expect("written")
}

fn zstandard(text: &str) -> Vec<u8> {
    zstd::encode_all(text.as_bytes(), 1).expect("written")
}

#[test]
fn a_row_is_read_with_all_its_columns() {
    let puzzles: Vec<Puzzle> =
        read(format!("{HEADER}{MATE}{FORK}")).collect::<Result<_, _>>().expect("puzzles");
    let [mate, fork] = &puzzles[..] else { panic!("{} puzzles", puzzles.len()) };

    let uci = |puzzle: &Puzzle| {
        let mut game = puzzle.start.clone();
        let mut moves = Vec::new();
        for &mv in &puzzle.line {
            moves.push(game.uci(mv));
            game.play(mv).expect("a legal line");
        }
        moves.join(" ")
    };
    // The position is the one after the opponent's move, with that move as its history.
    assert_eq!(mate.solver(), Color::Black);
    assert_eq!(mate.start.ply(), 1);
    assert_eq!(mate.start.start_fen(), "1k1r3r/ppp5/3p1p1b/8/4P3/1N3Q2/2P2PPq/R5RK w - - 0 23");
    assert_eq!(mate.start.fen(), "1k1r3r/ppp5/3p1p1b/8/4P3/1N3Q2/2P2PPK/R5R1 b - - 0 23");
    assert_eq!(uci(mate), "h6f4");
    assert_eq!(uci(fork), "e5e3 f2e3 f6a1 a7a1 a8a1");

    assert_eq!(
        (mate.id.as_str(), mate.rating, mate.rating_deviation),
        ("J4KYb", Some(674), Some(99))
    );
    assert_eq!((mate.popularity, mate.plays), (Some(-90), Some(388)));
    assert_eq!(mate.themes, ["mate", "mateIn1"]);
    assert_eq!(mate.game_url.as_deref(), Some("https://lichess.org/0b2LVg6r#45"));
    assert!(mate.opening_tags.is_empty());
    assert_eq!(fork.game_url, None);
    assert_eq!(fork.opening_tags, ["Polish_Opening", "A", "B"]);
}

#[test]
fn files_of_every_habit_are_read() {
    let both = ["J4KYb", "tewjc"];
    let plain = format!("{HEADER}{MATE}{FORK}");
    assert_eq!(rows(plain.clone()), both);
    assert_eq!(rows(plain.replace('\n', "\r\n")), both);
    assert_eq!(rows(format!("\u{feff}{plain}")), both);
    assert_eq!(rows(format!("{plain}\n\n")), both);
    assert_eq!(rows(HEADER), [""; 0]);
    // Without the last line end, which many programs do not write.
    assert_eq!(rows(plain.trim_end()), both);
    assert_eq!(rows(plain.replace('\n', "\r\n").trim_end()), both);
    assert_eq!(rows(gzip(plain.trim_end())), both);
    assert_eq!(rows(zstandard(plain.trim_end())), both);
    // Quoted fields, the header's too.
    let quoted =
        plain.replace("mate mateIn1", "\"mate, \"\"in\"\" one\"").replace("FEN", "\"FEN\"");
    assert_eq!(rows(quoted), both);
    // Columns in another order, fewer, and more.
    let other =
        "Moves,x,FEN,PuzzleId\nh1h2 h6f4,,1k1r3r/ppp5/3p1p1b/8/4P3/1N3Q2/2P2PPq/R5RK w - -,id\n";
    assert_eq!(rows(other), ["id"]);
    let sparse = read(other).next().expect("a row").expect("a puzzle");
    assert_eq!((sparse.rating, sparse.themes.len()), (None, 0));
    // Compressed, in one piece or several.
    assert_eq!(rows(gzip(&plain)), both);
    assert_eq!(rows(zstandard(&plain)), both);
    let pieces =
        |compress: fn(&str) -> Vec<u8>| [compress(HEADER), compress(MATE), compress(FORK)].concat();
    assert_eq!(rows(pieces(gzip)), both);
    assert_eq!(rows(pieces(zstandard)), both);
}

#[test]
fn a_row_that_is_no_puzzle_is_named_and_passed_over() {
    let check = |row: &str, problem: &str| {
        let found = rows(format!("{HEADER}{MATE}{row}\n{FORK}"));
        assert_eq!(found, ["J4KYb", &format!("p.csv, line 3: {problem}"), "tewjc"], "{row}");
    };
    let row = |fen: &str, moves: &str| format!("id,{fen},{moves},1,1,1,1,,,");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    check(&row(start, ""), "expected at least two moves, found 0");
    check(&row(start, "e2e4"), "expected at least two moves, found 1");
    check(
        &row(start, "e2e4 e7e5 g1f3"),
        "expected an even number of moves, the last the solver's, found 3",
    );
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    check(
        &row(start, "e2e4 e2e4"),
        &format!("move 2 of the line: move \"e2e4\" at ply 2: not legal in \"{after}\""),
    );
    check(
        &row(start, "Nf3 e7e5"),
        &format!(
            "move 1 of the line: move \"Nf3\" at ply 1: not a move in UCI notation in \"{start}\""
        ),
    );
    check(
        &row("k6R/8/8/8/8/8/8/K7 w - - 0 1", "e2e4 e7e5"),
        "FEN \"k6R/8/8/8/8/8/8/K7 w - - 0 1\": impossible position: the side not to move is in check",
    );
    check(",,,,,,,,,", "the PuzzleId is empty");
    check("id,fen,moves", "expected 10 fields, found 3");
    check(&format!("{},", row(start, "e2e4 e7e5")), "expected 10 fields, found 11");
    check(&",".repeat(300), "more than 256 fields");
    check(
        &row(start, "e2e4 e7e5").replace(",1,1,1,1,", ",1,1,high,1,"),
        "expected a number in column \"Popularity\", found \"high\"",
    );
    // A quotation mark left open must not swallow the rows behind it.
    check(&format!("\"{}", row(start, "e2e4 e7e5")), "a quotation mark is not closed");
    check(&"x".repeat(70_000), "longer than 65536 bytes");
}

#[test]
fn bytes_that_are_no_text_are_an_error_of_their_line() {
    let mut file = format!("{HEADER}{MATE}").into_bytes();
    file.extend_from_slice(b"\xff\xfe\n");
    file.extend_from_slice(FORK.as_bytes());
    assert_eq!(rows(file), ["J4KYb", "p.csv, line 3: not UTF-8 text", "tewjc"]);
}

#[test]
fn a_file_without_its_columns_is_refused() {
    let check = |file: &[u8], expected: &str| {
        let error = PuzzleReader::new("p.csv", Cursor::new(file.to_vec())).err();
        assert_eq!(error.expect("an error").to_string(), format!("p.csv{expected}"));
    };
    check(b"", ": is empty, expected a line with the names of the columns");
    check(b"\n", ", line 1: expected a column \"PuzzleId\", found \"\"");
    check(b"PuzzleId,Moves\n", ", line 1: expected a column \"FEN\", found \"PuzzleId,Moves\"");
    check(b"PuzzleId,FEN,Moves,FEN\n", ", line 1: two columns are named \"FEN\"");
    check(
        MATE.as_bytes(),
        &format!(", line 1: expected a column \"PuzzleId\", found \"{}\"", MATE.trim_end()),
    );
    check(
        b"PuzzleId,FEN",
        ", line 1: the file ends without a line end, so that the row may be cut off",
    );
    check(b"\xff\n", ", line 1: not UTF-8 text");
    check(&vec![b'x'; 1 << 20], ", line 1: longer than 65536 bytes");

    let missing = PuzzleReader::open("no/such/file.csv".as_ref()).err().expect("an error");
    assert_eq!(missing.to_string(), "no/such/file.csv: cannot be opened");
}

#[test]
fn a_file_that_is_cut_off_says_so_in_its_last_row() {
    let plain = format!("{HEADER}{MATE}{FORK}");
    // In the last row before its last columns, within its moves, and within its position.
    for lost in [30, 60, 70, 120] {
        let cut = &plain[..plain.len() - lost];
        let expected =
            "p.csv, line 3: the file ends without a line end, so that the row may be cut off";
        assert_eq!(rows(cut), ["J4KYb", expected], "{lost}");
    }
    assert_eq!(rows(&plain[..plain.len() - FORK.len()]), ["J4KYb"]);

    let long = format!("{HEADER}{}", FORK.repeat(2000));
    for (name, compressed) in [("gzip", gzip(&long)), ("zstandard", zstandard(&long))] {
        // Every cut ends in an error, even one that loses nothing but the checksum.
        for lost in [1, 4, compressed.len() / 2, compressed.len() - 30] {
            let cut = compressed[..compressed.len() - lost].to_vec();
            let reader = PuzzleReader::new("p.csv", Cursor::new(cut));
            let last = match reader {
                Ok(reader) => reader.last().expect("a row").expect_err("an error").to_string(),
                Err(error) => error.to_string(),
            };
            assert!(
                last.contains("cannot be read on, damaged or cut off"),
                "{name} {lost}: {last}"
            );
        }
    }
}

#[test]
fn nothing_follows_a_failure_to_read() {
    struct Failing(Cursor<Vec<u8>>);
    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(io::Error::other("the disk is gone")),
                read => Ok(read),
            }
        }
    }
    let file = format!("{HEADER}{MATE}{}", &FORK[..20]);
    let mut reader =
        PuzzleReader::new("p.csv", Failing(Cursor::new(file.into_bytes()))).expect("a header");
    assert_eq!(reader.next().expect("a row").expect("a puzzle").id, "J4KYb");
    let error = reader.next().expect("a row").unwrap_err();
    assert_eq!(
        error.to_string(),
        "p.csv, line 3: cannot be read on, damaged or cut off: the disk is gone"
    );
    assert!(matches!(error.problem, RowProblem::Read(_)));
    assert!(reader.next().is_none());
}

proptest! {
    /// Whatever the bytes are, reading ends, with rows no more than there are lines.
    #[test]
    fn hostile_files_are_read_to_their_end(
        bytes in prop::collection::vec(any::<u8>(), 0..2000),
        prefix in prop::sample::select(vec![
            b"".as_slice(), HEADER.as_bytes(), b"\x1f\x8b", b"\x28\xb5\x2f\xfd",
        ]),
    ) {
        let file = [prefix, &bytes].concat();
        let lines = file.iter().filter(|&&byte| byte == b'\n').count() + 1;
        if let Ok(reader) = PuzzleReader::new("p.csv", Cursor::new(file)) {
            prop_assert!(reader.count() <= lines);
        }
    }

    /// One wrong byte in a file with a checksum yields the same puzzles, where it falls on unused
    /// bits, or an error.
    #[test]
    fn a_damaged_file_is_noticed(place in any::<prop::sample::Index>(), change in 1u8..) {
        let text = format!("{HEADER}{}", FORK.repeat(20));
        let mut file = gzip(&text);
        // The ten bytes of gzip's header, its time for one, are not covered.
        let place = 10 + place.index(file.len() - 10);
        file[place] ^= change;
        if let Ok(reader) = PuzzleReader::new("p.csv", Cursor::new(file)) {
            let rows: Vec<String> = reader
                .map(|row| row.map_or_else(|_| "damaged".to_owned(), |puzzle| puzzle.id))
                .collect();
            let noticed = rows.last().is_some_and(|row| row == "damaged");
            prop_assert!(noticed || rows == ["tewjc"; 20], "byte {place}: {rows:?}");
        }
    }
}
