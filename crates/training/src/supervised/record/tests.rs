use std::collections::BTreeSet;

use chess::{Color, Game, HistoryFill};
use lc0::training_data::{ChunkFiles, MOVES};
use network::EncodedPosition;

use super::*;

/// A record of the position, the visits spread over the legal moves in falling shares.
fn record(game: &Game, format: InputFormat) -> TrainingRecord {
    let position = EncodedPosition::new(game, format, HistoryFill::FenOnly).expect("expressible");
    let mut probabilities = Box::new([-1.0; MOVES]);
    let total: usize = (1..=position.moves.len()).sum();
    for (rank, (index, _)) in position.moves.iter().enumerate() {
        probabilities[index.get()] = (rank + 1) as f32 / total as f32;
    }
    let masks = &position.planes.masks;
    let classical = format == InputFormat::Classical112;
    let rights = |plane: usize, shift: u32| match classical {
        true => u8::from(masks[plane] != 0),
        false => (masks[plane] >> shift) as u8,
    };
    let them = if classical { 2 } else { 0 };
    let canonical = format.is_canonical();
    let black = game.turn() == Color::Black;
    TrainingRecord {
        input_format: format.id(),
        probabilities,
        planes: masks[..REST].try_into().expect("104 planes"),
        castling: [
            [rights(REST, 0), rights(REST + 1, 0)],
            [rights(REST + them, 56), rights(REST + 1 + them, 56)],
        ],
        side_to_move_or_en_passant: match canonical {
            true => (masks[REST + 4] >> 56) as u8,
            false => u8::from(black),
        },
        half_move_clock: game.half_move_clock() as u8,
        invariance: if canonical { u8::from(black) << 7 } else { 0 },
        reserved_byte: 0,
        root: SearchValue::default(),
        best: SearchValue { q: 0.25, d: 0.5, m: 0.0 },
        plies_left: 0.0,
        result: SearchValue { q: -1.0, d: 0.0, m: 0.0 },
        played: SearchValue::default(),
        original: SearchValue::default(),
        visits: 100,
        played_index: 0,
        best_index: 0,
        policy_kld: 0.0,
        reserved: 0,
    }
}

/// Positions with and without rights, with an en-passant capture, of both colours.
fn games() -> Vec<Game> {
    let line = "e2e4 d7d5 e4e5 f7f5 g1f3 e8f7 f1e2 h7h6 e1g1 g7g6 d2d4 c7c5 c2c3 c5c4 b2b4";
    let mut game = Game::new();
    let mut games = vec![game.clone()];
    for uci in line.split(' ') {
        game.play_uci(uci).expect("a legal move");
        games.push(game.clone());
    }
    let pawnless = "8/8/4k3/8/8/2R5/8/4K3 b - - 37 90";
    games.push(Game::from_fen(pawnless).expect("a position"));
    games
}

