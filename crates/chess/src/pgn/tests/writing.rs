use proptest::prelude::*;

use super::*;

fn written(tags: &[(&str, &str)], game: &Game, result: Option<Outcome>) -> String {
    let mut bytes = Vec::new();
    write_game(&mut bytes, tags, game, result).expect("written");
    String::from_utf8(bytes).expect("text")
}

fn played(start: &str, moves: &[&str]) -> Game {
    let mut game = Game::from_fen(start).expect(start);
    moves.iter().for_each(|uci| game.play_uci(uci).expect(uci));
    game
}

#[test]
fn games_are_written_in_the_export_format() {
    let mut game = Game::new();
    for uci in ["e2e4", "e7e5", "d1h5", "e8e7", "h5e5"] {
        game.play_uci(uci).expect(uci);
    }
    let tags = [
        ("Termination", "normal"),
        ("Black", "b \"c\" \\"),
        ("Round", "1.2"),
        ("White", "a\nb"),
        ("Result", "0-1"),
    ];
    assert_eq!(
        written(&tags, &game, Some(Outcome::WhiteWins)),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"1.2\"]\n[White \"a b\"]\n\
         [Black \"b \\\"c\\\" \\\\\"]\n[Result \"1-0\"]\n[Termination \"normal\"]\n\n\
         1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n"
    );
    let fen = written(&[], &played(BLACK_TO_MOVE, &["b3b2", "d2b2"]), None);
    let expected = format!(
        "[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"{BLACK_TO_MOVE}\"]\n\n30... Rxb2 31. Rxb2 *\n\n"
    );
    assert!(fen.ends_with(&expected), "{fen}");
    assert!(written(&[], &played(SHUFFLED, &[]), None).contains("[Variant \"Chess960\"]\n\n*\n"));
}

#[test]
fn lines_of_moves_stay_under_eighty_columns() {
    let mut game = Game::new();
    for _ in 0..40 {
        ["g1f3", "g8f6", "f3g1", "f6g8"].iter().for_each(|uci| game.play_uci(uci).expect(uci));
    }
    let text = written(&[], &game, None);
    let (_, moves) = text.split_once("\n\n").expect("moves");
    let lengths: Vec<usize> = moves.trim_end().lines().map(str::len).collect();
    let (_, full) = lengths.split_last().expect("lines");
    // No word has more than five characters, so that none would have fitted in.
    assert!(full.len() > 10 && full.iter().all(|length| (74..80).contains(length)), "{lengths:?}");
}

#[test]
fn a_tag_needs_a_name() {
    for name in ["", "a b", "a\"", "é"] {
        let error = write_game(&mut Vec::new(), &[(name, "")], &Game::new(), None);
        assert_eq!(error.expect_err(name).kind(), std::io::ErrorKind::InvalidInput, "{name:?}");
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        choices in prop::collection::vec(any::<u16>(), 0..120),
        start in prop::sample::select(vec![
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            BLACK_TO_MOVE,
            SHUFFLED,
            "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
            "1n2b1n1/7k/8/Q7/8/8/6P1/Q3KQ2 w - - 12 40",
        ]),
        result in prop::sample::select(vec![
            None,
            Some(Outcome::WhiteWins),
            Some(Outcome::Draw),
            Some(Outcome::BlackWins),
        ]),
        white in "[^\\p{C}]{0,20}",
        comment in "[^\\p{C}]{0,20}",
    ) {
        let mut game = Game::from_fen(start).expect(start);
        for choice in choices {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[usize::from(choice) % moves.len()]).expect("legal");
        }
        let text = written(&[("White", &white), ("Annotator", &comment)], &game, result).repeat(2);
        for read in games(text.clone()) {
            let read = read.expect(&text);
            prop_assert_eq!(read.start.start_fen(), game.start_fen());
            prop_assert_eq!(&read.moves[..], game.moves());
            prop_assert_eq!((read.result, read.terminated), (result, true));
            prop_assert_eq!(read.tag("White"), Some(white.as_str()));
            prop_assert_eq!(read.tag("Annotator"), Some(comment.as_str()));
        }
        prop_assert_eq!(games(text).len(), 2);
    }
}
