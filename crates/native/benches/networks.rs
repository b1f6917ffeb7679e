//! Speed of whole networks, forward and training, in positions per second, with products in `f32`
//! and in bfloat16.
//!
//! `cargo bench -p native --bench networks [-- FILTER]`, on `SEARCHLESS_BENCH_THREADS` threads
//! (default 2). A machine's speed changes over minutes: ratios between rows are those of
//! `benches/peers/run.sh`, which alternates.

use std::hint::black_box;
use std::time::Duration;

use chess::{Game, HistoryFill, Planes};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use lc0::NetworkFile;
use lc0::random::{Preset, random_network};
use native::{NativeEngine, NativeTrainer, Precision};
use network::{
    AdamW, EncodedPosition, Engine, HeadSelection, LearningRates, Network, OutputGradients,
    Outputs, TrainableEngine,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

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

const PRECISIONS: [(&str, Precision); 2] =
    [("f32", Precision::Float32), ("bf16", Precision::Bfloat16)];

const RATES: LearningRates =
    LearningRates { backbone: 1e-6, final_block: 1e-6, policy_head: 1e-6, value_head: 1e-6 };

/// A gradient that depends on the outputs.
fn gradients(outputs: &Outputs) -> OutputGradients {
    let mut gradients = outputs.clone();
    gradients.policy.iter_mut().for_each(|logit| *logit *= 1e-4);
    gradients.moves_left.clear();
    gradients
}

fn networks(criterion: &mut Criterion) {
    let threads = std::env::var("SEARCHLESS_BENCH_THREADS").ok();
    let threads = threads.map_or(2, |count| count.parse().expect("a number of threads"));
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("no pool yet");
    for preset in [Preset::Chessformer128, Preset::Chessformer256, Preset::Maia] {
        let network = network(preset);
        let planes = positions(&network, 64);
        let mut group = criterion.benchmark_group(preset.name());
        group.throughput(Throughput::Elements(planes.len() as u64));
        group.sample_size(10).measurement_time(Duration::from_secs(4));
        for (name, precision) in PRECISIONS {
            let engine = NativeEngine::with_precision(network.clone(), precision);
            group.bench_function(BenchmarkId::new("forward", name), |bencher| {
                bencher.iter(|| black_box(engine.evaluate(&planes)));
            });
            let mut trainer = NativeTrainer::with_precision(network.clone(), precision);
            group.bench_function(BenchmarkId::new("training", name), |bencher| {
                bencher.iter(|| {
                    let loss = |_, outputs: &Outputs| gradients(outputs);
                    trainer.differentiate(&planes, &loss).expect("gradients of that shape");
                    trainer.update(&AdamW::default(), &RATES).expect("a finite gradient");
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, networks);
criterion_main!(benches);
