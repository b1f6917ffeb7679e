//! What is refused: exit code 2, one line on the standard error, nothing on the standard output.

use std::fs;

use crate::support::{ATTENTION, CLASSICAL, SUITE, Workspace};

#[test]
fn errors_name_the_file_and_the_place() {
    let workspace = Workspace::new();
    let path = |name: &str| workspace.path().join(name);
    let network = fs::read(path(ATTENTION)).expect("a network");
    fs::write(path("cut.pb.gz"), &network[..network.len() / 2]).expect("written");
    fs::write(path("text.pb"), "no network").expect("written");
    let suite = fs::read_to_string(path(SUITE)).expect("a suite");
    fs::write(path("cut.csv"), &suite[..suite.len() - 20]).expect("written");
    fs::write(path("other.csv"), "Name,Value\n").expect("written");

    let check = |arguments: &[&str], start: &str, rest: &str| {
        let error = workspace.refuse(arguments);
        assert!(error.starts_with(&format!("error: {start}")), "{error}");
        assert!(error.contains(rest), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    };
    check(&["inspect", "nowhere.pb.gz"], "nowhere.pb.gz: ", "No such file");
    check(&["inspect", "cut.pb.gz"], "cut.pb.gz: ", "gzip");
    check(&["inspect", "text.pb"], "text.pb: not an Lc0 network", "byte 0");
    let head = ["inspect", CLASSICAL, "--policy-head", "soft", "--moves", "e2e4"];
    check(&head, "classical.pb.gz: no policy head 'soft'", "vanilla");
    check(&["inspect", ATTENTION, "--fen", "x"], "FEN \"x\": ", "fields");
    check(&["inspect", ATTENTION, "--moves", "e2e5"], "move \"e2e5\" at ply 1: ", "not legal");
    let positions = ["inspect", ATTENTION, "--json", "--positions", "nowhere.jsonl"];
    check(&positions, "opening nowhere.jsonl: ", "No such file");
    check(&["puzzles", ATTENTION, "--suite", "nowhere.csv"], "nowhere.csv: ", "No such file");
    check(&["puzzles", ATTENTION, "--suite", "other.csv"], "other.csv, line 1: ", "PuzzleId");
    let cut = ["puzzles", ATTENTION, "--suite", "cut.csv"];
    check(&cut, "attention.pb.gz: cut.csv, line 6: ", "the suite is not scored; --lenient scores");
    let tf32 = ["inspect", ATTENTION, "--moves", "e2e4", "--precision", "tf32"];
    check(&tf32, "--precision tf32 is for libtorch", "--device");
    let micro_batch = ["inspect", ATTENTION, "--moves", "e2e4", "--micro-batch", "8"];
    check(&micro_batch, "--micro-batch is for libtorch", "--device");
    check(&["uci", "--network", "text.pb"], "text.pb: not an Lc0 network", "byte 0");

    let lenient = workspace.print(&[&cut[..], &["--lenient"]].concat(), "");
    assert!(lenient.contains("1: cut-off file (line 6;"), "{lenient}");
}

#[test]
fn wrong_arguments_are_usage_errors() {
    let workspace = Workspace::new();
    let check = |arguments: &[&str], expected: &str| {
        let error = workspace.refuse(arguments);
        assert!(error.contains(expected), "{error}");
    };
    check(&["nonsense"], "unrecognized subcommand");
    check(&["puzzles", ATTENTION], "--suite");
    check(&["puzzles", ATTENTION, "--suite", SUITE, "--rule", "kind"], "strict, immediate-mate");
    check(&["inspect", ATTENTION, "--temperature", "-1"], "the temperature is -1");
    check(&["inspect", ATTENTION, "--value-head", "best"], "winner, q, st");
    check(&["inspect", ATTENTION, "--positions", "x.jsonl"], "--json");
    check(&["--threads", "0", "inspect", ATTENTION], "--threads");
    check(&["inspect", ATTENTION, "--device", "gpu"], "cuda:N");
}
