use chess::Outcome;
use proptest::prelude::*;

use super::*;

const OUTCOMES: [Outcome; 3] = [Outcome::WhiteWins, Outcome::Draw, Outcome::BlackWins];

/// Games as (White, Black, White's wins, draws, losses).
fn results(games: &[(&str, &str, u64, u64, u64)]) -> Results {
    let mut results = Results::new();
    for &(white, black, wins, draws, losses) in games {
        for (outcome, count) in OUTCOMES.into_iter().zip([wins, draws, losses]) {
            (0..count).for_each(|_| results.add(white, black, outcome).expect("two players"));
        }
    }
    results
}

fn fixed(advantage: f64, draw: f64, prior_draws: f64) -> Settings {
    let (advantage, draw) = (Parameter::Fixed(advantage), Parameter::Fixed(draw));
    Settings { advantage, draw, prior_draws, ..Settings::default() }
}

#[test]
fn two_players_by_hand() {
    // Without advantage, draws and prior the score is the model's: 3/4 is 400 log10(3) apart.
    let games = [("a", "b", 3, 0, 1), ("b", "a", 1, 0, 3)];
    let ratings = rate(&results(&games), &fixed(0.0, 0.0, 0.0)).expect("ratings");
    let [first, second] = ratings.players() else { panic!("two players") };
    assert_eq!((first.name.as_str(), second.name.as_str()), ("a", "b"));
    assert!((first.elo - 200.0 * 3f64.log10()).abs() < 1e-6, "{first:?}");
    assert!((first.elo + second.elo).abs() < 1e-9 && first.opponents_elo == second.elo);
    assert_eq!(first.score, Score { wins: 6, draws: 0, losses: 2 });
    // The information of a game on the difference is p (1 - p) (ln 10 / 400)^2.
    let deviation = 400.0 / std::f64::consts::LN_10 / (8.0f64 * 3.0 / 16.0).sqrt();
    let comparisons = ratings.comparisons().expect("comparisons");
    let Difference { elo, margin } = comparisons.difference(0, 1);
    assert!((elo - 400.0 * 3f64.log10()).abs() < 1e-6);
    assert!((margin - 1.959_963_984_540_054 * deviation).abs() < 1e-6, "{margin}");
    let superiority = normal::below(elo / deviation);
    assert!((comparisons.superiority(0, 1) - superiority).abs() < 1e-9);
    assert!((comparisons.superiority(1, 0) + superiority - 1.0).abs() < 1e-12);
    assert_eq!(comparisons.superiority(0, 0), 0.5);
    assert_eq!(comparisons.difference(1, 1), Difference { elo: 0.0, margin: 0.0 });
    // Of two players each rating is half of the difference.
    let covariance = Settings { intervals: IntervalMethod::Covariance, ..fixed(0.0, 0.0, 0.0) };
    let ratings = rate(&results(&games), &covariance).expect("ratings");
    let first = &ratings.players()[0];
    assert!((first.plus - margin / 2.0).abs() < 1e-6 && first.plus == first.minus);
}

#[test]
fn parameters_are_fitted() {
    // Two equal players; White scores 50 wins, 30 draws, 20 losses, in the model's terms
    // 1/2 = 1 / (1 + 10^((d - a) / 400)) and 1/5 = 1 / (1 + 10^((d + a) / 400)).
    let games = [("a", "b", 50, 30, 20), ("b", "a", 50, 30, 20)];
    let settings =
        Settings { advantage: Parameter::Fitted, draw: Parameter::Fitted, ..fixed(0.0, 0.0, 0.0) };
    let ratings = rate(&results(&games), &settings).expect("ratings");
    let Model { advantage, draw } = ratings.model();
    assert!((advantage - 200.0 * 4f64.log10()).abs() < 1e-5, "{advantage}");
    assert!((draw - 200.0 * 4f64.log10()).abs() < 1e-5, "{draw}");
    assert!(ratings.players().iter().all(|player| player.elo.abs() < 1e-6));
    let [win, even, loss] = ratings.model().probabilities(0.0);
    assert!((win - 0.5).abs() < 1e-6 && (even - 0.3).abs() < 1e-6 && (loss - 0.2).abs() < 1e-6);
}

