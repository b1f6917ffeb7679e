//! Files that nobody should have written.

use std::io::Read;

use flate2::Compression;
use proptest::prelude::*;

use super::*;

#[test]
fn a_game_that_cannot_be_read_is_named_and_the_next_one_follows() {
    let check = |text: &str, expected: &str| {
        let (before, after) = ("[A \"a\"]\n\n1. e4 *\n\n", "\n[Event \"b\"]\n\n1. d4 1-0\n");
        let lines = before.matches('\n').count() + text.matches('\n').count() + 2;
        let expected = format!("file, line {expected}");
        let last = format!("{lines}: d2d4 1-0");
        super::check(&[before, text, after].concat(), &["1: e2e4 *", &expected, &last]);
    };
    check("1. e4 Zz9 2. d4 1-0", "5: \"Zz9\" is not a move");
    check(
        "1. e4\n2. Nd6 (1. c4)",
        "6: the move Nd6 is not legal in \
         \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"",
    );
    check(
        "1. d4 d5 2. Nf3 Nf6\n3. Nd2",
        "6: the move Nd2 is ambiguous in \
         \"rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - 2 3\"",
    );
    check(
        "1. e4 --",
        "5: the move -- is not legal in \
         \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"",
    );
    check("This file has games.\n\nPlease enjoy.", "5: \"This\" is not a move");
    check("1. e4\0 e5", "5: \"e4\0\" is not a move");
    check("1. e4 e", "5: \"e\" is not a move");
    check("1. e4 1/2-", "5: \"1/2-\" is not a move");
    check("1. e4 }", "5: \"}\" is not a move");
    check("1. e4 [%clk 1]", "5: \"[%clk\" is not a move");
    check("1. e4\n{ never\n\nclosed", "6: the comment that begins here is not closed");
    check("1. e4\n(1. d4\n(1. c4) ", "6: the variation that begins here is not closed");
    check("1. e4 )", "5: a closing bracket without an opening one");
    check("[White \"a]\n\n1. e4 *", "5: not a tag, expected [Name \"value\"]");
    check("[White a]\n[Black \"b\"]\n\n1. e4 *", "5: not a tag, expected [Name \"value\"]");
    check("[Variant \"Atomic\"]\n\n1. e4", "5: a game of the variant Atomic, expected chess");
    check(
        "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4",
        "5: FEN \"8/8/8/8/8/8/8/8 w - - 0 1\": impossible position: the board is empty, a king is \
         missing",
    );
    let word = "x".repeat(60);
    check(&format!("1. {word}"), &format!("5: \"{}...\" is not a move", &word[..40]));
}

#[test]
fn headers_are_read_without_looking_at_moves() {
    let text =
        "[FEN \"none\"]\n\n1. Zz9 {0-1} (1-0) 1/2-1/2\n[Variant \"Atomic\"]\n\n1. e4 1-0 1. x 0-1";
    let found: Vec<String> = headers(text)
        .iter()
        .map(|header| match header {
            Ok(header) => format!("{}: {:?}", header.line, header.result),
            Err(error) => error.to_string(),
        })
        .collect();
    assert_eq!(
        found,
        [
            "1: Some(Draw)",
            "file, line 4: a game of the variant Atomic, expected chess",
            "6: Some(BlackWins)",
        ]
    );
}

#[test]
fn sizes_are_limited() {
    let check = |text: String, expected: &str| {
        let text = format!("{text}\n*\n[White \"a\"]\n\n1. e4 *\n");
        let found: Vec<String> = games(text).iter().map(described).collect();
        assert_eq!(found[0], expected);
        assert!(found.len() == 2 && found[1].ends_with(": e2e4 *"), "{found:?}");
    };
    check(
        format!("{{{}}} 1. d4", "x".repeat(LONGEST_LINE)),
        "file, line 1: a line of more than 4194304 bytes",
    );
    check(
        format!("[White \"{}\"]", "x".repeat(16 << 10)),
        "file, line 1: a tag of more than 16384 bytes",
    );
    check("[A \"\"]\n".repeat(1_025), "file, line 1025: more than 1024 tags");
    check("Nf3 Nf6\nNg1 Ng8\n".repeat(5_001), "file, line 10001: more than 20000 half-moves");
}

#[test]
fn compressed_files_are_read_and_their_damage_is_noticed() {
    let text = "[White \"a\"]\n\n1. e4 e5 1-0\n\n".repeat(2_000);
    let gzip = {
        let mut source = flate2::read::GzEncoder::new(text.as_bytes(), Compression::fast());
        let mut bytes = Vec::new();
        source.read_to_end(&mut bytes).expect("compressed");
        bytes
    };
    let zstandard = zstd::encode_all(text.as_bytes(), 1).expect("compressed");
    for bytes in [gzip, zstandard] {
        let whole = games(bytes.clone());
        assert!(whole.len() == 2_000 && whole.iter().all(Result::is_ok));
        let cut = games(&bytes[..bytes.len() / 2]);
        let (last, before) = cut.split_last().expect("an error");
        assert!(matches!(last, Err(PgnError::Read { .. })), "{last:?}");
        assert!(before.iter().all(Result::is_ok));
    }
}

#[test]
fn a_missing_file_is_named() {
    let error = PgnReader::open(Path::new("no/such.pgn")).err().expect("no file").to_string();
    assert!(error.starts_with("no/such.pgn: cannot be opened: "), "{error}");
}

proptest! {
    #[test]
    fn no_text_is_fatal(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "1. e4", "e5", "\n", "\n\n", "{", "}", "(", ")", ";", "*", "[", "]", "\"", "\\",
                "[Event \"b\"]", "%", "0-0", "$9", "..", "é", "\0", "1-0", "[FEN \"", BLACK_TO_MOVE,
                " ", "12.", "\r", "\u{a0}", "1", "-",
            ]),
            0..40,
        ),
    ) {
        let text = pieces.concat();
        let lines = text.matches('\n').count() as u64 + 1;
        for game in games(text.clone()) {
            let line = match game {
                Ok(game) => game.line,
                Err(PgnError::Game { line, .. }) => line,
                Err(error) => panic!("{error}"),
            };
            prop_assert!((1..=lines).contains(&line));
        }
        prop_assert!(headers(text).len() <= pieces.len());
    }

    #[test]
    fn no_bytes_are_fatal(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for start in [&b""[..], b"[A \"", b"1. e4 {", b"\x1f\x8b", b"\x28\xb5\x2f\xfd"] {
            let bytes = [start, &bytes].concat();
            if let Ok(reader) = PgnReader::new("file", Cursor::new(bytes)) {
                prop_assert!(reader.count() <= 301);
            }
        }
    }
}
