use std::io::Cursor;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::config::PlyCapOutcome;
use crate::step::Trainer;
use crate::testing::{LinearEngine, config};

const BLACK_TO_MOVE: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

fn materials(text: &str) -> Materials {
    let book = OpeningBook::from_reader("book.pgn", Cursor::new(text.to_owned())).expect("a book");
    Materials { opening_book: Some(Arc::new(book)), ..Materials::default() }
}

/// Settings that name a book.
fn with_book(config: FinetuneConfig) -> FinetuneConfig {
    let book = OpeningBookConfig { file: "book.pgn".to_owned(), sha256: None };
    FinetuneConfig { opening_book: Some(book), ..config }
}

fn trainer(config: FinetuneConfig, text: &str) -> Result<Trainer, TrainingError> {
    let engine = LinearEngine::new(5);
    let theta = Box::new(engine.clone());
    Trainer::with_materials(config, theta, Arc::new(engine), &materials(text))
}

fn starts(trainer: &Trainer) -> Vec<String> {
    let start = |live: &crate::self_play::LiveGame| live.game.up_to(live.opening_plies).fen();
    trainer.games().games().iter().map(start).collect()
}

#[test]
fn games_and_those_after_them_draw_their_openings() {
    let text = "1. e4 *\n1. d4 d5 *\n1. c4 c5 2. b3 *\n1. f4 *\n";
    // Every game is over after its first own moves, at the latest its fourth.
    let settings =
        || with_book(FinetuneConfig { games: 40, warm_start_moves: 0, ply_cap: 4, ..config() });
    let mut trainer = trainer(settings(), text).expect("a book");
    let first = starts(&trainer);
    let mut counts = std::collections::HashMap::new();
    let mut games = 0;
    for _ in 0..60 {
        games += trainer.step().expect("a step").games.finished;
        for start in starts(&trainer) {
            *counts.entry(start).or_insert(0) += 1;
        }
    }
    assert!(games > 500, "{games}");
    assert_eq!(counts.len(), 4, "{counts:?}");
    // An opening's moves are part of the game, but no moves of self-play.
    let metrics = trainer.step().expect("a step");
    let mean = metrics.games.mean_plies.expect("games end at every step");
    assert_eq!(mean, 4.0);
    assert!(metrics.openings.first_move.games > 500 && metrics.openings.four_plies.games == 0);
    // By the game's own generator: the same with other games beside it, another with another seed.
    let again = |config| starts(&self::trainer(config, text).expect("a book"));
    assert_eq!(again(settings()), first);
    assert_eq!(again(FinetuneConfig { games: 7, ..settings() }), first[..7]);
    assert_ne!(again(FinetuneConfig { seed: 4, ..settings() }), first);
}

#[test]
fn a_position_has_no_history_and_either_side_to_move() {
    let settings =
        with_book(FinetuneConfig { games: 4, warm_start_moves: 0, ply_cap: 1, ..config() });
    let mut trainer = trainer(settings, BLACK_TO_MOVE).expect("a book");
    for live in trainer.games().games() {
        assert_eq!((live.game.start_fen().as_str(), live.game.ply()), (BLACK_TO_MOVE, 0));
    }
    let metrics = trainer.step().expect("a step");
    assert_eq!((metrics.games.ply_cap, metrics.openings.first_move.games), (4, 4));
}

#[test]
fn games_are_played_ahead_from_their_openings() {
    let settings = with_book(FinetuneConfig { games: 30, warm_start_moves: 3, ..config() });
    let mut trainer = trainer(settings, "1. e4 *\n1. d4 d5 *\n").expect("a book");
    let drawn: Vec<(u32, u32)> = trainer
        .games()
        .games()
        .iter()
        .map(|live| (live.opening_plies, live.warm_start_plies))
        .collect();
    while trainer.play_warm_start_ply().expect("a ply") {}
    for (live, (opening, ahead)) in trainer.games().games().iter().zip(drawn) {
        assert_eq!(live.game.ply(), opening + ahead);
    }
}

#[test]
fn the_initial_position_takes_nothing_from_the_generator() {
    let mut generator = ChaCha8Rng::seed_from_u64(3);
    let before = generator.clone();
    assert_eq!(Start::Initial.draw(&mut generator).ply(), 0);
    assert_eq!(generator, before);
}

#[test]
fn openings_that_end_a_game_or_cannot_be_shown_are_refused_before_the_first_step() {
    let check = |config: FinetuneConfig, text: &str, expected: &str| {
        let error = trainer(with_book(config), text).err().expect(text).to_string();
        assert!(error.starts_with("book.pgn, line ") && error.contains(expected), "{error}");
    };
    for ply_cap_outcome in [PlyCapOutcome::Draw, PlyCapOutcome::Bootstrap] {
        let capped = FinetuneConfig { ply_cap: 3, ply_cap_outcome, ..config() };
        check(
            capped,
            "1. e4 *\n1. d4 d5 2. c4 *\n1. d4 d5 2. c4 e6 *\n",
            "line 2: no game can begin here: draw by the cap on the game's length",
        );
    }
    // The test's network has the input format that knows standard castling only.
    let shuffled = "nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRQN w KQkq - 0 1";
    check(config(), shuffled, "line 1: no game can begin here: ");
}

#[test]
fn a_book_is_given_where_one_is_named_and_nowhere_else() {
    assert!(matches!(trainer(config(), "1. e4"), Err(TrainingError::OpeningBook)));
    let engine = LinearEngine::new(5);
    let without = Trainer::new(with_book(config()), Box::new(engine.clone()), Arc::new(engine));
    assert!(matches!(without, Err(TrainingError::OpeningBook)));
}

#[test]
fn another_book_is_recognised_by_its_sum() {
    let book = |text: &str| materials(text).opening_book.expect("a book");
    let mut settings = OpeningBookConfig { file: "book.pgn".to_owned(), sha256: None };
    settings.pin(&book("1. e4")).expect("no sum yet");
    assert_eq!(settings.sha256.as_deref(), Some(book("1. e4").sha256()));
    settings.pin(&book("1. e4")).expect("the same book");
    let error = settings.pin(&book("1. d4")).expect_err("another book").to_string();
    assert!(error.starts_with("book.pgn has the SHA-256 "), "{error}");
}
