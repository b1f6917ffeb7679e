//! The whole network.

use chess::Planes;
use network::{Architecture, Body, ValueKind};

use crate::activation::softmax;
use crate::attention::encode;
use crate::board::Board;
use crate::convolution::tower;
use crate::embedding::embed;
use crate::heads::{board_head, policy};
use crate::layers::Parameters;
use crate::trace::Trace;

/// Raw outputs for one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Outputs {
    /// Logits of the 1858 moves.
    pub policy: Vec<f64>,
    /// Logits of win, draw and loss, or one number before tanh.
    pub value: Vec<f64>,
    /// Plies to the end of the game, where the network has such a head.
    pub moves_left: Option<f64>,
}

/// The outputs of the network of structure `architecture` and flat vector `parameters` for the
/// position `planes`.
///
/// # Panics
///
/// Where `parameters` has not the length of the architecture's layout.
pub fn forward(architecture: &Architecture, parameters: &[f64], planes: &Planes) -> Outputs {
    forward_traced(architecture, parameters, planes, &mut |_, _, _| {})
}

/// As [`forward`], and calls `trace` with name, shape and elements (row-major) of every
/// intermediate tensor, in the order in which they are computed.
///
/// Names of an attention body's stages, layers counted from 0: `embedding.preproc` (`[64][C]`),
/// `embedding.dense_act`, `embedding.ln`, `embedding.gated`, `embedding.out` (`[64][E]`),
/// `encoder0.smolgen_bias`, `encoder0.attn_probs` (`[heads][64][64]`), `encoder0.mha_out` (before
/// the residual scale), `encoder0.after_ln1`, `encoder0.out`. Of a residual tower's:
/// `tower.input`, `block0.out`. Of the heads': `policy.embedding`, `policy.encoder0.*`,
/// `policy.from_to`, `policy.promotion` (`[8][8][3]`), `policy.planes` (`[64][80]`),
/// `policy_1858`, `value.embedding_flat`, `value.logits`, `wdl`, `moves_left.embedding_flat`,
/// `moves_left.logits`. What a network does not have is not traced.
///
/// # Panics
///
/// Where `parameters` has not the length of the architecture's layout.
pub fn forward_traced(
    architecture: &Architecture,
    parameters: &[f64],
    planes: &Planes,
    trace: &mut impl FnMut(&str, &[usize], &[f64]),
) -> Outputs {
    let parameters = Parameters::new(&architecture.layout, parameters);
    let mut trace = Trace(trace);
    let features = body(parameters, &architecture.body, planes, &mut trace);

    let policy = policy(parameters, &architecture.policy, &features, &mut trace);
    trace.stage("policy_1858", &[policy.len()], &policy);
    let head = &architecture.value;
    let value = board_head(parameters, &head.layers, &features, "value", &mut trace);
    if head.kind == ValueKind::Wdl {
        trace.stage("wdl", &[value.len()], &softmax(&value));
    }
    let moves_left = architecture
        .moves_left
        .as_ref()
        .map(|head| board_head(parameters, &head.layers, &features, "moves_left", &mut trace)[0]);
    Outputs { policy, value, moves_left }
}

fn body(parameters: Parameters<'_>, body: &Body, planes: &Planes, trace: &mut Trace<'_>) -> Board {
    let planes = Board::from_planes(planes);
    match body {
        Body::Residual(layers) => tower(parameters, layers, &planes, trace),
        Body::Attention(body) => {
            let mut x = embed(parameters, &body.embedding, &planes, trace);
            for (index, encoder) in body.encoders.iter().enumerate() {
                x = encode(parameters, encoder, &x, &format!("encoder{index}"), trace);
            }
            x
        }
    }
}
