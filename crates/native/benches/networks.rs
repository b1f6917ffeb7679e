//! Speed of whole networks, forward and training, in positions per second.
//!
//! `cargo bench -p native --bench networks [-- THREADS [BATCH..]]`

use std::time::Instant;

use chess::{Game, HistoryFill, Planes};
use lc0::NetworkFile;
use lc0::random::{Preset, random_network};
use native::{NativeEngine, NativeTrainer};
use network::{
    AdamW, EncodedPosition, Engine, HeadSelection, LearningRates, Network, TrainableEngine,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Measurements of each kind; the median counts.
const ROUNDS: usize = 9;

fn network(preset: Preset) -> Network {
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let net = random_network(&preset.specification(), &mut generator);
    let file = NetworkFile::new(preset.name(), net).unwrap();
    Network::load(&file, HeadSelection::default()).unwrap()
}

/// Positions of random games.
fn positions(network: &Network, count: usize) -> Vec<Planes> {
    let mut generator = ChaCha8Rng::seed_from_u64(2);
    let (mut game, mut planes) = (Game::new(), Vec::new());
    while planes.len() < count {
        let moves = game.legal_moves();
        if moves.is_empty() || game.ply() > 100 {
            game = Game::new();
            continue;
        }
        game.play(moves[generator.random_range(0..moves.len())]).unwrap();
        let (format, fill) = (network.architecture.input_format, HistoryFill::default());
        planes.push(EncodedPosition::new(&game, format, fill).unwrap().planes);
    }
    planes
}

/// Median positions per second of `work` on `batch` positions.
fn rate(batch: usize, mut work: impl FnMut()) -> f64 {
    work();
    let mut seconds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    batch as f64 / seconds[ROUNDS / 2]
}

fn measure(preset: Preset, batch: usize) {
    let network = network(preset);
    let planes = positions(&network, batch);
    let parameters = network.parameters.len();
    let engine = NativeEngine::new(network.clone());
    let forward = rate(batch, || drop(std::hint::black_box(engine.evaluate(&planes))));
    drop(engine);
    let mut trainer = NativeTrainer::new(network);
    let rates =
        LearningRates { backbone: 1e-6, final_block: 1e-6, policy_head: 1e-6, value_head: 1e-6 };
    let training = rate(batch, || {
        let mut gradients = trainer.forward(&planes);
        gradients.policy.iter_mut().for_each(|logit| *logit *= 1e-4);
        gradients.moves_left.clear();
        trainer.backward(&gradients).unwrap();
        trainer.update(&AdamW::default(), &rates).unwrap();
    });
    println!("{:>18} {parameters:>10} {batch:>6} {forward:>10.0} {training:>10.0}", preset.name());
}

fn main() {
    let numbers: Vec<usize> =
        std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let threads = numbers.first().copied().unwrap_or(2);
    let batches = if numbers.len() > 1 { &numbers[1..] } else { &[64, 256] };
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().unwrap();
    println!("positions per second, {threads} threads");
    println!("{:>18} {:>10} {:>6} {:>10} {:>10}", "", "weights", "batch", "forward", "training");
    for &batch in batches {
        for preset in [Preset::Chessformer128, Preset::Chessformer256, Preset::Maia] {
            measure(preset, batch);
        }
    }
}
