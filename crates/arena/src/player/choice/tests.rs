use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::*;
use crate::testing::evaluator;

fn game(fen: &str) -> Game {
    Game::from_fen(fen).expect("a position")
}

fn choose(choice: MoveChoice, games: &[&Game], seed: u64) -> Vec<Move> {
    let mut generators: Vec<ChaCha8Rng> = (0..games.len() as u64)
        .map(|stream| {
            let mut generator = ChaCha8Rng::seed_from_u64(seed);
            generator.set_stream(stream);
            generator
        })
        .collect();
    let mut generators: Vec<&mut ChaCha8Rng> = generators.iter_mut().collect();
    choice.choose(&evaluator(3), games, &mut generators, &Rules::default()).expect("moves")
}

#[test]
fn names_are_read_back() {
    let check = |text: &str, choice: MoveChoice| {
        assert_eq!(text.parse(), Ok(choice));
        assert_eq!(choice.to_string(), text);
    };
    let at = |temperature| MoveChoice::Sampled(Temperature::new(temperature).expect("valid"));
    check("argmax", MoveChoice::Argmax);
    check("adaptive", MoveChoice::Adaptive);
    check("value", MoveChoice::ValueLookup);
    check("sampled", at(1.0));
    check("lc0", at(1.359));
    check("0.5", at(0.5));
    for text in ["", "best", "-1", "NaN", "inf"] {
        assert!(text.parse::<MoveChoice>().is_err(), "{text}");
    }
}

#[test]
fn argmax_is_the_networks_best_move() {
    let games = [Game::new(), game("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")];
    let expected: Vec<Move> = evaluator(3)
        .evaluate(&games)
        .expect("evaluations")
        .iter()
        .map(|evaluation| evaluation.best_move().expect("a move"))
        .collect();
    let games: Vec<&Game> = games.iter().collect();
    for seed in 0..3 {
        assert_eq!(choose(MoveChoice::Argmax, &games, seed), expected);
        let cold = MoveChoice::Sampled(Temperature::new(0.0).expect("valid"));
        assert_eq!(choose(cold, &games, seed), expected);
    }
}

#[test]
fn drawn_moves_depend_on_the_games_own_generator_alone() {
    let games: Vec<Game> = (0..20).map(|_| Game::new()).collect();
    let games: Vec<&Game> = games.iter().collect();
    for choice in [MoveChoice::Sampled(Temperature::ONE), MoveChoice::Adaptive] {
        let all = choose(choice, &games, 1);
        assert_eq!(choose(choice, &games[..5], 1), all[..5]);
        assert_ne!(choose(choice, &games, 2), all);
        assert!(all.iter().any(|played| *played != all[0]), "one move only");
    }
}

#[test]
fn a_look_ahead_sees_how_games_end() {
    let check = |fen: &str, expected: &str| {
        let game = game(fen);
        let played = choose(MoveChoice::ValueLookup, &[&game], 0)[0];
        assert_eq!(game.uci(played), expected, "{fen}");
    };
    // A mate is worth more than all that the network may say of other moves.
    check("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8");
    check("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", "a8a1");
}

#[test]
fn a_look_ahead_takes_what_the_opponent_likes_least() {
    let game = Game::new();
    let played = choose(MoveChoice::ValueLookup, &[&game], 0)[0];
    let worth = |mv: Move| {
        let mut after = game.clone();
        after.play(mv).expect("legal");
        1.0 - evaluator(3).evaluate(&[after]).expect("values")[0].wdl().expected_score()
    };
    let best = game.legal_moves().into_iter().map(worth).fold(0.0, f64::max);
    assert_eq!(worth(played), best);
}
