//! Agreement with lc0's own outputs.

use std::fs;

use serde_json::Value;

use crate::coverage::agrees_with_inspect;
use crate::support::Workspace;

/// Largest differences that single precision explains (LC0_FORMAT section 9).
const LOGIT: f64 = 1e-3;
const PROBABILITY: f64 = 1e-4;

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn inspect_agrees_with_lc0() {
    let Some(golden) = fixtures::reference("lc0_golden/golden.json") else { return };
    let Some(network) = fixtures::reference("nets/bt4tiny.pb.gz") else { return };
    let golden: Value =
        serde_json::from_str(&fs::read_to_string(golden).expect("a file")).expect("JSON");
    let positions =
        golden["nets"]["bt4tiny/optimistic+q"]["positions"].as_array().expect("an array");
    let lines: Vec<String> = positions
        .iter()
        .map(|position| {
            serde_json::json!({ "fen": position["fen"], "moves": position["moves"] }).to_string()
        })
        .collect();
    let network = network.to_str().expect("text");
    let heads = ["--policy-head", "optimistic", "--value-head", "q"];
    let arguments = [&["inspect", network, "--positions", "-", "--json"], &heads[..]].concat();
    let printed = Workspace::new().print(&arguments, &lines.join("\n"));
    assert_eq!(printed.lines().count(), positions.len());
    for (line, expected) in printed.lines().zip(positions) {
        let name = &expected["name"];
        let found: Value = serde_json::from_str(line).expect("JSON");
        let policy = expected["policy"].as_object().expect("an object");
        assert_eq!(found["policy"].as_object().map(serde_json::Map::len), Some(policy.len()));
        for (uci, entry) in policy {
            let ours = &found["policy"][uci];
            assert_eq!(ours[0], entry[0], "{name} {uci}");
            assert!((number(&ours[1]) - number(&entry[1])).abs() < LOGIT, "{name} {uci}");
            assert!((number(&ours[2]) - number(&entry[2])).abs() < PROBABILITY, "{name} {uci}");
        }
        for outcome in 0..3 {
            let difference = number(&found["wdl"][outcome]) - number(&expected["wdl"][outcome]);
            assert!(difference.abs() < PROBABILITY, "{name}");
        }
        assert!((number(&found["q"]) - number(&expected["q"])).abs() < 2.0 * PROBABILITY, "{name}");
        assert!((number(&found["moves_left"]) - number(&expected["m"])).abs() < LOGIT, "{name}");
    }
}

/// The puzzles that maia-1900 solves, counted with lc0's own outputs for every position.
#[test]
fn puzzles_agree_with_lc0() {
    let Some(network) = fixtures::reference("nets/maia-1900.pb.gz") else { return };
    let Some(suite) = fixtures::reference("puzzles/lichess_uniform_100k.csv.zst") else { return };
    let (network, suite) = (network.to_str().expect("text"), suite.to_str().expect("text"));
    for (rule, solved) in [("strict", 379), ("immediate-mate", 381)] {
        let arguments =
            ["puzzles", network, "--suite", suite, "--limit", "1000", "--json", "--rule", rule];
        let score: Value =
            serde_json::from_str(&Workspace::new().print(&arguments, "")).expect("JSON");
        assert_eq!((&score["total"], &score["solved"]), (&1000.into(), &solved.into()), "{rule}");
    }
}

/// Real policies are far from even, so that products and temperatures matter.
#[test]
fn coverage_agrees_with_inspected_policies() {
    let Some(network) = fixtures::reference("nets/maia-1100.pb.gz") else { return };
    agrees_with_inspect(&Workspace::new(), network.to_str().expect("text"));
}