#[test]
fn one_sided_results_stay_finite() {
    let settings = Settings::default();
    for games in [1, 10, 1_000] {
        let ratings = rate(&results(&[("a", "b", games, 0, 0)]), &settings).expect("ratings");
        let [a, b] = ratings.players() else { panic!("two players") };
        assert!(a.elo > b.elo && a.plus.is_finite() && a.minus.is_finite(), "{a:?}");
        assert!(a.plus > 0.0 && a.minus > 0.0, "{a:?}");
    }
    let error =
        rate(&results(&[("a", "b", 5, 0, 0)]), &fixed(0.0, 0.0, 0.0)).expect_err("infinite");
    assert!(matches!(error, RatingError::NotConverged { .. }), "{error}");
}

#[test]
fn players_that_never_met_are_named() {
    let games =
        [("d", "e", 1, 0, 0), ("a", "b", 1, 0, 0), ("c", "b", 1, 0, 0), ("x", "y", 0, 1, 0)];
    let error = rate(&results(&games), &Settings::default()).expect_err("disconnected");
    assert_eq!(
        error.to_string(),
        "the players fall into 3 groups that never met, and ratings compare only within a group: \
         \"a\", \"b\", \"c\"; \"d\", \"e\"; \"x\", \"y\""
    );
    let many: Vec<(String, String)> =
        (0..9).map(|group| (format!("{group}w"), format!("{group}b"))).collect();
    let many: Vec<(&str, &str, u64, u64, u64)> =
        many.iter().map(|(white, black)| (white.as_str(), black.as_str(), 1, 0, 0)).collect();
    let error = rate(&results(&many), &Settings::default()).expect_err("disconnected").to_string();
    assert!(error.ends_with("\"3b\", \"3w\"; 5 more groups"), "{error}");
}

#[test]
fn what_cannot_be_rated_is_refused() {
    let games = [("a", "b", 3, 1, 1)];
    let check = |settings: Settings, expected: &str| {
        let error = rate(&results(&games), &settings).expect_err(expected);
        assert_eq!(error.to_string(), expected);
    };
    let default = Settings::default;
    check(fixed(0.0, -1.0, 2.0), "the draw parameter cannot be -1");
    check(fixed(f64::NAN, 0.0, 2.0), "the advantage of the first move cannot be NaN");
    check(fixed(0.0, 0.0, -2.0), "the prior cannot be -2");
    check(Settings { confidence: 1.0, ..default() }, "the confidence cannot be 1");
    check(Settings { tolerance: 0.0, ..default() }, "the tolerance cannot be 0");
    let anchor = Anchor::Mean(f64::INFINITY);
    check(Settings { anchor, ..default() }, "the anchor cannot be inf");
    let anchor = Anchor::Player { name: "c".to_owned(), elo: 0.0 };
    check(
        Settings { anchor, ..default() },
        "the ratings cannot be anchored to \"c\", who plays no game",
    );
    let drawn = results(&[("a", "b", 0, 9, 0)]);
    let error = rate(&drawn, &Settings { draw: Parameter::Fitted, ..default() });
    assert_eq!(error.expect_err("only draws"), RatingError::OnlyDraws);
    let both =
        Settings { advantage: Parameter::Fitted, draw: Parameter::Fitted, ..Settings::default() };
    for games in [("a", "b", 3, 1, 0), ("a", "b", 0, 1, 3)] {
        let error = rate(&results(&[games]), &both).expect_err("one colour");
        assert_eq!(error, RatingError::OneColour);
    }
    let error = rate(&Results::new(), &default()).expect_err("no games");
    assert_eq!(error, RatingError::NoGames);
    let error = Results::new().add("a", "a", Outcome::Draw).expect_err("one player");
    assert_eq!(error.to_string(), "\"a\" plays both sides");
}

/// Both of two players have won with both colours, so that all parameters are finite.
const UPSETS: [(usize, usize, Outcome); 4] = [
    (0, 3, Outcome::WhiteWins),
    (0, 3, Outcome::BlackWins),
    (3, 0, Outcome::WhiteWins),
    (3, 0, Outcome::BlackWins),
];

/// Games between six players, all of whom are linked.
fn games() -> impl Strategy<Value = Vec<(usize, usize, Outcome)>> {
    let game = (0..6usize, 1..6usize, prop::sample::select(&OUTCOMES[..]))
        .prop_map(|(white, shift, outcome)| (white, (white + shift) % 6, outcome));
    let linked: Vec<(usize, usize, Outcome)> =
        (0..6).map(|player| (player, (player + 1) % 6, Outcome::Draw)).collect();
    prop::collection::vec(game, 0..60).prop_map(move |games| [games, linked.clone()].concat())
}

