//! Small random networks on the CPU engine.

use std::sync::Arc;

use lc0::NetworkFile;
use lc0::random::{Preset, random_network};
use native::{NativeEngine, NativeTrainer};
use network::{HeadSelection, Network};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use training::{FinetuneConfig, Finetuning, Materials, PeakLearningRates, Trainer};

/// A network file.
pub(crate) fn file(preset: Preset) -> NetworkFile {
    let mut generator = ChaCha8Rng::seed_from_u64(11);
    let net = random_network(&preset.specification(), &mut generator);
    NetworkFile::new(format!("{}.pb", preset.name()), net).expect("a network")
}

/// The network of a file.
pub(crate) fn load(file: &NetworkFile) -> Network {
    Network::load(file, HeadSelection::default()).expect("a network")
}

/// A few short games.
pub(crate) fn config() -> FinetuneConfig {
    FinetuneConfig {
        seed: 8,
        steps: 5,
        games: 6,
        ply_cap: 30,
        warmup_steps: 2,
        warm_start_moves: 3,
        learning_rates: PeakLearningRates {
            backbone: 1e-3,
            final_block: 1e-3,
            policy_head: 1e-3,
            value_head: 1e-3,
        },
        ..FinetuneConfig::default()
    }
}

/// A network in training.
pub(crate) fn trainer(preset: Preset, config: FinetuneConfig) -> Trainer {
    let network = load(&file(preset));
    let theta = Box::new(NativeTrainer::new(network.clone()));
    Trainer::new(config, theta, Arc::new(NativeEngine::new(network))).expect("valid settings")
}

/// A run of a network.
pub(crate) fn finetuning(preset: Preset, config: FinetuneConfig) -> Finetuning {
    let file = file(preset);
    let network = load(&file);
    Finetuning {
        config,
        heads: HeadSelection::default(),
        theta: Box::new(NativeTrainer::new(network.clone())),
        base: Arc::new(NativeEngine::new(network)),
        materials: Materials::default(),
        program: "searchless test".to_owned(),
        file,
    }
}
