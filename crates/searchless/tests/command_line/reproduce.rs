//! The whole study through `searchless reproduce`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{ATTENTION, CLASSICAL, SUITE, Workspace};

/// The study's workspace, with a folder of small suites.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let folder = workspace.path().join("suites");
    fs::create_dir(&folder).expect("a folder");
    let all = read(&workspace.path().join(SUITE));
    let is_puzzle = |line: &&str| !line.starts_with("short,") && !line.starts_with("wrong,");
    let puzzles: String = all.split_inclusive('\n').filter(is_puzzle).collect();
    for role in ["selection", "uniform", "hard", "mates"] {
        fs::write(folder.join(format!("{role}.csv")), &puzzles).expect("written");
    }
    // Of other names: what is in a suite is not learnt from.
    let pool = puzzles.replace("\npromo,", "\nother1,").replace("\ncastl,", "\nother2,");
    fs::write(folder.join("pool.csv"), pool).expect("written");
    workspace
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn new_study<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let start = ["reproduce", "--network", ATTENTION, "--suites", "suites", "--out", out];
    [&start[..], more].concat()
}

/// A process of its own group, so that a signal can reach all that it starts.
fn start(workspace: &Workspace, arguments: &[&str]) -> Child {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("searchless"));
    command.current_dir(workspace.path()).args(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().expect("the binary starts")
}

/// Waits until `is_there`; says whether the process ended before.
fn wait_for(process: &mut Child, is_there: impl Fn() -> bool) -> bool {
    let started = Instant::now();
    while !is_there() {
        if process.try_wait().expect("a process").is_some() {
            return true;
        }
        assert!(started.elapsed() < Duration::from_secs(300), "it does not get there");
        std::thread::sleep(Duration::from_millis(1));
    }
    false
}

/// Kills a process, with or without those that it started.
fn kill(mut process: Child, with_its_own: bool) {
    if with_its_own {
        let group = format!("-{}", process.id());
        let killed = Command::new("kill").args(["-KILL", "--", &group]).status();
        assert!(killed.expect("a signal").success());
    } else {
        process.kill().expect("a process of ours");
    }
    process.wait().expect("the process ends");
}

fn edit_plan(study: &Path, edit: impl FnOnce(&mut Vec<Value>)) {
    let path = study.join("plan.json");
    let mut plan: Value = serde_json::from_str(&read(&path)).expect("JSON");
    edit(plan["steps"].as_array_mut().expect("steps"));
    fs::write(&path, plan.to_string()).expect("written");
}

/// The arguments of a step that is a command.
fn arguments(step: &mut Value) -> Option<&mut Vec<Value>> {
    step["action"].as_object_mut()?.get_mut("arguments")?.as_array_mut()
}

