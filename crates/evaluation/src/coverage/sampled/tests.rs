use super::*;
use crate::coverage::{Tabiya, enumerate};
use crate::{scripted, varied};

fn number(n: u32) -> NonZeroU32 {
    NonZeroU32::new(n).expect("at least 1")
}

/// Draws and enumeration agree within what chance explains, at seeds that are fixed. The spread of
/// the logits makes the distribution from flat to nearly certain.
#[test]
fn draws_agree_with_the_enumeration() {
    let mut deviations = Vec::new();
    let mut check = |start: &Game, moves: u32, spread: f32, seed: u64| {
        let evaluator = varied::evaluator(seed, spread);
        let exact = enumerate(&evaluator, start, number(moves), |_| ()).expect("a distribution");
        for sampling in Sampling::ALL {
            let drawn = sample(&evaluator, start, number(moves), sampling, number(60), seed)
                .expect("finite");
            let exact = exact.distribution(sampling);
            let expected = exact.coverage(drawn.draws);
            for (estimate, exact) in [(drawn.coverage, expected), (drawn.entropy, exact.entropy())]
            {
                let deviation = (estimate.mean - exact) / estimate.standard_error;
                assert!(deviation.abs() < 4.0, "{sampling} {seed}: {estimate:?}, exact {exact}");
                deviations.push(deviation);
            }
        }
    };
    let mate = Game::from_fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1").expect("a position");
    for seed in 0..4 {
        check(&Game::new(), 2, 2.0, seed);
        check(&Tabiya::QgdTartakower.game(), 1, 4.0, seed);
        // Some sequences end early.
        check(&mate, 3, 1.0, seed);
    }
    // Standard errors that are far too large would pass the above.
    let squares: f64 = deviations.iter().map(|deviation| deviation * deviation).sum();
    let mean_square = squares / deviations.len() as f64;
    assert!((0.5..2.0).contains(&mean_square), "{mean_square}");
}

#[test]
fn a_certain_line_is_drawn_without_error() {
    // King a8 has one move, and then there is mate: all draws are the same sequence.
    let start = Game::from_fen("k7/8/K7/8/8/8/8/7R b - - 0 1").expect("a position");
    let drawn = sample(&scripted::evaluator(&[]), &start, number(1), Sampling::Raw, number(3), 1)
        .expect("finite");
    let certain = |mean| Estimate { mean, standard_error: 0.0 };
    let expected =
        SampledCoverage { draws: 3, coverage: certain(1.0), entropy: certain(0.0), positions: 1 };
    assert_eq!(drawn, expected);
}

#[test]
fn the_seed_alone_decides() {
    let evaluator = varied::evaluator(1, 3.0);
    let draw = |seed, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let start = Tabiya::RuyLopez.game();
        pool.install(|| sample(&evaluator, &start, number(2), Sampling::Tempered, number(5), seed))
            .expect("finite")
    };
    assert_eq!(draw(1, 1), draw(1, 3));
    assert_ne!(draw(1, 1), draw(2, 1));
}

#[test]
fn a_game_that_is_over_is_refused() {
    let start = Game::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").expect("a position");
    let drawn = sample(&scripted::evaluator(&[]), &start, number(1), Sampling::Raw, number(1), 1);
    let error = drawn.expect_err("stalemate").to_string();
    assert!(error.contains("the game is over (draw by stalemate)"), "{error}");
}
