//! A network against itself, each opening with both colours, scores exactly one half.

use std::sync::Arc;

use chess::{Game, HistoryFill, Outcome, Rules};
use lc0::NetworkFile;
use lc0::random::{Preset, random_network};
use native::NativeEngine;
use network::{Evaluator, HeadSelection, Network};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::Color;

const RULES: Rules = Rules { ply_cap: Some(160) };

fn player(file: &NetworkFile) -> Evaluator {
    let network = Network::load(file, HeadSelection::default()).unwrap();
    Evaluator::new(Arc::new(NativeEngine::new(network)), HistoryFill::default())
}

/// Games of a few random moves, each twice.
fn paired_openings(pairs: usize) -> Vec<Game> {
    let mut generator = ChaCha8Rng::seed_from_u64(3);
    let opening = |_| {
        let mut game = Game::new();
        for _ in 0..8 {
            let moves = game.legal_moves();
            game.play(moves[generator.random_range(0..moves.len())]).unwrap();
        }
        game
    };
    (0..pairs).map(opening).flat_map(|game| [game.clone(), game]).collect()
}

/// Plays the even games with `first` as White, the odd ones with Black; `first`'s points in each.
///
/// All games in which a player is to move are evaluated at once, so the batches of the two players
/// differ in size and order, and change as games end.
fn play(first: &Evaluator, second: &Evaluator, mut games: Vec<Game>) -> Vec<f64> {
    loop {
        let mut unfinished = 0;
        for (player, is_first) in [(first, true), (second, false)] {
            let to_move: Vec<usize> = (0..games.len())
                .filter(|&index| games[index].ending(&RULES).is_none())
                .filter(|&index| {
                    let white_is_first = index % 2 == 0;
                    (games[index].turn() == Color::White) == (white_is_first == is_first)
                })
                .collect();
            let batch: Vec<&Game> = to_move.iter().map(|&index| &games[index]).collect();
            let evaluations = player.evaluate(&batch).unwrap();
            for (&index, evaluation) in to_move.iter().zip(&evaluations) {
                games[index].play(evaluation.best_move().unwrap()).unwrap();
            }
            unfinished += to_move.len();
        }
        if unfinished == 0 {
            break;
        }
    }
    let points = |(index, game): (usize, &Game)| {
        let white = match game.ending(&RULES).unwrap().outcome() {
            Outcome::WhiteWins => 1.0,
            Outcome::Draw => 0.5,
            Outcome::BlackWins => 0.0,
        };
        if index % 2 == 0 { white } else { 1.0 - white }
    };
    games.iter().enumerate().map(points).collect()
}

#[test]
fn a_network_against_itself_splits_every_pair() {
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let specification = Preset::TinyT82.specification();
    let net = random_network(&specification, &mut generator);
    let file = NetworkFile::new("random", net).unwrap();
    let points = play(&player(&file), &player(&file), paired_openings(20));
    for (pair, points) in points.chunks(2).enumerate() {
        assert_eq!(points[0] + points[1], 1.0, "pair {pair}");
    }
}

#[test]
fn maia_against_itself_splits_every_pair() {
    let Some(path) = fixtures::reference("nets/maia-1100.pb.gz") else { return };
    let file = NetworkFile::read(path).unwrap();
    let points = play(&player(&file), &player(&file), paired_openings(6));
    assert_eq!(points.iter().sum::<f64>(), points.len() as f64 / 2.0);
    assert!(points.chunks(2).all(|pair| pair[0] + pair[1] == 1.0));
    assert!(points.iter().any(|&point| point != 0.5), "some game should be decided");
}
