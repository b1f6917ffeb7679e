//! Grids of runs through `searchless sweep`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

use crate::support::{ATTENTION, CLASSICAL, SUITE, Workspace, without_sums};

/// Two terms and two seeds, and cells of a second.
const GRID: &str = "steps = 6\ngames = 6\nwarm_start_moves = 2\nwarmup_steps = 0
[learning_rates]\nbackbone = 1e-3\nfinal_block = 1e-3\npolicy_head = 1e-3\nvalue_head = 1e-3
[saving]\ncheckpoint_every = 2
[grid]\nexploration = [\"forward_kl\", \"none\"]\nbeta = [0.1]\nseed = [1, 2]\n";

const CELLS: [&str; 4] =
    ["forward_kl-beta=0.1-seed=1", "forward_kl-beta=0.1-seed=2", "none-seed=1", "none-seed=2"];

fn workspace(grid: &str) -> Workspace {
    let workspace = Workspace::new();
    fs::write(workspace.path().join("sweep.toml"), grid).expect("written");
    workspace
}

fn sweep<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let start = ["sweep", "--network", ATTENTION, "--config", "sweep.toml", "--out", out];
    [&start[..], more].concat()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Sees that the cells of two sweeps are the same: settings, networks and checkpoints to the bit,
/// metrics but for the timings.
fn assert_same(workspace: &Workspace, one: &str, other: &str) {
    for cell in CELLS {
        let [one, other] = [one, other].map(|sweep| workspace.path().join(sweep).join(cell));
        for file in
            ["config.toml", "networks/step-000006.pb.gz", "checkpoints/step-000006.safetensors"]
        {
            let [one, other] = [&one, &other].map(|run| fs::read(run.join(file)).expect(file));
            assert!(one == other, "{cell}: {file}");
        }
        let [one, other] = [one, other].map(|run| {
            let text = read(&run.join("metrics.jsonl"));
            let record = |line: &str| {
                let mut record: Value = serde_json::from_str(line).expect("a whole line");
                record.as_object_mut().expect("a record").remove("timing").expect("timings");
                record
            };
            text.lines().map(record).collect::<Vec<Value>>()
        });
        assert_eq!(one.len(), 6);
        assert_eq!(one, other, "{cell}");
    }
}

/// When each file of a folder was changed last.
fn times(folder: &Path) -> BTreeMap<PathBuf, SystemTime> {
    let mut times = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let data = entry.metadata().expect("data");
        if data.is_dir() {
            times.extend(self::times(&entry.path()));
        }
        times.insert(entry.path(), data.modified().expect("a time"));
    }
    times
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

#[cfg(unix)]
#[test]
fn a_killed_sweep_is_the_sweep_it_would_have_been() {
    let workspace = workspace(GRID);
    workspace.print(&sweep("whole", &["--threads", "1"]), "");
    for (out, jobs) in [("one", "1"), ("two", "2")] {
        let mut process = Command::new(assert_cmd::cargo::cargo_bin("searchless"))
            .current_dir(workspace.path())
            .args(sweep(out, &["--jobs", jobs, "--threads", "3"]))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        // In the middle: the second cell, or the third of two at once, has made some steps.
        let number = if jobs == "1" { 1 } else { 2 };
        let middle = workspace.path().join(out).join(CELLS[number]).join("metrics.jsonl");
        let started = Instant::now();
        while lines(&middle) < 3 {
            assert!(process.try_wait().expect("a process").is_none(), "it ended early");
            assert!(started.elapsed() < Duration::from_secs(120), "it does not get there");
            std::thread::sleep(Duration::from_millis(1));
        }
        process.kill().expect("a process of ours");
        process.wait().expect("the process ends");

        let first = workspace.path().join(out).join(CELLS[0]);
        let before = times(&first);
        let table = workspace.print(&["sweep", "--out", out, "--table"], "");
        assert!(table.contains("  0/6 ") || jobs == "2", "{table}");
        let output = workspace.run(&["sweep", "--out", out, "--jobs", jobs], "");
        let errors = String::from_utf8(output.stderr).expect("text");
        assert!(output.status.success(), "{errors}");
        if jobs == "1" {
            assert!(!errors.contains(&format!("{}:", CELLS[0])), "{errors}");
            assert_eq!(times(&first), before);
        }
        assert_same(&workspace, "whole", out);
        let all = CELLS.map(|cell| times(&workspace.path().join(out).join(cell)));
        workspace.print(&["sweep", "--out", out], "");
        assert_eq!(CELLS.map(|cell| times(&workspace.path().join(out).join(cell))), all);
        let table = |out: &str| read(&workspace.path().join(out).join("table.csv"));
        assert_eq!(table("whole"), table(out));
    }
}

#[test]
fn an_interrupted_sweep_says_how_to_go_on() {
    let workspace = workspace(&GRID.replace("steps = 6", "steps = 2000"));
    let process = Command::new(assert_cmd::cargo::cargo_bin("searchless"))
        .current_dir(workspace.path())
        .args(sweep("out", &["--jobs", "2"]))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let cell = |number: usize| workspace.path().join("out").join(CELLS[number]);
    let started = Instant::now();
    while (0..2).any(|number| lines(&cell(number).join("metrics.jsonl")) == 0) {
        assert!(started.elapsed() < Duration::from_secs(120), "it does not get there");
        std::thread::sleep(Duration::from_millis(1));
    }
    let in_use = workspace.refuse(&["sweep", "--out", "out"]);
    assert_eq!(in_use, "error: out is in use by another process\n");
    let killed = Command::new("kill").args(["-INT", &process.id().to_string()]).status();
    assert!(killed.expect("a signal").success());
    let output = process.wait_with_output().expect("it ends");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{printed}");
    assert!(printed.ends_with("\nto go on: searchless sweep --out out --jobs 2\n"), "{printed}");
    for number in 0..2 {
        let steps = lines(&cell(number).join("metrics.jsonl"));
        let checkpoint = format!("checkpoints/step-{steps:06}.safetensors");
        assert!(steps < 2000 && cell(number).join(checkpoint).exists(), "{steps}");
    }
    assert!(!cell(2).exists());
}

#[test]
fn the_table_compares_cells_with_the_base_and_keeps_scores() {
    let grid = GRID.replace("steps = 6", "steps = 2");
    let workspace = workspace(&grid);
    let more = ["--suite", SUITE, "--rule", "strict", "--limit", "3"];
    let printed = workspace.print(&sweep("out", &more), "");
    insta::assert_snapshot!(without_sums(&printed));
    let path = |name: &str| workspace.path().join("out").join(name);
    insta::assert_snapshot!("sweep_markdown", without_sums(&read(&path("table.md"))));
    let csv = read(&path("table.csv"));
    assert_eq!(csv.lines().count(), 6, "{csv}");

    // Nothing is scored again: the scores are there, whatever the networks' files are now.
    let kept = CELLS.map(|cell| times(&path(cell)));
    fs::rename(workspace.path().join(SUITE), workspace.path().join("moved.csv")).expect("moved");
    assert_eq!(workspace.print(&["sweep", "--out", "out", "--table"], ""), printed);
    let error = workspace.refuse(&["sweep", "--out", "out"]);
    assert!(error.contains("--suite says where it is"), "{error}");
    let moved = ["--suite", "moved.csv", "--rule", "strict", "--limit", "3"];
    let again = workspace.print(&[&["sweep", "--out", "out"][..], &moved].concat(), "");
    assert_eq!(again.replace("moved.csv", SUITE), printed);
    assert_eq!(workspace.print(&["sweep", "--out", "out"], ""), again);
    assert_eq!(CELLS.map(|cell| times(&path(cell))), kept);
    let scores: Value =
        serde_json::from_str(&read(&path(CELLS[0]).join("scores.json"))).expect("JSON");
    assert_eq!(scores.as_array().map(Vec::len), Some(1));
    assert_eq!((&scores[0]["rule"], &scores[0]["total"]), (&"strict".into(), &3.into()));
}

#[test]
fn a_cell_that_fails_does_not_stop_the_others() {
    let grid = GRID.replace("beta = [0.1]\nseed = [1, 2]", "beta = [1e300, 0.1]");
    let workspace = workspace(&grid);
    let output = workspace.run(&sweep("out", &[]), "");
    let errors = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{errors}");
    let last = errors.lines().last().expect("an error").to_owned();
    assert!(last.starts_with("error: cell forward_kl-beta=1e300 failed: step 2: "), "{last}");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(printed.contains("\nfailed: forward_kl-beta=1e300: step 2: "), "{printed}");
    let path = |name: &str| workspace.path().join("out").join(name);
    for cell in ["forward_kl-beta=0.1", "none"] {
        assert!(path(cell).join("networks/step-000006.pb.gz").exists(), "{cell}");
    }
    // It is not tried again but when asked to.
    let before = times(&path("forward_kl-beta=1e300"));
    let output = workspace.run(&["sweep", "--out", "out"], "");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(times(&path("forward_kl-beta=1e300")), before);
    let output = workspace.run(&["sweep", "--out", "out", "--retry-failed"], "");
    assert_eq!(output.status.code(), Some(2));
    assert_ne!(times(&path("forward_kl-beta=1e300")), before);
}

#[test]
fn what_cannot_be_run_is_refused() {
    let workspace = workspace(GRID);
    let check = |grid: &str, expected: &str| {
        fs::write(workspace.path().join("other.toml"), grid).expect("written");
        let arguments =
            ["sweep", "--network", ATTENTION, "--config", "other.toml", "--out", "other"];
        let error = workspace.refuse(&arguments);
        assert_eq!(error, format!("error: other.toml: {expected}\n"));
        assert!(!workspace.path().join("other").exists());
    };
    check("[grid]\nbeat = [1]", "line 2: unknown key `beat`; did you mean `beta`?");
    check("[grid]\nbeta = []", "line 2: grid.beta = [], expected a list of at least one value");
    check("steps = 3", "there is no table [grid], expected keys with lists of values");
    let error = workspace.refuse(&["sweep", "--out", "none"]);
    assert_eq!(error, "error: none is not there; a new sweep needs --network and --config\n");
    let error = workspace.refuse(&["sweep", "--out", "none", "--table"]);
    assert_eq!(error, "error: none holds no sweep (there is no sweep.toml)\n");

    let small = GRID.replace("steps = 6", "steps = 1").replace("seed = [1, 2]", "seed = [1]");
    fs::write(workspace.path().join("sweep.toml"), &small).expect("written");
    workspace.print(&sweep("out", &[]), "");
    // The same once more is no error.
    workspace.print(&sweep("out", &[]), "");
    fs::write(workspace.path().join("sweep.toml"), GRID).expect("written");
    let error = workspace.refuse(&sweep("out", &[]));
    assert!(error.starts_with("error: out holds another sweep: the grid differs; "), "{error}");
    fs::write(workspace.path().join("sweep.toml"), &small).expect("written");
    let other = ["sweep", "--network", CLASSICAL, "--config", "sweep.toml", "--out", "out"];
    let error = workspace.refuse(&other);
    assert!(error.contains("another sweep: the base's SHA-256 differs"), "{error}");
    let error = workspace.refuse(&["sweep", "--out", "out", "--network", CLASSICAL]);
    assert!(error.contains("the recorded run has the base's SHA-256"), "{error}");
}
