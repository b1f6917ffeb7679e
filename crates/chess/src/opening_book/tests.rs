use std::io::{Cursor, Write};

use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use zip::write::SimpleFileOptions;

use super::*;
use crate::Color;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const BLACK_TO_MOVE: &str = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - -";

fn book(text: impl Into<Vec<u8>>) -> Result<OpeningBook, OpeningBookError> {
    OpeningBook::from_reader("book", Cursor::new(text.into()))
}

/// Start, moves in UCI, and line of each opening.
fn contents(book: &OpeningBook) -> Vec<(String, String, u64)> {
    let describe = |opening: &Opening| {
        let game = opening.game();
        let moves: Vec<String> = game.moves().iter().map(|&played| game.uci(played)).collect();
        (game.start_fen(), moves.join(" "), opening.line())
    };
    book.openings().iter().map(describe).collect()
}

fn check(text: &str, expected: &[(&str, &str, u64)]) {
    for text in [text.to_owned(), text.replace('\n', "\r\n"), format!("\u{feff}{text}")] {
        let found = contents(&book(text.clone()).expect(&text));
        let expected: Vec<(String, String, u64)> = expected
            .iter()
            .map(|&(start, moves, line)| (start.to_owned(), moves.to_owned(), line))
            .collect();
        assert_eq!(found, expected, "{text:?}");
    }
}

#[test]
fn epd_gives_positions_without_history() {
    let black = format!("{BLACK_TO_MOVE} 0 1");
    check(BLACK_TO_MOVE, &[(&black, "", 1)]);
    check(
        &format!("# a comment\n\n  {START}  \n{BLACK_TO_MOVE}\n"),
        &[(START, "", 3), (&black, "", 4)],
    );
    // Operations, of which only the clocks count, and only outside of quotation marks.
    check(&format!("{BLACK_TO_MOVE} bm Rxb2; id \"WAC; hmvc 9\";"), &[(&black, "", 1)]);
    let clocks = format!("{BLACK_TO_MOVE} 7 42");
    check(&format!("{BLACK_TO_MOVE} hmvc 7; fmvn 42;"), &[(&clocks, "", 1)]);
    check(&format!("{clocks} id \"x\";"), &[(&clocks, "", 1)]);
    check(&format!("{BLACK_TO_MOVE} 7"), &[(&format!("{BLACK_TO_MOVE} 7 1"), "", 1)]);

    let game = book(BLACK_TO_MOVE).expect("a book").openings()[0].game();
    assert_eq!((game.turn(), game.ply()), (Color::Black, 0));
}

#[test]
fn pgn_gives_main_lines() {
    let italian = "e2e4 e7e5 g1f3 b8c6 f1c4";
    check("1. e4 e5 2. Nf3 Nc6 3. Bc4 *", &[(START, italian, 1)]);
    check("1.e4 e5 2.Nf3\nNc6 3.Bc4", &[(START, italian, 1)]);
    check(
        "[Event \"a \\\"b\\\" ]\"] [Site \"?\"]\n\n1. e4! $1 {a (comment) over\n\ntwo lines} e5 (1... c5 {; 2. x}\n\
         (1... e6) 2. Nf3) 2. Nf3 ; and 2. f4\n% 2. Nc3\nNc6?! 3... 3. Bc4+-\n"
            .replace("+-", "")
            .as_str(),
        &[(START, italian, 1)],
    );
    // Games end with a result, a tag, or a blank line behind their moves.
    check(
        "[White \"a\"]\n\n1. e4 1-0\n1. d4 0-1 1. c4 1/2-1/2\n[White \"b\"]\n\n1. f4\n[White \"c\"]\n\n1. g4\n\n1. h4",
        &[
            (START, "e2e4", 1),
            (START, "d2d4", 4),
            (START, "c2c4", 4),
            (START, "f2f4", 5),
            (START, "g2g4", 8),
            (START, "h2h4", 12),
        ],
    );
    check("[White \"a\"]\n\n*", &[(START, "", 1)]);
    let castled = "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1 e8g8";
    for castling in ["O-O O-O", "0-0 4... 0-0"] {
        let text = format!("1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. {castling}");
        check(&text, &[(START, castled, 1)]);
    }
    let black = format!("{BLACK_TO_MOVE} 3 30");
    check(
        &format!(
            "[SetUp \"1\"]\n[FEN \"{black}\"]\n[Variant \"From Position\"]\n\n30... Rxb2 31. Rxb2 *"
        ),
        &[(&black, "b3b2 d2b2", 1)],
    );
    // A castling right as Chess960 has it.
    let shuffled = "nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRQN w KQkq - 0 1";
    let text = format!("[FEN \"{shuffled}\"]\n[Variant \"Chess960\"]\n\n1. f4 f5");
    check(&text, &[(shuffled, "f2f4 f7f5", 1)]);
    // Names in other encodings than UTF-8.
    let latin: &[u8] = b"[White \"M\xfcller\"]\n\n1. e4 {\xfc} *\n";
    assert_eq!(contents(&book(latin).expect("a book"))[0].1, "e2e4");
}

