//! Speed of whole networks in libtorch and in the native engine, on the CPU or a GPU, in positions
//! per second.
//!
//! `cargo bench -p torch --features libtorch [-- THREADS [BATCH [DEVICE [PRECISION]]]]`, where
//! DEVICE is `cpu` or the index of a GPU and PRECISION is `f32`, `tf32` or `bf16`. A batch is one
//! micro-batch.

use std::num::NonZeroUsize;
use std::time::Instant;

use chess::{Game, HistoryFill, Planes};
use lc0::NetworkFile;
use lc0::random::{Preset, random_network};
use native::NativeTrainer;
use network::{
    AdamW, EncodedPosition, HeadSelection, LearningRates, Network, OutputGradients, TrainableEngine,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use torch::{Device, Options, Precision, TorchTrainer};

/// Measurements of each kind; the median counts.
const ROUNDS: usize = 7;

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

/// Seconds of `work`.
fn time(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn step(trainer: &mut dyn TrainableEngine, planes: &[Planes]) {
    let rates =
        LearningRates { backbone: 1e-6, final_block: 1e-6, policy_head: 1e-6, value_head: 1e-6 };
    let mut gradients: OutputGradients = trainer.forward(planes);
    gradients.policy.iter_mut().for_each(|logit| *logit *= 1e-4);
    gradients.moves_left.clear();
    trainer.backward(&gradients).unwrap();
    trainer.update(&AdamW::default(), &rates).unwrap();
}

fn measure(preset: Preset, batch: usize, options: &Options) {
    let network = network(preset);
    let planes = positions(&network, batch);
    let mut engines: [(&str, Box<dyn TrainableEngine>); 2] = [
        ("native", Box::new(NativeTrainer::new(network.clone()))),
        ("libtorch", Box::new(TorchTrainer::new(network, options).unwrap())),
    ];
    // Interleaved, so that both meet the same machine.
    let mut seconds = [const { [Vec::new(), Vec::new()] }; 2];
    for round in 0..=ROUNDS {
        for ((_, engine), seconds) in engines.iter_mut().zip(&mut seconds) {
            let forward = time(|| drop(std::hint::black_box(engine.evaluate(&planes))));
            let training = time(|| step(engine.as_mut(), &planes));
            // The first round warms up.
            if round > 0 {
                seconds[0].push(forward);
                seconds[1].push(training);
            }
        }
    }
    for ((engine, _), seconds) in engines.iter().zip(&mut seconds) {
        let [forward, training] = seconds.each_mut().map(|seconds| {
            seconds.sort_by(f64::total_cmp);
            batch as f64 / seconds[ROUNDS / 2]
        });
        println!("{:>12} {engine:>9} {batch:>6} {forward:>10.0} {training:>10.0}", preset.name());
    }
}

fn main() {
    // Cargo's own options stand among ours.
    let given: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let number = |index: usize, default: usize| {
        given.get(index).map_or(default, |text| text.parse().expect("a number"))
    };
    let threads = NonZeroUsize::new(number(0, 2)).expect("positive");
    let batch = NonZeroUsize::new(number(1, 64)).expect("positive");
    let device = match given.get(2).map_or("cpu", String::as_str) {
        "cpu" => Device::Cpu,
        index => Device::Cuda(index.parse().expect("cpu or a GPU's index")),
    };
    let precision = match given.get(3).map_or("f32", String::as_str) {
        "f32" => Precision::F32,
        "tf32" => Precision::Tf32,
        "bf16" => Precision::Bf16,
        other => panic!("no precision '{other}'"),
    };
    let options = Options { device, precision, micro_batch: batch };
    rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build_global().unwrap();
    torch::set_threads(threads);
    println!("positions per second, {threads} threads, libtorch on {device:?} in {precision:?}");
    println!("{:>12} {:>9} {:>6} {:>10} {:>10}", "", "", "batch", "forward", "training");
    for preset in [Preset::TinyBt4, Preset::Maia] {
        measure(preset, batch.get(), &options);
    }
}
