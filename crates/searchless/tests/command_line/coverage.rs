//! Trajectory coverage from the command line.

use std::fs;

use serde_json::Value;

use crate::support::{ATTENTION, CLASSICAL, Workspace, rounded, without_sums};

/// Rook against king; the rook can mate at once.
const ROOK: &str = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn help() {
    insta::assert_snapshot!(Workspace::new().print(&["coverage", "--help"], ""));
}

#[test]
fn a_table_for_each_position() {
    let workspace = Workspace::new();
    let arguments = ["coverage", ATTENTION, CLASSICAL, "--depth", "2", "--samples", "100"];
    let positions = ["--from", "initial", "--from", "najdorf-english-attack", "--from", ROOK];
    let printed = workspace.print(&[&arguments[..], &positions].concat(), "");
    insta::assert_snapshot!(printed);
    let one = ["coverage", ATTENTION, "--depth", "1", "--samples", "0", "--tempered"];
    let moves = ["--moves", "e2e4", "e7e5"];
    insta::assert_snapshot!(workspace.print(&[&one[..], &moves].concat(), ""));
}

#[test]
fn json_and_curves() {
    let workspace = Workspace::new();
    let arguments = ["coverage", CLASSICAL, "--json", "--depth", "2", "--samples", "150"];
    let position = ["--from", ROOK, "--seed", "4", "--csv", "curves.csv"];
    let arguments = [&arguments[..], &position].concat();
    let printed = workspace.print(&arguments, "");
    insta::assert_snapshot!(rounded(&without_sums(&printed)));
    let curves = fs::read_to_string(workspace.path().join("curves.csv")).expect("written");
    let start = format!(
        "network,position,depth,sampling,draws,coverage\n{CLASSICAL},{ROOK},2,raw,1,{}\n",
        json(printed.lines().next().expect("a line"))["coverage"][0]["coverage"]
    );
    assert!(curves.starts_with(&start), "{curves}");
    for sampling in ["raw", "tempered"] {
        let mut points = curves.lines().filter(|line| line.contains(&format!(",{sampling},")));
        let last = points.next_back().and_then(|line| line.rsplit(',').next());
        let coverage: f64 = last.expect("points").parse().expect("a number");
        assert!(coverage >= 0.999 && points.count() > 20, "{curves}");
    }

    let threads = workspace.print(&[&arguments[..], &["--threads", "3"]].concat(), "");
    assert_eq!(printed, threads);
    // The seed decides what is drawn and nothing else.
    let other = [&arguments[..arguments.len() - 3], &["5"]].concat();
    let other: Vec<Value> = workspace.print(&other, "").lines().map(json).collect();
    for (line, other) in printed.lines().map(json).zip(&other) {
        assert_eq!(line["entropy"], other["entropy"]);
        assert_ne!(line["sampled"]["entropy"]["mean"], other["sampled"]["entropy"]["mean"]);
    }
}

/// Compares with the logits that `inspect` prints, from which all else is computed here.
pub(crate) fn agrees_with_inspect(workspace: &Workspace, network: &str) {
    let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let inspect = |lines: &[String]| -> Vec<Value> {
        let arguments = ["inspect", network, "--json", "--positions", "-"];
        workspace.print(&arguments, &lines.join("\n")).lines().map(json).collect()
    };
    let position = |moves: &[&str]| serde_json::json!({"fen": initial, "moves": moves}).to_string();
    let root = inspect(&[position(&[])]).remove(0);
    let moves: Vec<&String> = root["policy"].as_object().expect("an object").keys().collect();
    let replies = inspect(&moves.iter().map(|uci| position(&[uci])).collect::<Vec<_>>());
    let sequences = |tempered: bool| -> Vec<f64> {
        let first = probabilities(&root, tempered);
        let rest = first.iter().zip(&replies).flat_map(|(first, reply)| {
            probabilities(reply, tempered).into_iter().map(move |second| first * second)
        });
        rest.collect()
    };
    let expected = [sequences(false), sequences(true)];
    let arguments = ["coverage", network, "--depth", "2", "--json", "--samples", "5000"];
    let printed = workspace.print(&arguments, "");
    let lines: Vec<Value> = printed.lines().map(json).collect();
    assert_eq!(lines.len(), 2);
    for (line, probabilities) in lines.iter().zip(expected) {
        assert_eq!(probabilities.len(), 400);
        let close = |found: &Value, expected: f64| {
            assert!((number(found) - expected).abs() < 1e-6, "{found} {expected}");
        };
        close(&line["entropy"], probabilities.iter().map(|p| -p * p.ln()).sum());
        for (place, draws) in [1, 10, 100, 1_000, 10_000].into_iter().enumerate() {
            let expected = probabilities.iter().map(|p| p * (1.0 - (1.0 - p).powi(draws))).sum();
            close(&line["coverage"][place]["coverage"], expected);
        }
        let largest = probabilities.iter().copied().fold(0.0, f64::max);
        close(&line["likeliest"]["probability"], largest);
        for what in ["coverage", "entropy"] {
            let sampled = &line["sampled"][what];
            let deviation = number(&sampled["mean"]) - number(&sampled["exact"]);
            assert!(deviation.abs() < 4.0 * number(&sampled["standard_error"]), "{sampled}");
        }
    }
}

/// The softmax of a position's logits, in the order of its moves' names.
fn probabilities(said: &Value, tempered: bool) -> Vec<f64> {
    let temperature = if tempered { number(&said["tau"]) } else { 1.0 };
    let policy = said["policy"].as_object().expect("an object");
    let weights: Vec<f64> =
        policy.values().map(|entry| (number(&entry[1]) / temperature).exp()).collect();
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}

#[test]
fn sequences_are_those_of_inspected_policies() {
    agrees_with_inspect(&Workspace::new(), ATTENTION);
}

#[test]
fn refusals() {
    let workspace = Workspace::new();
    let check = |arguments: &[&str], expected: &str| {
        let error = workspace.refuse(&[&["coverage", ATTENTION], arguments].concat());
        assert!(error.contains(expected), "{error}");
    };
    check(&["--from", "latvian"], "'latvian' is no tabiya; expected ruy-lopez");
    check(&["--from", "8/8 w"], "FEN \"8/8 w\": ");
    check(&["--depth", "0"], "expected a whole number from 1 to 100");
    check(&["--samples", "7"], "expected 0 or a whole number from 50");
    check(&["--depth", "12"], "more than 16777216 sequences of 12 moves");
    check(&["--raw", "--tempered"], "cannot be used with");
    check(&["--from", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "the game is over (draw by stalemate)");
    check(&["--from", "initial", "--from", ROOK, "--moves", "a1a8"], "there are 2 --from");
    check(&["--moves", "e2e5"], "move \"e2e5\" at ply 1: not legal");
    check(&["--depth", "1", "--csv", "no/such.csv"], "no/such.csv: ");
    let chess960 = "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1";
    check(&["--depth", "1", "--from", chess960], "attention.pb.gz from 4k3/8");
}
