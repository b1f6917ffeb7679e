//! Agreement with lc0 itself: its outputs for nine networks, 45 positions each.

use std::path::Path;

use chess::{Game, HistoryFill};
use fixtures::reference;
use lc0::NetworkFile;
use native::NativeEngine;
use network::{Evaluator, HeadSelection, Network};
use policy::Temperature;
use serde_json::Value;

/// Largest difference from lc0's logits, and from its probabilities.
const LOGIT: f64 = 1e-3;
const PROBABILITY: f64 = 1e-4;

/// What lc0 calls the heads of an entry: `policy_head=optimistic,value_head=q`.
fn selection(options: &str) -> HeadSelection {
    let mut selection = HeadSelection::default();
    for option in options.split(',').filter(|option| !option.is_empty()) {
        match option.split_once('=') {
            Some(("policy_head", head)) => selection.policy = head.parse().unwrap(),
            Some(("value_head", head)) => selection.value = head.parse().unwrap(),
            _ => panic!("unknown option {option}"),
        }
    }
    selection
}

fn game(position: &Value) -> Game {
    let mut game = Game::from_fen(position["fen"].as_str().unwrap()).unwrap();
    for uci in position["moves"].as_array().unwrap() {
        game.play_uci(uci.as_str().unwrap()).unwrap();
    }
    game
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn close(context: &str, ours: f64, theirs: f64, tolerance: f64) {
    let difference = (ours - theirs).abs();
    assert!(difference <= tolerance, "{context}: {ours} here, {theirs} in lc0");
}

fn check_network(nets: &Path, name: &str, entry: &Value) {
    let file = Path::new(entry["file"].as_str().unwrap()).file_name().unwrap();
    let file = NetworkFile::read(nets.join(file)).unwrap();
    let heads = selection(entry["backend_opts"].as_str().unwrap());
    let network = Network::load(&file, heads).unwrap();
    let engine = std::sync::Arc::new(NativeEngine::new(network));
    let evaluator = Evaluator::new(engine, HistoryFill::default());

    let positions = entry["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 45, "{name}");
    let games: Vec<Game> = positions.iter().map(game).collect();
    let evaluations = evaluator.evaluate(&games).unwrap();
    for ((position, game), evaluation) in positions.iter().zip(&games).zip(evaluations) {
        let context = format!("{name}, {}", position["name"]);
        let theirs = position["policy"].as_object().unwrap();
        assert_eq!(theirs.len(), evaluation.moves.len(), "{context}: legal moves");
        if !theirs.is_empty() {
            let policy = evaluation.policy(Temperature::ONE).unwrap();
            for (row, (index, legal)) in evaluation.moves.iter().enumerate() {
                let uci = game.uci(*legal);
                let entry = &theirs[&uci];
                let context = format!("{context}, {uci}");
                assert_eq!(entry[0].as_u64(), Some(index.get() as u64), "{context}: index");
                let logit = f64::from(evaluation.logits[row]);
                close(&format!("{context}: logit"), logit, number(&entry[1]), LOGIT);
                let probability = policy.probability(row);
                close(&format!("{context}: prior"), probability, number(&entry[2]), PROBABILITY);
            }
        }
        let wdl = evaluation.wdl();
        if let Some(theirs) = position["wdl"].as_array() {
            for (ours, theirs) in wdl.probabilities().into_iter().zip(theirs) {
                close(&format!("{context}: wdl"), ours, number(theirs), PROBABILITY);
            }
        }
        close(&format!("{context}: q"), wdl.q(), number(&position["q"]), PROBABILITY);
        let plies = evaluation.moves_left.map_or(0.0, f64::from);
        close(&format!("{context}: moves left"), plies, number(&position["m"]), LOGIT);
    }
}

/// Every network of one file of lc0's outputs.
fn check(golden: &str, networks: usize) {
    let Some(golden) = reference(&format!("lc0_golden/{golden}")) else { return };
    let Some(nets) = reference("nets") else { return };
    let golden: Value = serde_json::from_slice(&std::fs::read(golden).unwrap()).unwrap();
    let entries = golden["nets"].as_object().unwrap();
    assert_eq!(entries.len(), networks);
    for (name, entry) in entries {
        check_network(&nets, name, entry);
    }
}

#[test]
fn outputs_are_those_of_lc0() {
    check("golden.json", 4);
}

#[test]
fn outputs_are_those_of_lc0_for_rarer_structures() {
    check("golden_extra.json", 6);
}
