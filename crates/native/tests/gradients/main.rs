//! Outputs and gradients against the reference forward pass in `f64`, for every structure.
//!
//! The loss is a fixed random linear functional of all outputs for three positions. Its gradient
//! with respect to every tensor is compared with central differences taken through the reference.

mod comparison;
mod loss;

use std::sync::Arc;

use chess::Planes;
use comparison::{check_outputs, check_tensor, norm};
use lc0::NetworkFile;
use lc0::proto::{ActivationFunction, DefaultActivation};
use lc0::random::{
    AttentionBody, AttentionPolicySize, Heads, HiddenSize, PolicyEncoderSize, PositionEncoding,
    ResidualTower, SmolgenSize, Specification, TowerPolicy, random_network,
};
use loss::{Loss, coefficients, positions};
use native::NativeTrainer;
use network::{
    Architecture, Engine, Group, HeadSelection, Network, OutputGradients, Outputs, TensorInfo,
    TrainableEngine,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// A random network of the structure, and the engine's outputs and gradient for it.
struct Case {
    architecture: Arc<Architecture>,
    parameters: Vec<f64>,
    planes: Vec<Planes>,
    coefficients: OutputGradients,
    trainer: NativeTrainer,
    outputs: Outputs,
    gradient: Vec<f32>,
    generator: ChaCha8Rng,
}

impl Case {
    fn new(name: &str, specification: &Specification) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(1);
        let net = random_network(specification, &mut generator);
        let file = NetworkFile::new(name, net).unwrap();
        let network = Network::load(&file, HeadSelection::default()).unwrap();
        let parameters = network.parameters.iter().copied().map(f64::from).collect();
        let mut trainer = NativeTrainer::new(network);
        let architecture = Arc::clone(trainer.architecture());
        let planes = positions(&architecture);
        let outputs = trainer.forward(&planes);
        let coefficients = coefficients(&outputs, &mut generator);
        let gradient = trainer.backward(&coefficients).unwrap().to_vec();
        assert_eq!(gradient.len(), architecture.layout.len());
        Self {
            architecture,
            parameters,
            planes,
            coefficients,
            trainer,
            outputs,
            gradient,
            generator,
        }
    }

    fn loss(&self) -> Loss<'_> {
        let Self { architecture, planes, coefficients, .. } = self;
        Loss { architecture, planes, coefficients }
    }

    /// Compares `gradient` with differences; gives the largest distance.
    fn check_tensor(&self, tensor: &TensorInfo, gradient: &[f32]) -> Result<f64, String> {
        let (mut parameters, mut generator) = (self.parameters.clone(), self.generator.clone());
        check_tensor(&self.loss(), &mut parameters, gradient, tensor, &mut generator)
    }
}

/// Outputs and gradients of a random network of the structure.
fn check(name: &str, specification: &Specification) {
    let mut case = Case::new(name, specification);
    let distance = check_outputs(&case.outputs, &case.loss(), &case.parameters);
    println!("{name}: outputs within {distance:.1e}");
    let mut worst = (0.0, "");
    for tensor in case.architecture.layout.tensors() {
        let distance = match case.check_tensor(tensor, &case.gradient) {
            Ok(distance) => distance,
            Err(error) => panic!("{name}, {error}"),
        };
        if distance > worst.0 {
            worst = (distance, &tensor.name);
        }
    }
    println!("{name}: gradients within {:.1e}, that of {}", worst.0, worst.1);
    check_without_moves_left(&mut case.trainer, &case.planes, &case.coefficients);
}

/// A loss that leaves the moves-left head out has the gradient of one that weighs it with 0.
fn check_without_moves_left(
    trainer: &mut NativeTrainer,
    planes: &[Planes],
    coefficients: &OutputGradients,
) {
    let mut zeros = coefficients.clone();
    zeros.moves_left.fill(0.0);
    trainer.forward(planes);
    let expected = trainer.backward(&zeros).unwrap().to_vec();
    let absent = OutputGradients { moves_left: vec![], ..zeros };
    trainer.forward(planes);
    let gradient = trainer.backward(&absent).unwrap().to_vec();
    assert_eq!(gradient, expected);
    for tensor in trainer.architecture().layout.tensors() {
        let used = tensor.group != Group::MovesLeftHead;
        let zero = norm(&gradient[tensor.range()]) == 0.0;
        assert!(used || zero, "{}: gradient of a head without loss", tensor.name);
    }
}

fn check_body(name: &str, body: AttentionBody) {
    check(name, &Specification::AttentionBody(body));
}

fn check_tower(name: &str, tower: ResidualTower) {
    check(name, &Specification::ResidualTower(tower));
}

/// Every part that an attention body can have.
fn full() -> AttentionBody {
    AttentionBody {
        position: PositionEncoding::Dense { channels: 2, feed_forward: 10 },
        embedding: 8,
        gating: true,
        encoders: 2,
        attention_heads: 2,
        depth: 4,
        feed_forward: 12,
        smolgen: Some(SmolgenSize { compress: 2, hidden: 10, generated: 5 }),
        default_activation: DefaultActivation::Mish,
        smolgen_activation: ActivationFunction::Swish,
        ffn_activation: ActivationFunction::Mish,
        heads: Heads::Several { own_policy_embeddings: false, error_estimates: true },
        policy: AttentionPolicySize { embedding: 10, width: 6 },
        value: HiddenSize { embedding: 3, hidden: 7 },
        moves_left: Some(HiddenSize { embedding: 2, hidden: 6 }),
    }
}

