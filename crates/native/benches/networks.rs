//! Speed of whole networks, forward and training, in positions per second, with products in `f32`
//! and in bfloat16.
//!
//! The two alternate, because the speed of a machine changes over minutes; the ratio of medians is
//! the result.
//!
//! `cargo bench -p native --bench networks [-- THREADS [BATCH..]]`

use std::time::Instant;

use chess::{Game, HistoryFill, Planes};
use lc0::NetworkFile;
use lc0::random::{Preset, random_network};
use native::kernels::Arithmetic;
use native::{NativeEngine, NativeTrainer, Precision};
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

/// Median positions per second of each of `works` on `batch` positions. They alternate.
fn rates<const N: usize>(batch: usize, mut works: [impl FnMut(); N]) -> [f64; N] {
    works.iter_mut().for_each(|work| work());
    let mut seconds = [(); N].map(|()| Vec::new());
    for _ in 0..ROUNDS {
        for (work, seconds) in works.iter_mut().zip(&mut seconds) {
            let start = Instant::now();
            work();
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    seconds.map(|mut seconds| {
        seconds.sort_by(f64::total_cmp);
        batch as f64 / seconds[ROUNDS / 2]
    })
}

fn measure(preset: Preset, batch: usize) {
    let network = network(preset);
    let planes = &positions(&network, batch);
    let precisions = [Precision::Float32, Precision::Bfloat16];
    let forward = precisions.map(|precision| {
        let engine = NativeEngine::with_precision(network.clone(), precision);
        move || drop(std::hint::black_box(engine.evaluate(planes)))
    });
    let forward = rates(batch, forward);
    let learning =
        LearningRates { backbone: 1e-6, final_block: 1e-6, policy_head: 1e-6, value_head: 1e-6 };
    let training = precisions.map(|precision| {
        let mut trainer = NativeTrainer::with_precision(network.clone(), precision);
        move || {
            let mut gradients = trainer.forward(planes);
            gradients.policy.iter_mut().for_each(|logit| *logit *= 1e-4);
            gradients.moves_left.clear();
            trainer.backward(&gradients).unwrap();
            trainer.update(&AdamW::default(), &learning).unwrap();
        }
    });
    let training = rates(batch, training);
    print!("{:>18} {:>10} {batch:>6}", preset.name(), network.parameters.len());
    for [single, half] in [forward, training] {
        print!(" {single:>10.0} {half:>10.0} {:>6.2}", half / single);
    }
    println!();
}

fn main() {
    let numbers: Vec<usize> =
        std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let threads = numbers.first().copied().unwrap_or(2);
    let batches = if numbers.len() > 1 { &numbers[1..] } else { &[64, 256] };
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().unwrap();
    let arithmetic = Arithmetic::detect(Precision::Bfloat16);
    println!("positions per second, {threads} threads, {arithmetic}");
    print!("{:>18} {:>10} {:>6}", "", "weights", "batch");
    println!(" {0:>10} {1:>10} {2:>6} {0:>10} {1:>10} {2:>6}", "f32", "bfloat16", "ratio");
    for &batch in batches {
        for preset in [Preset::Chessformer128, Preset::Chessformer256, Preset::Maia] {
            measure(preset, batch);
        }
    }
}
