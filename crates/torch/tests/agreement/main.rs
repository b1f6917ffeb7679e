//! The libtorch engine against the native engine, for every structure: outputs, gradients and
//! updates. Two implementations that share nothing but the description of the network.

mod bounds;
mod networks;
mod trainer;

use std::num::NonZeroUsize;

use native::{NativeEngine, NativeTrainer};
use network::{Engine, Network, Outputs, TrainableEngine};
use torch::{Device, Options, Precision, TorchEngine, TorchError, TorchTrainer};

use bounds::{assert_bits, assert_gradients, assert_outputs, assert_same, norm};
use networks::{Case, cases, coefficients, network, positions};

/// Largest distance of an output, as a share of the largest output of its kind.
const OUTPUT: f64 = 1e-5;

/// Largest distance of a tensor's gradient, as a share of the gradient's norm.
const GRADIENT: f64 = 1e-4;

/// Options with a micro-batch of `size` positions.
fn micro_batches(size: usize) -> Options {
    Options { micro_batch: NonZeroUsize::new(size).unwrap(), ..Options::default() }
}

/// A trainer on the CPU.
fn trainer(network: Network, size: usize) -> TorchTrainer {
    TorchTrainer::new(network, &micro_batches(size)).unwrap()
}

#[test]
fn outputs_and_gradients_are_those_of_the_native_engine() {
    for Case { name, specification } in cases() {
        let network = network(&specification);
        let planes = positions(network.architecture.input_format);
        let mut native = NativeTrainer::new(network.clone());
        let mut torch = trainer(network, planes.len());
        let expected = native.forward(&planes);
        let outputs = torch.forward(&planes);
        assert_outputs(&name, &outputs, &expected, OUTPUT);

        let mut gradients = coefficients(&expected);
        let wanted = native.backward(&gradients).unwrap().to_vec();
        let gradient = torch.backward(&gradients).unwrap().to_vec();
        assert_gradients(&name, torch.architecture(), &gradient, &wanted, GRADIENT);

        // Without a loss of the moves-left head, its gradient is zero and the others are smaller.
        gradients.moves_left.clear();
        native.forward(&planes);
        torch.forward(&planes);
        let wanted = native.backward(&gradients).unwrap().to_vec();
        let gradient = torch.backward(&gradients).unwrap().to_vec();
        let name = format!("{name}, without moves left");
        assert_gradients(&name, torch.architecture(), &gradient, &wanted, GRADIENT);
    }
}

#[test]
fn an_engine_for_inference_gives_the_same_outputs() {
    for Case { name, specification } in cases() {
        let network = network(&specification);
        let planes = positions(network.architecture.input_format);
        let expected = NativeEngine::new(network.clone()).evaluate(&planes);
        let engine = TorchEngine::new(network, &Options::default()).unwrap();
        assert_outputs(&name, &engine.evaluate(&planes), &expected, OUTPUT);
    }
}

#[test]
fn gradients_are_summed_over_micro_batches() {
    for Case { name, specification } in cases() {
        let network = network(&specification);
        let planes = positions(network.architecture.input_format);
        let mut whole = trainer(network.clone(), planes.len());
        let expected = whole.forward(&planes);
        let coefficients = coefficients(&expected);
        let wanted = whole.backward(&coefficients).unwrap().to_vec();
        let mut parts = trainer(network, 2);
        let outputs = parts.forward(&planes);
        assert_outputs(&name, &outputs, &expected, OUTPUT);
        let gradient = parts.backward(&coefficients).unwrap().to_vec();
        assert_gradients(&name, whole.architecture(), &gradient, &wanted, GRADIENT);
    }
}

/// The ratio of a move's probabilities at sampling and at learning is 1 to the last bit only if
/// the same positions give the same bits.
#[test]
fn a_batch_gives_the_same_bits_each_time() {
    for Case { name, specification } in cases() {
        let network = network(&specification);
        let planes = positions(network.architecture.input_format);
        for size in [2, planes.len()] {
            let mut trainer = trainer(network.clone(), size);
            let outputs = trainer.forward(&planes);
            let gradient = trainer.backward(&coefficients(&outputs)).unwrap().to_vec();
            let evaluated = trainer.evaluate(&planes);
            assert_bits(&format!("{name}, {size}: evaluated"), &evaluated, &outputs);
            let average = trainer.evaluate_average(&planes);
            assert_bits(&format!("{name}, {size}: average"), &average, &outputs);
            let again = trainer.forward(&planes);
            assert_bits(&format!("{name}, {size}: again"), &again, &outputs);
            let again = trainer.backward(&coefficients(&outputs)).unwrap();
            assert_same(&format!("{name}, {size}: gradient"), again, &gradient);
        }
    }
}

/// bfloat16 has 8 bits: outputs and gradient are near, but not the same. A single tensor's gradient
/// in networks as small as these may be far off, and is with rounded weights alone.
#[test]
fn bf16_is_near_single_precision() {
    for Case { name, specification } in cases() {
        let network = network(&specification);
        let planes = positions(network.architecture.input_format);
        let options = Options { precision: Precision::Bf16, ..Options::default() };
        let mut native = NativeTrainer::new(network.clone());
        let mut torch = TorchTrainer::new(network, &options).unwrap();
        let expected = native.forward(&planes);
        let outputs = torch.forward(&planes);
        assert_outputs(&name, &outputs, &expected, 0.1);
        assert_ne!(outputs.policy, expected.policy, "{name}");
        let gradients = coefficients(&expected);
        let wanted = native.backward(&gradients).unwrap().to_vec();
        let gradient = torch.backward(&gradients).unwrap().to_vec();
        let error = norm(gradient.iter().zip(&wanted).map(|(found, wanted)| found - wanted));
        let share = error / norm(wanted.iter().copied());
        assert!(share <= 0.4, "{name}: the gradient is off by {share:.2}");
    }
}

#[test]
fn what_cannot_be_computed_is_refused() {
    let specification = cases().swap_remove(0).specification;
    let refuse = |options: Options| {
        let engine = TorchEngine::new(network(&specification), &options).err().unwrap();
        let trainer = TorchTrainer::new(network(&specification), &options).err().unwrap();
        assert_eq!(engine, trainer);
        engine
    };
    let tf32 = Options { precision: Precision::Tf32, ..Options::default() };
    assert_eq!(refuse(tf32), TorchError::Tf32OnCpu);
    let cuda = Options { device: Device::Cuda(999), ..Options::default() };
    match refuse(cuda) {
        TorchError::NoCuda => {}
        TorchError::NoSuchDevice { index, count } => assert!(index == 999 && count < 999),
        other => panic!("{other}"),
    }
}

#[test]
fn no_positions_have_no_outputs() {
    let network = network(&cases().swap_remove(0).specification);
    let mut trainer = trainer(network, 4);
    let outputs: Outputs = trainer.forward(&[]);
    assert_eq!(outputs.positions(), 0);
    assert!(trainer.backward(&outputs).unwrap().iter().all(|&element| element == 0.0));
}
