//! Distance of deep and of wide towers from the reference in `f64`: Winograd's convolutions round
//! more than the definition does. `cargo test -p native --test accuracy -- --nocapture` prints it.

use chess::HistoryFill;
use lc0::NetworkFile;
use lc0::proto::DefaultActivation;
use lc0::random::{HiddenSize, ResidualTower, Specification, TowerPolicy, random_network};
use native::NativeEngine;
use network::{EncodedPosition, Engine, HeadSelection, Network, sample_games};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Largest distance of an output, as a share of the largest output of its kind: about five times
/// what was seen.
const BOUND: f64 = 2e-5;

fn check(name: &str, network: Network, positions: usize) {
    let parameters: Vec<f64> = network.parameters.iter().copied().map(f64::from).collect();
    let (architecture, format) = (network.architecture.clone(), network.architecture.input_format);
    let encode = |game| EncodedPosition::new(game, format, HistoryFill::default()).unwrap().planes;
    let planes: Vec<_> = sample_games(positions).iter().map(encode).collect();
    let outputs = NativeEngine::new(network).evaluate(&planes);
    let exact = planes.iter().map(|planes| reference::forward(&architecture, &parameters, planes));
    let (mut policy, mut value) = (vec![], vec![]);
    for exact in exact {
        policy.extend(exact.policy);
        value.extend(exact.value);
    }
    for (kind, ours, exact) in [("policy", outputs.policy, policy), ("value", outputs.value, value)]
    {
        assert_eq!(ours.len(), exact.len(), "{name}: {kind}");
        let size = exact.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
        let distances = ours.iter().zip(&exact).map(|(&x, exact)| (f64::from(x) - exact).abs());
        let distance = distances.fold(0.0, f64::max) / size;
        println!("{name}: {kind} within {distance:.1e} of the largest, {size:.2}");
        assert!(distance <= BOUND, "{name}: {kind} is off by {distance:e}");
    }
}

fn tower(filters: usize, blocks: usize, squeeze: Option<usize>) -> Network {
    let tower = ResidualTower {
        filters,
        blocks,
        squeeze,
        activation: DefaultActivation::Relu,
        policy: TowerPolicy::Convolution,
        value: HiddenSize { embedding: 4, hidden: 16 },
        wdl: true,
        moves_left: None,
    };
    let mut generator = ChaCha8Rng::seed_from_u64(16);
    let net = random_network(&Specification::ResidualTower(tower), &mut generator);
    let file = NetworkFile::new("tower", net).unwrap();
    Network::load(&file, HeadSelection::default()).unwrap()
}

#[test]
fn a_deep_tower() {
    check("24 blocks of 32", tower(32, 24, Some(4)), 4);
    check("24 blocks of 32 without squeeze-excitation", tower(32, 24, None), 4);
}

/// Wide enough for the small tiles.
#[test]
fn a_wide_tower() {
    check("1 block of 144", tower(144, 1, Some(8)), 4);
}

#[test]
fn a_published_tower() {
    let Some(path) = fixtures::reference("nets/maia-1900.pb.gz") else { return };
    let file = NetworkFile::read(path).unwrap();
    check("maia-1900", Network::load(&file, HeadSelection::default()).unwrap(), 8);
}
