use super::*;

fn played(mut game: Game, line: &str) -> Game {
    for uci in line.split_whitespace() {
        game.play_uci(uci).expect("a legal move");
    }
    game
}

fn window(depth: u32, lines: &[&str]) -> OpeningDiversity {
    let mut window = OpeningWindow::new(depth);
    for line in lines {
        let game = played(Game::new(), line);
        for plies in 0..=game.ply() {
            window.observe(&game.up_to(plies), 0);
        }
    }
    window.diversity()
}

#[test]
fn rows_by_hand() {
    let check = |depth, lines: &[&str], games, distinct, entropy: f64| {
        let diversity = window(depth, lines);
        assert_eq!((diversity.games, diversity.distinct), (games, distinct), "{lines:?}");
        assert!((diversity.entropy - entropy).abs() < 1e-12, "{lines:?}: {diversity:?}");
        assert!(diversity.entropy.is_sign_positive());
    };
    let ln2 = 2f64.ln();
    check(1, &[], 0, 0, 0.0);
    check(1, &["e2e4", "e2e4 e7e5"], 2, 1, 0.0);
    check(1, &["e2e4", "d2d4"], 2, 2, ln2);
    check(1, &["e2e4", "d2d4", "e2e4 c7c5", "c2c4"], 4, 3, 1.5 * ln2);
    // Only games that got so far count, and only their first plies.
    check(2, &["e2e4", "e2e4 e7e5 g1f3", "e2e4 e7e5 f2f4", "e2e4 c7c5"], 3, 2, {
        -(2.0 / 3.0 * (2.0f64 / 3.0).ln() + 1.0 / 3.0 * (1.0f64 / 3.0).ln())
    });
    // The same position by another order of moves is another sequence.
    check(3, &["e2e4 e7e5 g1f3", "g1f3 e7e5 e2e4"], 2, 2, ln2);
}

#[test]
fn old_games_leave_the_window() {
    let mut window = OpeningWindow::new(1);
    let (old, new) = (played(Game::new(), "a2a4"), played(Game::new(), "h2h4"));
    window.observe(&old, 0);
    for _ in 0..OPENING_WINDOW - 1 {
        window.observe(&new, 0);
    }
    assert_eq!((window.diversity().games, window.diversity().distinct), (OPENING_WINDOW, 2));
    window.observe(&new, 0);
    let expected = OpeningDiversity { games: OPENING_WINDOW, distinct: 1, entropy: 0.0 };
    assert_eq!(window.diversity(), expected);
    assert_eq!((window.recent.len(), window.counts.len()), (OPENING_WINDOW, 1));
}

#[test]
fn a_record_gives_the_same_windows() {
    let mut openings = Openings::new();
    for line in ["e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6", "d2d4 d7d5", "e2e4 c7c5 g1f3 d7d6"] {
        let mut game = Game::new();
        for uci in line.split_whitespace() {
            game.play_uci(uci).expect("a legal move");
            openings.observe(&game, 0);
        }
    }
    let record = openings.record();
    assert_eq!(record.first_move, ["e2e4", "d2d4", "e2e4"]);
    assert_eq!(record.eight_plies, ["e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6"]);
    // A start position of a book goes with its move.
    let fen = "k7/8/8/8/8/8/7R/K7 w - - 0 1";
    openings.observe(&played(Game::from_fen(fen).expect("a position"), "a1b1"), 0);
    let record_of_book = openings.record();
    assert_eq!(record_of_book.first_move[3], format!("{fen} a1b1"));
    let restored = Openings::from_record(record_of_book.clone()).expect("a record");
    assert_eq!(restored.record(), record_of_book);
    assert_eq!(restored.metrics(), openings.metrics());

    let restored = Openings::from_record(record.clone()).expect("a record");
    assert_eq!(restored.record(), record);
}

#[test]
fn records_of_no_windows_are_refused() {
    let check = |record: OpeningsRecord, expected: &str| {
        let error = Openings::from_record(record).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    };
    let many = vec!["e2e4".to_owned(); OPENING_WINDOW + 1];
    check(OpeningsRecord { first_move: many, ..OpeningsRecord::default() }, "1001 openings");
    let short = vec!["e2e4 e7e5".to_owned()];
    check(OpeningsRecord { four_plies: short, ..OpeningsRecord::default() }, "\"e2e4 e7e5\"");
}

#[test]
fn what_a_book_gave_is_not_counted_but_told_apart() {
    let fen = |text: &str| Game::from_fen(text).expect("a position");
    let mut window = OpeningWindow::new(1);
    let mut check = |game: Game, opening_plies, expected: (usize, usize)| {
        window.observe(&game, opening_plies);
        let diversity = window.diversity();
        assert_eq!((diversity.games, diversity.distinct), expected, "{game:?}");
    };
    // Moves of the opening alone are no game's first move.
    check(played(Game::new(), "e2e4"), 1, (0, 0));
    check(played(Game::new(), "e2e4 e7e5"), 1, (1, 1));
    check(played(Game::new(), "e2e4 e7e5"), 1, (2, 1));
    check(played(Game::new(), "d2d4 e7e5"), 1, (3, 2));
    // The same move from two positions of an EPD file.
    check(played(fen("k7/8/8/8/8/8/7R/K7 w - - 0 1"), "a1b1"), 0, (4, 3));
    check(played(fen("k7/8/8/8/8/8/6R1/K7 w - - 0 1"), "a1b1"), 0, (5, 4));
}