/// All files that a study ends with, but those of runs, which have timings, and of the steps.
fn results(study: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut results = BTreeMap::new();
    for folder in [
        "",
        "measurements",
        "networks",
        "suites",
        "openings",
        "arena-argmax",
        "report",
        "report/tables",
    ] {
        for entry in fs::read_dir(study.join(folder)).expect(folder) {
            let path = entry.expect("an entry").path();
            // The answers' file is the same in what it says, not in its pages.
            let name = path.strip_prefix(study).expect("inside").to_owned();
            let is_result = path.is_file() && name != Path::new("results.sqlite");
            if is_result {
                results.insert(name, fs::read(&path).expect("read"));
            }
        }
    }
    results
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copied");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_killed_study_is_the_study_it_would_have_been() {
    let workspace = workspace();
    let study = |name: &str| workspace.path().join(name);
    // How fast the network is says how large the study is, so that both go on from one plan.
    let mut process = start(&workspace, &new_study("whole", &["--budget", "1s"]));
    let ended = wait_for(&mut process, || study("whole/plan.json").exists());
    assert!(!ended);
    kill(process, true);
    // An engine's verdicts depend on the time that it has.
    edit_plan(&study("whole"), |steps| {
        for step in steps {
            let Some(arguments) = arguments(step) else { continue };
            if let Some(place) = arguments.iter().position(|word| word == "--engine") {
                arguments.drain(place..place + 2);
            }
        }
    });
    copy(&study("whole"), &study("killed"));

    let go_on = |out: &'static str| ["reproduce", "--out", out];
    let printed = workspace.print(&go_on("whole"), "");
    assert_eq!(printed, "finished; the report is whole/report/index.html\n");
    let whole = results(&study("whole"));
    for name in ["evaluate-selection", "evaluate-uniform", "evaluate-mates", "beta-curve"] {
        assert!(
            whole.contains_key(Path::new("measurements").join(format!("{name}.jsonl")).as_path())
        );
    }

    let is_begun = |path: &str| {
        let path = study("killed").join(path);
        move || fs::metadata(&path).is_ok_and(|data| data.len() > 0)
    };
    for (middle, with_its_own) in [
        ("sweep/reverse_kl-one-beta=0.01/metrics.jsonl", true),
        ("steps/evaluate-selection.json", false),
        ("selection.json", true),
        ("steps/coverage.stdout", false),
        ("arena-argmax/games.pgn", true),
    ] {
        let mut process = start(&workspace, &go_on("killed"));
        let ended = wait_for(&mut process, is_begun(middle));
        assert!(!ended, "{middle}");
        kill(process, with_its_own);
    }
    workspace.print(&go_on("killed"), "");
    let killed = results(&study("killed"));
    assert_eq!(killed.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
    for (name, bytes) in &whole {
        assert!(killed[name] == *bytes, "{}", name.display());
    }
    assert!(!study("killed/outdated").exists());

    // What is done is not done again, and what is lost is.
    let table = workspace.print(&["reproduce", "--out", "killed", "--dry-run"], "");
    assert!(table.contains("; all is done\n"), "{table}");
    fs::remove_file(study("killed/measurements/evaluate-hard.jsonl")).expect("removed");
    let table = workspace.print(&["reproduce", "--out", "killed", "--dry-run"], "");
    let redone: Vec<&str> = table.lines().filter(|line| line.contains("to redo: ")).collect();
    assert_eq!(redone.len(), 2, "{table}");
    assert!(redone[0].contains("measurements/evaluate-hard.jsonl is missing"), "{table}");
    assert!(redone[1].contains("report"), "{table}");
    workspace.print(&go_on("killed"), "");
    assert!(results(&study("killed")) == killed);

    // The commands of the study are those that were given, with the networks that were chosen.
    let script = read(&study("whole/commands.sh"));
    let selection: Value =
        serde_json::from_str(&read(&study("whole/selection.json"))).expect("JSON");
    let arms = selection["arms"].as_array().expect("arms");
    assert_eq!(arms.len(), 10);
    for arm in &arms[1..9] {
        let (run, network) = (arm["run"].as_str(), arm["network"].as_str());
        let (run, network) = (run.expect("a run"), network.expect("a file"));
        let line = format!("\ncp {run}/networks/step-000002.pb.gz {network}\n");
        assert!(script.contains(&line), "{line}{script}");
    }
    let description: Value = serde_json::from_str(&read(&study("whole/study.json"))).expect("JSON");
    assert_eq!(description["base_title"], ATTENTION);
    assert!(!description["cuts"].as_array().expect("cuts").is_empty());

    // Another study does not take its place.
    let error = workspace.refuse(&["reproduce", "--out", "killed", "--seed", "2"]);
    let expected =
        "error: killed holds another study: its seed is 1, not 2; choose another --out\n";
    assert_eq!(error, expected);
    let other = ["reproduce", "--out", "killed", "--network", CLASSICAL];
    let error = workspace.refuse(&other);
    assert!(error.contains("its base network's SHA-256 is "), "{error}");
    workspace.print(&new_study("killed", &["--budget", "1s", "--scale", "small"]), "");
}

/// A copy of the base in the place of a network.
fn stand_in(variant: &str) -> Value {
    let to = format!("networks/{variant}.pb.gz");
    json!({
        "name": format!("network-{variant}"), "title": "copy", "work": "writing", "seconds": 1.0,
        "action": {"kind": "copy", "from": "networks/base.pb.gz", "to": to},
        "inputs": ["networks/base.pb.gz"], "outputs": [{"path": to, "whole": "present"}],
    })
}

/// The parts that the smallest budget leaves out are commands that work.
#[test]
fn matches_shape_and_calibration_are_measured() {
    let workspace = workspace();
    let study = workspace.path().join("study");
    let mut process = start(&workspace, &new_study("study", &[]));
    let ended = wait_for(&mut process, || study.join("plan.json").exists());
    assert!(!ended);
    kill(process, true);
    const KEPT: [&str; 11] = [
        "opening-games",
        "openings",
        "arena-argmax",
        "rate-argmax",
        "arena-against-base",
        "rate-against-base",
        "arena-sampled",
        "rate-sampled",
        "shape",
        "calibration",
        "game-moves",
    ];
    edit_plan(&study, |steps| {
        let variants = ["none", "entropy_bonus", "reverse_kl", "forward_kl"];
        let variants = variants.iter().flat_map(|term| {
            ["adaptive", "one"].map(|temperature| format!("{term}-{temperature}"))
        });
        let networks: Vec<Value> =
            variants.chain(["puzzle_tuned".to_owned()]).map(|name| stand_in(&name)).collect();
        let kept = |step: &Value| KEPT.contains(&step["name"].as_str().expect("a name"));
        let base = steps.remove(0);
        steps.retain(kept);
        for step in steps.iter_mut() {
            smaller(step);
        }
        steps.splice(0..0, [base].into_iter().chain(networks));
    });
    workspace.print(&["reproduce", "--out", "study"], "");
    for name in ["argmax", "against-base", "sampled"] {
        let path = study.join(format!("measurements/rate-{name}.json"));
        let rating: Value = serde_json::from_str(&read(&path)).expect("JSON");
        assert_eq!(rating["players"].as_array().map(Vec::len), Some(10), "{name}");
        let direct = rating["direct"].as_array().expect("direct records");
        assert_eq!(direct.len(), 9, "{name}");
    }
    let moves = read(&study.join("measurements/game-moves.txt"));
    assert!(moves.split_whitespace().count() >= 8, "{moves}");
}

/// Two games of a pair, and one of a player.
fn smaller(step: &mut Value) {
    let name = step["name"].as_str().expect("a name").to_owned();
    let games = match name.as_str() {
        "opening-games" => 20,
        "shape" => 1,
        _ => 2,
    };
    let pairs = match name.as_str() {
        "arena-against-base" => 9,
        "opening-games" => 1,
        _ => 45,
    };
    let Some(arguments) = arguments(step) else { return };
    let option = arguments.iter().position(|word| word == "--games");
    if let Some(option) = option.filter(|_| name != "calibration") {
        arguments[option + 1] = games.to_string().into();
    }
    if let Some(expected) = step["outputs"][0]["whole"].get_mut("games") {
        *expected = (games * pairs).into();
    }
}

#[test]
fn a_study_is_planned_before_it_begins() {
    let workspace = workspace();
    let table = workspace.print(&new_study("study", &["--dry-run", "--budget", "1s"]), "");
    let mut lines = table.lines();
    let head: Vec<&str> = lines.next().expect("a head").split_whitespace().collect();
    assert_eq!(head, ["step", "time", "state", "command"]);
    let names: Vec<&str> = lines
        .by_ref()
        .take_while(|line| !line.is_empty())
        .map(|line| {
            assert!(line.contains("  to do  "), "{line}");
            line.split_whitespace().nth(1).expect("a name")
        })
        .collect();
    assert_eq!(names[..2], ["base", "suite-selection"]);
    assert_eq!(names.last(), Some(&"report"));
    assert!(table.contains("\ncut: Steps of each run: 2 instead of 300.\n"), "{table}");
    assert!(!workspace.path().join("study").exists());

    let check = |arguments: &[&str], expected: &str| {
        let all = [&["reproduce", "--out", "study"], arguments].concat();
        let error = workspace.refuse(&all);
        assert!(error.starts_with(&format!("error: {expected}")), "{error}");
        assert!(!workspace.path().join("study").exists());
    };
    check(&["--scale", "paper"], "the paper's scale needs the paper's network and suites: ");
    check(&["--network", "none.pb.gz", "--suites", "suites"], "none.pb.gz: ");
    check(&["--network", ATTENTION, "--suites", "."], ".: there is no suite; expected ");
    check(&["--network", SUITE, "--suites", "suites"], "puzzles.csv: ");
    check(&["--budget", "20"], "invalid value '20' for '--budget <TIME>': '20' is no time; ");
    // What is not given is within the program, and `embedded` says so.
    let table = workspace.print(&["reproduce", "--out", "study", "--dry-run"], "");
    assert!(table.contains("suite-hard") && !table.contains("suite-pool"), "{table}");
    let carried =
        ["--network", "embedded", "--suites", "embedded", "--openings", "embedded", "--dry-run"];
    let named = workspace.print(&[&["reproduce", "--out", "study"], &carried[..]].concat(), "");
    for step in
        ["cp embedded/base.pb.gz ", "cp embedded/hard.csv.zst ", "cp embedded/openings.pgn "]
    {
        assert!(named.contains(step) && table.contains(step), "{named}");
    }
    assert!(!workspace.path().join("study").exists());
    let error = workspace.refuse(&["reproduce", "--out", "suites"]);
    assert_eq!(error, "error: suites is not empty and holds no study (no plan.json)\n");
}

#[test]
fn one_process_works_on_a_study() {
    let workspace = workspace();
    let study = workspace.path().join("study");
    let mut process = start(&workspace, &new_study("study", &[]));
    let ended = wait_for(&mut process, || study.join("steps/sweep.json").exists());
    assert!(!ended);
    let error = workspace.refuse(&["reproduce", "--out", "study"]);
    assert_eq!(error, "error: study: another process works on this study\n");
    let interrupted =
        Command::new("kill").args(["-INT", "--", &format!("-{}", process.id())]).status();
    // Both take it as the end of their work, and say how to go on.
    if interrupted.is_ok_and(|status| status.success()) {
        assert_eq!(process.wait().expect("it ends").code(), Some(130));
    } else {
        kill(process, true);
    }
    let table = workspace.print(&["reproduce", "--out", "study", "--dry-run"], "");
    let sweep = table.lines().find(|line| line.contains(" sweep ")).expect("a sweep");
    assert!(sweep.contains("to go on"), "{table}");
}
