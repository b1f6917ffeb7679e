use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::super::record::{MOVES, SearchValue};
use super::*;

fn record() -> TrainingRecord {
    let mut probabilities = Box::new([-1.0; MOVES]);
    probabilities[0] = 1.0;
    let value = SearchValue::default();
    TrainingRecord {
        input_format: 1,
        probabilities,
        planes: [0; 104],
        castling: [[0; 2]; 2],
        side_to_move_or_en_passant: 0,
        half_move_clock: 0,
        invariance: 0,
        reserved_byte: 0,
        root: value,
        best: value,
        plies_left: 0.0,
        result: value,
        played: value,
        original: value,
        visits: 1,
        played_index: 0,
        best_index: 0,
        policy_kld: 0.0,
        reserved: 0,
    }
}

fn game(records: usize) -> Vec<u8> {
    record().to_bytes().repeat(records)
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// Whole records before the end or the fault, and the fault.
fn read(bytes: &[u8]) -> (usize, Option<String>) {
    let mut reader = ChunkReader::new("game.gz", bytes);
    let mut records = 0;
    loop {
        match reader.next() {
            None => return (records, None),
            Some(Ok(read)) => {
                assert_eq!(read, record());
                records += 1;
            }
            Some(Err(error)) => {
                assert!(reader.next().is_none(), "a fault ends the chunk");
                return (records, Some(error.to_string()));
            }
        }
    }
}

#[test]
fn records_come_plain_or_compressed() {
    for records in [1, 2, 40] {
        assert_eq!(read(&game(records)), (records, None));
        assert_eq!(read(&compressed(&game(records))), (records, None));
    }
}

#[test]
fn faults_say_where_they_are() {
    let check = |bytes: &[u8], whole: usize, expected: &str| {
        let (records, fault) = read(bytes);
        let fault = fault.expect(expected);
        assert_eq!(records, whole, "{fault}");
        assert!(fault.contains(expected), "{fault}");
    };
    check(&[], 0, "game.gz: record 0: the chunk is empty");
    check(&compressed(&[]), 0, "game.gz: record 0: the chunk is empty");
    check(&game(1)[..100], 0, "game.gz: record 0: ends after 100 of 8356 bytes");
    let mut cut = game(3);
    cut.truncate(2 * TrainingRecord::BYTES + 1);
    check(&cut, 2, "game.gz: record 2: ends after 1 of 8356 bytes");
    let mut wrong = game(3);
    wrong[TrainingRecord::BYTES] = 4;
    check(&wrong, 1, "game.gz: record 1: version 4, expected 6");
    let whole = compressed(&game(3));
    check(&whole[..whole.len() - 4], 3, "game.gz: record 3: ");
    check(&[&GZIP[..], b"no gzip"].concat(), 0, "game.gz: record 0: ");
}