#[test]
fn dense_positions_with_gating_and_smolgen() {
    check_body("full", full());
}

#[test]
fn dense_positions_without_gating_and_smolgen() {
    check_body("plain", AttentionBody { gating: false, smolgen: None, ..full() });
}

/// No two sizes are alike, and each policy head has an embedding of its own.
#[test]
fn odd_sizes() {
    let body = AttentionBody {
        position: PositionEncoding::Dense { channels: 3, feed_forward: 17 },
        embedding: 9,
        attention_heads: 3,
        depth: 5,
        feed_forward: 13,
        smolgen: Some(SmolgenSize { compress: 4, hidden: 11, generated: 7 }),
        ffn_activation: ActivationFunction::Default,
        heads: Heads::Several { own_policy_embeddings: true, error_estimates: false },
        policy: AttentionPolicySize { embedding: 19, width: 14 },
        value: HiddenSize { embedding: 6, hidden: 21 },
        moves_left: Some(HiddenSize { embedding: 2, hidden: 10 }),
        ..full()
    };
    check_body("odd", body);
}

#[test]
fn mapped_positions_and_squared_relu() {
    let body = AttentionBody {
        position: PositionEncoding::Map,
        ffn_activation: ActivationFunction::Relu2,
        heads: Heads::One,
        ..full()
    };
    check_body("map", body);
}

/// Each function in the feed-forward networks and, beside another one, in smolgen.
#[test]
fn every_activation() {
    let functions = [
        ActivationFunction::Mish,
        ActivationFunction::Relu,
        ActivationFunction::None,
        ActivationFunction::Tanh,
        ActivationFunction::Sigmoid,
        ActivationFunction::Selu,
        ActivationFunction::Swish,
        ActivationFunction::Relu2,
        ActivationFunction::Softmax,
    ];
    let defaults = [DefaultActivation::Relu, DefaultActivation::Mish];
    for (index, &ffn_activation) in functions.iter().enumerate() {
        let smolgen_activation = functions[(index + 4) % functions.len()];
        let body = AttentionBody {
            encoders: 1,
            default_activation: defaults[index % 2],
            ffn_activation,
            smolgen_activation,
            ..full()
        };
        check_body(&format!("{ffn_activation:?}, {smolgen_activation:?} in smolgen"), body);
    }
}

fn tower() -> ResidualTower {
    ResidualTower {
        filters: 6,
        blocks: 2,
        squeeze: Some(4),
        activation: DefaultActivation::Mish,
        policy: TowerPolicy::Attention {
            size: AttentionPolicySize { embedding: 10, width: 7 },
            encoders: Some(PolicyEncoderSize {
                layers: 2,
                attention_heads: 3,
                depth: 3,
                feed_forward: 11,
            }),
        },
        value: HiddenSize { embedding: 3, hidden: 9 },
        wdl: true,
        moves_left: Some(HiddenSize { embedding: 2, hidden: 8 }),
    }
}

#[test]
fn tower_with_attention_policy_and_policy_encoders() {
    check_tower("tower with attention", tower());
}

#[test]
fn tower_with_convolution_policy() {
    let tower = ResidualTower {
        activation: DefaultActivation::Relu,
        policy: TowerPolicy::Convolution,
        moves_left: None,
        ..tower()
    };
    check_tower("tower with convolution", tower);
}

#[test]
fn tower_without_squeeze_with_classical_heads() {
    let tower = ResidualTower {
        squeeze: None,
        activation: DefaultActivation::Relu,
        policy: TowerPolicy::Classical { channels: 2 },
        wdl: false,
        moves_left: None,
        ..tower()
    };
    check_tower("tower with classical heads", tower);
}

/// The comparison itself: for each tensor of a network, gradients that a wrong backward pass
/// could give are not accepted.
#[test]
fn wrong_gradients_are_found() {
    let case = Case::new("full", &Specification::AttentionBody(full()));
    let mut generator = ChaCha8Rng::seed_from_u64(2);
    for tensor in case.architecture.layout.tensors() {
        let size = norm(&case.gradient[tensor.range()]) / (tensor.len() as f64).sqrt();
        let reject = |what: &str, wrong: &mut dyn FnMut(f32) -> f32| {
            let mut gradient = case.gradient.clone();
            for element in &mut gradient[tensor.range()] {
                *element = wrong(*element);
            }
            let found = case.check_tensor(tensor, &gradient);
            assert!(found.is_err(), "{}: {what} is accepted", tensor.name);
        };
        let mut noise = |share: f64| (share * size) as f32 * generator.random_range(-1.7..1.7);
        if tensor.name.ends_with("mha.k_b") {
            // Rounding noise, which should be 0.
            reject("a gradient", &mut |element| element + 1.0);
            continue;
        }
        reject("no gradient", &mut |_| 0.0);
        reject("the opposite", &mut |element| -element);
        reject("a factor of 1.001", &mut |element| 1.001 * element);
        reject("a term of a hundredth", &mut |element| element + noise(0.01));
    }
}
