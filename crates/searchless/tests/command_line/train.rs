//! Whole small runs of `searchless train`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lc0::training_data::{MOVES, SearchValue, TrainingRecord};
use serde_json::Value;

use crate::support::{ATTENTION, CLASSICAL, SUITE, Workspace};

/// Settings of a run of seconds that is saved at every step.
const SMALL: [&str; 10] = [
    "--batch",
    "3",
    "--warmup-steps",
    "2",
    "--learning-rate-factor",
    "100",
    "--seed",
    "3",
    "--checkpoint-every",
    "1",
];

/// Seven samples, of which one is excluded by [`workspace`]'s suite, and a row that is no puzzle.
const POOL: &str = "PuzzleId,FEN,Moves
promo,6k1/1P3ppp/8/8/8/8/8/6K1 b - - 0 1,g8h8 b7b8q
castl,4k3/7p/8/8/8/8/7P/4K2R b K - 0 1,h7h6 e1g1
black,8/8/8/8/8/k7/4p3/6K1 w - - 0 1,g1g2 e2e1n g2f1 e1c2
queen,1k1r3r/ppp5/3p1p1b/8/4P3/1N3Q2/2P2PPq/R5RK w - - 0 23,h1h2 h6f4
mate,8/8/8/8/8/k7/8/K6R w - - 0 1,a1b1 a3b3 b1a1 b3c2
broken,x,y
";

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let suite = "PuzzleId,FEN,Moves\ncastl,4k3/7p/8/8/8/8/7P/4K2R b K - 0 1,h7h6 e1g1\n";
    fs::write(workspace.path().join("pool.csv"), POOL).expect("written");
    fs::write(workspace.path().join("exclude.csv"), suite).expect("written");
    workspace
}

fn train<'a>(out: &'a str, steps: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let start = ["train", "--network", ATTENTION, "--out", out, "--steps", steps];
    let data = ["--puzzles", "pool.csv", "--exclude", "exclude.csv"];
    [&start[..], &data, &SMALL, more].concat()
}

fn resume<'a>(run: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["train", "--resume", run], more].concat()
}

