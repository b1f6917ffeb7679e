//! Agreement with lc0 itself: its outputs for nine networks on 45 positions each, and every
//! intermediate tensor of two positions.

use std::collections::BTreeMap;
use std::path::Path;

use chess::{Game, HistoryFill};
use lc0::NetworkFile;
use network::{EncodedPosition, HeadSelection, Network, ValueKind};
use reference::{forward, forward_traced};
use serde_json::Value;

/// Largest distance from lc0, which computes in `f32` and rounds to seven digits: five times
/// what is seen.
const LOGIT: f64 = 1e-4;
const PROBABILITY: f64 = 1e-5;
/// Of an element of an intermediate tensor, recorded with six digits; relative above 1.
const STAGE: f64 = 1e-4;

/// Fails where a value is further from lc0's than allowed; remembers the largest distance.
#[derive(Default)]
struct Deviation(BTreeMap<&'static str, f64>);

impl Deviation {
    fn check(&mut self, kind: &'static str, ours: f64, theirs: f64, allowed: f64, context: &str) {
        let distance = (ours - theirs).abs();
        assert!(distance <= allowed, "{context}: {kind} {ours}, {theirs} in lc0");
        let largest = self.0.entry(kind).or_default();
        *largest = largest.max(distance);
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

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

fn load(nets: &Path, file: &Value, heads: HeadSelection) -> (Network, Vec<f64>) {
    let file = Path::new(file.as_str().unwrap()).file_name().unwrap();
    let network = Network::load(&NetworkFile::read(nets.join(file)).unwrap(), heads).unwrap();
    let parameters = network.parameters.iter().copied().map(f64::from).collect();
    (network, parameters)
}

fn game(position: &Value) -> Game {
    let mut game = Game::from_fen(position["fen"].as_str().unwrap()).unwrap();
    for uci in position["moves"].as_array().unwrap() {
        game.play_uci(uci.as_str().unwrap()).unwrap();
    }
    game
}

fn softmax(logits: &[f64]) -> Vec<f64> {
    let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logits.iter().map(|logit| (logit - largest).exp()).sum();
    logits.iter().map(|logit| (logit - largest).exp() / sum).collect()
}

fn check_position(
    network: &Network,
    parameters: &[f64],
    position: &Value,
    context: &str,
    deviation: &mut Deviation,
) {
    let architecture = &network.architecture;
    let game = game(position);
    let encoded =
        EncodedPosition::new(&game, architecture.input_format, HistoryFill::FenOnly).unwrap();
    let outputs = forward(architecture, parameters, &encoded.planes);

    let theirs = position["policy"].as_object().unwrap();
    assert_eq!(theirs.len(), encoded.moves.len(), "{context}: legal moves");
    let logits: Vec<f64> =
        encoded.moves.iter().map(|(index, _)| outputs.policy[index.get()]).collect();
    for ((&(index, mv), &logit), probability) in
        encoded.moves.iter().zip(&logits).zip(softmax(&logits))
    {
        let uci = game.uci(mv);
        let context = format!("{context}, {uci}");
        let entry = &theirs[&uci];
        assert_eq!(entry[0].as_u64(), Some(index.get() as u64), "{context}: index");
        deviation.check("logit", logit, number(&entry[1]), LOGIT, &context);
        deviation.check("prior", probability, number(&entry[2]), PROBABILITY, &context);
    }

    let q = match architecture.value.kind {
        ValueKind::Scalar => outputs.value[0].tanh(),
        ValueKind::Wdl => {
            let wdl = softmax(&outputs.value);
            for (&ours, theirs) in wdl.iter().zip(position["wdl"].as_array().unwrap()) {
                deviation.check("outcome", ours, number(theirs), PROBABILITY, context);
            }
            wdl[0] - wdl[2]
        }
    };
    deviation.check("Q", q, number(&position["q"]), PROBABILITY, context);
    let plies = outputs.moves_left.unwrap_or(0.0);
    deviation.check("plies", plies, number(&position["m"]), LOGIT, context);
}

/// Every network of one file of lc0's outputs.
fn check_file(golden: &str, networks: usize) {
    let Some(golden) = fixtures::reference(&format!("lc0_golden/{golden}")) else { return };
    let Some(nets) = fixtures::reference("nets") else { return };
    let golden = read(&golden);
    let entries = golden["nets"].as_object().unwrap();
    assert_eq!(entries.len(), networks);
    for (name, entry) in entries {
        let heads = selection(entry["backend_opts"].as_str().unwrap());
        let (network, parameters) = load(&nets, &entry["file"], heads);
        let positions = entry["positions"].as_array().unwrap();
        assert_eq!(positions.len(), 45, "{name}");
        let mut deviation = Deviation::default();
        for position in positions {
            let context = format!("{name}, {}", position["name"]);
            check_position(&network, &parameters, position, &context, &mut deviation);
        }
        for (kind, largest) in &deviation.0 {
            println!("{name}: {kind} within {largest:.1e}");
        }
    }
}

#[test]
fn outputs_are_those_of_lc0() {
    check_file("golden.json", 4);
}

#[test]
fn outputs_are_those_of_lc0_for_rarer_structures() {
    check_file("golden_extra.json", 6);
}

/// The games of the traced positions, which are among those of the outputs.
fn game_named(golden: &Value, name: &str) -> Game {
    let positions = golden["nets"]["bt4tiny"]["positions"].as_array().unwrap();
    game(positions.iter().find(|position| position["name"] == name).unwrap())
}

#[test]
fn every_stage_is_that_of_the_recorded_trace() {
    let Some(trace) = fixtures::reference("lc0_golden/bt4tiny_trace.json") else { return };
    let Some(golden) = fixtures::reference("lc0_golden/golden.json") else { return };
    let Some(nets) = fixtures::reference("nets") else { return };
    let (trace, golden) = (read(&trace), read(&golden));
    let heads = HeadSelection {
        policy: trace["policy_head"].as_str().unwrap().parse().unwrap(),
        value: trace["value_head"].as_str().unwrap().parse().unwrap(),
    };
    let (network, parameters) = load(&nets, &trace["net"], heads);
    let architecture = &network.architecture;
    let positions = trace["positions"].as_object().unwrap();
    assert_eq!(positions.len(), 2);
    for (name, stages) in positions {
        let game = game_named(&golden, name);
        let planes =
            chess::encode(&game, architecture.input_format, HistoryFill::FenOnly).unwrap().planes;
        let mut stages = stages.as_object().unwrap().clone();
        let mut deviation = 0.0_f64;
        forward_traced(architecture, &parameters, &planes, &mut |stage, shape, values| {
            // The record has no moves-left head.
            let Some(recorded) = stages.remove(stage) else {
                assert!(stage.starts_with("moves_left."), "{name}: {stage} is not recorded");
                return;
            };
            assert_eq!(serde_json::json!(shape), recorded["shape"], "{name}: {stage}");
            let recorded = recorded["data"].as_array().unwrap();
            assert_eq!(recorded.len(), values.len(), "{name}: {stage}");
            for (index, (&ours, theirs)) in values.iter().zip(recorded).enumerate() {
                let theirs = number(theirs);
                let distance = (ours - theirs).abs() / theirs.abs().max(1.0);
                deviation = deviation.max(distance);
                assert!(distance <= STAGE, "{name}: {stage}[{index}] {ours}, recorded {theirs}");
            }
        });
        let left: Vec<&String> = stages.keys().collect();
        assert!(left.is_empty(), "{name}: {left:?} not computed");
        println!("{name}: largest deviation {deviation:.1e}");
    }
}
