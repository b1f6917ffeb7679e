//! Policy, value and moves-left heads (LC0_FORMAT sections 5 and 6).

use chess::{MoveIndex, MoverMove};
use network::{
    AttentionPolicy, BoardHead, ConvolutionPolicy, DensePolicy, PolicyHead, SQUARES,
    SquareEmbedding,
};

use crate::attention::encode;
use crate::board::Board;
use crate::convolution::convolve;
use crate::layers::{Parameters, dot};
use crate::move_slot::{attention_promotion, convolution_plane};
use crate::trace::Trace;

/// Row of the knight in the promotion tensor.
const KNIGHT: usize = 3;

/// The 1858 logits.
pub(crate) fn policy(
    parameters: Parameters<'_>,
    head: &PolicyHead,
    features: &Board,
    trace: &mut Trace<'_>,
) -> Vec<f64> {
    match head {
        PolicyHead::Attention(head) => attention_policy(parameters, head, features, trace),
        PolicyHead::Convolution(head) => convolution_policy(parameters, head, features, trace),
        PolicyHead::Dense(head) => dense_policy(parameters, head, features, trace),
    }
}

fn gather(logit: impl Fn(MoverMove) -> f64) -> Vec<f64> {
    MoveIndex::all().map(|index| logit(index.mover_move())).collect()
}

fn attention_policy(
    parameters: Parameters<'_>,
    head: &AttentionPolicy,
    features: &Board,
    trace: &mut Trace<'_>,
) -> Vec<f64> {
    let mut x = parameters.dense_rows(&head.embedding, features);
    trace.board("policy.embedding", &x);
    for (index, encoder) in head.encoders.iter().enumerate() {
        x = encode(parameters, encoder, &x, &format!("policy.encoder{index}"), trace);
    }
    let query = parameters.dense_rows(&head.query, &x);
    let key = parameters.dense_rows(&head.key, &x);
    let scale = (key.width() as f64).sqrt();
    let from_to = Board::from_fn(SQUARES, |from, to| dot(query.row(from), key.row(to)) / scale);
    trace.board("policy.from_to", &from_to);

    let rows = parameters.tensor(head.promotion);
    let offset = |piece: usize, file: usize| {
        dot(&rows[piece * key.width()..][..key.width()], key.row(56 + file))
    };
    let promotion = |from_file: usize, to_file: usize, piece: usize| {
        let plain = from_to.at(48 + from_file, 56 + to_file);
        plain + offset(piece, to_file) + offset(KNIGHT, to_file)
    };
    let place = |place: usize| promotion(place / 24, place / 3 % 8, place % 3);
    trace.stage("policy.promotion", &[8, 8, 3], &(0..192).map(place).collect::<Vec<f64>>());

    gather(|mv| match mv.promotion {
        None => from_to.at(mv.from.index(), mv.to.index()),
        Some(piece) => promotion(mv.from.file(), mv.to.file(), attention_promotion(piece)),
    })
}

fn convolution_policy(
    parameters: Parameters<'_>,
    head: &ConvolutionPolicy,
    features: &Board,
    trace: &mut Trace<'_>,
) -> Vec<f64> {
    let x = convolve(parameters, &head.conv1, features);
    trace.board("policy.embedding", &x);
    let planes = convolve(parameters, &head.conv2, &x);
    trace.board("policy.planes", &planes);
    gather(|mv| planes.at(mv.from.index(), convolution_plane(mv)))
}

fn dense_policy(
    parameters: Parameters<'_>,
    head: &DensePolicy,
    features: &Board,
    trace: &mut Trace<'_>,
) -> Vec<f64> {
    let x = convolve(parameters, &head.convolution, features);
    trace.board("policy.embedding", &x);
    parameters.dense(&head.dense, &x.channel_major())
}

/// Outputs of a value or moves-left head, whose stages are traced as `name.*`.
pub(crate) fn board_head(
    parameters: Parameters<'_>,
    head: &BoardHead,
    features: &Board,
    name: &str,
    trace: &mut Trace<'_>,
) -> Vec<f64> {
    let flat = match &head.embedding {
        SquareEmbedding::Dense(dense) => parameters.dense_rows(dense, features).values().to_vec(),
        SquareEmbedding::Convolution(convolution) => {
            convolve(parameters, convolution, features).channel_major()
        }
    };
    trace.stage(&format!("{name}.embedding_flat"), &[flat.len()], &flat);
    let outputs = parameters.dense(&head.dense2, &parameters.dense(&head.dense1, &flat));
    trace.stage(&format!("{name}.logits"), &[outputs.len()], &outputs);
    outputs
}
