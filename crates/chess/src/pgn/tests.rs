mod damaged;
mod writing;

use std::io::Cursor;

use super::*;

const BLACK_TO_MOVE: &str = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 3 30";
const SHUFFLED: &str = "nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRQN w KQkq - 0 1";

fn games(text: impl Into<Vec<u8>>) -> Vec<Result<PgnGame, PgnError>> {
    PgnReader::new("file", Cursor::new(text.into())).expect("readable").collect()
}

fn headers(text: impl Into<Vec<u8>>) -> Vec<Result<PgnHeader, PgnError>> {
    PgnHeaderReader::new("file", Cursor::new(text.into())).expect("readable").collect()
}

/// A game in a line: where it begins, its moves and its result, or what is wrong.
fn described(game: &Result<PgnGame, PgnError>) -> String {
    match game {
        Err(error) => error.to_string(),
        Ok(game) => {
            let whole = game.game();
            let moves: Vec<String> = game.moves.iter().map(|&played| whole.uci(played)).collect();
            let result = game.result.map_or("*".to_owned(), |result| result.to_string());
            let open = if game.terminated { "" } else { " open" };
            format!("{}: {} {result}{open}", game.line, moves.join(" "))
        }
    }
}

/// Reads `text` in each of the forms in which it may be stored.
fn check(text: &str, expected: &[&str]) {
    for text in [text.to_owned(), text.replace('\n', "\r\n"), format!("\u{feff}{text}")] {
        let found: Vec<String> = games(text.clone()).iter().map(described).collect();
        assert_eq!(found, expected, "{text:?}");
    }
}

#[test]
fn what_stands_between_moves_is_passed_over() {
    let italian = |text: &str| check(text, &["1: e2e4 e7e5 g1f3 b8c6 f1c4 1-0"]);
    italian("1. e4 e5 2. Nf3 Nc6 3. Bc4 1-0");
    italian("1.e4 e5 2.Nf3\nNc6\n3.\nBc4\n1-0\n");
    italian("e4 e5 Nf3 Nc6 Bc4 1-0");
    italian("1. e4! $1 $146 {a (comment\n\n% over) lines} e5 !? 2. Nf3 ?! Nc6 3. Bc4?? 1-0");
    italian("1. e4 (1. d4 {)} d5 (1... Nf6 2. c4 0-1) 2. c4) e5 (1... c5 *) 2. Nf3 Nc6 3. Bc4 1-0");
    italian("1. e4 ; (no variation {\n1... e5 2. Nf3\n% 2... d6\nNc6 3. Bc4{x}1-0\n{White} {won}");
    italian("1. e4\n\n1... e5 2. Nf3\n\n\n{so} 2... Nc6\n\n3. Bc4 \n\n1-0");
    check("{before}\n; and before\n1. e4 *", &["3: e2e4 *"]);
    check("; nothing\n\n{else}\n% here", &[]);
    check("", &[]);
}

#[test]
fn moves_are_read_in_the_spellings_that_occur() {
    let castled = "1: e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1 e8g8 * open";
    for castling in ["O-O O-O", "0-0 4... 0-0", "O-O! 0-0!?"] {
        check(&format!("1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. {castling}"), &[castled]);
    }
    let long = "1: d2d4 d7d5 c1f4 c8f5 b1c3 b8c6 d1d2 d8d7 e1c1 e8c8 * open";
    for castling in ["O-O-O O-O-O", "0-0-0 0-0-0"] {
        let text = format!("1. d4 d5 2. Bf4 Bf5 3. Nc3 Nc6 4. Qd2 Qd7 5. {castling}");
        check(&text, &[long]);
    }
    let passing = "1: e2e4 a7a6 e4e5 d7d5 e5d6 * open";
    for capture in ["exd6", "exd6 e.p.", "exd6e.p.", "exd6!"] {
        check(&format!("1. e4 a6 2. e5 d5 3. {capture}"), &[passing]);
    }
    let mate = "1: e2e4 e7e5 d1h5 e8e7 h5e5 1-0";
    for check_mark in ["#", "+", "++", ""] {
        check(&format!("1. e4 e5 2. Qh5 Ke7 3. Qxe5{check_mark} 1-0"), &[mate]);
    }
    let fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    for promotion in ["a8=Q", "a8Q", "a8=Q+", "a8Q+"] {
        check(&format!("[FEN \"{fen}\"]\n\n1. {promotion} *"), &["1: a7a8q *"]);
    }
}

