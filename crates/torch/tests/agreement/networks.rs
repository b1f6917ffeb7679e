//! Small random networks of every structure, and positions for them.

use chess::{Game, HistoryFill, InputFormat, Planes};
use lc0::NetworkFile;
use lc0::proto::{ActivationFunction, DefaultActivation};
use lc0::random::{
    AttentionBody, AttentionPolicySize, Heads, HiddenSize, PolicyEncoderSize, PositionEncoding,
    ResidualTower, SmolgenSize, Specification, TowerPolicy, random_network,
};
use network::{HeadSelection, Network, OutputGradients, Outputs};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Positions of a test batch.
const POSITIONS: usize = 5;

/// A structure by name.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) specification: Specification,
}

pub(crate) fn network(specification: &Specification) -> Network {
    let mut generator = ChaCha8Rng::seed_from_u64(3);
    let file = NetworkFile::new("random", random_network(specification, &mut generator)).unwrap();
    Network::load(&file, HeadSelection::default()).unwrap()
}

/// Positions of one random game, of both sides.
pub(crate) fn positions(format: InputFormat) -> Vec<Planes> {
    let mut generator = ChaCha8Rng::seed_from_u64(4);
    let mut game = Game::new();
    let mut planes = Vec::new();
    while planes.len() < POSITIONS {
        for _ in 0..7 {
            let moves = game.legal_moves();
            game.play(moves[generator.random_range(0..moves.len())]).unwrap();
        }
        planes.push(chess::encode(&game, format, HistoryFill::FenOnly).unwrap().planes);
    }
    planes
}

/// A random gradient of the outputs by which each head has a like share.
pub(crate) fn coefficients(outputs: &Outputs) -> OutputGradients {
    let mut generator = ChaCha8Rng::seed_from_u64(5);
    let mut gradients = outputs.clone();
    for logit in &mut gradients.policy {
        *logit = generator.random_range(-0.02..0.02);
    }
    for logit in gradients.value.iter_mut().chain(&mut gradients.moves_left) {
        *logit = generator.random_range(-1.0..1.0);
    }
    gradients
}

/// Every part that an attention body can have; no two sizes are alike.
fn full() -> AttentionBody {
    AttentionBody {
        position: PositionEncoding::Dense { channels: 3, feed_forward: 17 },
        embedding: 9,
        gating: true,
        encoders: 2,
        attention_heads: 3,
        depth: 5,
        feed_forward: 13,
        smolgen: Some(SmolgenSize { compress: 4, hidden: 11, generated: 7 }),
        default_activation: DefaultActivation::Mish,
        smolgen_activation: ActivationFunction::Swish,
        ffn_activation: ActivationFunction::Default,
        heads: Heads::Several { own_policy_embeddings: true, error_estimates: false },
        policy: AttentionPolicySize { embedding: 19, width: 14 },
        value: HiddenSize { embedding: 6, hidden: 21 },
        moves_left: Some(HiddenSize { embedding: 2, hidden: 10 }),
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

/// All structures.
pub(crate) fn cases() -> Vec<Case> {
    let body = |name: &str, body| Case {
        name: name.to_owned(),
        specification: Specification::AttentionBody(body),
    };
    let tower_case = |name: &str, tower| Case {
        name: name.to_owned(),
        specification: Specification::ResidualTower(tower),
    };
    let mut cases = vec![
        body("full", full()),
        body("plain", AttentionBody { gating: false, smolgen: None, ..full() }),
        body(
            "position map",
            AttentionBody {
                position: PositionEncoding::Map,
                ffn_activation: ActivationFunction::Relu2,
                heads: Heads::One,
                ..full()
            },
        ),
        tower_case("tower with policy encoders", tower()),
        tower_case(
            "tower with convolution policy",
            ResidualTower {
                activation: DefaultActivation::Relu,
                policy: TowerPolicy::Convolution,
                moves_left: None,
                ..tower()
            },
        ),
        tower_case(
            "tower with classical heads",
            ResidualTower {
                squeeze: None,
                activation: DefaultActivation::Relu,
                policy: TowerPolicy::Classical { channels: 2 },
                wdl: false,
                moves_left: None,
                ..tower()
            },
        ),
    ];
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
    for (index, &ffn_activation) in functions.iter().enumerate() {
        let smolgen_activation = functions[(index + 4) % functions.len()];
        let name = format!("{ffn_activation:?}, {smolgen_activation:?} in smolgen");
        let specification = AttentionBody {
            encoders: 1,
            default_activation: [DefaultActivation::Relu, DefaultActivation::Mish][index % 2],
            ffn_activation,
            smolgen_activation,
            ..full()
        };
        cases.push(body(&name, specification));
    }
    cases
}
