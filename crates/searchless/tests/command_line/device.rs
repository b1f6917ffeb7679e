//! What computes: libtorch where the program is built with it, else a word on how to build it.

use crate::support::{ATTENTION, SUITE, Workspace};

/// Runs of every command that computes, without their device.
fn commands() -> [Vec<&'static str>; 4] {
    let finetune = "finetune --out run --steps 2 --games 4 --warm-start-moves 2 --network";
    [
        vec!["inspect", ATTENTION, "--moves", "e2e4", "--json"],
        vec!["puzzles", ATTENTION, "--suite", SUITE, "--json"],
        vec!["uci", "--network", ATTENTION],
        finetune.split(' ').chain([ATTENTION]).collect(),
    ]
}

/// A command that ends with `rest`.
fn with<'a>(command: &[&'a str], rest: &[&'a str]) -> Vec<&'a str> {
    [command, rest].concat()
}

#[test]
#[cfg(not(feature = "torch"))]
fn without_libtorch_the_way_to_build_it_is_said() {
    let workspace = Workspace::new();
    for device in ["cuda:0", "torch:cpu"] {
        for command in commands() {
            let error = workspace.refuse(&with(&command, &["--device", device]));
            let expected = format!("error: device {device} needs libtorch, ");
            assert!(error.starts_with(&expected), "{error}");
            assert!(error.contains("--features torch"), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
}

/// The probability of a move in what `inspect --json` prints.
fn probability(report: &str) -> f64 {
    let report: serde_json::Value = serde_json::from_str(report).expect("JSON");
    report["policy"]["e7e5"][2].as_f64().expect("a probability")
}

#[test]
fn our_own_kernels_compute_in_bfloat16_too() {
    let workspace = Workspace::new();
    let [inspect, _, _, finetune] = commands();
    let exact = probability(&workspace.print(&inspect, ""));
    let half = ["--precision", "bf16"];
    let rounded = probability(&workspace.print(&with(&inspect, &half), ""));
    assert!((exact - rounded).abs() < 0.01 && exact != rounded, "{exact}, {rounded}");
    assert_eq!(probability(&workspace.print(&with(&inspect, &["--precision", "f32"]), "")), exact);

    let printed = workspace.print(&with(&finetune, &half), "");
    assert!(printed.starts_with("finished 2 steps"), "{printed}");
    let record = workspace.path().join("run").join("config.toml");
    let record = std::fs::read_to_string(record).expect("the run's record");
    assert!(record.contains("on cpu, bf16"), "{record}");
}

#[test]
#[cfg(feature = "torch")]
fn libtorch_says_what_our_own_kernels_say() {
    let workspace = Workspace::new();
    let [inspect, puzzles, uci, finetune] = commands();
    let torch = ["--device", "torch:cpu"];

    let ours = probability(&workspace.print(&inspect, ""));
    let theirs = probability(&workspace.print(&with(&inspect, &torch), ""));
    assert!((ours - theirs).abs() < 1e-6, "{ours}, {theirs}");
    let half = [&torch[..], &["--precision", "bf16", "--micro-batch", "1"]].concat();
    let rounded = probability(&workspace.print(&with(&inspect, &half), ""));
    assert!((ours - rounded).abs() < 0.01 && ours != rounded, "{ours}, {rounded}");

    let solved = |arguments: &[&str]| {
        let score: serde_json::Value =
            serde_json::from_str(&workspace.print(arguments, "")).expect("JSON");
        (score["solved"].as_u64(), score["total"].as_u64())
    };
    assert_eq!(solved(&with(&puzzles, &torch)), solved(&puzzles));

    let go = "position startpos\ngo nodes 1\nquit\n";
    let best = |text: String| text.lines().last().map(str::to_owned);
    let ours = best(workspace.print(&uci, go));
    assert_eq!(best(workspace.print(&with(&uci, &torch), go)), ours);

    let printed = workspace.print(&with(&finetune, &torch), "");
    assert!(printed.starts_with("finished 2 steps"), "{printed}");
    let record = workspace.path().join("run").join("config.toml");
    let record = std::fs::read_to_string(record).expect("the run's record");
    assert!(record.contains("on torch:cpu"), "{record}");
}

#[test]
#[cfg(feature = "torch")]
fn gpus_that_are_not_there_are_refused() {
    let workspace = Workspace::new();
    for command in commands() {
        let error = workspace.refuse(&with(&command, &["--device", "cuda:999"]));
        assert!(error.starts_with("error: device cuda:999: "), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}
