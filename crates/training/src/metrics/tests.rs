use chess::{Color, Game};

use super::*;

#[test]
fn quantiles_are_values_of_the_batch() {
    let spread = Spread::of((0..=100).rev().map(f64::from).collect());
    let expected = Spread {
        minimum: 0.0,
        quantile_10: 10.0,
        quantile_25: 25.0,
        median: 50.0,
        quantile_75: 75.0,
        quantile_90: 90.0,
        maximum: 100.0,
        mean: 50.0,
    };
    assert_eq!(spread, expected);
    let one = Spread::of(vec![0.5]);
    assert_eq!((one.minimum, one.median, one.maximum, one.mean), (0.5, 0.5, 0.5, 0.5));
}

#[test]
fn finished_games_are_counted_by_outcome_and_by_rule() {
    let mut long = Game::new();
    for uci in ["e2e4", "e7e5", "g1f3"] {
        long.play_uci(uci).expect("a legal move");
    }
    let game = |ending: Ending, game: &Game| FinishedGame {
        game: game.clone(),
        opening_plies: 0,
        ending,
        outcome: Some(ending.outcome()),
    };
    let finished = [
        game(Ending::Checkmate { winner: Color::White }, &long),
        game(Ending::Checkmate { winner: Color::Black }, &Game::new()),
        game(Ending::Checkmate { winner: Color::Black }, &Game::new()),
        game(Ending::Stalemate, &Game::new()),
        game(Ending::ThreefoldRepetition, &Game::new()),
        game(Ending::InsufficientMaterial, &Game::new()),
        game(Ending::FiftyMoveRule, &Game::new()),
        game(Ending::PlyCap, &long),
        FinishedGame { outcome: None, ..game(Ending::PlyCap, &long) },
    ];
    let metrics = GameMetrics::of(finished.iter(), [1, 4].into_iter());
    let expected = GameMetrics {
        finished: 9,
        white_wins: 1,
        black_wins: 2,
        draws: 5,
        cut_off: 1,
        checkmate: 3,
        stalemate: 1,
        insufficient_material: 1,
        threefold_repetition: 1,
        fifty_move_rule: 1,
        ply_cap: 2,
        mean_plies: Some(1.0),
        mean_plies_under_way: 2.5,
    };
    assert_eq!(metrics, expected);
    assert_eq!(GameMetrics::of([].into_iter(), [0].into_iter()), GameMetrics::default());
}

#[test]
fn records_of_older_runs_are_read() {
    let check = |text: &str| serde_json::from_str::<LossMetrics>(text).expect(text);
    let older = check("{\"total\": 1.5, \"value\": 0.5}");
    assert_eq!(older, LossMetrics { total: 1.5, value: 0.5, ..LossMetrics::default() });
    let timing: Timing = serde_json::from_str("{\"forward\": 2.0}").expect("JSON");
    assert_eq!(timing, Timing { forward: 2.0, ..Timing::default() });
    let games: GameMetrics = serde_json::from_str("{\"finished\": 2}").expect("JSON");
    assert_eq!(games, GameMetrics { finished: 2, ..GameMetrics::default() });
}

#[test]
fn the_engines_time_is_told_from_the_rest() {
    let mut stopwatch = Stopwatch::start();
    let pause = Duration::from_millis(30);
    assert_eq!(stopwatch.engine(|| std::thread::sleep(pause)), ());
    std::thread::sleep(pause);
    let outside = stopwatch.outside_engine();
    let all = stopwatch.lap();
    assert!(outside >= 0.03 && all - outside >= 0.03, "{outside} of {all}");
}
