use std::collections::BTreeMap;

use super::*;
use crate::varied;

fn number(n: u32) -> NonZeroU32 {
    NonZeroU32::new(n).expect("at least 1")
}

fn play(sampling: Sampling, games: u32, ply_cap: u32, seed: u64) -> SampledPlay<'static> {
    SampledPlay { sampling, games: number(games), ply_cap: number(ply_cap), openings: None, seed }
}

/// The games played, each as its moves, and their ends.
fn games(play: &SampledPlay<'_>, evaluator: &Evaluator) -> (Vec<Vec<String>>, Vec<FinishedGame>) {
    let mut last: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let finished = play.play(evaluator, |visits| {
        for Visit { number, game, evaluation } in visits {
            assert_eq!(evaluation.moves.len(), game.legal_moves().len());
            let moves = game.moves().iter().map(|&mv| game.uci(mv)).collect();
            let before = last.insert(*number, moves).map_or(0, |before| before.len() + 1);
            assert_eq!(game.moves().len(), before, "every position is seen once");
        }
        Ok::<(), EvaluationError>(())
    });
    (last.into_values().collect(), finished.expect("finite"))
}

#[test]
fn games_end_by_the_rules_or_the_cap() {
    let evaluator = varied::evaluator(2, 1.0);
    let (moves, finished) = games(&play(Sampling::Raw, 6, 30, 1), &evaluator);
    assert_eq!((moves.len(), finished.len()), (6, 6));
    for (moves, finished) in moves.iter().zip(&finished) {
        // The last position of a game is not visited: there is nothing to draw.
        assert_eq!(moves.len() as u32 + 1, finished.plies);
        let mut game = Game::new();
        for uci in moves {
            assert_eq!(game.ending(&Rules::default()), None);
            game.play_uci(uci).expect("a legal move");
        }
        assert_eq!(finished.ending == Ending::PlyCap, finished.plies == 30);
    }
    // Random play goes on for longer than this, mostly.
    assert!(finished.iter().filter(|game| game.ending == Ending::PlyCap).count() >= 4);
}

#[test]
fn a_game_is_the_same_whatever_is_played_beside_it() {
    let evaluator = varied::evaluator(1, 3.0);
    for sampling in Sampling::ALL {
        let (few, few_ends) = games(&play(sampling, 3, 12, 9), &evaluator);
        // More than fit side by side.
        let (many, many_ends) = games(&play(sampling, 300, 12, 9), &evaluator);
        assert_eq!(few, many[..3]);
        assert_eq!(few_ends, many_ends[..3]);
        let (other, _) = games(&play(sampling, 3, 12, 10), &evaluator);
        assert_ne!(few, other);
    }
}

#[test]
fn moves_are_drawn_with_their_probabilities() {
    let evaluator = varied::evaluator(1, 2.0);
    let evaluation = evaluator.evaluate(&[Game::new()]).expect("finite").remove(0);
    for sampling in Sampling::ALL {
        let expected = sampling.policy(&evaluation).expect("finite").probabilities();
        let mut counts = vec![0.0; expected.len()];
        let draws = 2_000;
        // The second position shows what was drawn in the first.
        let play = play(sampling, draws, 2, 4);
        play.play(&evaluator, |visits| {
            for visit in visits.iter().filter(|visit| visit.game.ply() == 1) {
                let drawn = visit.game.moves()[0];
                let index = evaluation.moves.iter().position(|(_, mv)| *mv == drawn);
                counts[index.expect("a legal move")] += 1.0;
            }
            Ok::<(), EvaluationError>(())
        })
        .expect("finite");
        let statistic: f64 = counts
            .iter()
            .zip(&expected)
            .map(|(count, p)| (count - p * f64::from(draws)).powi(2) / (p * f64::from(draws)))
            .sum();
        // Chi-squared with 19 degrees of freedom exceeds 43.8 once in a thousand.
        assert!(statistic < 43.8, "{sampling}: {statistic}");
    }
}

#[test]
fn openings_do_not_depend_on_the_player() {
    let book = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n\
                rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\n";
    let epd = OpeningBook::from_reader("book", book.as_bytes()).expect("a book");
    let pgn = "[Event \"?\"]\n\n1. e4 c5 2. Nf3 *\n\n[Event \"?\"]\n\n1. d4 d5 *\n";
    let pgn = OpeningBook::from_reader("book", pgn.as_bytes()).expect("a book");
    for book in [&epd, &pgn] {
        let starts = |sampling, evaluator: &Evaluator| {
            let play = SampledPlay { openings: Some(book), ..play(sampling, 20, 1, 3) };
            let mut starts = Vec::new();
            let finished = play.play(evaluator, |visits| {
                starts.extend(visits.iter().map(|visit| visit.game.fen()));
                Ok::<(), EvaluationError>(())
            });
            let capped = FinishedGame { plies: 1, ending: Ending::PlyCap };
            assert_eq!(finished.expect("finite"), vec![capped; 20]);
            starts
        };
        let first = starts(Sampling::Raw, &varied::evaluator(1, 1.0));
        assert_eq!(first, starts(Sampling::Tempered, &varied::evaluator(2, 5.0)));
        for opening in book.openings() {
            assert!(first.contains(&opening.game().fen()));
        }
    }
}