#[test]
fn games_end_where_another_begins() {
    check(
        "1. e4 1-0 1. d4 0-1\n1. c4 1/2 1. f4 *",
        &["1: e2e4 1-0", "1: d2d4 0-1", "2: c2c4 1/2-1/2", "2: f2f4 *"],
    );
    check(
        "[A \"a\"]\n1. e4\n[B \"b\"]\n\n1. d4 (1. c4)\n[C \"c\"] [D \"d\"]\n\n1. g4 [E \"e\"] *",
        &["1: e2e4 * open", "3: d2d4 * open", "6: g2g4 * open", "8:  *"],
    );
    check(
        "1. e4\n\n1. d4\n\n1 c4 e5",
        &["1: e2e4 * open", "3: d2d4 * open", "5: c2c4 e7e5 * open"],
    );
    check(
        "[A \"a\"]\n\n[B \"b\"]\n\n[A \"c\"]\n[A \"d\"]\n[Event \"e\"]\n[Event \"f\"]\n",
        &["1:  * open", "5:  * open", "8:  * open"],
    );
    check("[A \"a\"]\n[B \"b\"]\n\n\n*\n", &["1:  *"]);
    check("[A \"a\"]", &["1:  * open"]);
}

#[test]
fn the_marker_goes_before_the_result_tag() {
    let check = |tag: &str, marker: &str, expected: Option<Outcome>| {
        let text = format!("{tag}\n\n1. e4 {marker}");
        let game = games(text.clone()).remove(0).expect("a game");
        let header = headers(text.clone()).remove(0).expect("a game");
        assert_eq!((game.result, game.terminated), (expected, !marker.is_empty()), "{text:?}");
        let PgnGame { line, tags, result, terminated, .. } = game;
        assert_eq!(header, PgnHeader { line, tags, result, terminated }, "{text:?}");
    };
    check("[Result \"1-0\"]", "1-0", Some(Outcome::WhiteWins));
    check("[Result \"1-0\"]", "0-1", Some(Outcome::BlackWins));
    check("[Result \"1-0\"]", "*", None);
    check("[Result \"1-0\"]", "", Some(Outcome::WhiteWins));
    check("[Result \"1/2-1/2\"]", "", Some(Outcome::Draw));
    check("[Result \"*\"]", "", None);
    check("[Result \"won\"]", "", None);
    check("[Result \"1-0\"] [Result \"0-1\"]", "", Some(Outcome::BlackWins));
    check("", "", None);
}

#[test]
fn tags_are_kept_in_order() {
    let check = |text: &str, expected: &[(&str, &str)]| {
        let game = games(text).remove(0).expect(text);
        let tags: Vec<(&str, &str)> =
            game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(tags, expected, "{text:?}");
    };
    check("[White \"a\"]\n[Black \"\"]\n*", &[("White", "a"), ("Black", "")]);
    check(
        "[White \"a] \\\"b\\\" \\\\\"]  [ Black  \"c\" ] 1. e4",
        &[("White", "a] \"b\" \\"), ("Black", "c")],
    );
    // Quotation marks without backslashes.
    check("[Event \"the \"Big\" one\"]\n*", &[("Event", "the \"Big\" one")]);
    check("[White \"Müller\"]", &[("White", "Müller")]);
    let game = games("[Round \"1\"]\n[Round \"2\"]").remove(0).expect("a game");
    assert_eq!((game.tag("Round"), game.tag("White")), (Some("2"), None));
    // ISO 8859-1, so that two names do not become one.
    let latin: &[u8] = b"[White \"M\xfcller\"]\n[Black \"M\xf6ller\"]\n\n1. e4 {\xfc} *\n";
    let game = games(latin).remove(0).expect("a game");
    assert_eq!((game.tag("White"), game.tag("Black")), (Some("Müller"), Some("Möller")));
}

#[test]
fn games_begin_at_their_fen() {
    let check = |tags: &str, moves: &str, start: &str, expected: &str| {
        let text = format!("{tags}\n\n{moves}");
        let game = games(text.clone()).remove(0).expect(&text);
        assert_eq!(game.start.start_fen(), start);
        assert_eq!(game.start.ply(), 0);
        let whole = game.game();
        let played: Vec<String> = whole.moves().iter().map(|&played| whole.uci(played)).collect();
        assert_eq!(played.join(" "), expected);
    };
    check(
        &format!("[SetUp \"1\"]\n[FEN \"{BLACK_TO_MOVE}\"]\n[Variant \"From Position\"]"),
        "30... Rxb2 31. Rxb2",
        BLACK_TO_MOVE,
        "b3b2 d2b2",
    );
    check(
        &format!("[FEN \"{SHUFFLED}\"]\n[Variant \"Chess960\"]"),
        "1. f4 f5",
        SHUFFLED,
        "f2f4 f7f5",
    );
    check("[Variant \"Standard\"]", "1. f4", &Game::new().start_fen(), "f2f4");
}
