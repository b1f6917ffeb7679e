#![cfg(unix)]

use std::fs;
use std::path::PathBuf;

use lc0::training_data::ChunkFiles;
use tempfile::TempDir;

use super::*;
use crate::label::{PositionSource, TeacherConfig};

/// Two rooks mate by turns, from four places of the defending king.
const PUZZLES: &str = "PuzzleId,FEN,Moves\n\
    g8,6k1/8/8/8/8/8/1R6/R5K1 b - - 0 1,g8f8 a1a7 f8g8 b2b8\n\
    f8,5k2/8/8/8/8/8/1R6/R5K1 b - - 0 1,f8e8 a1a7 e8f8 b2b8\n\
    h8,7k/8/8/8/8/8/1R6/R5K1 b - - 0 1,h8g8 a1a7 g8h8 b2b8\n";

/// A folder with a puzzle file and an engine that is a shell script: to each search it answers by
/// `answer`, and knows the moves of the puzzles as `$best`.
struct Workspace {
    folder: TempDir,
}

impl Workspace {
    fn new() -> Workspace {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("puzzles.csv"), PUZZLES).expect("written");
        Workspace { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn config(&self, answer: &str) -> LabelConfig {
        // The rook of the second rank mates where the other stands on the seventh.
        let script = format!(
            r#"while read word rest; do case "$word" in
                uci) echo uciok;;
                isready) echo readyok;;
                position) case "$rest" in *a1a7*) best=b2b8;; *) best=a1a7;; esac
                    case "$rest" in *"/R7/"*) best=b2b8;; esac;;
                go) {answer};;
                quit) exit;;
            esac; done"#
        );
        LabelConfig {
            input_format: 1,
            chunk: 2,
            limit: None,
            teacher: TeacherConfig {
                program: "sh".into(),
                arguments: vec!["-c".to_owned(), script],
                options: Vec::new(),
                nodes: 1,
                variations: 1,
                temperature: 0.05,
                patience_seconds: 60.0,
            },
            sources: vec![PositionSource::Puzzles(self.path("puzzles.csv"))],
            exclude: Vec::new(),
        }
    }

    fn label(&self, out: &str, config: &LabelConfig) -> Result<LabelSummary, LabelError> {
        let engines = NonZeroUsize::new(2).expect("two");
        label(&self.path(out), config, engines, "test", &AtomicBool::new(false), |_| {})
    }

    /// All records, in the order of the chunks.
    fn records(&self, out: &str) -> Vec<TrainingRecord> {
        let files = ChunkFiles::find(&[self.path(out).join("chunks")]).expect("chunks");
        let mut records = Vec::new();
        for source in files.sources() {
            let read = source.for_each_chunk(|chunk| {
                records.extend(chunk.map(|record| record.expect("a record")));
                true
            });
            read.expect("a chunk");
        }
        records
    }
}

const GOOD: &str = "echo info depth 1 score cp 500 nodes 9 pv $best; echo bestmove $best";

#[test]
fn every_position_is_labelled_once_whoever_does_it() {
    let workspace = Workspace::new();
    let config = workspace.config(GOOD);
    let summary = workspace.label("two", &config).expect("labels");
    assert_eq!((summary.total.labelled, summary.stopped), (6, false));
    assert_eq!((summary.total.nodes, summary.total.restarts), (54, 0));
    let records = workspace.records("two");
    assert_eq!(records.len(), 6);
    for record in &records {
        assert_eq!(record.probabilities[usize::from(record.best_index)], 1.0);
        assert_eq!(record.played_index, record.best_index, "the engine finds the solutions");
    }
    let one = NonZeroUsize::MIN;
    label(&workspace.path("one"), &config, one, "test", &AtomicBool::new(false), |_| {})
        .expect("labels");
    // NaNs are not equal to themselves.
    let bytes = |out: &str| -> Vec<_> {
        workspace.records(out).iter().map(TrainingRecord::to_bytes).collect()
    };
    assert_eq!(bytes("one"), bytes("two"));
}

#[test]
fn what_is_done_is_not_done_again() {
    let workspace = Workspace::new();
    let mut config = workspace.config(GOOD);
    config.limit = Some(3);
    assert_eq!(workspace.label("out", &config).expect("labels").total.labelled, 3);
    assert_eq!(workspace.records("out").len(), 3);
    let done = |config: &LabelConfig| {
        let (mut done, mut chunks) = (0, 0);
        let observe = |progress: LabelProgress<'_>| match progress {
            LabelProgress::Counted { done: before, .. } => done = before,
            LabelProgress::Chunk { .. } => chunks += 1,
        };
        let one = NonZeroUsize::MIN;
        label(&workspace.path("out"), config, one, "test", &AtomicBool::new(false), observe)
            .expect("labels");
        (done, chunks)
    };
    assert_eq!(done(&config), (3, 0));
    // The chunk that the limit has cut is made whole.
    config.limit = None;
    assert_eq!(done(&config), (2, 2));
    assert_eq!(done(&config), (6, 0));
    assert_eq!(workspace.records("out").len(), 6);
}

