use chess::{Game, InputFormat};

use super::*;
use crate::label::{LabelConfig, LabelPosition, PositionSource, SearchTarget, TeacherConfig};

fn record(nodes: u64, limit: Option<u64>) -> LabelRecord {
    let teacher = TeacherConfig {
        program: "engine".into(),
        arguments: Vec::new(),
        options: Vec::new(),
        nodes,
        variations: 1,
        temperature: 0.05,
        patience_seconds: 1.0,
    };
    LabelRecord {
        program: "searchless".to_owned(),
        engine: "Engine 1".to_owned(),
        label: LabelConfig {
            input_format: 1,
            chunk: 2,
            limit,
            teacher,
            sources: vec![PositionSource::Puzzles("puzzles.csv".into())],
            exclude: Vec::new(),
        },
        files: vec![SourceRecord { path: "puzzles.csv".into(), sha256: "00".to_owned() }],
    }
}

fn chunk() -> (Vec<TrainingRecord>, LabelCounts) {
    let position = LabelPosition::from(Game::new());
    let target = SearchTarget {
        moves: vec![position.game.parse_uci("e2e4").expect("legal")],
        policy: policy::MovePolicy::from_weights(&[1.0]).expect("one move"),
        value: policy::Wdl::new(0.25, 0.5, 0.25).expect("an outcome"),
        nodes: Some(10),
    };
    let format = InputFormat::Classical112;
    let record = crate::label::record_of(&position, &target, format).expect("standard chess");
    let mut counts = LabelCounts::default();
    counts.add(&target);
    counts.add(&target);
    (vec![record.clone(), record], counts)
}

#[test]
fn what_was_added_is_there_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("labels");
    let (records, counts) = chunk();
    let mut directory = LabelDirectory::open(&path, record(10, None)).expect("a new one");
    directory.add(3, &records, counts.clone()).expect("written");
    let check = |directory: &LabelDirectory| {
        assert!(directory.is_done(3, 2));
        assert!(!directory.is_done(3, 1), "a chunk of another size");
        assert!(!directory.is_done(0, 2));
        assert_eq!(directory.total(), counts);
    };
    check(&directory);
    check(&LabelDirectory::open(&path, record(10, None)).expect("the same settings"));
    check(&LabelDirectory::open(&path, record(10, Some(100))).expect("another limit"));
    let mut moved = record(10, None);
    moved.files[0].path = "elsewhere.csv".into();
    moved.label.sources[0] = PositionSource::Puzzles("elsewhere.csv".into());
    check(&LabelDirectory::open(&path, moved).expect("the same files elsewhere"));

    // A line that was cut off, as by a kill, is cut away; its chunk is made again.
    let lines = path.join(LINES);
    let whole = fs::read_to_string(&lines).expect("lines");
    fs::write(&lines, format!("{whole}{{\"chunk\":4,\"labe")).expect("written");
    check(&LabelDirectory::open(&path, record(10, None)).expect("a cut line"));
    assert_eq!(fs::read_to_string(&lines).expect("lines"), whole);
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("labels");
    let check = |record: LabelRecord, expected: &str| {
        let error = LabelDirectory::open(&path, record).err().expect("refused").to_string();
        assert!(error.contains(expected), "{error}");
    };
    let (records, counts) = chunk();
    let mut directory = LabelDirectory::open(&path, record(10, None)).expect("a new one");
    directory.add(0, &records, counts).expect("written");
    check(record(20, None), "has labels of other settings: there nodes = 10, now nodes = 20");
    let mut other = record(10, None);
    other.files[0].sha256 = "01".to_owned();
    check(other, "there sha256 = \"00\", now sha256 = \"01\"");
    let mut other = record(10, None);
    other.engine = "Engine 2".to_owned();
    check(other, "there engine = \"Engine 1\", now engine = \"Engine 2\"");

    fs::write(path.join(LINES), "{}\n").expect("written");
    check(record(10, None), "labels.jsonl: line 1: ");
    fs::write(path.join(LINES), "").expect("written");
    fs::write(path.join(SETTINGS), "x").expect("written");
    check(record(10, None), "label.toml: ");
    fs::remove_file(path.join(SETTINGS)).expect("removed");
    check(record(10, None), "is not empty and holds no labels");
}

#[test]
fn a_chunk_that_is_gone_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (records, counts) = chunk();
    let mut directory = LabelDirectory::open(folder.path(), record(10, None)).expect("a new one");
    directory.add(0, &records, counts).expect("written");
    fs::remove_file(directory.chunks().join("chunk-00000000.gz")).expect("removed");
    let error = LabelDirectory::open(folder.path(), record(10, None)).err().expect("refused");
    assert!(error.to_string().contains("chunk-00000000.gz: is gone"), "{error}");
}
