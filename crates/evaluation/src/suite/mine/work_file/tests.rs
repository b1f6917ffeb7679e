use std::fs;

use super::*;
use crate::suite::mine::tests::settings;
use crate::suite::mine::{MineCounts, PuzzleKind};

fn header() -> WorkHeader {
    WorkHeader {
        engine: EngineRecord::named("Scripted 1"),
        settings: settings(PuzzleKind::Both),
        games: vec!["a".to_owned()],
        exclude: Vec::new(),
    }
}

fn game(number: u64) -> MinedGame {
    let counts = MineCounts { games: 1, positions: number, ..MineCounts::default() };
    MinedGame { game: number, counts, puzzles: vec![format!("row,{number}")] }
}

fn places(work: &WorkFile) -> Vec<u64> {
    work.done().keys().copied().collect()
}

#[test]
fn work_goes_on_after_any_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("work.jsonl");
    let mut work = WorkFile::open(&path, &header()).expect("begun");
    work.add(game(3)).expect("added");
    let one = fs::read(&path).expect("read").len();
    work.add(game(0)).expect("added");
    drop(work);
    let whole = fs::read(&path).expect("read");
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).expect("written");
        let mut work = WorkFile::open(&path, &header()).expect("opened");
        let expected: &[u64] = match length {
            length if length < one => &[],
            length if length < whole.len() => &[3],
            _ => &[0, 3],
        };
        assert_eq!(places(&work), expected, "{length} bytes");
        work.add(game(7)).expect("added");
        drop(work);
        let work = WorkFile::open(&path, &header()).expect("opened again");
        assert_eq!(work.done().get(&7), Some(&game(7)), "{length} bytes");
        assert_eq!(work.done().len(), expected.len() + 1);
    }
}

#[test]
fn other_work_is_not_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("work.jsonl");
    let first = WorkFile::open(&path, &header()).expect("begun");
    let error = WorkFile::open(&path, &header()).err().expect("in use").to_string();
    assert!(error.ends_with("work.jsonl: another process is mining into it"), "{error}");
    drop(first);
    let check = |change: &dyn Fn(&mut WorkHeader), expected: &str| {
        let mut other = header();
        change(&mut other);
        let error = WorkFile::open(&path, &other).err().expect("other work").to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(&|header| header.settings.nodes = 7, "was begun with settings.nodes 1000, and not 7");
    check(
        &|header| header.engine.name = "B".to_owned(),
        "engine.name \"Scripted 1\", and not \"B\"",
    );
    check(&|header| header.games.clear(), "games [\"a\"], and not []; remove it to begin anew");
    check(&|header| header.exclude.push("b".to_owned()), "exclude [], and not [\"b\"]");
    fs::write(&path, "nonsense\n").expect("written");
    check(&|_| {}, "line 1 is none of a work file");
}

#[test]
fn work_lies_beside_the_suite() {
    let check =
        |path: &str, expected: &str| assert_eq!(work_path(Path::new(path)), Path::new(expected));
    check("suites/a.csv.zst", "suites/a.mining.jsonl");
    check("a.csv", "a.mining.jsonl");
    check("a", "a.mining.jsonl");
}
