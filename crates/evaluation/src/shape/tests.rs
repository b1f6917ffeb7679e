use std::num::NonZeroU32;

use chess::{Ending, Game};

use super::*;
use crate::{Sampling, scripted, varied};

fn play(sampling: Sampling, games: u32, ply_cap: u32) -> SampledPlay<'static> {
    let number = |n| NonZeroU32::new(n).expect("at least 1");
    let (games, ply_cap) = (number(games), number(ply_cap));
    SampledPlay { sampling, games, ply_cap, openings: None, seed: 1 }
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
}

/// One position, in which the base has a favourite and the player is undecided.
#[test]
fn hand_computed_in_one_position() {
    let base = scripted::evaluator(&[(Game::new(), "e2e4")]);
    let player = scripted::evaluator(&[]);
    let weight = 1f64.exp();
    let (favourite, other) = (weight / (weight + 19.0), 1.0 / (weight + 19.0));
    for sampling in Sampling::ALL {
        let found = shape(&base, &player, &play(sampling, 4, 1), |_| ()).expect("finite");
        assert_eq!(found.positions, 4);
        for shape in [found.played, found.raw] {
            close(shape.entropy.mean, 20f64.ln());
            let forward = favourite * (20.0 * favourite).ln() + 19.0 * other * (20.0 * other).ln();
            close(shape.forward_kl.mean, forward);
            close(shape.median_forward_kl, forward);
            let reverse = -((20.0 * favourite).ln() + 19.0 * (20.0 * other).ln()) / 20.0;
            close(shape.reverse_kl.mean, reverse);
            close(shape.top_five.mean, 0.25);
            // All games are the same position.
            close(shape.entropy.standard_error, 0.0);
        }
        close(found.temperature.mean, 3f64.ln());
        assert!(found.games.iter().all(|game| game.ending == Ending::PlyCap && game.plies == 1));
    }
    // The other way round: the player has the favourite, tempered by ln 3 where that is played.
    for (sampling, temperature) in [(Sampling::Raw, 1.0), (Sampling::Tempered, 3f64.ln())] {
        let found = shape(&player, &base, &play(sampling, 4, 1), |_| ()).expect("finite");
        let weight = (1.0 / temperature).exp();
        let (favourite, other) = (weight / (weight + 19.0), 1.0 / (weight + 19.0));
        let entropy = -favourite * favourite.ln() - 19.0 * other * other.ln();
        close(found.played.entropy.mean, entropy);
        close(found.played.reverse_kl.mean, 20f64.ln() - entropy);
        // The base's top five are the five lowest indices, as all are equally probable; e2e4 is
        // none of them.
        close(found.played.top_five.mean, 5.0 * other);
    }
}

#[test]
fn the_base_does_not_differ_from_itself() {
    let base = varied::evaluator(1, 3.0);
    // Once as the same engine, once as another that says the same.
    for player in [base.clone(), varied::evaluator(1, 3.0)] {
        let mut seen = 0;
        let found = shape(&base, &player, &play(Sampling::Tempered, 5, 20), |positions| {
            seen = positions;
        });
        let found = found.expect("finite");
        assert_eq!(found.positions, seen);
        assert_eq!(
            found.positions,
            found.games.iter().map(|game| u64::from(game.plies)).sum::<u64>()
        );
        let zero = Estimate { mean: 0.0, standard_error: 0.0 };
        assert_eq!((found.raw.forward_kl, found.raw.reverse_kl), (zero, zero));
        assert!(found.played.forward_kl.mean > 0.0 && found.played.reverse_kl.mean > 0.0);
        let raw = shape(&base, &player, &play(Sampling::Raw, 5, 20), |_| ()).expect("finite");
        assert_eq!(raw.played, raw.raw);
    }
}

/// All from the visits of the same games, one position at a time.
#[test]
fn means_over_the_positions_of_the_games() {
    let (base, player) = (varied::evaluator(1, 2.0), varied::evaluator(2, 4.0));
    let play = play(Sampling::Tempered, 7, 15);
    let found = shape(&base, &player, &play, |_| ()).expect("finite");
    let (mut forward, mut top_five, mut temperatures) = (Vec::new(), Vec::new(), Vec::new());
    play.play(&player, |visits| {
        for visit in visits {
            let base = base.evaluate(&[visit.game])?.remove(0).policy(Temperature::ONE);
            let base = base.expect("finite").probabilities();
            let tau = visit.evaluation.wdl().entropy();
            let played = visit.evaluation.policy(Temperature::new(tau).expect("an entropy"));
            let played = played.expect("finite").probabilities();
            let terms = base.iter().zip(&played).map(|(base, played)| base * (base / played).ln());
            forward.push(terms.sum::<f64>());
            let mut order: Vec<usize> = (0..base.len()).collect();
            order.sort_by(|&a, &b| base[b].total_cmp(&base[a]));
            top_five.push(order.iter().take(5).map(|&index| played[index]).sum::<f64>());
            temperatures.push(tau);
        }
        Ok::<(), EvaluationError>(())
    })
    .expect("finite");
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    assert_eq!(found.positions, forward.len() as u64);
    assert!((found.played.forward_kl.mean - mean(&forward)).abs() < 1e-9 * mean(&forward));
    assert!((found.played.top_five.mean - mean(&top_five)).abs() < 1e-9);
    assert!((found.temperature.mean - mean(&temperatures)).abs() < 1e-12);
    forward.sort_by(f64::total_cmp);
    let middle = f64::midpoint(forward[(forward.len() - 1) / 2], forward[forward.len() / 2]);
    assert!((found.played.median_forward_kl - middle).abs() < 1e-9 * middle);
    assert!(found.played.entropy.standard_error > 0.0);
}

#[test]
fn threads_do_not_matter() {
    let (base, player) = (varied::evaluator(1, 2.0), varied::evaluator(2, 4.0));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| shape(&base, &player, &play(Sampling::Raw, 5, 10), |_| ()))
    };
    assert_eq!(on(1).expect("finite"), on(3).expect("finite"));
}

/// Networks whose input format turns the board name moves by other indices, in another order.
#[test]
fn moves_are_compared_whatever_their_order() {
    let game = Game::from_fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1").expect("a position");
    let evaluate =
        |seed| varied::evaluator(seed, 3.0).evaluate(&[&game]).expect("finite").remove(0);
    let (base, player) = (evaluate(1), evaluate(2));
    let mut turned = player.clone();
    turned.moves.reverse();
    turned.logits.reverse();
    assert_eq!(logits_in_order_of(&base, &player), player.logits);
    assert_eq!(logits_in_order_of(&base, &turned), player.logits);
}

#[test]
fn medians() {
    let check = |values: &[f64], expected: f64| assert_eq!(median(values.iter()), expected);
    check(&[3.0], 3.0);
    check(&[4.0, 1.0], 2.5);
    check(&[9.0, 1.0, 2.0], 2.0);
    check(&[1.0, f64::INFINITY, 2.0], 2.0);
}
