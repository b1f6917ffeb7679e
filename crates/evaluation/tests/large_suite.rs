//! A suite drawn from a file as large as Lichess's own.

use std::path::PathBuf;
use std::time::Instant;

use evaluation::Rule;
use evaluation::suite::build::{Filter, Sample, Strata, SuiteBuild};

/// Variable that names the file.
const FILE: &str = "SEARCHLESS_LARGE_PUZZLE_FILE";

/// Prints the time and the peak of memory of a draw of 10,000 puzzles with their acceptable moves:
///
/// ```text
/// SEARCHLESS_LARGE_PUZZLE_FILE=lichess_db_puzzle.csv.zst \
///     cargo test --release -p evaluation --test large_suite -- --ignored --nocapture
/// ```
#[test]
#[ignore = "takes minutes and a file that is not shipped"]
fn a_draw_from_millions_of_rows() {
    let Some(file) = std::env::var_os(FILE).map(PathBuf::from) else {
        fixtures::skip(&format!("{FILE} is not set"));
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let build = SuiteBuild {
        sources: vec![file],
        filter: Filter::default(),
        sample: Some(Sample { count: 10_000, seed: 0, strata: Strata::None }),
        exclude: Vec::new(),
        games: Vec::new(),
        histories: Vec::new(),
        require_history: false,
        node_budget: Some(Rule::NODE_BUDGET),
        strict: false,
    };
    let started = Instant::now();
    let mut read = None;
    let manifest = build
        .write(&folder.path().join("suite.csv.zst"), |stage, done, _| {
            if stage == evaluation::suite::build::Stage::Puzzles && done == 1 {
                read = Some(started.elapsed());
            }
        })
        .expect("built");
    let elapsed = started.elapsed();
    assert_eq!(manifest.puzzles, 10_000);
    println!("{}", serde_json::to_string_pretty(&manifest).expect("JSON"));
    println!("rows read after {read:?}, all done after {elapsed:?}");
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        status.lines().filter(|line| line.starts_with("VmHWM")).for_each(|line| println!("{line}"));
    }
}
