//! Whole small runs of `searchless finetune`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{ATTENTION, CLASSICAL, SUITE, Workspace};

/// A run of seconds.
const SMALL: [&str; 8] =
    ["--steps", "3", "--games", "6", "--warm-start-moves", "2", "--learning-rate-factor", "100"];

fn finetune<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let start = ["finetune", "--network", ATTENTION, "--out", out];
    [&start[..], &SMALL[..], more].concat()
}

fn read(workspace: &Workspace, path: &str) -> Vec<u8> {
    fs::read(workspace.path().join(path)).expect(path)
}

fn steps(metrics: &Path) -> usize {
    fs::read_to_string(metrics).map_or(0, |text| text.lines().count())
}

#[test]
fn a_run_leaves_its_files_and_compares_the_networks() {
    let workspace = Workspace::new();
    let arguments = finetune("run", &["--suite", SUITE, "--term", "reverse-kl", "--seed", "5"]);
    let printed = workspace.print(&arguments, "");
    let network = "run/networks/step-000003.pb.gz";
    let said = format!("finished 3 steps; the network is {network}\n");
    assert!(printed.starts_with(&said), "{printed}");
    let rows: Vec<&str> = printed.lines().filter(|line| line.contains(" / 3 ")).collect();
    assert_eq!(rows.len(), 2, "{printed}");
    assert!(rows[0].starts_with(ATTENTION) && rows[1].starts_with(network), "{printed}");

    let metrics = String::from_utf8(read(&workspace, "run/metrics.jsonl")).expect("text");
    let steps: Vec<Value> =
        metrics.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let numbers: Vec<u64> = steps.iter().filter_map(|step| step["step"].as_u64()).collect();
    assert_eq!(numbers, [1, 2, 3]);
    let config = String::from_utf8(read(&workspace, "run/config.toml")).expect("text");
    for line in ["exploration = \"reverse_kl\"", "seed = 5", "games = 6", "steps = 3"] {
        assert!(config.contains(line), "{config}");
    }
    // The network is one that every other command takes.
    let described = workspace.print(&["inspect", network], "");
    assert!(described.contains("layers              81"), "{described}");
    assert_ne!(read(&workspace, network), read(&workspace, ATTENTION));

    let error = workspace.refuse(&arguments);
    assert!(error.starts_with("error: run already holds a run"), "{error}");
}

#[test]
fn threads_do_not_change_a_run_and_seeds_do() {
    let workspace = Workspace::new();
    for (out, threads, seed) in [("one", "1", "1"), ("three", "3", "1"), ("other", "1", "2")] {
        workspace.print(&finetune(out, &["--threads", threads, "--seed", seed]), "");
    }
    let network = |out: &str| read(&workspace, &format!("{out}/networks/step-000003.pb.gz"));
    assert_eq!(network("one"), network("three"));
    assert_ne!(network("one"), network("other"));
}

#[test]
fn options_win_over_the_file_of_settings() {
    let workspace = Workspace::new();
    let settings = "steps = 9\nbeta = 0.5\nhistory_fill = \"no\"\ntemperature = \"one\"\n";
    fs::write(workspace.path().join("settings.toml"), settings).expect("written");
    workspace.print(&finetune("run", &["--config", "settings.toml", "--term", "none"]), "");
    let config = String::from_utf8(read(&workspace, "run/config.toml")).expect("text");
    for line in [
        "steps = 3",
        "beta = 0.5",
        "history_fill = \"no\"",
        "temperature = \"one\"",
        "exploration = \"none\"",
    ] {
        assert!(config.contains(line), "{line} in {config}");
    }
}

#[test]
fn a_run_is_repeated_from_its_record() {
    let workspace = Workspace::new();
    let more = ["--seed", "5", "--tau", "1", "--term", "reverse_kl", "--ema-decay", "0.5"];
    workspace.print(&finetune("first", &more), "");
    let again = |network, out, more: &[&'static str]| {
        let config = ["--config", "first/config.toml"];
        [&["finetune", "--network", network, "--out", out][..], &config, more].concat()
    };
    workspace.print(&again(ATTENTION, "again", &[]), "");
    let network = |out: &str| read(&workspace, &format!("{out}/networks/step-000003.pb.gz"));
    assert_eq!(network("first"), network("again"));
    assert_eq!(read(&workspace, "first/config.toml"), read(&workspace, "again/config.toml"));
    // Options still win.
    workspace.print(&again(ATTENTION, "other", &["--seed", "6"]), "");
    assert_ne!(network("first"), network("other"));

    let error = workspace.refuse(&again(CLASSICAL, "third", &[]));
    let start = "error: the recorded run has the base's SHA-256 ";
    assert!(error.starts_with(start) && error.contains(", given is "), "{error}");
    let error = workspace.refuse(&again(ATTENTION, "third", &["--policy-head", "soft"]));
    assert!(error.contains("policy head vanilla, given is soft"), "{error}");
    assert!(!workspace.path().join("third").exists());
}