#[test]
fn what_is_no_opening_is_refused_with_its_line() {
    let check = |text: &str, expected: &str| {
        let error = book(text).expect_err(text).to_string();
        assert_eq!(error, format!("book{expected}"), "{text:?}");
    };
    check("", ": holds no opening, expected EPD or PGN");
    check("\n \n", ": holds no opening, expected EPD or PGN");
    check(
        &format!("{START}\n8/8/8/8/8/8/8/8 w - - 0 1"),
        ", line 2: FEN \"8/8/8/8/8/8/8/8 w - - 0 1\": impossible position: the board is empty, a \
         king is missing",
    );
    check(
        &format!("{START}\n1. e4"),
        ", line 2: FEN \"1. e4\": expected board, side, castling, en passant and at most two clocks, \
         found 2 fields",
    );
    check(
        &format!("{BLACK_TO_MOVE} hmvc many;"),
        ", line 1: expected a number after hmvc, found \"many\"",
    );
    check(
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        ", line 1: the opening ends the game: draw by stalemate",
    );
    check("1. f3 e5\n2. g4 Qh4#", ", line 1: the opening ends the game: Black gives checkmate");
    check(
        "[White \"a\"]\n\n1. e4 e5\n2. Ke3 *",
        ", line 4: the move Ke3 is not legal in \
         \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"",
    );
    check(
        "1. d4 d5 2. Nf3 Nf6\n3. Nd2",
        ", line 2: the move Nd2 is ambiguous in \
         \"rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - 2 3\"",
    );
    // Nothing is passed over, so that no opening gets shorter in silence.
    check("1. e4 e5\n\n1. e4 Zz9", ", line 3: \"Zz9\" is not a move");
    check(
        "1. e4 e5 2. --",
        ", line 1: the move -- is not legal in \
         \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"",
    );
    check("PuzzleId,FEN,Moves\n", ", line 1: \"PuzzleId,FEN,Moves\" is not a move");
    check("[White \"a]\n\n1. e4", ", line 1: not a tag, expected [Name \"value\"]");
    check("[White a]", ", line 1: not a tag, expected [Name \"value\"]");
    check(
        "[Variant \"Atomic\"]\n\n1. e4",
        ", line 1: a game of the variant Atomic, expected chess",
    );
    check("1. e4\n{ never\nclosed", ", line 2: the comment that begins here is not closed");
    check("1. e4\n(1. d4\n\n1. c4", ", line 2: the variation that begins here is not closed");
    check("1. e4 )", ", line 1: a closing bracket without an opening one");
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(251);
    check(&shuffle, ", line 1: more than 1000 half-moves");
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_directory("folder/", SimpleFileOptions::default()).expect("a folder");
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).expect("a file");
        writer.write_all(bytes).expect("written");
    }
    writer.finish().expect("an archive").into_inner()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(bytes).expect("written");
    writer.finish().expect("compressed")
}

#[test]
fn compression_is_told_by_the_contents() {
    let plain = BLACK_TO_MOVE.as_bytes();
    let expected = contents(&book(plain).expect("a book"));
    let zstandard = zstd::encode_all(plain, 1).expect("compressed");
    for bytes in [gzipped(plain), zstandard, zipped(&[("a.epd", plain)])] {
        let book = book(bytes.clone()).expect("a book");
        assert_eq!(contents(&book), expected);
        let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!((book.name(), book.sha256()), ("book", sum.as_str()));
        // Cut anywhere it is refused, not half read.
        for length in [5, bytes.len() / 2, bytes.len() - 1] {
            assert!(self::book(&bytes[..length]).is_err(), "{length} bytes");
        }
    }
    let check = |files: &[(&str, &[u8])], expected: &str| {
        let error = book(zipped(files)).expect_err("no book").to_string();
        assert_eq!(error, format!("book: the archive holds {expected} files, expected one"));
    };
    check(&[], "0");
    check(&[("a.epd", plain), ("b.epd", plain)], "2");
}

#[test]
fn a_book_larger_than_any_is_refused() {
    // A few hundred kilobytes that claim to be far more.
    let zeros = std::io::repeat(b' ').take(LARGEST_BOOK + 1);
    let bomb = zstd::encode_all(zeros, 1).expect("compressed");
    assert!(bomb.len() < 1 << 20);
    let error = book(bomb).expect_err("no book").to_string();
    assert_eq!(error, "book: larger than 268435456 bytes, compressed or not");
}

#[test]
fn a_missing_file_is_named() {
    let error = OpeningBook::read(Path::new("no/such.epd")).expect_err("no file").to_string();
    assert!(error.starts_with("no/such.epd: "), "{error}");
}

#[test]
fn every_opening_is_drawn_equally_often() {
    let book = book("1. e4 *\n1. d4 *\n1. c4 *\n1. f4 *\n").expect("a book");
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let mut drawn = [0; 4];
    for _ in 0..4_000 {
        drawn[book.sample(&mut generator).line() as usize - 1] += 1;
    }
    // 1,000 expected, standard deviation 27.
    assert!(drawn.iter().all(|count| (890..1_110).contains(count)), "{drawn:?}");
}

#[test]
fn published_books_are_read_whole() {
    let Some(folder) = fixtures::reference("openings") else { return };
    for (file, openings, plies) in
        [("8moves_v3.pgn.zip", 34_700, 16), ("UHO_4060_v4.epd.zip", 241_670, 0)]
    {
        let book = OpeningBook::read(&folder.join(file)).expect(file);
        assert_eq!(book.openings().len(), openings, "{file}");
        assert!(book.openings().iter().all(|opening| opening.moves().len() == plies), "{file}");
    }
}

proptest! {
    #[test]
    fn no_text_is_fatal(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "1. e4", "e5", "\n", "\n\n", "{", "}", "(", ")", ";", "*", "[", "]", "\"", "\\", "[A \"b\"]",
                "%", "0-0", "$9", "..", "é", "\0", BLACK_TO_MOVE, "8/8", " ", "12.", "#", "hmvc 3;",
            ]),
            0..30,
        ),
    ) {
        let _ = book(pieces.concat());
    }

    #[test]
    fn no_bytes_are_fatal(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for start in [&b""[..], b"PK\x03\x04", b"\x1f\x8b", b"\x28\xb5\x2f\xfd"] {
            let _ = book([start, &bytes].concat());
        }
    }
}