fn read(workspace: &Workspace, path: &str) -> Vec<u8> {
    fs::read(workspace.path().join(path)).expect(path)
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

/// The metrics of a run but for the speeds.
fn metrics(workspace: &Workspace, run: &str) -> Vec<Value> {
    let text = String::from_utf8(read(workspace, &format!("{run}/metrics.jsonl"))).expect("text");
    let record = |line: &str| {
        let mut record: Value = serde_json::from_str(line).expect("a whole line");
        let fields = record.as_object_mut().expect("a record");
        fields.remove("positions_per_second").expect("a speed");
        record
    };
    text.lines().map(record).collect()
}

/// Sees that two runs are the same to the bit, but for the speeds.
fn assert_same(workspace: &Workspace, one: &str, other: &str, steps: u64) {
    for file in ["checkpoints/step-N.safetensors", "networks/step-N.pb.gz"] {
        let file = file.replace('N', &format!("{steps:06}"));
        let [one, other] = [one, other].map(|run| read(workspace, &format!("{run}/{file}")));
        assert!(one == other, "{file}");
    }
    assert_eq!(metrics(workspace, one).len() as u64, steps);
    assert_eq!(metrics(workspace, one), metrics(workspace, other));
}

#[test]
fn a_run_learns_puzzles_and_says_what_it_read() {
    let workspace = workspace();
    let printed = workspace.print(&train("run", "40", &["--suite", SUITE]), "");
    let network = "run/networks/step-000040.pb.gz";
    let said = format!("finished 40 steps; the network is {network}\ndata: 6 samples, read ");
    assert!(printed.starts_with(&said), "{printed}");
    let skipped = ", 1 puzzle excluded\n  1 rows are no puzzles, the first: pool.csv, line 7: ";
    assert!(printed.contains(skipped), "{printed}");
    let rows: Vec<&str> = printed.lines().filter(|line| line.contains(" / 3 ")).collect();
    assert_eq!(rows.len(), 2, "{printed}");
    assert!(rows[0].starts_with(ATTENTION) && rows[1].starts_with(network), "{printed}");

    let steps = metrics(&workspace, "run");
    let policy = |steps: &[Value]| -> f64 {
        steps.iter().map(|step| step["policy"].as_f64().expect("a number")).sum()
    };
    let (before, after) = (policy(&steps[..10]), policy(&steps[30..]));
    assert!(after < 0.9 * before, "{before}, {after}");
    let config = String::from_utf8(read(&workspace, "run/config.toml")).expect("text");
    for line in ["steps = 40", "batch = 3", "exclude = [\"exclude.csv\"]", "sha256 = "] {
        assert!(config.contains(line), "{config}");
    }
    // The network is one that every other command takes.
    let described = workspace.print(&["inspect", network], "");
    assert!(described.contains("layers              81"), "{described}");

    let error = workspace.refuse(&train("run", "40", &[]));
    assert!(error.starts_with("error: run already holds a run"), "{error}");
    // From its record the run is the same; options win.
    let repeat = ["train", "--network", ATTENTION, "--out", "again", "--config", "run/config.toml"];
    workspace.print(&repeat, "");
    assert_same(&workspace, "run", "again", 40);
    assert_eq!(read(&workspace, "run/config.toml"), read(&workspace, "again/config.toml"));
    workspace.print(&[&repeat[..4], &["other"], &repeat[5..], &["--seed", "4"]].concat(), "");
    assert_ne!(metrics(&workspace, "run"), metrics(&workspace, "other"));
}

/// A record of the first position, in which the search liked `moves`.
fn record(moves: &[usize], input_format: u32) -> TrainingRecord {
    let mut probabilities = Box::new([-1.0; MOVES]);
    moves.iter().for_each(|&index| probabilities[index] = 1.0 / moves.len() as f32);
    let mut planes = [0; 104];
    (planes[0], planes[6]) = (0xff00, 0xff << 48);
    let value = SearchValue { q: 0.5, d: 0.25, m: 0.0 };
    TrainingRecord {
        input_format,
        probabilities,
        planes,
        castling: [[1; 2]; 2],
        side_to_move_or_en_passant: 0,
        half_move_clock: 0,
        invariance: 0,
        reserved_byte: 0,
        root: value,
        best: value,
        plies_left: 0.0,
        result: SearchValue { q: 1.0, d: 0.0, m: 0.0 },
        played: value,
        original: value,
        visits: 100,
        played_index: moves[0] as u16,
        best_index: moves[0] as u16,
        policy_kld: 0.0,
        reserved: 0,
    }
}

fn write_chunk(workspace: &Workspace, name: &str, records: &[TrainingRecord]) {
    let bytes: Vec<u8> = records.iter().flat_map(|record| *record.to_bytes()).collect();
    fs::write(workspace.path().join(name), bytes).expect("written");
}

#[test]
fn a_run_learns_chunks() {
    let workspace = workspace();
    fs::create_dir(workspace.path().join("chunks")).expect("a folder");
    write_chunk(&workspace, "chunks/a.gz", &[record(&[1, 2, 3], 1), record(&[3, 4], 1)]);
    write_chunk(&workspace, "chunks/b.gz", &[record(&[1], 3)]);
    write_chunk(&workspace, "other.gz", &[record(&[1], 3)]);
    let start = ["train", "--network", ATTENTION, "--out", "run", "--steps", "20"];
    let data = ["--chunks", "chunks", "--result-ratio", "0.5"];
    let printed = workspace.print(&[&start[..], &data, &SMALL].concat(), "");
    assert!(printed.contains("\ndata: 2 samples, read through "), "{printed}");
    let skipped = "1 chunks are of another input format, the first: chunks/b.gz: \
                   recorded in input format 3, the network has 1\n";
    assert!(printed.contains(skipped), "{printed}");
    let steps = metrics(&workspace, "run");
    let value = |step: &Value| step["value"].as_f64().expect("a number");
    assert!(value(&steps[19]) < value(&steps[0]), "{steps:?}");
    let config = String::from_utf8(read(&workspace, "run/config.toml")).expect("text");
    assert!(config.contains("result_ratio = 0.5"), "{config}");

    let refused = ["--chunks", "other.gz"];
    let error = workspace.refuse(&[&start[..4], &["new"], &refused, &SMALL].concat());
    assert!(error.starts_with("error: no sample in other.gz; 1 chunks are of another"), "{error}");
    assert!(!workspace.path().join("new").exists());
}

#[test]
fn settings_come_from_file_and_options() {
    let workspace = workspace();
    let settings =
        "steps = 9\nbatch = 2\nfinal_rate = 0.5\n[data.puzzles]\nfiles = [\"pool.csv\"]\n";
    fs::write(workspace.path().join("train.toml"), settings).expect("written");
    let start = ["train", "--network", ATTENTION, "--out", "run", "--config", "train.toml"];
    workspace.print(&[&start[..], &["--steps", "1", "--exclude", "exclude.csv"]].concat(), "");
    let config = String::from_utf8(read(&workspace, "run/config.toml")).expect("text");
    for line in ["steps = 1\n", "batch = 2\n", "final_rate = 0.5\n", "exclude = [\"exclude.csv\"]"]
    {
        assert!(config.contains(line), "{line} in {config}");
    }
}

#[test]
fn nothing_is_begun_that_cannot_be_finished() {
    let workspace = workspace();
    fs::write(workspace.path().join("settings.toml"), "speed = 9\n").expect("written");
    fs::write(workspace.path().join("empty.csv"), "PuzzleId,FEN,Moves\n").expect("written");
    let check = |more: &[&str], expected: &str| {
        let start = ["train", "--network", ATTENTION, "--out", "run"];
        let error = workspace.refuse(&[&start[..], more].concat());
        assert!(error.contains(expected), "{error}");
        assert!(!workspace.path().join("run").exists(), "{more:?}");
    };
    check(&[], "error: nothing to learn from: give --puzzles, --chunks or --config");
    check(&["--puzzles", "nowhere.csv"], "error: nowhere.csv: ");
    check(&["--puzzles", "empty.csv"], "error: no sample in empty.csv");
    check(&["--puzzles", "pool.csv", "--exclude", "nowhere.csv"], "error: nowhere.csv: ");
    check(&["--puzzles", "pool.csv", "--exclude", "pool.csv"], "the puzzles to exclude: pool.csv");
    check(&["--puzzles", "pool.csv", "--suite", "nowhere.csv"], "error: nowhere.csv: ");
    check(&["--chunks", "nowhere"], "error: nowhere: ");
    check(&["--puzzles", "pool.csv", "--chunks", "x"], "cannot be used with");
    check(&["--puzzles", "pool.csv", "--result-ratio", "1"], "cannot be used with");
    check(&["--chunks", ".", "--result-ratio", "2"], "data.chunks.result_ratio = 2, expected");
    check(&["--puzzles", "pool.csv", "--batch", "0"], "error: batch = 0, expected");
    check(&["--config", "settings.toml"], "error: settings.toml: ");
    check(&["--config", "settings.toml", "--puzzles", "pool.csv"], "unknown field `speed`");
    check(&["--puzzles", "pool.csv", "--policy-head", "opponent"], "no policy head 'opponent'");
}

#[test]
fn runs_of_the_other_kind_are_told_apart() {
    let workspace = workspace();
    workspace.print(&train("run", "1", &[]), "");
    let arguments = ["finetune", "--network", ATTENTION, "--out", "played", "--steps", "1"];
    workspace.print(&[&arguments[..], &["--games", "2", "--warm-start-moves", "0"]].concat(), "");
    let check = |arguments: &[&str], expected: &str| {
        let error = workspace.refuse(arguments);
        assert!(error.contains(expected), "{error}");
    };
    let other = "holds a run of another kind; to go on with it: searchless";
    check(&["finetune", "--resume", "run"], &format!("error: run {other} train --resume run\n"));
    check(
        &["train", "--resume", "played"],
        &format!("error: played {other} finetune --resume played\n"),
    );
    let config = ["--network", ATTENTION, "--out", "new", "--config"];
    let other = "the record of another kind of run: that of searchless";
    check(&[&["finetune"], &config[..], &["run/config.toml"]].concat(), &format!("{other} train"));
    check(&[&["train"], &config[..], &["played/config.toml"]].concat(), &format!("{other} fine"));
}

#[test]
fn a_resumed_run_is_the_run_it_would_have_been() {
    let workspace = workspace();
    workspace.print(&train("whole", "5", &[]), "");
    workspace.print(&train("run", "3", &["--threads", "1"]), "");
    let network = "run/networks/step-000003.pb.gz";
    let said = format!(
        "the run has already made its 3 steps; the network is {network}\n\
         for more steps: searchless train --resume run --steps N\n"
    );
    assert_eq!(workspace.print(&resume("run", &[]), ""), said);
    let output = workspace.run(&resume("run", &["--steps", "5"]), "");
    let errors = String::from_utf8(output.stderr).expect("text");
    assert!(errors.contains("going on after 3 steps"), "{errors}");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(printed.contains("data: 6 samples, read through "), "{printed}");
    assert_same(&workspace, "whole", "run", 5);

    for option in ["--batch", "--seed", "--learning-rate-scale", "--puzzles", "--exclude", "--out"]
    {
        let error = workspace.refuse(&resume("run", &[option, "1"]));
        assert!(error.starts_with("error: the argument '--resume <DIRECTORY>' cannot"), "{error}");
    }
    let changed = POOL.replace("b7b8q", "b7b8r");
    fs::write(workspace.path().join("pool.csv"), changed).expect("written");
    let error = workspace.refuse(&resume("run", &["--steps", "6"]));
    assert!(error.starts_with("error: the files no longer give the 15 samples"), "{error}");
    fs::rename(workspace.path().join(ATTENTION), workspace.path().join("moved")).expect("renamed");
    let error = workspace.refuse(&resume("run", &["--steps", "6"]));
    assert!(error.contains("--network says where it is"), "{error}");
    let error = workspace.refuse(&resume("run", &["--steps", "6", "--network", CLASSICAL]));
    assert!(error.contains("the recorded run has the base's SHA-256"), "{error}");
}

#[cfg(unix)]
#[test]
fn interrupted_and_killed_runs_go_on() {
    let workspace = workspace();
    for signal in ["-INT", "-KILL"] {
        let name = format!("run{signal}");
        // Far more steps than the test waits for.
        let mut run = Command::new(assert_cmd::cargo::cargo_bin("searchless"))
            .current_dir(workspace.path())
            .args(train(&name, "1000000", &[]))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the run starts");
        let metrics = workspace.path().join(&name).join("metrics.jsonl");
        let started = Instant::now();
        while lines(&metrics) < 4 {
            assert!(run.try_wait().expect("a process").is_none(), "the run ended by itself");
            assert!(started.elapsed() < Duration::from_secs(120), "no step in two minutes");
            std::thread::sleep(Duration::from_millis(5));
        }
        let id = run.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status().expect("kill runs");
        assert!(sent.success());
        let output = run.wait_with_output().expect("the run ends");
        if signal == "-INT" {
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{errors}");
            assert!(errors.contains("interrupted: finishing the step"), "{errors}");
            let printed = String::from_utf8(output.stdout).expect("text");
            let command = format!("to go on: searchless train --resume {name}\n");
            assert!(printed.contains(&command), "{printed}");
        }
        let made = lines(&metrics) as u64;
        let steps = (made + 2).to_string();
        let whole = format!("whole{signal}");
        workspace.print(&train(&whole, &steps, &[]), "");
        workspace.print(&resume(&name, &["--steps", &steps]), "");
        assert_same(&workspace, &whole, &name, made + 2);
    }
}

/// Means of the policy loss over the first and the last five steps of 20 on maia-1100.
fn maia(data: &[&str]) -> Option<(f64, f64, String)> {
    let network = fixtures::reference("nets/maia-1100.pb.gz")?;
    let workspace = Workspace::new();
    let start = ["train", "--network", network.to_str().expect("text"), "--out", "run"];
    let settings = ["--steps", "20", "--batch", "32", "--warmup-steps", "0", "--seed", "1"];
    let rates = ["--learning-rate-factor", "30", "--shuffle-buffer", "512"];
    let printed = workspace.print(&[&start[..], data, &settings, &rates].concat(), "");
    let steps = metrics(&workspace, "run");
    let policy = |steps: &[Value]| -> f64 {
        steps.iter().map(|step| step["policy"].as_f64().expect("a number")).sum::<f64>() / 5.0
    };
    Some((policy(&steps[..5]), policy(&steps[15..]), printed))
}

#[test]
fn maia_learns_chunks_of_lc0() {
    let Some(chunks) = fixtures::reference("training") else { return };
    let data = ["--chunks", chunks.to_str().expect("text")];
    let Some((first, last, printed)) = maia(&data) else { return };
    assert!(last < first, "{first}, {last}: {printed}");
}

#[test]
fn maia_learns_puzzles_that_are_in_no_suite() {
    let Some(pool) = fixtures::reference("puzzles/lichess_training_pool_300k.csv.zst") else {
        return;
    };
    let Some(suite) = fixtures::reference("puzzles/lichess_uniform_100k.csv.zst") else { return };
    let paths = [&pool, &suite].map(|path| path.to_str().expect("text"));
    let data = ["--puzzles", paths[0], "--exclude", paths[1]];
    let Some((first, last, printed)) = maia(&data) else { return };
    assert!(last < first, "{first}, {last}: {printed}");
    assert!(printed.contains("data: 1151 samples so far, not read through yet\n"), "{printed}");
}
