//! Updates, the average and the trainer's state.

use native::NativeTrainer;
use network::{AdamW, Engine, EngineError, LearningRates, TrainableEngine, TrainingState};

use crate::networks::{Case, cases, coefficients, network, positions};
use crate::trainer;

const RATES: LearningRates =
    LearningRates { backbone: 1e-3, final_block: 2e-3, policy_head: 3e-3, value_head: 4e-3 };

/// With the usual epsilon the first steps are the gradient's sign, which rounding errors decide
/// where a gradient is 0; with this one they are in proportion to small gradients.
const OPTIMISER: AdamW = AdamW { beta1: 0.9, beta2: 0.98, epsilon: 1e-2 };

/// Updates along the gradient of the same function of the outputs.
fn train(trainer: &mut dyn TrainableEngine, updates: usize, optimiser: &AdamW) -> TrainingState {
    let planes = positions(trainer.architecture().input_format);
    for _ in 0..updates {
        let outputs = trainer.forward(&planes);
        trainer.backward(&coefficients(&outputs)).unwrap();
        trainer.update(optimiser, &RATES).unwrap();
        trainer.average(0.75);
    }
    trainer.state()
}

fn assert_near(context: &str, one: &[f32], other: &[f32], bound: f32) {
    assert_eq!(one.len(), other.len(), "{context}");
    for (index, (one, other)) in one.iter().zip(other).enumerate() {
        let near = (one - other).abs() <= bound;
        assert!(near, "{context}: element {index} is {one}, expected {other}");
    }
}

#[test]
fn updates_are_those_of_the_native_engine() {
    for Case { name, specification } in cases() {
        let network = network(&specification);
        let start = network.parameters.clone();
        let mut torch = trainer(network.clone(), 3);
        let mut native = NativeTrainer::new(network);
        for updates in [1, 2] {
            let ours = train(&mut torch, updates, &OPTIMISER);
            let theirs = train(&mut native, updates, &OPTIMISER);
            assert_ne!(ours.parameters, start, "{name}");
            // A thousandth of the largest rate, which bounds an update.
            assert_near(&name, &ours.parameters, &theirs.parameters, 4e-6);
            assert_near(&name, &ours.average, &theirs.average, 4e-6);
            let bound = |moment: &[f32]| 1e-5 * moment.iter().fold(0.0, |a: f32, b| a.max(b.abs()));
            let (first, second) = (&theirs.first_moment, &theirs.second_moment);
            assert_near(&name, &ours.first_moment, first, bound(first));
            assert_near(&name, &ours.second_moment, second, bound(second));
            assert_eq!(ours.updates, theirs.updates, "{name}");
            // Rounding errors do not add up to the second comparison.
            native.restore(&ours).unwrap();
        }
    }
}

#[test]
fn the_average_is_a_network_of_its_own() {
    let network = network(&cases().swap_remove(0).specification);
    let planes = positions(network.architecture.input_format);
    let mut trainer = trainer(network.clone(), 3);
    let before = trainer.evaluate(&planes);
    let state = train(&mut trainer, 1, &OPTIMISER);
    assert_ne!(state.average, state.parameters);
    assert_ne!(state.average, network.parameters);
    let mut of_average = crate::trainer(network, 3);
    of_average.restore(&TrainingState { parameters: state.average.clone(), ..state }).unwrap();
    let average = trainer.evaluate_average(&planes);
    assert_eq!(average, of_average.evaluate(&planes));
    assert_ne!(average, before);
    assert_ne!(average, trainer.evaluate(&planes));
}

#[test]
fn training_goes_on_from_its_state_as_if_never_stopped() {
    for Case { name, specification } in cases() {
        let mut uninterrupted = trainer(network(&specification), 3);
        let state = train(&mut uninterrupted, 2, &AdamW::default());
        let expected = train(&mut uninterrupted, 2, &AdamW::default());
        let mut resumed = trainer(network(&specification), 3);
        resumed.restore(&state).unwrap();
        assert_eq!(resumed.state(), state, "{name}");
        assert_eq!(train(&mut resumed, 2, &AdamW::default()), expected, "{name}");
    }
}

