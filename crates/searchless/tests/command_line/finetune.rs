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
fn settings_come_from_preset_file_keys_and_options_in_this_order() {
    let workspace = Workspace::new();
    let file = "preset = \"release\"\nsteps = 9\ngames = 9\nbeta = 0.5\nseed = 9\n";
    fs::write(workspace.path().join("settings.toml"), file).expect("written");
    let print =
        |more: &[&str]| workspace.print(&[&["finetune", "--print-config"][..], more].concat(), "");
    let check = |more: &[&str], lines: &[&str]| {
        let printed = print(more);
        for line in lines {
            assert!(printed.lines().any(|printed| printed == *line), "{line} in {printed}");
        }
    };
    check(&[], &["steps = 2000", "value_anchor = 0.0", "temperature_source = \"average\""]);
    check(&["--preset", "small"], &["steps = 300", "games = 128"]);
    let file = ["--config", "settings.toml"];
    check(&file, &["steps = 9", "value_anchor = 0.1", "ply_cap_outcome = \"bootstrap\""]);
    let more = ["--preset", "small", "--set", "games=8", "--set", "beta=0.25", "--set", "seed=8"];
    let expected = ["steps = 9", "games = 8", "beta = 0.25", "seed = 7", "value_anchor = 0.0"];
    check(
        &[&file[..], &more, &["--seed", "7"]].concat(),
        &[&expected[..], &["ema_decay = 0.98"]].concat(),
    );

    // What is printed is a file that says the same.
    let printed = print(&[&file[..], &["--set", "optimiser.beta1=0.5"]].concat());
    fs::write(workspace.path().join("printed.toml"), &printed).expect("written");
    assert_eq!(print(&["--config", "printed.toml"]), printed);
    let help = workspace.print(&["finetune", "--help"], "");
    for line in printed.lines().filter_map(|line| line.split_once(" = ")) {
        let key = line.0.trim_start_matches("# ");
        assert!(help.contains(key), "{key} in {help}");
    }
}

#[test]
fn a_book_and_references_are_read_and_recorded() {
    let workspace = Workspace::new();
    let book = "1. e4 e5 *\n1. d4 d5 2. c4 *\n";
    fs::write(workspace.path().join("book.pgn"), book).expect("written");
    let more = [
        "--set",
        "opening_book.file=book.pgn",
        "--set",
        "references=[{file=\"attention.pb.gz\", weight=3}]",
        "--set",
        "beta_schedule.kind=linear",
    ];
    workspace.print(&finetune("first", &more), "");
    let config = String::from_utf8(read(&workspace, "first/config.toml")).expect("text");
    assert_eq!(config.matches("sha256 = ").count(), 3, "{config}");
    let repeat =
        |out| ["finetune", "--network", ATTENTION, "--out", out, "--config", "first/config.toml"];
    workspace.print(&repeat("again"), "");
    assert_eq!(read(&workspace, "again/config.toml"), config.as_bytes());
    let network = |out: &str| read(&workspace, &format!("{out}/networks/step-000003.pb.gz"));
    assert_eq!(network("first"), network("again"));
    workspace.print(&finetune("without", &[]), "");
    assert_ne!(network("first"), network("without"));

    let refused = |more: &[&str], expected: &str| {
        let error = workspace.refuse(&[&repeat("third")[..], more].concat());
        assert!(error.contains(expected), "{error}");
        assert!(!workspace.path().join("third").exists());
    };
    fs::write(workspace.path().join("book.pgn"), "1. c4 *\n").expect("written");
    refused(&[], "error: book.pgn has the SHA-256 ");
    fs::write(workspace.path().join("book.pgn"), "1. e4\n2. Ke7").expect("written");
    refused(&[], "error: book.pgn, line 2: the move Ke7 is not legal in ");
    fs::write(workspace.path().join("book.pgn"), book).expect("written");
    refused(&["--set", "references=[{file=\"nowhere.pb\"}]"], "error: nowhere.pb: ");
    refused(&["--preset", "small"], "the record of a run has all keys");
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
    check(
        &["--config", "settings.toml"],
        "error: settings.toml: line 1: unknown key `speed`; did you mean `seed`?",
    );
    check(&["--set", "ema_decy=1"], "error: unknown key `ema_decy`; did you mean `ema_decay`?");
    check(&["--set", "steps=few"], "error: steps = \"few\", expected a whole number of at least 1");
    check(&["--preset", "large"], "paper, release, small");
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
