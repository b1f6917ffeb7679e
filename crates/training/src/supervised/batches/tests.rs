use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use chess::MoveIndex;

use super::*;
use crate::supervised::TrainingData;

/// Positions with one move each to learn, told apart by the moves.
fn puzzles(count: usize) -> String {
    let mut text = "PuzzleId,FEN,Moves\n".to_owned();
    for number in 0..count {
        let to = ["b1", "c1", "d1", "e1", "f1", "a2", "a3", "a4", "a5", "a6"][number];
        writeln!(text, "{number},7k/7p/8/8/8/8/8/R6K b - - 0 1,h7h6 a1{to}").expect("text");
    }
    text
}

/// The configuration for a file of so many puzzles.
fn config(folder: &tempfile::TempDir, count: usize) -> SupervisedConfig {
    let path = folder.path().join(format!("{count}.csv"));
    fs::write(&path, puzzles(count)).expect("a file");
    let data = TrainingData::Puzzles { files: vec![path], exclude: Vec::new() };
    SupervisedConfig { batch: 4, seed: 3, ..SupervisedConfig::new(data) }
}

fn open(config: &SupervisedConfig) -> Batches {
    Batches::open(config, InputFormat::Classical112).expect("samples")
}

/// The moves to learn of a number of batches.
fn moves(batches: &mut Batches, count: usize) -> Vec<MoveIndex> {
    let mut moves = Vec::new();
    for _ in 0..count {
        let batch = batches.next_batch().expect("samples");
        assert_eq!(batch.len(), 4);
        moves.extend(batch.iter().map(|sample| sample.moves[sample.policy.argmax()]));
    }
    moves
}

#[test]
fn equal_seeds_give_equal_batches() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = config(&folder, 10);
    let (mut one, mut same) = (open(&config), open(&config));
    assert_eq!(moves(&mut one, 20), moves(&mut same, 20));
    assert_eq!((one.sha256(), one.counts()), (same.sha256(), same.counts()));
    let before = one.sha256();
    let mut other = open(&SupervisedConfig { seed: 4, ..config });
    assert_ne!(moves(&mut other, 20), moves(&mut one, 20));
    assert_ne!(one.sha256(), before);
    assert_ne!(one.sha256(), other.sha256());
}

#[test]
fn every_sample_comes_about_equally_often() {
    let folder = tempfile::tempdir().expect("a folder");
    for (count, buffer) in [(1, 100), (2, 1), (3, 3), (7, 6), (10, 100), (10, 4)] {
        let config = SupervisedConfig { shuffle_buffer: buffer, ..config(&folder, count) };
        let mut batches = open(&config);
        let rounds = 40;
        let mut times = BTreeMap::new();
        for drawn in moves(&mut batches, rounds * count / 4) {
            *times.entry(drawn).or_insert(0_usize) += 1;
        }
        assert_eq!(times.len(), count);
        // What was read of a sample and not drawn is in the buffer, with at most one more round.
        let waiting = buffer.min(count) + 1;
        let least = rounds - waiting - 1;
        let fair = |&times: &usize| (least..=rounds + 2).contains(&times);
        assert!(times.values().all(fair), "{count} in {buffer}: {times:?}");
        let read = batches.counts();
        assert_eq!(read.samples, count as u64);
        let most = (rounds + 2) as u64;
        assert!((rounds as u64 - 1..=most).contains(&read.epochs), "{read:?}");
    }
}

#[test]
fn a_small_file_is_in_the_buffer_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut batches = open(&config(&folder, 10));
    batches.next_batch().expect("samples");
    // Of the second round, no more than what replaces the four drawn.
    assert_eq!(batches.counts().epochs, 1);
    let first = SupervisedConfig { shuffle_buffer: 5, batch: 5, ..config(&folder, 10) };
    let mut batches = open(&first);
    batches.next_batch().expect("samples");
    assert_eq!((batches.counts().epochs, batches.counts().samples), (0, 9));
}

#[test]
fn files_without_samples_are_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = Batches::open(&config(&folder, 0), InputFormat::Classical112).err();
    let error = error.expect("no sample").to_string();
    assert!(error.starts_with("no sample in ") && error.ends_with("0.csv"), "{error}");
}

#[test]
fn half_of_the_samples_are_mirrored() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = config(&folder, 10);
    let mirrored = SupervisedConfig { mirror: true, ..plain.clone() };
    let draws = moves(&mut open(&mirrored), 100);
    assert_eq!(draws, moves(&mut open(&mirrored), 100));
    // The order is the same, and what is not the sample itself is its image.
    let originals = moves(&mut open(&plain), 100);
    let turned = draws.iter().zip(&originals).filter(|(one, other)| one != other).count();
    assert!((150..=250).contains(&turned), "{turned} of 400");
    let starts = |index: &MoveIndex| index.mover_move().to_string()[..2].to_owned();
    assert!(draws.iter().all(|index| ["a1", "h1"].contains(&starts(index).as_str())));
}
