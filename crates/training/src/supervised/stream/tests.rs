use std::fs;

use lc0::training_data::TrainingRecord;

use super::*;

const HEADER: &str = "PuzzleId,FEN,Moves\n";
const ONE: &str = "one,1k1r3r/ppp5/3p1p1b/8/4P3/1N3Q2/2P2PPq/R5RK w - - 0 23,h1h2 h6f4\n";
/// Two moves of the solver.
const TWO: &str = "two,8/8/8/8/8/k7/8/K6R w - - 0 1,a1b1 a3b3 b1a1 b3c2\n";

fn open(data: TrainingData) -> Result<SampleStream, DataError> {
    SampleStream::open(&data, InputFormat::Classical112, HistoryFill::FenOnly, 0)
}

fn puzzles(files: &[&Path], exclude: &[&Path]) -> TrainingData {
    let owned = |paths: &[&Path]| paths.iter().map(|&path| path.to_owned()).collect();
    TrainingData::Puzzles { files: owned(files), exclude: owned(exclude) }
}

#[test]
fn puzzles_come_round_again_and_excluded_ones_never() {
    let folder = tempfile::tempdir().expect("a folder");
    let (pool, suite) = (folder.path().join("pool.csv"), folder.path().join("suite.csv"));
    fs::write(&pool, format!("{HEADER}{ONE}{TWO}broken,x,y\n")).expect("a file");
    fs::write(&suite, format!("{HEADER}{ONE}")).expect("a file");

    let mut stream = open(puzzles(&[&pool], &[])).expect("a pool");
    let mut again = Vec::new();
    for _ in 0..7 {
        let (sample, round) = stream.next_sample().expect("a sample");
        assert_eq!(sample.policy.probability(sample.policy.argmax()), 1.0);
        assert!(sample.value.is_none());
        again.push(round);
    }
    assert_eq!(again, [false, false, false, true, false, false, true]);
    let counts = stream.counts();
    assert_eq!((counts.epochs, counts.samples, counts.excluded), (2, 3, 0));
    let (count, example) = &counts.skipped["rows are no puzzles"];
    assert_eq!(*count, 1);
    assert!(example.contains("pool.csv, line 4"), "{example}");

    let mut stream = open(puzzles(&[&pool], &[&suite])).expect("a pool");
    for _ in 0..3 {
        stream.next_sample().expect("a sample");
    }
    assert_eq!((stream.counts().samples, stream.counts().excluded), (2, 1));
}

#[test]
fn files_without_a_sample_are_an_error_and_no_endless_loop() {
    let folder = tempfile::tempdir().expect("a folder");
    let (pool, none) = (folder.path().join("pool.csv"), folder.path().join("none.csv"));
    fs::write(&pool, format!("{HEADER}{ONE}")).expect("a file");
    fs::write(&none, format!("{HEADER}x,y,z\n")).expect("a file");
    let check = |data: TrainingData, expected: &[&str]| {
        let error = match open(data) {
            Ok(mut stream) => stream.next_sample().map(drop).expect_err("no sample"),
            Err(error) => error,
        };
        let error = error.to_string();
        assert!(expected.iter().all(|part| error.contains(part)), "{error}");
    };
    check(
        puzzles(&[&none], &[]),
        &["no sample in ", "none.csv; 1 rows are no puzzles, the first: "],
    );
    check(puzzles(&[&pool], &[&pool]), &["no sample in ", "1 puzzles are excluded"]);
    check(puzzles(&[&pool], &[&none]), &["the puzzles to exclude: ", "none.csv, line 2"]);
    check(puzzles(&[&folder.path().join("nowhere")], &[]), &["nowhere: cannot be opened"]);
    let chunks =
        |path: &Path| TrainingData::Chunks { files: vec![path.to_owned()], result_ratio: 0.0 };
    check(chunks(&folder.path().join("nowhere")), &["nowhere"]);
    check(
        chunks(&pool),
        &["no sample in ", "1 chunks are damaged, the first: ", "pool.csv: record 0"],
    );
}

#[test]
fn of_a_damaged_chunk_what_stands_before_the_fault_is_used() {
    let Some(folder) = fixtures::reference("training") else { return };
    let ours = tempfile::tempdir().expect("a folder");
    let path = folder.join("game_000000.gz");
    let mut bytes = Vec::new();
    ChunkSource::Chunk(path)
        .for_each_chunk(|chunk| {
            chunk.for_each(|record| bytes.extend(&record.expect("whole").to_bytes()[..]));
            true
        })
        .expect("a chunk");
    fs::write(ours.path().join("a.gz"), &bytes[..3 * TrainingRecord::BYTES + 5]).expect("a file");
    fs::write(ours.path().join("b.gz"), &bytes).expect("a file");
    let data = TrainingData::Chunks { files: vec![ours.path().to_owned()], result_ratio: 1.0 };
    let mut stream = open(data.clone()).expect("chunks");
    for _ in 0..44 {
        stream.next_sample().expect("a sample");
    }
    assert_eq!((stream.counts().epochs, stream.counts().samples), (1, 43));
    assert_eq!(stream.counts().skipped["chunks are damaged"].0, 1);

    let format = InputFormat::CanonicalizationV2;
    let mut other = SampleStream::open(&data, format, HistoryFill::FenOnly, 0).expect("chunks");
    let error = other.next_sample().map(drop).expect_err("another format").to_string();
    assert!(error.contains("2 chunks are of another input format"), "{error}");
}

/// Folder of chunks of one record each, of which the half-move clocks count from 0.
fn clocks(files: u8) -> tempfile::TempDir {
    use crate::label::{LabelPosition, SearchTarget, record_of};

    let folder = tempfile::tempdir().expect("a folder");
    for clock in 0..files {
        let fen = format!("7k/8/8/8/8/8/8/K5R1 w - - {clock} 60");
        let position = LabelPosition::from(chess::Game::from_fen(&fen).expect("legal"));
        let target = SearchTarget {
            moves: vec![position.game.legal_moves()[0]],
            policy: policy::MovePolicy::from_weights(&[1.0]).expect("one move"),
            value: policy::Wdl::new(1.0, 0.0, 0.0).expect("an outcome"),
            nodes: None,
        };
        let record = record_of(&position, &target, InputFormat::Classical112).expect("standard");
        let file = fs::File::create(folder.path().join(format!("{clock:02}.gz"))).expect("a file");
        lc0::training_data::write_chunk(&[record], file).expect("written");
    }
    folder
}

#[test]
fn files_of_chunks_come_in_another_order_each_round() {
    const FILES: u8 = 20;
    let folder = clocks(FILES);
    let rounds = |seed: u64| -> Vec<Vec<u8>> {
        let data =
            TrainingData::Chunks { files: vec![folder.path().to_owned()], result_ratio: 0.0 };
        let format = InputFormat::Classical112;
        let mut stream =
            SampleStream::open(&data, format, HistoryFill::FenOnly, seed).expect("chunks");
        let mut clock = || {
            let (sample, _) = stream.next_sample().expect("a sample");
            // The plane of the half-move clock (LC0_FORMAT section 2).
            sample.planes.values[109] as u8
        };
        (0..2).map(|_| (0..FILES).map(|_| clock()).collect()).collect()
    };
    let found = rounds(7);
    for round in &found {
        let mut sorted = round.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..FILES).collect::<Vec<_>>(), "every file once");
    }
    assert_ne!(found[0], found[1]);
    assert_eq!(found, rounds(7));
    assert_ne!(found, rounds(8));
}
