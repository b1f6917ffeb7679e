use chess::{Game, Planes};
use uci_engine::{Bound, Score, Search, Variation};

use super::*;
use crate::supervised::sample_of;

fn game(fen: &str, moves: &[&str]) -> Game {
    let mut game = if fen.is_empty() { Game::new() } else { Game::from_fen(fen).expect("legal") };
    moves.iter().for_each(|uci| game.play_uci(uci).expect("a legal move"));
    game
}

/// A target over the first and the last legal move, which may be the same.
fn target(game: &Game) -> SearchTarget {
    let legal = game.legal_moves();
    let variation = |first, score| Variation {
        first,
        score: Score::Centipawns(score),
        bound: Bound::Exact,
        wdl: Some([200, 700, 100]),
        depth: 1,
    };
    let mut variations = vec![variation(legal[legal.len() - 1], 40), variation(legal[0], 10)];
    variations.truncate(legal.len());
    let best = variations[0].first;
    let search = Search { best, variations, nodes: Some(500), settled: None };
    SearchTarget::of(&search, 0.05).expect("a target")
}

#[test]
fn a_record_is_read_back_as_the_position() {
    let check = |fen: &str, moves: &[&str]| {
        for format in InputFormat::ALL {
            let position = LabelPosition::from(game(fen, moves));
            let target = target(&position.game);
            let record = record_of(&position, &target, format).expect("standard chess");
            let bytes = record.to_bytes();
            let record = TrainingRecord::from_bytes(&bytes).expect("a good record");
            let sample = sample_of(&record, format, 0.0).expect("the same format");
            let encoded = EncodedPosition::new(&position.game, format, HistoryFill::FenOnly)
                .expect("standard chess");
            // The sample has a value for each plane, of which those without squares say nothing.
            let dense = |planes: &Planes| {
                let mut values = Box::new([0.0; Planes::LEN]);
                planes.write_by_plane(&mut values);
                values
            };
            assert_eq!(dense(&sample.planes), dense(&encoded.planes), "{fen} {moves:?} {format:?}");
            let legal: Vec<_> = encoded.moves.iter().map(|(index, _)| *index).collect();
            assert_eq!(sample.moves, legal);
            for (found, expected) in
                sample.policy.probabilities().iter().zip(target.over(&encoded.moves))
            {
                assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
            }
            let value = sample.value.expect("a value").probabilities();
            for (found, expected) in value.iter().zip([0.2, 0.7, 0.1]) {
                assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
            }
        }
    };
    check("", &[]);
    check("", &["e2e4"]);
    check("", &["e2e4", "c7c5", "g1f3", "d7d6", "f1b5"]);
    check("", &["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6"]);
    check("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 30", &["a8b8"]);
    check("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 30", &["h1h8", "e8e7"]);
    // Without pawns and castling rights canonical formats turn the board in every way.
    for king in ["a1", "b3", "d7", "e5", "h8", "c2", "f6"] {
        let squares = "8/8/8/8/8/8/8/8";
        let mut rows: Vec<Vec<char>> = squares.split('/').map(|_| vec!['1'; 8]).collect();
        let (file, rank) = (king.as_bytes()[0] - b'a', king.as_bytes()[1] - b'1');
        rows[7 - usize::from(rank)][usize::from(file)] = 'K';
        let far = if file < 4 { 7 } else { 0 };
        rows[if rank < 4 { 0 } else { 7 }][far] = 'k';
        rows[4][if far == 7 { 6 } else { 1 }] = 'R';
        let board: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
        check(&format!("{} w - - 7 60", board.join("/")), &[]);
        check(&format!("{} b - - 7 60", board.join("/")), &[]);
    }
    check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", &[]);
    check("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 2", &["d7d5"]);
}

#[test]
fn what_is_known_of_the_game_is_recorded() {
    let mut position = LabelPosition::from(game("", &["e2e4"]));
    let target = target(&position.game);
    let format = InputFormat::Classical112;
    let record = record_of(&position, &target, format).expect("standard chess");
    assert_eq!((record.result.q, record.result.d), (0.1, 0.7));
    assert_eq!(record.played_index, record.best_index);
    assert_eq!((record.visits, record.plies_left), (500, 0.0));
    assert!(record.original.q.is_nan());

    position.result = Some(Wdl::new(0.0, 0.0, 1.0).expect("a loss"));
    position.plies_left = Some(33);
    position.played = Some(position.game.parse_uci("c7c5").expect("legal"));
    let record = record_of(&position, &target, format).expect("standard chess");
    assert_eq!((record.result.q, record.result.d), (-1.0, 0.0));
    assert_eq!((record.plies_left, record.best.m), (33.0, 33.0));
    assert_ne!(record.played_index, record.best_index);
}
