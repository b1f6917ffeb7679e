use chess::{Game, HistoryFill, InputFormat};
use lc0::NetworkFile;
use lc0::random::{Preset, random_network};
use native::NativeTrainer;
use network::{HeadSelection, Network, ValueKind};
use policy::Wdl;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::config::PeakLearningRates;
use crate::supervised::TrainingData;

fn config() -> SupervisedConfig {
    let data = TrainingData::Puzzles { files: Vec::new(), exclude: Vec::new() };
    SupervisedConfig {
        warmup_steps: 0,
        ema_decay: 0.5,
        value_coefficient: 0.5,
        learning_rates: PeakLearningRates {
            backbone: 1e-3,
            final_block: 1e-3,
            policy_head: 1e-3,
            value_head: 1e-3,
        },
        ..SupervisedConfig::new(data)
    }
}

fn trainer() -> SupervisedTrainer {
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let net = random_network(&Preset::Smallest.specification(), &mut generator);
    let file = NetworkFile::new("smallest", net).expect("a network");
    let network = Network::load(&file, HeadSelection::default()).expect("a network");
    SupervisedTrainer::new(config(), Box::new(NativeTrainer::new(network)))
}

/// Positions of a game, each with the move played and an outcome.
fn samples(format: InputFormat) -> Vec<Sample> {
    let mut game = Game::new();
    let line = "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6";
    let outcomes = [Wdl::WIN, Wdl::DRAW, Wdl::LOSS].into_iter().cycle();
    line.split(' ')
        .zip(outcomes)
        .map(|(uci, outcome)| {
            let played = game.parse_uci(uci).expect("a legal move");
            let sample = Sample::with_solution(&game, played, format, HistoryFill::FenOnly);
            game.play(played).expect("a legal move");
            Sample { value: Some(outcome), ..sample.expect("expressible") }
        })
        .collect()
}

#[test]
fn a_network_learns_its_samples() {
    let mut trainer = trainer();
    let samples = samples(trainer.engine().architecture().input_format);
    let first = trainer.step(&samples).expect("a step");
    let mut last = first.clone();
    for _ in 0..150 {
        last = trainer.step(&samples).expect("a step");
    }
    assert_eq!((last.step, trainer.steps()), (151, 151));
    assert!(last.policy < 0.1 * first.policy, "{first:?}, {last:?}");
    assert!(last.value < 0.5 * first.value, "{first:?}, {last:?}");
    assert_eq!(last.accuracy, 1.0);
    // One move has all of the target: its entropy is 0.
    assert!((first.policy - first.policy_kl).abs() < 1e-12);
    assert!((first.loss - first.policy - 0.5 * first.value).abs() < 1e-12);
    assert_ne!(trainer.engine().state().average, trainer.engine().state().parameters);
}

#[test]
fn a_sample_without_a_value_leaves_the_value_head_alone() {
    let mut trainer = trainer();
    let mut samples = samples(trainer.engine().architecture().input_format);
    samples.iter_mut().for_each(|sample| sample.value = None);
    let layout = trainer.engine().architecture().layout.clone();
    let before = trainer.engine().state().parameters;
    let metrics = trainer.step(&samples).expect("a step");
    assert_eq!(metrics.value, 0.0);
    let after = trainer.engine().state().parameters;
    for tensor in layout.tensors() {
        let moved = before[tensor.range()] != after[tensor.range()];
        assert!(!moved || tensor.group != network::Group::ValueHead, "{}", tensor.name);
    }
    assert_ne!(before, after);
}

/// Outputs of one position that halves and quarters of a unit change exactly.
fn outputs(kind: ValueKind) -> Outputs {
    let mut generator = ChaCha8Rng::seed_from_u64(3);
    let mut outputs = Outputs::zeros(1, kind, false);
    let logits = outputs.policy.iter_mut().chain(&mut outputs.value);
    logits.for_each(|logit| *logit = f32::from(generator.random_range(-128i8..=127)) / 64.0);
    outputs
}

#[test]
fn gradients_are_the_slopes_of_the_loss() {
    let sample = &samples(InputFormat::Classical112)[1];
    let target = Wdl::new(0.5, 0.375, 0.125).expect("an outcome");
    let weights: Vec<f64> = (0..sample.moves.len()).map(|index| (index % 4) as f64).collect();
    let policy = MovePolicy::from_weights(&weights).expect("a policy");
    let sample = Sample { policy, value: Some(target), ..sample.clone() };
    let (coefficient, scale, step) = (0.25, 0.5, 1.0 / 64.0);
    for kind in [ValueKind::Wdl, ValueKind::Scalar] {
        let loss = |outputs: &Outputs| {
            let mut gradients = OutputGradients::zeros(1, kind, false);
            let loss = sample.accumulate(outputs, 0, coefficient, scale, &mut gradients);
            let loss = loss.expect("finite outputs");
            (scale * (loss.policy + coefficient * loss.value), gradients)
        };
        let (_, gradients) = loss(&outputs(kind));
        let check = |name: &str, gradient: f32, place: &dyn Fn(&mut Outputs) -> &mut f32| {
            let moved = |by: f32| {
                let mut outputs = outputs(kind);
                *place(&mut outputs) += by;
                loss(&outputs).0
            };
            let slope = (moved(step) - moved(-step)) / f64::from(2.0 * step);
            // The third derivative of a log-softmax is at most 1.
            assert!((slope - f64::from(gradient)).abs() < 1e-4, "{name}: {slope}, {gradient}");
        };
        for index in 0..MoveIndex::COUNT {
            let gradient = gradients.policy[index];
            let legal = sample.moves.iter().any(|legal| legal.get() == index);
            assert!(legal || gradient == 0.0);
            if legal {
                check("policy", gradient, &|outputs| &mut outputs.policy[index]);
            }
        }
        for index in 0..kind.width() {
            check("value", gradients.value[index], &|outputs| &mut outputs.value[index]);
        }
    }
}

#[test]
fn an_output_that_is_no_number_stops_before_the_weights() {
    let mut trainer = trainer();
    let samples = samples(trainer.engine().architecture().input_format);
    let mut state = trainer.engine().state();
    // So large that the logits overflow.
    state.parameters.iter_mut().for_each(|value| *value *= 1e30);
    trainer.theta.restore(&state).expect("finite weights");
    let error = trainer.step(&samples).expect_err("infinite outputs").to_string();
    assert!(error.starts_with("step 1: the "), "{error}");
    assert!(error.contains(" of sample 0 of the batch: "), "{error}");
    assert_eq!(trainer.engine().state(), state);
    assert_eq!(trainer.steps(), 0);
}