#[test]
fn each_group_moves_at_its_own_rate() {
    let zero = LearningRates { backbone: 0.0, final_block: 0.0, policy_head: 0.0, value_head: 0.0 };
    for Case { name, specification } in cases() {
        let start = network(&specification);
        let planes = positions(start.architecture.input_format);
        for rates in [
            LearningRates { backbone: 1e-3, ..zero },
            LearningRates { final_block: 1e-3, ..zero },
            LearningRates { policy_head: 1e-3, ..zero },
            LearningRates { value_head: 1e-3, ..zero },
        ] {
            let mut trainer = trainer(start.clone(), planes.len());
            let outputs = trainer.forward(&planes);
            trainer.backward(&coefficients(&outputs)).unwrap();
            trainer.update(&AdamW::default(), &rates).unwrap();
            let state = trainer.state();
            for tensor in start.architecture.layout.tensors() {
                let range = tensor.range();
                let moved = state.parameters[range.clone()] != start.parameters[range];
                assert_eq!(moved, rates.of(tensor.group) > 0.0, "{name}: {}", tensor.name);
            }
        }
    }
}

#[test]
fn wrong_gradients_are_refused() {
    let network = network(&cases().swap_remove(0).specification);
    let planes = positions(network.architecture.input_format);
    let mut trainer = trainer(network, 3);
    let start = trainer.state();
    let outputs = trainer.forward(&planes);
    let mut gradients = coefficients(&outputs);
    let no_forward = Err(EngineError::NoForwardPass);
    trainer.backward(&gradients).unwrap();
    assert_eq!(trainer.backward(&gradients).map(<[f32]>::len), no_forward);

    trainer.forward(&planes);
    gradients.value.pop();
    let shape = EngineError::Shape { what: "value gradient", found: 14, expected: 15 };
    assert_eq!(trainer.backward(&gradients).map(<[f32]>::len), Err(shape));

    trainer.forward(&planes);
    gradients.value.push(f32::NAN);
    trainer.backward(&gradients).unwrap();
    let refused = trainer.update(&AdamW::default(), &RATES).unwrap_err();
    assert!(matches!(refused, EngineError::NonFinite { .. }), "{refused}");
    assert_eq!(trainer.state(), start);

    // An update makes the activations of a forward pass those of another network.
    trainer.forward(&planes);
    gradients.value.fill(0.0);
    trainer.backward(&gradients).unwrap();
    trainer.forward(&planes);
    trainer.update(&AdamW::default(), &RATES).unwrap();
    assert_eq!(trainer.backward(&gradients).map(<[f32]>::len), Err(EngineError::NoForwardPass));
}

#[test]
fn a_gradient_is_used_once() {
    let network = network(&cases().swap_remove(0).specification);
    let planes = positions(network.architecture.input_format);
    let mut trainer = trainer(network, 3);
    let update = |trainer: &mut torch::TorchTrainer| trainer.update(&OPTIMISER, &RATES);
    assert_eq!(update(&mut trainer), Err(EngineError::NoBackwardPass));
    let outputs = trainer.forward(&planes);
    trainer.backward(&coefficients(&outputs)).unwrap();
    assert_eq!(update(&mut trainer), Ok(()));
    let once = trainer.state();
    assert_eq!(update(&mut trainer), Err(EngineError::NoBackwardPass));
    assert_eq!(trainer.state(), once);
    // Nor is one that was made before the state was replaced.
    let outputs = trainer.forward(&planes);
    trainer.backward(&coefficients(&outputs)).unwrap();
    trainer.restore(&once).unwrap();
    assert_eq!(update(&mut trainer), Err(EngineError::NoBackwardPass));
}

#[test]
fn wrong_states_are_refused() {
    let mut trainer = trainer(network(&cases().swap_remove(0).specification), 3);
    let start = trainer.state();
    let mut short = start.clone();
    short.average.pop();
    let (found, expected) = (start.average.len() - 1, start.average.len());
    let shape = EngineError::Shape { what: "average", found, expected };
    assert_eq!(trainer.restore(&short), Err(shape));
    let mut infinite = start.clone();
    infinite.second_moment[3] = f32::INFINITY;
    let refused = trainer.restore(&infinite).unwrap_err();
    assert!(matches!(refused, EngineError::NonFinite { index: 3, .. }), "{refused}");
    assert_eq!(trainer.state(), start);
}
