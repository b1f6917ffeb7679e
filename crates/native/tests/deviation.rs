//! How far products in bfloat16 move outputs and gradients from those in `f32`.
//!
//! A number of bfloat16 is off by at most 2^-9 of itself. The bounds are about twice what was seen
//! for the networks here; `cargo test -p native --test deviation -- --nocapture` prints that.

use std::sync::Arc;

use chess::{Game, HistoryFill};
use lc0::NetworkFile;
use lc0::random::{Preset, parameter_count, random_network};
use native::kernels::{Arithmetic, InstructionSet};
use native::{NativeEngine, NativeTrainer, Precision};
use network::{
    Body, EncodedPosition, Evaluation, Evaluator, HeadSelection, Network, OutputGradients,
    TrainableEngine,
};
use policy::Temperature;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Largest distances of bfloat16 from `f32`.
#[derive(Clone, Copy, Debug, Default)]
struct Deviation {
    /// Of a legal move's logit, as a share of the largest magnitude among the legal moves' logits
    /// where that is above 1.
    logit: f64,
    /// Of a legal move's probability.
    probability: f64,
    /// Of the probability of a win, a draw or a loss.
    outcome: f64,
}

/// What a network may be off by.
const BOUND: Deviation = Deviation { logit: 0.15, probability: 0.05, outcome: 0.05 };

/// Largest distance of a tensor's gradient, relative to its norm, both Euclidean.
fn gradient_bound(body: &Body) -> f64 {
    match body {
        Body::Attention(_) => 0.1,
        // A ReLU whose argument changes its sign passes a whole gradient on, or none, and the few
        // units of a squeeze-excitation hardly average that out.
        Body::Residual(_) => 0.4,
    }
}

/// Every way of computing in bfloat16 that differs in more than speed.
fn arithmetics() -> impl Iterator<Item = Arithmetic> {
    let fastest = InstructionSet::detect();
    let all = Arithmetic::available(Precision::Bfloat16).into_iter();
    all.filter(move |arithmetic| arithmetic.instruction_set() == fastest)
}

/// Positions of random games.
fn games(count: usize) -> Vec<Game> {
    let mut generator = ChaCha8Rng::seed_from_u64(8);
    let (mut game, mut games) = (Game::new(), Vec::new());
    while games.len() < count {
        let moves = game.legal_moves();
        if moves.is_empty() || game.ply() > 80 {
            game = Game::new();
            continue;
        }
        game.play(moves[generator.random_range(0..moves.len())]).unwrap();
        if !game.legal_moves().is_empty() {
            games.push(game.clone());
        }
    }
    games
}

fn evaluate(network: Network, arithmetic: Arithmetic, games: &[Game]) -> Vec<Evaluation> {
    let engine = Arc::new(NativeEngine::with_arithmetic(network, arithmetic));
    Evaluator::new(engine, HistoryFill::default()).evaluate(games).unwrap()
}

fn largest(differences: impl Iterator<Item = f64>) -> f64 {
    differences.fold(0.0, |largest, difference| largest.max(difference.abs()))
}

fn deviation(exact: &[Evaluation], rounded: &[Evaluation]) -> Deviation {
    let mut deviation = Deviation::default();
    for (exact, rounded) in exact.iter().zip(rounded) {
        let scale = largest(exact.logits.iter().copied().map(f64::from)).max(1.0);
        let logits = exact.logits.iter().zip(&rounded.logits);
        let logits = largest(logits.map(|(exact, rounded)| f64::from(exact - rounded)));
        let policy =
            |evaluation: &Evaluation| evaluation.policy(Temperature::ONE).unwrap().probabilities();
        let pairs = policy(exact).into_iter().zip(policy(rounded));
        let probability = largest(pairs.map(|(exact, rounded)| exact - rounded));
        let outcomes = exact.wdl().probabilities().into_iter().zip(rounded.wdl().probabilities());
        let outcome = largest(outcomes.map(|(exact, rounded)| exact - rounded));
        deviation.logit = deviation.logit.max(logits / scale);
        deviation.probability = deviation.probability.max(probability);
        deviation.outcome = deviation.outcome.max(outcome);
    }
    deviation
}

