use std::collections::BTreeMap;

use super::*;
use crate::run::{BaseRecord, RunConfig, RunDirectory};

const GRID: &str =
    "steps = 3\n[grid]\nexploration = [\"none\", \"forward_kl\"]\nbeta = [1, 1e-9]\n";

fn base() -> BaseRecord {
    BaseRecord {
        file: "base.pb.gz".to_owned(),
        sha256: "ab".repeat(32),
        policy_head: "vanilla".to_owned(),
        value_head: "winner".to_owned(),
    }
}

fn record(text: &str) -> SweepRecord {
    let sweep = Sweep::from_toml(text, &[]).expect("a sweep");
    SweepRecord::new("searchless 0.1.0".to_owned(), base(), BTreeMap::new(), &sweep)
}

fn begin(directory: &SweepDirectory, cell: &Cell) -> RunDirectory {
    let record = RunConfig {
        program: "searchless 0.1.0".to_owned(),
        base: base(),
        finetune: directory.config(cell),
        resumed: Vec::new(),
    };
    RunDirectory::create(&directory.cell_path(cell), record).expect("a run")
}

#[test]
fn a_sweep_is_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sweeps/first");
    assert!(matches!(SweepDirectory::open(&path), Err(SweepError::NoSweep { .. })));
    let mut begun = SweepDirectory::begin(&path, record(GRID)).expect("a new sweep");
    let scoring = ScoringRecord {
        suite: "a.csv".to_owned(),
        sha256: "cd".repeat(32),
        rule: "strict".to_owned(),
        limit: Some(5),
        lenient: false,
    };
    begun.set_scoring(scoring.clone()).expect("written");
    let sweep = begun.sweep().clone();

    let in_use = SweepDirectory::open(&path).expect_err("it is ours").to_string();
    assert!(in_use.ends_with("is in use by another process"), "{in_use}");
    let looked = SweepDirectory::look(&path).expect("it can be looked at");
    assert!(begun.is_ours() && !looked.is_ours());
    assert_eq!((looked.sweep(), looked.record()), (&sweep, begun.record()));
    drop(begun);
    let opened = SweepDirectory::open(&path).expect("the sweep");
    assert_eq!(opened.sweep(), &sweep);
    assert_eq!(opened.record().scoring, Some(scoring));
    drop(opened);
    // How it is scored does not tell one sweep from another.
    SweepDirectory::begin(&path, record(GRID)).expect("the same sweep");
}

#[test]
fn another_sweep_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sweep");
    drop(SweepDirectory::begin(&path, record(GRID)).expect("a new sweep"));
    let check = |record: SweepRecord, expected: &str| {
        let error = SweepDirectory::begin(&path, record).expect_err(expected).to_string();
        assert!(error.contains(&format!("holds another sweep: {expected} differs")), "{error}");
    };
    check(record(&GRID.replace("1e-9", "1e-8")), "the grid");
    check(record(&GRID.replace("[1, 1e-9]", "[1e-9, 1]")), "the grid");
    check(record(&GRID.replace("steps = 3", "steps = 4")), "a setting of all cells");
    let sha256 = "cd".repeat(32);
    let mut other = record(GRID);
    other.base.sha256 = sha256.clone();
    check(other, "the base's SHA-256");
    let mut other = record(GRID);
    other.files = BTreeMap::from([("a.epd".to_owned(), sha256)]);
    check(other, "a file that the settings name");
    // `1` and `1.0` are the same beta.
    SweepDirectory::begin(&path, record(&GRID.replace("[1,", "[1.0,"))).expect("the same");

    let run = folder.path().join("run");
    fs::create_dir_all(run.join("checkpoints")).expect("a folder");
    let error = SweepDirectory::begin(&run, record(GRID)).expect_err("a run").to_string();
    assert!(error.contains("already holds a run"), "{error}");
    fs::write(path.join(SWEEP), "program = 3").expect("written");
    let error = SweepDirectory::open(&path).expect_err("no record").to_string();
    assert!(error.contains("sweep.toml: "), "{error}");
}

#[test]
fn a_cell_is_waiting_begun_finished_or_failed() {
    let folder = tempfile::tempdir().expect("a folder");
    let directory = SweepDirectory::begin(folder.path(), record(GRID)).expect("a new sweep");
    let [none, one, other] = directory.sweep().cells() else { panic!("three cells") };
    let status = |cell: &Cell| directory.status(cell).expect("a status");
    assert_eq!(other.name, "forward_kl-beta=1e-9");
    assert_eq!(status(other), CellStatus::Waiting);

    let run = begin(&directory, one);
    assert_eq!(status(one), CellStatus::Begun { steps: 0 });
    let path = directory.cell_path(one);
    fs::write(path.join("metrics.jsonl"), "{}\n{}\n{}\n{\"st").expect("written");
    assert_eq!(status(one), CellStatus::Begun { steps: 3 });
    fs::write(path.join("checkpoints/step-000003.safetensors"), "").expect("written");
    assert_eq!(status(one), CellStatus::Begun { steps: 3 });
    fs::write(directory.network_path(one), "abc").expect("written");
    assert_eq!(status(one), CellStatus::Finished);
    drop(run);
    let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(directory.network_sha256(one).expect("a sum"), sum);

    directory.record_failure(none, "step 2:\nnot finite").expect("written");
    assert_eq!(status(none), CellStatus::Failed { reason: "step 2: not finite".to_owned() });
    directory.forget_failure(none).expect("removed");
    directory.forget_failure(none).expect("nothing to remove");
    assert_eq!(status(none), CellStatus::Waiting);

    // A run of something else is not taken for the cell's.
    fs::rename(&path, directory.cell_path(other)).expect("moved");
    let error = directory.status(other).expect_err("another run").to_string();
    assert!(error.ends_with("another run than the sweep's cell: a setting differs"), "{error}");
}

#[test]
fn files_are_the_ones_that_the_sweep_began_with() {
    let text =
        "[[references]]\nfile = \"b.pb\"\n[grid]\nopening_book.file = [\"a.epd\", \"c.epd\"]\n";
    let files = BTreeMap::from([
        ("a.epd".to_owned(), "ab".repeat(32)),
        ("b.pb".to_owned(), "cd".repeat(32)),
    ]);
    let folder = tempfile::tempdir().expect("a folder");
    let mut record = record(text);
    record.files = files;
    let directory = SweepDirectory::begin(folder.path(), record).expect("a sweep");
    let sums: Vec<(Option<String>, Option<String>)> = directory
        .sweep()
        .cells()
        .iter()
        .map(|cell| {
            let config = directory.config(cell);
            let book = config.opening_book.and_then(|book| book.sha256);
            (book, config.references[0].sha256.clone())
        })
        .collect();
    let reference = Some("cd".repeat(32));
    assert_eq!(sums, [(Some("ab".repeat(32)), reference.clone()), (None, reference)]);
}