fn of_games(games: &[(usize, usize, Outcome)]) -> Results {
    let mut results = Results::new();
    for &(white, black, outcome) in games {
        let name = |player: usize| format!("player {player}");
        results.add(&name(white), &name(black), outcome).expect("two players");
    }
    results
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_order_of_the_games_does_not_matter(
        (games, shuffled) in games().prop_flat_map(|games| {
            (Just(games.clone()), Just(games).prop_shuffle())
        }),
        fitted in any::<bool>(),
    ) {
        let upsets = if fitted { &UPSETS[..] } else { &[] };
        let (games, shuffled) = ([&games, upsets].concat(), [upsets, &shuffled].concat());
        let parameter = |elo| if fitted { Parameter::Fitted } else { Parameter::Fixed(elo) };
        let settings = Settings {
            advantage: parameter(32.8),
            draw: parameter(97.3),
            ..Settings::default()
        };
        let ratings = rate(&of_games(&games), &settings).expect("ratings");
        let again = rate(&of_games(&shuffled), &settings).expect("ratings");
        // The same bits.
        prop_assert_eq!(ratings.players(), again.players());
        prop_assert_eq!(ratings.model(), again.model());
        prop_assert_eq!(
            ratings.comparisons().expect("few players").superiorities(),
            again.comparisons().expect("few players").superiorities()
        );
    }

    #[test]
    fn an_anchor_shifts_all_ratings_alike(games in games(), elo in -4_000.0..4_000.0, at in 0..6usize) {
        let results = of_games(&games);
        let free = rate(&results, &Settings::default()).expect("ratings");
        let name = free.players()[at].name.clone();
        let player = Settings { anchor: Anchor::Player { name, elo }, ..Settings::default() };
        let mean = Settings { anchor: Anchor::Mean(elo), ..Settings::default() };
        for (settings, shift) in [(player, elo - free.players()[at].elo), (mean, elo)] {
            let anchored = rate(&results, &settings).expect("ratings");
            for (before, after) in free.players().iter().zip(anchored.players()) {
                prop_assert_eq!(&before.name, &after.name);
                prop_assert!((before.elo + shift - after.elo).abs() < 1e-9);
                prop_assert!((before.opponents_elo + shift - after.opponents_elo).abs() < 1e-9);
                prop_assert_eq!((before.plus, before.minus), (after.plus, after.minus));
            }
        }
    }

    /// At the maximum the likelihood, which is written here as the model has it, has no slope.
    #[test]
    fn ratings_and_parameters_are_the_most_probable(games in games()) {
        let games = [games, UPSETS.to_vec()].concat();
        let parameter = Parameter::Fitted;
        let settings = Settings { advantage: parameter, draw: parameter, ..Settings::default() };
        let pool = pool::Pool::new(&of_games(&games), settings.prior_draws);
        let fit = fit::fit(&pool, &settings).expect("a fit");
        let likelihood = |elos: &[f64], model: Model| -> f64 {
            let of_player = |(player, opponents): (usize, &Vec<pool::Opponent>)| -> f64 {
                let of_opponent = |opponent: &pool::Opponent| {
                    let counts = opponent.white;
                    let [win, even, loss] =
                        model.probabilities(elos[player] - elos[opponent.player]);
                    counts.white_wins * win.ln()
                        + counts.draws * even.ln()
                        + counts.black_wins * loss.ln()
                };
                opponents.iter().map(of_opponent).sum()
            };
            pool.opponents.iter().enumerate().map(of_player).sum()
        };
        let step = 0.5;
        let slope = |change: &dyn Fn(&mut [f64], &mut Model, f64)| {
            let at = |by: f64| {
                let (mut elos, mut model) = (fit.elos.clone(), fit.model);
                change(&mut elos, &mut model, by);
                likelihood(&elos, model)
            };
            (at(step) - at(-step)) / (2.0 * step)
        };
        for player in 0..6 {
            let slope = slope(&|elos, _, by| elos[player] += by);
            prop_assert!(slope.abs() < 1e-5, "player {}: {}", player, slope);
        }
        let advantage = slope(&|_, model, by| model.advantage += by);
        let draw = slope(&|_, model, by| model.draw += by);
        prop_assert!(advantage.abs() < 1e-5 && draw.abs() < 1e-5, "{} {}", advantage, draw);
    }
}