#[test]
fn a_stop_keeps_what_is_written() {
    let workspace = Workspace::new();
    // The second chunk takes so long that the stop comes before its end.
    let config = workspace.config(&format!("sleep 0.5; {GOOD}"));
    let stop = AtomicBool::new(false);
    let observe = |progress: LabelProgress<'_>| {
        if let LabelProgress::Chunk { .. } = progress {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let one = NonZeroUsize::MIN;
    let summary =
        label(&workspace.path("out"), &config, one, "test", &stop, observe).expect("stopped");
    assert!(summary.stopped && (2..6).contains(&summary.total.labelled), "{summary:?}");
    let summary = workspace.label("out", &config).expect("labels");
    assert_eq!((summary.total.labelled, summary.stopped), (6, false));
}

#[test]
fn a_failing_engine_is_started_again() {
    let check = |answer: &str, labelled: u64, skipped: &[(&str, u64)], restarts: u64| {
        let workspace = Workspace::new();
        let answer = answer.replace("$flag", &workspace.path("flag").display().to_string());
        let summary = workspace.label("out", &workspace.config(&answer)).expect("labels");
        let found: Vec<_> =
            summary.total.skipped.iter().map(|(reason, count)| (reason.as_str(), *count)).collect();
        assert_eq!(found, skipped, "{answer}");
        assert_eq!((summary.total.labelled, summary.total.restarts), (labelled, restarts));
        let records = if labelled > 0 { workspace.records("out").len() } else { 0 };
        assert_eq!(records as u64, labelled);
    };
    // It crashes once, and answers when it is asked again.
    check(&format!("mkdir \"$flag\" 2>/dev/null && exit 1; {GOOD}"), 6, &[], 1);
    // It crashes whenever it is to find the mate, of which there are three.
    let crash = format!("case $best in b2b8) exit 1;; esac; {GOOD}");
    check(&crash, 3, &[("the engine ended", 3)], 6);
    let nonsense = format!("case $best in b2b8) echo bestmove a1a1;; *) {GOOD};; esac");
    check(&nonsense, 3, &[("the engine played an illegal move", 3)], 6);
    let silent = format!("case $best in b2b8) echo bestmove b2b8;; *) {GOOD};; esac");
    check(&silent, 3, &[("the engine showed no line", 3)], 0);
}

#[test]
fn a_hanging_engine_is_started_again() {
    let workspace = Workspace::new();
    let mut config = workspace.config("exec sleep 100");
    config.teacher.patience_seconds = 0.2;
    config.limit = Some(1);
    let summary = workspace.label("out", &config).expect("labels");
    assert_eq!(summary.total.skipped.get("the engine did not answer"), Some(&1));
}

#[test]
fn an_engine_that_never_answers_ends_it() {
    let workspace = Workspace::new();
    // More positions than failures are borne.
    let mut puzzles = "PuzzleId,FEN,Moves\n".to_owned();
    for king in ["7k", "6k1", "5k2", "4k3", "3k4", "2k5", "k7"] {
        for rook in ["R7", "1R6", "2R5", "3R4", "4R3", "5R2", "6R1"] {
            let flight = match king {
                "7k" => "h8h7",
                "6k1" => "g8g7",
                "5k2" => "f8f7",
                "4k3" => "e8e7",
                "3k4" => "d8d7",
                "2k5" => "c8c7",
                _ => "a8b7",
            };
            let back = ["a", "b", "c", "d", "e", "f", "g"][[
                "R7", "1R6", "2R5", "3R4", "4R3", "5R2", "6R1",
            ]
            .iter()
            .position(|&place| place == rook)
            .expect("one of them")];
            puzzles += &format!("x,{king}/8/8/8/8/8/{rook}/7K b - - 0 1,{flight} {back}2{back}1\n");
        }
    }
    fs::write(workspace.path("puzzles.csv"), puzzles).expect("written");
    let error = workspace.label("out", &workspace.config("exit 3")).expect_err("no engine");
    assert_eq!(error.to_string(), "engine sh: ended (exit status: 3)");
}

#[test]
fn what_cannot_begin_leaves_nothing() {
    let workspace = Workspace::new();
    let check = |change: &dyn Fn(&mut LabelConfig), expected: &str| {
        let mut config = workspace.config(GOOD);
        change(&mut config);
        let error = workspace.label("out", &config).expect_err("refused").to_string();
        assert!(error.contains(expected), "{error}");
        assert!(!workspace.path("out").exists());
    };
    check(&|config| config.teacher.temperature = 0.0, "teacher.temperature");
    check(&|config| config.teacher.nodes = 0, "teacher.nodes");
    check(&|config| config.input_format = 7, "input_format");
    check(&|config| config.chunk = 0, "chunk");
    check(&|config| config.sources.clear(), "sources");
    check(&|config| config.teacher.program = "/nowhere".into(), "cannot be started");
    check(&|config| config.teacher.variations = 3, "has no option \"MultiPV\"");
    check(&|config| config.exclude = vec!["/nowhere.csv".into()], "/nowhere.csv");
}
