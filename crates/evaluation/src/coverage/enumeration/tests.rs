use super::*;
use crate::coverage::Tabiya;
use crate::{scripted, varied};

fn depth(moves: u32) -> NonZeroU32 {
    NonZeroU32::new(moves).expect("at least 1")
}

fn after_moves(moves: &str) -> Game {
    let mut game = Game::new();
    moves.split(' ').for_each(|uci| game.play_uci(uci).expect("a legal move"));
    game
}

/// The probabilities of all sequences, found one game at a time.
fn one_by_one(evaluator: &Evaluator, game: &Game, depth: u32, sampling: Sampling) -> Vec<f64> {
    if depth == 0 || ending(game).is_some() {
        return vec![1.0];
    }
    let evaluation = evaluator.evaluate(&[game]).expect("finite").remove(0);
    let policy = sampling.policy(&evaluation).expect("finite");
    let mut found = Vec::new();
    for (index, &(_, mv)) in evaluation.moves.iter().enumerate() {
        let rest = one_by_one(evaluator, &after(game, mv), depth - 1, sampling);
        found.extend(rest.iter().map(|p| policy.probability(index) * p));
    }
    found
}

#[test]
fn counts() {
    let check = |game: &Game, moves: u32, sequences: u64, ended_early: u64, positions: u64| {
        let expected = SequenceCount { sequences, ended_early, positions };
        assert_eq!(count(game, depth(moves)).expect("few"), expected, "{} {moves}", game.fen());
    };
    // As an independent program counts them.
    let start = Game::new();
    check(&start, 1, 20, 0, 1);
    check(&start, 2, 400, 0, 21);
    check(&start, 3, 8_902, 0, 421);
    // Fool's mate takes all four moves, so it is no shorter than the others.
    check(&start, 4, 197_281, 0, 9_323);
    check(&Tabiya::RuyLopez.game(), 3, 25_126, 0, 871);
    check(&Tabiya::NajdorfEnglishAttack.game(), 3, 40_895, 0, 1_399);
    check(&Tabiya::QgdTartakower.game(), 3, 46_313, 0, 1_246);
    let fen = |fen: &str| Game::from_fen(fen).expect("a position");
    // Ra8 mates.
    check(&fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"), 3, 1_999, 1, 136);
    // The hundredth ply without capture or pawn move.
    check(&fen("8/8/8/8/8/k7/4p3/6K1 w - - 99 80"), 2, 4, 4, 1);
    // The initial position for the third time, if the game's past is known.
    let repeated = after_moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    check(&repeated, 2, 419, 1, 22);
    check(&fen(&repeated.fen()), 2, 438, 0, 23);
}

#[test]
fn what_cannot_be_enumerated_is_refused() {
    let check = |game: &Game, moves: u32, expected: &str| {
        let error = count(game, depth(moves)).expect_err("refused").to_string();
        assert_eq!(error, expected);
        let error = enumerate(&scripted::evaluator(&[]), game, depth(moves), |_| ());
        assert_eq!(error.expect_err("refused").to_string(), expected);
    };
    let mated = after_moves("f2f3 e7e5 g2g4 d8h4");
    check(
        &mated,
        4,
        "there are no moves from \"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\": \
         the game is over (Black gives checkmate)",
    );
    let many = "more than 16777216 sequences of 40 moves; choose a smaller depth";
    check(&Game::new(), 40, many);
}

#[test]
fn sequences_and_their_probabilities_are_those_found_one_by_one() {
    let check = |start: &Game, moves: u32| {
        let evaluator = varied::evaluator(3, 4.0);
        let found = enumerate(&evaluator, start, depth(moves), |_| ()).expect("a distribution");
        for sampling in Sampling::ALL {
            let expected = one_by_one(&evaluator, start, moves, sampling);
            assert_eq!(found.count.sequences, expected.len() as u64);
            let logs = expected.iter().map(|p| p.ln()).collect();
            let expected = SequenceDistribution::new(logs, Vec::new()).expect("a distribution");
            let found = found.distribution(sampling);
            assert_eq!(found.sequence_count(), expected.sequence_count());
            assert!((found.entropy() - expected.entropy()).abs() < 1e-12);
            for draws in [1, 7, 100, 10_000] {
                let difference = found.coverage(draws) - expected.coverage(draws);
                assert!(difference.abs() < 1e-12, "{sampling} {draws}: {difference}");
            }
            assert_eq!(found.draws_to_cover(0.95), expected.draws_to_cover(0.95));
            assert_eq!(found.smallest_set(0.95), expected.smallest_set(0.95));
        }
    };
    check(&Game::new(), 2);
    check(&after_moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"), 2);
    // More than one block at depths 2 and 3, some of the sequences shorter.
    check(&Game::from_fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1").expect("a position"), 4);
}

#[test]
fn the_whole_tree_from_the_initial_position() {
    let mut seen = Vec::new();
    let evaluator = scripted::evaluator(&[]);
    let found = enumerate(&evaluator, &Game::new(), depth(4), |positions| seen.push(positions))
        .expect("a distribution");
    let count = SequenceCount { sequences: 197_281, ended_early: 0, positions: 9_323 };
    assert_eq!(found.count, count);
    assert!(seen.is_sorted() && seen.last() == Some(&9_323));
    for sampling in Sampling::ALL {
        // Every move is as likely as every other, at any temperature.
        let found = found.distribution(sampling);
        assert_eq!(found.sequence_count(), 197_281);
        assert!(found.entropy() > 12.1 && found.entropy() < 197_281f64.ln(), "{}", found.entropy());
        assert!(found.smallest_set(0.95) > 180_000 && found.smallest_set(0.95) < 190_000);
    }
}

#[test]
fn the_most_probable_sequence() {
    // Logit 1 for each of these moves, 0 for all others.
    let line = ["e2e4", "e7e5", "g1f3"];
    let mut game = Game::new();
    let mut choices = Vec::new();
    for uci in line {
        choices.push((game.clone(), uci));
        game.play_uci(uci).expect("a legal move");
    }
    let evaluator = scripted::evaluator(&choices);
    let found = enumerate(&evaluator, &Game::new(), depth(3), |_| ()).expect("a distribution");
    let favourite = |others: f64, temperature: f64| {
        let weight = (1.0 / temperature).exp();
        weight / (weight + others)
    };
    // All outcomes are equally likely.
    for (sampling, temperature) in [(Sampling::Raw, 1.0), (Sampling::Tempered, 3f64.ln())] {
        let found = found.distribution(sampling);
        assert_eq!(found.likeliest(), game.moves());
        let expected = favourite(19.0, temperature).powi(2) * favourite(28.0, temperature);
        assert!((found.largest_probability() - expected).abs() < 1e-12, "{sampling}");
    }
    // With history: the same position after other moves is another one to the network.
    let start = after_moves("e2e4 e7e5");
    let found = enumerate(&evaluator, &start, depth(1), |_| ()).expect("a distribution");
    assert_eq!(found.raw.likeliest(), &game.moves()[2..]);
}
