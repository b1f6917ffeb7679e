//! Policy shape from the command line.

use std::fs;

use serde_json::Value;

use crate::support::{ATTENTION, CLASSICAL, Workspace, rounded, without_sums};

const SHORT: [&str; 4] = ["--games", "4", "--plies", "6"];

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn help() {
    insta::assert_snapshot!(Workspace::new().print(&["shape", "--help"], ""));
}

#[test]
fn a_table_of_all_players() {
    let workspace = Workspace::new();
    let printed = workspace.print(&[&["shape", ATTENTION, CLASSICAL], &SHORT[..]].concat(), "");
    insta::assert_snapshot!(without_sums(&printed));
}

#[test]
fn json_of_each_player() {
    let workspace = Workspace::new();
    let arguments = [&["shape", ATTENTION, CLASSICAL, "--json"], &SHORT[..]].concat();
    let printed = workspace.print(&arguments, "");
    insta::assert_snapshot!(rounded(&without_sums(&printed)));
    let threads = workspace.print(&[&arguments[..], &["--threads", "3"]].concat(), "");
    assert_eq!(printed, threads);
    let lines: Vec<Value> = printed.lines().map(json).collect();
    assert_eq!(lines.len(), 4);
    for line in &lines {
        let is_base = line["network"] == line["base"];
        // The base's raw policy is what divergences are measured from.
        assert_eq!(line["raw"]["forward_kl"]["mean"] == 0.0, is_base, "{line}");
        assert_eq!(line["played"] == line["raw"], line["sampling"] == "raw", "{line}");
    }
}

#[test]
fn openings_seeds_and_one_distribution() {
    let workspace = Workspace::new();
    let book = "4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/4p3/8/8/8/8/8/4K3 b - -\n";
    fs::write(workspace.path().join("book.epd"), book).expect("written");
    let arguments = [&["shape", CLASSICAL, "--json", "--raw"], &SHORT[..]].concat();
    let line = |more: &[&str]| {
        let printed = workspace.print(&[&arguments[..], more].concat(), "");
        assert_eq!(printed.lines().count(), 1);
        json(&printed)
    };
    let (initial, book) = (line(&[]), line(&["--openings", "book.epd"]));
    assert_eq!((&initial["openings"], &book["openings"]), (&Value::Null, &json("\"book.epd\"")));
    // A king and a pawn have far fewer moves.
    let entropy = |line: &Value| line["played"]["entropy"]["mean"].as_f64().expect("a number");
    assert!(entropy(&book) < 2.0 && entropy(&initial) > 2.0);
    assert_ne!(entropy(&initial), entropy(&line(&["--seed", "1"])));
}

#[test]
fn refusals() {
    let workspace = Workspace::new();
    fs::write(workspace.path().join("bad.epd"), "8/8/8/8 w - -\n").expect("written");
    let check = |arguments: &[&str], expected: &str| {
        let error = workspace.refuse(&[&["shape"], arguments].concat());
        assert!(error.contains(expected), "{error}");
    };
    check(&[], "<BASE>");
    check(&["nowhere.pb.gz"], "nowhere.pb.gz: ");
    check(&[ATTENTION, "nowhere.pb.gz", "--games", "1", "--plies", "1"], "nowhere.pb.gz: ");
    check(&[ATTENTION, "--games", "0"], "--games");
    check(&[ATTENTION, "--openings", "bad.epd"], "bad.epd");
    fs::write(workspace.path().join("960.epd"), "4k3/8/8/8/8/8/8/4K1R1 w G -\n").expect("written");
    check(&[ATTENTION, "--openings", "960.epd"], "attention.pb.gz (raw): input format");
}
