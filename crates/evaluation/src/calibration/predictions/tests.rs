use super::*;
use crate::{scripted, varied};

const GAMES: &str =
    "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n
[White \"B\"]\n[Result \"*\"]\n\n1. d4 d5 *\n
[White \"C\"]\n[Result \"1/2-1/2\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 1/2-1/2\n
[White \"D\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n
[White \"E\"]\n[Result \"0-1\"]\n\n0-1\n
[White \"F\"]\n[FEN \"4k3/8/8/8/8/8/8/4K1R1 w G - 0 1\"]\n\n1. Rg7 1-0\n
[White \"G\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

fn sampling(per_game: u32) -> PositionSampling {
    let per_game = NonZeroU32::new(per_game).expect("at least 1");
    PositionSampling { per_game, skip: 0, seed: 1, limit: None }
}

fn reader(text: &'static str) -> PgnReader {
    PgnReader::new("games.pgn", text.as_bytes()).expect("readable")
}

fn outcomes(found: &Predictions) -> Vec<(u64, f64)> {
    found.predictions.iter().map(|made| (made.game, made.score())).collect()
}

#[test]
fn outcomes_are_those_of_the_side_to_move() {
    let evaluator = scripted::evaluator(&[]);
    let mut seen = Vec::new();
    let found = predict(&evaluator, reader(GAMES), sampling(100), |done| seen.push(done));
    let found = found.expect("finite");
    let game = |number, scores: &[f64]| scores.iter().map(|&s| (number, s)).collect::<Vec<_>>();
    let expected = [
        // White is to move in every second position, and in the last is mated nobody: the position
        // after the last move is left out.
        game(0, &[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]),
        game(2, &[0.5; 4]),
        game(6, &[0.0, 1.0, 0.0, 1.0]),
    ];
    assert_eq!(outcomes(&found), expected.concat());
    assert_eq!((found.games, seen.as_slice()), (3, &[7][..]));
    let skipped: Vec<_> = found
        .skipped
        .by_reason()
        .iter()
        .map(|(reason, games)| (*reason, games.count, games.first_lines.clone()))
        .collect();
    let expected = [
        ("Chess960", 1, vec![26]),
        ("no result", 1, vec![6]),
        ("too short", 1, vec![21]),
        ("unreadable", 1, vec![19]),
    ];
    assert_eq!(skipped, expected);
    assert_eq!(found.skipped.count(), 4);
    let example = &found.skipped.by_reason()["unreadable"].example;
    assert!(example.contains("Ke3"), "{example}");
}

#[test]
fn what_is_said_is_said_of_the_position_with_its_history() {
    let evaluator = varied::evaluator(1, 2.0);
    let found = predict(&evaluator, reader(GAMES), sampling(100), |_| ()).expect("finite");
    let mut game = Game::new();
    for (made, uci) in found.predictions[7..11].iter().zip(["g1f3", "g8f6", "f3g1", "f6g8"]) {
        let said = evaluator.evaluate(&[&game]).expect("finite").remove(0).value;
        assert_eq!(made.predicted, said);
        game.play_uci(uci).expect("a legal move");
    }
}

#[test]
fn positions_are_drawn_without_replacement_behind_the_skipped() {
    let evaluator = varied::evaluator(1, 2.0);
    let predict = |sampling| predict(&evaluator, reader(GAMES), sampling, |_| ()).expect("finite");
    let all = predict(sampling(100));
    let contains = |made: &Prediction| all.predictions.contains(made);
    let mut drawn = Vec::new();
    for seed in 0..40 {
        let found = predict(PositionSampling { seed, ..sampling(2) });
        assert_eq!(found.predictions.len(), 6);
        assert!(found.predictions.iter().all(contains));
        assert!(found.predictions.chunks(2).all(|pair| pair[0] != pair[1]));
        drawn.extend(found.predictions);
    }
    // Every position has its turn.
    assert!(all.predictions.iter().all(|made| drawn.contains(made)));

    let late = predict(PositionSampling { skip: 5, ..sampling(100) });
    assert_eq!(late.predictions, all.predictions[5..7]);
    assert_eq!(late.skipped.by_reason()["too short"].count, 3);

    let limited = predict(PositionSampling { limit: Some(2), ..sampling(100) });
    assert_eq!((limited.games, limited.skipped.count()), (1, 1));
    assert_eq!(limited.predictions, all.predictions[..7]);
}

/// What is drawn from a game does not depend on the games around it that cannot be read, nor on
/// how games fall into blocks.
#[test]
fn a_long_file_is_measured_in_blocks() {
    let evaluator = varied::evaluator(1, 2.0);
    let many: String =
        (0..200).map(|_| "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n").collect();
    let reader = PgnReader::new("games.pgn", std::io::Cursor::new(many)).expect("readable");
    let mut seen = Vec::new();
    let found = predict(&evaluator, reader, sampling(5), |done| seen.push(done)).expect("finite");
    assert_eq!((found.games, found.predictions.len()), (200, 1_000));
    assert!(seen.len() > 1 && seen.last() == Some(&200), "{seen:?}");
    assert!(found.predictions.is_sorted_by_key(|made| made.game));
}

#[test]
fn a_damaged_file_is_refused() {
    let mut compressed = zstd::encode_all(GAMES.as_bytes(), 1).expect("compressed");
    compressed.truncate(compressed.len() - 8);
    let reader = PgnReader::new("games.pgn.zst", std::io::Cursor::new(compressed));
    let found = predict(&scripted::evaluator(&[]), reader.expect("a start"), sampling(1), |_| ());
    let error = found.expect_err("damaged").to_string();
    assert!(error.starts_with("games.pgn.zst, line "), "{error}");
    assert!(error.ends_with("the file is not measured"), "{error}");
}
