//! The same bits, whatever the batch, the threads, the instruction set and the memory.

use chess::{Game, HistoryFill, MoveIndex, Planes};
use lc0::NetworkFile;
use lc0::random::{Preset, parameter_count, random_network};
use native::kernels::{Arithmetic, InstructionSet};
use native::{NativeEngine, NativeTrainer, Precision};
use network::{
    AdamW, EncodedPosition, Engine, EngineError, HeadSelection, LearningRates, Network,
    OutputGradients, Outputs, TrainableEngine, TrainingState,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const RATES: LearningRates =
    LearningRates { backbone: 1e-3, final_block: 2e-3, policy_head: 3e-3, value_head: 4e-3 };

fn presets() -> impl Iterator<Item = Preset> {
    let small = |preset: &Preset| parameter_count(&preset.specification()) < 1_000_000;
    Preset::ALL.into_iter().filter(small)
}

fn network(preset: Preset) -> Network {
    let mut generator = ChaCha8Rng::seed_from_u64(12);
    let net = random_network(&preset.specification(), &mut generator);
    let file = NetworkFile::new(preset.name(), net).unwrap();
    Network::load(&file, HeadSelection::default()).unwrap()
}

/// Every way of computing products that differs in more than speed.
fn arithmetics() -> impl Iterator<Item = Arithmetic> {
    let fastest = InstructionSet::detect();
    let precisions = [Precision::Float32, Precision::Bfloat16].into_iter();
    let all = precisions.flat_map(Arithmetic::available);
    all.filter(move |arithmetic| arithmetic.instruction_set() == fastest)
}

/// Positions of random games, the encodings of `network`'s format.
fn positions(network: &Network, count: usize) -> Vec<Planes> {
    let mut generator = ChaCha8Rng::seed_from_u64(5);
    let mut game = Game::new();
    let mut planes = Vec::new();
    while planes.len() < count {
        let moves = game.legal_moves();
        if moves.is_empty() || game.ply() > 80 {
            game = Game::new();
            continue;
        }
        game.play(moves[generator.random_range(0..moves.len())]).unwrap();
        let format = network.architecture.input_format;
        planes.push(EncodedPosition::new(&game, format, HistoryFill::default()).unwrap().planes);
    }
    planes
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Compares bits, and names only the first element that differs.
fn assert_bits(context: &str, one: &[f32], other: &[f32]) {
    assert_eq!(one.len(), other.len(), "{context}");
    let pairs = one.iter().zip(other);
    let differing = pairs.enumerate().find(|(_, (one, other))| one.to_bits() != other.to_bits());
    if let Some((index, (one, other))) = differing {
        panic!("{context}: element {index} is {one:e} here and {other:e} there");
    }
}

fn assert_same(context: &str, one: &Outputs, other: &Outputs) {
    assert_bits(&format!("{context}: policy"), &one.policy, &other.policy);
    assert_bits(&format!("{context}: value"), &one.value, &other.value);
    assert_bits(&format!("{context}: moves left"), &one.moves_left, &other.moves_left);
}

fn assert_same_state(context: &str, one: &TrainingState, other: &TrainingState) {
    assert_bits(&format!("{context}: second moment"), &one.second_moment, &other.second_moment);
    assert_bits(&format!("{context}: first moment"), &one.first_moment, &other.first_moment);
    assert_bits(&format!("{context}: parameters"), &one.parameters, &other.parameters);
    assert_bits(&format!("{context}: average"), &one.average, &other.average);
    assert_eq!(one.updates, other.updates, "{context}");
}

/// Outputs of batches of `size`, put together again.
fn in_batches(engine: &dyn Engine, planes: &[Planes], size: usize) -> Outputs {
    let mut all: Option<Outputs> = None;
    for batch in planes.chunks(size) {
        let outputs = engine.evaluate(batch);
        match &mut all {
            None => all = Some(outputs),
            Some(all) => {
                all.policy.extend(outputs.policy);
                all.value.extend(outputs.value);
                all.moves_left.extend(outputs.moves_left);
            }
        }
    }
    all.unwrap()
}

#[test]
fn outputs_do_not_depend_on_batch_or_threads() {
    for preset in presets() {
        arithmetics().for_each(|arithmetic| check_batches(preset, arithmetic));
    }
}

fn check_batches(preset: Preset, arithmetic: Arithmetic) {
    let engine = NativeEngine::with_arithmetic(network(preset), arithmetic);
    let planes = positions(&network(preset), 64);
    let expected = with_threads(1, || in_batches(&engine, &planes, 64));
    assert!(expected.policy.iter().all(|logit| logit.is_finite()), "{}", preset.name());
    for (threads, size) in [(1, 1), (1, 7), (2, 1), (2, 7), (2, 64)] {
        let outputs = with_threads(threads, || in_batches(&engine, &planes, size));
        let context =
            format!("{}, {arithmetic}, {threads} threads, batches of {size}", preset.name());
        assert_same(&context, &outputs, &expected);
    }
}

#[test]
fn outputs_do_not_depend_on_the_instruction_set() {
    for preset in presets() {
        let planes = positions(&network(preset), 3);
        let expected = NativeEngine::new(network(preset)).evaluate(&planes);
        for set in InstructionSet::available() {
            let engine = NativeEngine::with_instruction_set(network(preset), set);
            let context = format!("{}, {set}", preset.name());
            assert_same(&context, &engine.evaluate(&planes), &expected);
        }
    }
}

/// A gradient that depends on the outputs in every element.
fn gradients(outputs: &Outputs) -> OutputGradients {
    gradients_from(0, outputs.positions(), outputs)
}

/// The part of it for positions from the `start`th of a batch on.
fn gradients_from(start: usize, batch: usize, outputs: &Outputs) -> OutputGradients {
    let mut gradients = outputs.clone();
    let scale = 1.0 / batch as f32;
    let rows = gradients.policy.chunks_exact_mut(MoveIndex::COUNT);
    for (row, logits) in (start..).zip(rows) {
        for (index, logit) in logits.iter_mut().enumerate() {
            *logit = scale * (*logit * 0.01 + ((index * 7 + row) % 13) as f32 * 0.01 - 0.06);
        }
    }
    gradients.value.iter_mut().for_each(|logit| *logit *= 0.1 * scale);
    gradients.moves_left.clear();
    gradients
}

/// How a gradient is computed.
#[derive(Clone, Copy, Debug)]
enum Passes {
    /// One over the whole batch forward, then one backward.
    Two,
    /// A part of the batch forward and backward, then the next.
    Parts,
}

/// Three updates on `planes`, and how the trainer stands then.
fn train(trainer: &mut NativeTrainer, planes: &[Planes], passes: Passes) -> TrainingState {
    for _ in 0..3 {
        match passes {
            Passes::Two => {
                let outputs = trainer.forward(planes);
                trainer.backward(&gradients(&outputs)).unwrap();
            }
            Passes::Parts => {
                let loss = |range: std::ops::Range<usize>, outputs: &Outputs| {
                    assert_eq!(range.len(), outputs.positions());
                    gradients_from(range.start, planes.len(), outputs)
                };
                trainer.differentiate(planes, &loss).unwrap();
            }
        }
        trainer.update(&AdamW::default(), &RATES).unwrap();
        trainer.average(0.9);
    }
    trainer.state()
}

#[test]
fn training_does_not_depend_on_threads_or_memory() {
    let exact = InstructionSet::detect().into();
    presets().for_each(|preset| check_training(preset, exact));
}

#[test]
fn training_in_bfloat16_does_not_depend_on_threads_or_memory() {
    let rounded = arithmetics().filter(|one| one.precision() == Precision::Bfloat16);
    rounded.for_each(|arithmetic| check_training(Preset::TinyBt4, arithmetic));
}

fn check_training(preset: Preset, arithmetic: Arithmetic) {
    let planes = positions(&network(preset), 50);
    let run = |threads: usize, budget: usize, passes: Passes| {
        with_threads(threads, || {
            let mut trainer = NativeTrainer::with_arithmetic(network(preset), arithmetic);
            trainer.set_activation_budget(budget);
            train(&mut trainer, &planes, passes)
        })
    };
    let expected = run(1, usize::MAX, Passes::Two);
    assert_ne!(expected.parameters, network(preset).parameters, "{}", preset.name());
    for (threads, budget, passes) in [
        (1, 0, Passes::Two),
        (2, usize::MAX, Passes::Two),
        (2, 0, Passes::Two),
        (1, 0, Passes::Parts),
        (2, 0, Passes::Parts),
    ] {
        let state = run(threads, budget, passes);
        let name = preset.name();
        let context =
            format!("{name}, {arithmetic}, {threads} threads, {budget} bytes, {passes:?}");
        assert_same_state(&context, &state, &expected);
    }
}

/// Where no instructions for bfloat16 are used.
#[test]
fn rounded_operands_do_not_depend_on_the_instruction_set() {
    let preset = Preset::TinyBt4;
    let planes = positions(&network(preset), 2);
    let of_vectors = |arithmetic: &Arithmetic| {
        arithmetic.to_string() == format!("bfloat16 in {}", arithmetic.instruction_set())
    };
    let all = Arithmetic::available(Precision::Bfloat16).into_iter().filter(of_vectors);
    let states: Vec<_> = all
        .map(|arithmetic| {
            let mut trainer = NativeTrainer::with_arithmetic(network(preset), arithmetic);
            train(&mut trainer, &planes, Passes::Two)
        })
        .collect();
    for state in &states {
        assert_same_state("rounded operands", state, &states[0]);
    }
}

#[test]
fn training_does_not_depend_on_the_instruction_set() {
    let preset = Preset::TinyBt4;
    let planes = positions(&network(preset), 4);
    let expected = train(&mut NativeTrainer::new(network(preset)), &planes, Passes::Two);
    for set in InstructionSet::available() {
        let mut trainer = NativeTrainer::with_instruction_set(network(preset), set);
        let state = train(&mut trainer, &planes, Passes::Two);
        assert_same_state(&set.to_string(), &state, &expected);
    }
}

#[test]
fn training_goes_on_from_its_state_as_if_never_stopped() {
    let preset = Preset::TowerConvolution;
    let planes = positions(&network(preset), 20);
    let mut uninterrupted = NativeTrainer::new(network(preset));
    let state = train(&mut uninterrupted, &planes, Passes::Two);
    let expected = train(&mut uninterrupted, &planes, Passes::Two);
    let mut resumed = NativeTrainer::new(network(preset));
    resumed.restore(&state).unwrap();
    assert_same("average", &resumed.evaluate_average(&planes), &{
        let mut again = NativeTrainer::new(network(preset));
        train(&mut again, &planes, Passes::Two);
        again.evaluate_average(&planes)
    });
    assert_same_state("resumed", &train(&mut resumed, &planes, Passes::Two), &expected);
}

#[test]
fn each_group_moves_at_its_own_rate() {
    for preset in presets() {
        let start = network(preset);
        let planes = positions(&start, 8);
        let rates = [
            LearningRates { backbone: 1e-3, final_block: 0.0, policy_head: 0.0, value_head: 0.0 },
            LearningRates { backbone: 0.0, final_block: 1e-3, policy_head: 0.0, value_head: 0.0 },
            LearningRates { backbone: 0.0, final_block: 0.0, policy_head: 1e-3, value_head: 0.0 },
            LearningRates { backbone: 0.0, final_block: 0.0, policy_head: 0.0, value_head: 1e-3 },
        ];
        for rates in rates {
            let mut trainer = NativeTrainer::new(start.clone());
            let outputs = trainer.forward(&planes);
            trainer.backward(&gradients(&outputs)).unwrap();
            trainer.update(&AdamW::default(), &rates).unwrap();
            let state = trainer.state();
            for tensor in start.architecture.layout.tensors() {
                let range = tensor.range();
                let moved = state.parameters[range.clone()] != start.parameters[range];
                let context = format!("{}: {}", preset.name(), tensor.name);
                assert_eq!(moved, rates.of(tensor.group) > 0.0, "{context}");
            }
        }
    }
}

#[test]
fn a_gradient_is_used_once() {
    let start = network(Preset::Smallest);
    let planes = positions(&start, 2);
    let mut trainer = NativeTrainer::new(start);
    let update = |trainer: &mut NativeTrainer| trainer.update(&AdamW::default(), &RATES);
    assert_eq!(update(&mut trainer), Err(EngineError::NoBackwardPass));
    let outputs = trainer.forward(&planes);
    trainer.backward(&gradients(&outputs)).unwrap();
    assert_eq!(trainer.backward(&gradients(&outputs)).unwrap_err(), EngineError::NoForwardPass);
    update(&mut trainer).unwrap();
    assert_eq!(update(&mut trainer), Err(EngineError::NoBackwardPass));
    trainer.differentiate(&planes, &|_, outputs| gradients(outputs)).unwrap();
    update(&mut trainer).unwrap();
    assert_eq!(update(&mut trainer), Err(EngineError::NoBackwardPass));
}

#[test]
fn a_gradient_of_another_shape_is_refused() {
    let start = network(Preset::Smallest);
    let planes = positions(&start, 20);
    let mut trainer = NativeTrainer::new(start);
    let shorter = |_, outputs: &Outputs| {
        let mut gradients = gradients(outputs);
        gradients.value.pop();
        gradients
    };
    let refused = trainer.differentiate(&planes, &shorter).unwrap_err();
    assert!(matches!(refused, EngineError::Shape { what: "value gradient", .. }), "{refused}");
    let update = trainer.update(&AdamW::default(), &RATES);
    assert_eq!(update, Err(EngineError::NoBackwardPass));
}