fn check_outputs(name: &str, network: &Network) {
    let games = games(40);
    let exact = Arithmetic::detect(Precision::Float32);
    let exact = evaluate(network.clone(), exact, &games);
    for arithmetic in arithmetics() {
        let rounded = evaluate(network.clone(), arithmetic, &games);
        let deviation = deviation(&exact, &rounded);
        let Deviation { logit, probability, outcome } = deviation;
        println!("{name}, {arithmetic}: {logit:.1e}, {probability:.1e}, {outcome:.1e}");
        let context = format!("{name}, {arithmetic}: {deviation:?}");
        assert!(deviation.logit > 0.0 && deviation.logit <= BOUND.logit, "{context}");
        assert!(deviation.probability <= BOUND.probability, "{context}");
        assert!(deviation.outcome <= BOUND.outcome, "{context}");
    }
}

fn random(preset: Preset) -> Network {
    let mut generator = ChaCha8Rng::seed_from_u64(14);
    let net = random_network(&preset.specification(), &mut generator);
    let file = NetworkFile::new(preset.name(), net).unwrap();
    Network::load(&file, HeadSelection::default()).unwrap()
}

fn presets() -> impl Iterator<Item = Preset> {
    let small = |preset: &Preset| parameter_count(&preset.specification()) < 1_000_000;
    Preset::ALL.into_iter().filter(small)
}

#[test]
fn outputs_of_random_networks() {
    for preset in presets() {
        check_outputs(preset.name(), &random(preset));
    }
}

#[test]
fn outputs_of_published_networks() {
    let Some(nets) = fixtures::reference("nets") else { return };
    for entry in std::fs::read_dir(nets).unwrap() {
        let path = entry.unwrap().path();
        let file = NetworkFile::read(&path).unwrap();
        let network = Network::load(&file, HeadSelection::default()).unwrap();
        check_outputs(&path.file_name().unwrap().to_string_lossy(), &network);
    }
}

/// The gradient of a fixed random linear functional of the outputs.
fn gradient(network: Network, arithmetic: Arithmetic, games: &[Game]) -> Vec<f32> {
    let format = network.architecture.input_format;
    let encode = |game| EncodedPosition::new(game, format, HistoryFill::default()).unwrap().planes;
    let planes: Vec<_> = games.iter().map(encode).collect();
    let mut trainer = NativeTrainer::with_arithmetic(network, arithmetic);
    let mut gradients: OutputGradients = trainer.forward(&planes);
    let mut generator = ChaCha8Rng::seed_from_u64(15);
    let outputs = gradients.policy.iter_mut().chain(&mut gradients.value);
    outputs
        .chain(&mut gradients.moves_left)
        .for_each(|output| *output = generator.random_range(-1.0..1.0));
    trainer.backward(&gradients).unwrap().to_vec()
}

fn norm(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|value| value * value).sum::<f64>().sqrt()
}

#[test]
fn gradients() {
    // The smallest network is left out: a layer norm over two features gives -1 and 1 whatever they
    // are, so that gradients in front of it are nothing but rounding errors.
    for preset in presets().filter(|&preset| preset != Preset::Smallest) {
        let network = random(preset);
        let (games, bound) = (games(32), gradient_bound(&network.architecture.body));
        let exact = gradient(network.clone(), Arithmetic::detect(Precision::Float32), &games);
        for arithmetic in arithmetics() {
            let rounded = gradient(network.clone(), arithmetic, &games);
            let mut worst = (0.0, "");
            for tensor in network.architecture.layout.tensors() {
                // A key's bias has no gradient but rounding errors: no softmax sees it.
                if tensor.name.ends_with("mha.k_b") {
                    continue;
                }
                let pairs = exact[tensor.range()].iter().zip(&rounded[tensor.range()]);
                let size = norm(exact[tensor.range()].iter().copied().map(f64::from));
                let distance = norm(pairs.map(|(a, b)| f64::from(a - b))) / size;
                if distance > worst.0 {
                    worst = (distance, tensor.name.as_str());
                }
            }
            println!("{}, {arithmetic}: {:.1e} in {}", preset.name(), worst.0, worst.1);
            let context = format!("{}, {arithmetic}, {}", preset.name(), worst.1);
            assert!(worst.0 > 0.0 && worst.0 <= bound, "{context}: {:e}", worst.0);
        }
    }
}
