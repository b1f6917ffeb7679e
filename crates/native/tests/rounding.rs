//! What writing a network as LINEAR16 does to its outputs.
//!
//! A tensor's elements move by at most half a step, (max - min) / 65535 / 2; how far that moves
//! the outputs is measured here.

use chess::{Game, HistoryFill};
use lc0::NetworkFile;
use lc0::random::{Preset, parameter_count, random_network};
use native::NativeEngine;
use network::{EncodedPosition, Engine, HeadSelection, Network, Outputs};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Largest change of a logit, relative to the largest magnitude of its kind where that is above 1.
const BOUND: f32 = 2e-3;

fn outputs(network: Network) -> Outputs {
    let mut game = Game::new();
    let mut planes = Vec::new();
    for uci in "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7".split(' ') {
        let (format, fill) = (network.architecture.input_format, HistoryFill::default());
        planes.push(EncodedPosition::new(&game, format, fill).unwrap().planes);
        game.play_uci(uci).unwrap();
    }
    NativeEngine::new(network).evaluate(&planes)
}

fn largest(values: impl Iterator<Item = f32>) -> f32 {
    values.fold(0.0, |largest, value| largest.max(value.abs()))
}

/// Largest change of a policy or value logit, see [`BOUND`].
fn change(file: &NetworkFile) -> f32 {
    let network = Network::load(file, HeadSelection::default()).unwrap();
    let mut trained = network.clone();
    for (index, value) in trained.parameters.iter_mut().enumerate() {
        *value *= 1.0 + 0.02 * ((index * 7 % 11) as f32 - 5.0) / 5.0;
    }
    let mut stored = file.clone();
    network.store(&trained.parameters, &mut stored).unwrap();
    let read = NetworkFile::from_bytes("stored", stored.to_bytes()).unwrap();
    let exact = outputs(trained);
    let rounded = outputs(Network::load(&read, HeadSelection::default()).unwrap());
    let relative = |exact: &[f32], rounded: &[f32]| {
        let differences = exact.iter().zip(rounded).map(|(exact, rounded)| exact - rounded);
        largest(differences) / largest(exact.iter().copied()).max(1.0)
    };
    let policy = relative(&exact.policy, &rounded.policy);
    policy.max(relative(&exact.value, &rounded.value))
}

fn check(name: &str, file: &NetworkFile) {
    let change = change(file);
    assert!(change > 0.0 && change < BOUND, "{name}: outputs move by {change:e}");
}

#[test]
fn random_networks_keep_their_outputs() {
    for preset in Preset::ALL {
        if parameter_count(&preset.specification()) < 1_000_000 {
            let mut generator = ChaCha8Rng::seed_from_u64(31);
            let net = random_network(&preset.specification(), &mut generator);
            check(preset.name(), &NetworkFile::new(preset.name(), net).unwrap());
        }
    }
}

#[test]
fn published_networks_keep_their_outputs() {
    let Some(nets) = fixtures::reference("nets") else { return };
    for entry in std::fs::read_dir(nets).unwrap() {
        let path = entry.unwrap().path();
        check(&path.display().to_string(), &NetworkFile::read(&path).unwrap());
    }
}
