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
use lc0::proto::{ActivationFunction, DefaultActivation};
use lc0::random::{
    AttentionBody, AttentionPolicySize, Heads, HiddenSize, PositionEncoding, Preset, SmolgenSize,
    Specification, random_network,
};
use native::kernels::Arithmetic;
use native::{NativeEngine, NativeTrainer, Precision};
use network::{
    AdamW, EncodedPosition, Engine, HeadSelection, LearningRates, Network, TrainableEngine,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Measurements of each kind; the median counts.
const ROUNDS: usize = 9;

/// A small Chessformer: `width` features, twice as many hidden, smolgen.
fn chessformer(width: usize, encoders: usize) -> Specification {
    Specification::AttentionBody(AttentionBody {
        position: PositionEncoding::Dense { channels: 16, feed_forward: 2 * width },
        embedding: width,
        gating: true,
        encoders,
        attention_heads: width / 16,
        depth: 16,
        feed_forward: 2 * width,
        smolgen: Some(SmolgenSize { compress: 8, hidden: 64, generated: 64 }),
        default_activation: DefaultActivation::Mish,
        smolgen_activation: ActivationFunction::Swish,
        ffn_activation: ActivationFunction::Mish,
        heads: Heads::One,
        policy: AttentionPolicySize { embedding: width, width },
        value: HiddenSize { embedding: 32, hidden: 128 },
        moves_left: None,
    })
}

fn network(specification: &Specification) -> Network {
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let file = NetworkFile::new("random", random_network(specification, &mut generator)).unwrap();
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

fn measure(name: &str, specification: &Specification, batch: usize) {
    let network = network(specification);
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
    print!("{name:>16} {:>10} {batch:>6}", network.parameters.len());
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
    print!("{:>16} {:>10} {:>6}", "", "weights", "batch");
    println!(" {0:>10} {1:>10} {2:>6} {0:>10} {1:>10} {2:>6}", "f32", "bfloat16", "ratio");
    for &batch in batches {
        measure("d=128 L=4", &chessformer(128, 4), batch);
        measure("d=256 L=8", &chessformer(256, 8), batch);
        measure("maia", &Preset::Maia.specification(), batch);
    }
}