#[test]
fn every_name_of_a_setting_is_understood() {
    let workspace = Workspace::new();
    let check = |option: &str, name: &str, expected: &str| {
        let out = format!("run{option}{name}");
        workspace.print(&finetune(&out, &[option, name]), "");
        let config = String::from_utf8(read(&workspace, &format!("{out}/config.toml")));
        let config = config.expect("text");
        assert!(config.contains(expected), "{config}");
    };
    for name in ["1", "one"] {
        check("--tau", name, "temperature = \"one\"\n");
    }
    check("--tau", "adaptive", "temperature = \"adaptive\"\n");
    for (name, written) in [
        ("forward-kl", "forward_kl"),
        ("reverse_kl", "reverse_kl"),
        ("entropy", "entropy_bonus"),
        ("entropy_bonus", "entropy_bonus"),
        ("none", "none"),
    ] {
        check("--term", name, &format!("exploration = \"{written}\"\n"));
    }
}

#[test]
fn a_file_in_the_runs_place_is_named() {
    let workspace = Workspace::new();
    let error = workspace.refuse(&finetune(SUITE, &[]));
    assert!(error.starts_with("error: puzzles.csv is a file, expected a directory"), "{error}");
}

#[test]
fn nothing_is_begun_that_cannot_be_finished() {
    let workspace = Workspace::new();
    fs::write(workspace.path().join("settings.toml"), "speed = 9\n").expect("written");
    let check = |more: &[&str], expected: &str| {
        let error = workspace.refuse(&finetune("run", more));
        assert!(error.contains(expected), "{error}");
        assert!(!workspace.path().join("run").exists(), "{more:?}");
    };
    check(&["--suite", "nowhere.csv"], "error: nowhere.csv: ");
    let suite = fs::read_to_string(workspace.path().join(SUITE)).expect("a suite");
    fs::write(workspace.path().join("cut.csv"), &suite[..suite.len() - 20]).expect("written");
    fs::write(workspace.path().join("other.csv"), "Name,Value\n").expect("written");
    fs::write(workspace.path().join("empty.csv"), "PuzzleId,FEN,Moves\n").expect("written");
    check(&["--suite", "cut.csv"], "error: cut.csv, line 6: ");
    check(&["--suite", "other.csv"], "error: other.csv, line 1: ");
    check(&["--suite", "empty.csv", "--lenient"], "error: empty.csv: holds no puzzle");
    for alone in [&["--rule", "strict"][..], &["--limit", "3"], &["--lenient"]] {
        check(alone, "--suite <FILE>");
    }
    check(&["--ema-decay", "1"], "error: ema_decay = 1, expected");
    check(&["--config", "nowhere.toml"], "error: reading nowhere.toml: ");
    check(&["--config", "settings.toml"], "error: settings.toml: ");
    check(&["--beta=-1"], "error: beta = -1, expected");
    check(&["--term", "kl"], "forward_kl, reverse_kl, entropy_bonus, none");
    check(&["--tau", "2"], "one, adaptive");
    check(&["--policy-head", "opponent"], "no policy head 'opponent'");
}

#[cfg(unix)]
#[test]
fn an_interrupt_finishes_the_step_and_writes_the_network() {
    let workspace = Workspace::new();
    let arguments = finetune("run", &["--suite", SUITE]);
    // Far more steps than the test waits for.
    let arguments =
        arguments.iter().map(|argument| if *argument == "3" { "1000000" } else { argument });
    let mut run = Command::new(assert_cmd::cargo::cargo_bin("searchless"))
        .current_dir(workspace.path())
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the run starts");
    let metrics = workspace.path().join("run/metrics.jsonl");
    let started = Instant::now();
    while steps(&metrics) < 2 {
        assert!(run.try_wait().expect("a process").is_none(), "the run ended by itself");
        assert!(started.elapsed() < Duration::from_secs(120), "no step in two minutes");
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = run.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().expect("kill runs");
    assert!(sent.success());
    let output = run.wait_with_output().expect("the run ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(errors.contains("interrupted: finishing the step"), "{errors}");

    let made = steps(&metrics);
    let network = format!("run/networks/step-{made:06}.pb.gz");
    let printed = String::from_utf8(output.stdout).expect("text");
    let said = format!("stopped after {made} steps; the network is {network}\n");
    assert!(printed.starts_with(&said), "{printed}");
    let compare = format!("to compare: searchless puzzles {ATTENTION} {network} --suite {SUITE}\n");
    assert!(printed.ends_with(&compare), "{printed}");
    workspace.print(&["inspect", &network], "");
}