#[test]
fn planes_and_moves_are_those_of_the_position() {
    for format in InputFormat::ALL {
        for game in games() {
            let record = record(&game, format);
            let record = TrainingRecord::from_bytes(&record.to_bytes()).expect("a record");
            let sample = sample_of(&record, format, 0.0).expect("the same format");
            let expected =
                EncodedPosition::new(&game, format, HistoryFill::FenOnly).expect("expressible");
            assert_eq!(sample.planes, expected.planes, "{format:?}, {}", game.fen());
            let moves: Vec<_> = expected.moves.iter().map(|(index, _)| *index).collect();
            assert_eq!(sample.moves, moves);
            let total: usize = (1..=moves.len()).sum();
            for rank in 0..moves.len() {
                let expected = (rank + 1) as f64 / total as f64;
                assert!((sample.policy.probability(rank) - expected).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn values_are_mixed_by_the_ratio() {
    let record = record(&Game::new(), InputFormat::Classical112);
    // q = 0.25 and d = 0.5 are 3/8, 4/8, 1/8; the game was lost.
    let check = |ratio: f64, [win, draw, loss]: [f64; 3]| {
        let sample = sample_of(&record, InputFormat::Classical112, ratio).expect("the format");
        let value = sample.value.expect("a value");
        let found = [value.win(), value.draw(), value.loss()];
        let close =
            found.iter().zip([win, draw, loss]).all(|(found, one)| (found - one).abs() < 1e-12);
        assert!(close, "{found:?}");
    };
    check(0.0, [0.375, 0.5, 0.125]);
    check(1.0, [0.0, 0.0, 1.0]);
    check(0.5, [0.1875, 0.25, 0.5625]);
}

#[test]
fn rounding_keeps_an_outcome_an_outcome() {
    for (q, d) in [(1.0005, 0.0), (-1.0, 0.0004), (0.0, 1.0009), (0.6, 0.5), (-0.2, -0.0005)] {
        let value = outcome(SearchValue { q, d, m: 0.0 });
        assert!(value.win() >= 0.0 && value.draw() >= 0.0 && value.loss() >= 0.0, "{value:?}");
    }
}

#[test]
fn other_formats_are_refused() {
    let record = record(&Game::new(), InputFormat::Classical112);
    let refused = sample_of(&record, InputFormat::CanonicalizationV2, 0.0).expect_err("a format");
    assert_eq!(refused.to_string(), "recorded in input format 1, the network has 5");
}

/// The position that planes of the classical format show, without its past.
fn position(planes: &Planes) -> Game {
    let black = planes.masks[REST + 4] != 0;
    let mut fen = String::new();
    for rank in (0..8).rev() {
        for file in 0..8 {
            // The mover's view of Black's board is upside down.
            let square = if black { 8 * (7 - rank) + file } else { 8 * rank + file };
            let piece = (0..12).find(|plane| planes.masks[*plane] >> square & 1 == 1);
            fen.push(piece.map_or('1', |plane| {
                let letter = ['p', 'n', 'b', 'r', 'q', 'k'][plane % 6];
                if (plane < 6) != black { letter.to_ascii_uppercase() } else { letter }
            }));
        }
        fen.push(if rank > 0 { '/' } else { ' ' });
    }
    let rights: String = [1, 0, 3, 2]
        .into_iter()
        .zip(if black { ['k', 'q', 'K', 'Q'] } else { ['K', 'Q', 'k', 'q'] })
        .filter(|(plane, _)| planes.masks[REST + plane] != 0)
        .map(|(_, letter)| letter)
        .collect();
    let rights = if rights.is_empty() { "-".to_owned() } else { rights };
    let turn = if black { 'b' } else { 'w' };
    Game::from_fen(&format!("{fen}{turn} {rights} - 0 1")).expect("a position")
}

#[test]
fn the_legal_moves_of_real_records_are_those_of_their_planes() {
    let Some(folder) = fixtures::reference("training") else { return };
    let files = ChunkFiles::find(&[folder]).expect("a folder of chunks");
    let (mut positions, mut differing) = (0, 0);
    for source in files.sources() {
        let read = source.for_each_chunk(|chunk| {
            for record in chunk {
                let record = record.expect("a whole record");
                let sample = sample_of(&record, InputFormat::Classical112, 0.5).expect("format 1");
                let game = position(&sample.planes);
                let legal =
                    EncodedPosition::new(&game, InputFormat::Classical112, HistoryFill::FenOnly);
                let legal: BTreeSet<_> =
                    legal.expect("expressible").moves.into_iter().map(|(index, _)| index).collect();
                let recorded: BTreeSet<_> = sample.moves.iter().copied().collect();
                assert!(legal.is_subset(&recorded), "{}", game.fen());
                // One position's planes do not show a right to capture en passant.
                differing += usize::from(legal != recorded);
                positions += 1;
            }
            true
        });
        read.expect("a file that can be opened");
    }
    assert_eq!(positions, 288);
    assert!(differing <= 5, "{differing} of {positions}");
}
