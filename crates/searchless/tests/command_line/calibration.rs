//! Calibration from the command line.

use std::fs;

use serde_json::Value;

use crate::support::{ATTENTION, CLASSICAL, Workspace, rounded, without_sums};

/// A mate, a draw, and games that are counted only.
const GAMES: &str = "[White \"A\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n
[White \"B\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 1/2-1/2\n
[White \"C\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n
[White \"D\"]\n\n1. d4 d5 *\n
[White \"E\"]\n\n1. e4 e5 2. Ke3 1-0\n";

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    fs::write(workspace.path().join("games.pgn"), GAMES).expect("written");
    workspace
}

#[test]
fn help() {
    insta::assert_snapshot!(Workspace::new().print(&["calibration", "--help"], ""));
}

#[test]
fn tables() {
    let arguments = ["calibration", ATTENTION, CLASSICAL, "--games", "games.pgn"];
    insta::assert_snapshot!(workspace().print(&arguments, ""));
}

#[test]
fn json_of_each_network() {
    let workspace = workspace();
    let arguments = ["calibration", ATTENTION, CLASSICAL, "--games", "games.pgn", "--json"];
    let printed = workspace.print(&arguments, "");
    insta::assert_snapshot!(rounded(&without_sums(&printed)));
    let threads = workspace.print(&[&arguments[..], &["--threads", "3"]].concat(), "");
    assert_eq!(printed, threads);

    let line = |more: &[&str]| -> Value {
        let printed = workspace.print(&[&arguments[..], more].concat(), "");
        serde_json::from_str(printed.lines().next().expect("a line")).expect("JSON")
    };
    let positions = |more: &[&str]| line(more)["positions"].as_u64().expect("a number");
    assert_eq!(positions(&["--per-game", "1"]), 3);
    assert_eq!(positions(&["--per-game", "100"]), 7 + 6 + 4);
    assert_eq!(positions(&["--per-game", "100", "--skip", "4"]), 3 + 2);
    assert_eq!(positions(&["--per-game", "100", "--limit", "1"]), 7);
    // Of one game nothing says how games differ.
    assert_eq!(line(&["--limit", "1"])["log_loss"]["standard_error"], Value::Null);
    assert_ne!(line(&["--seed", "1"])["log_loss"], line(&["--seed", "2"])["log_loss"]);
}

#[test]
fn refusals() {
    let workspace = workspace();
    let check = |games: &str, text: &str, expected: &str| {
        fs::write(workspace.path().join(games), text).expect("written");
        let error = workspace.refuse(&["calibration", ATTENTION, "--games", games]);
        assert!(error.contains(expected), "{error}");
    };
    check("empty.pgn", "", "empty.pgn: no position of a finished game: it is empty");
    check("open.pgn", "1. e4 e5 *\n", "open.pgn: no position of a finished game: 1 no result");
    let missing = workspace.refuse(&["calibration", ATTENTION, "--games", "nowhere.pgn"]);
    assert!(missing.contains("nowhere.pgn: cannot be opened"), "{missing}");
    assert!(workspace.refuse(&["calibration", ATTENTION]).contains("--games"));
}
