//! Encoder layers (LC0_FORMAT section 5).

use network::{Attention, Encoder, SQUARES, Smolgen};

use crate::activation::softmax;
use crate::board::Board;
use crate::layers::{Parameters, dot};
use crate::trace::Trace;

/// One encoder layer, whose stages are traced as `name.*`.
pub(crate) fn encode(
    parameters: Parameters<'_>,
    encoder: &Encoder,
    x: &Board,
    name: &str,
    trace: &mut Trace<'_>,
) -> Board {
    let attended = attend(parameters, &encoder.attention, x, name, trace);
    trace.board(&format!("{name}.mha_out"), &attended);
    let scale = encoder.residual_scale;
    let x = parameters.add_and_norm(x, scale, &attended, &encoder.attention_norm);
    trace.board(&format!("{name}.after_ln1"), &x);
    let x = parameters.residual_feed_forward(&encoder.feed_forward, &x);
    trace.board(&format!("{name}.out"), &x);
    x
}

fn attend(
    parameters: Parameters<'_>,
    attention: &Attention,
    x: &Board,
    name: &str,
    trace: &mut Trace<'_>,
) -> Board {
    let query = parameters.dense_rows(&attention.query, x);
    let key = parameters.dense_rows(&attention.key, x);
    let value = parameters.dense_rows(&attention.value, x);
    let depth = query.width() / attention.heads;
    let shape = [attention.heads, SQUARES, SQUARES];

    let biases = attention.smolgen.as_ref().map(|smolgen| {
        let biases = smolgen_biases(parameters, smolgen, attention.heads, x);
        trace.stage(&format!("{name}.smolgen_bias"), &shape, &biases.concat());
        biases
    });
    let mut probabilities: Vec<Vec<Vec<f64>>> = Vec::new();
    for head in 0..attention.heads {
        let columns = head * depth..(head + 1) * depth;
        let row = |from: usize| {
            let score = |to: usize| {
                let product = dot(&query.row(from)[columns.clone()], &key.row(to)[columns.clone()]);
                let bias = biases.as_ref().map_or(0.0, |biases| biases[head][SQUARES * from + to]);
                product / (depth as f64).sqrt() + bias
            };
            softmax(&(0..SQUARES).map(score).collect::<Vec<f64>>())
        };
        probabilities.push((0..SQUARES).map(row).collect());
    }
    trace.stage(&format!("{name}.attn_probs"), &shape, &probabilities.concat().concat());

    let joined = Board::from_fn(value.width(), |from, column| {
        let weights = &probabilities[column / depth][from];
        (0..SQUARES).map(|to| weights[to] * value.at(to, column)).sum()
    });
    parameters.dense_rows(&attention.output, &joined)
}

/// For each head 64 x 64 biases, `[query][key]`.
fn smolgen_biases(
    parameters: Parameters<'_>,
    smolgen: &Smolgen,
    heads: usize,
    x: &Board,
) -> Vec<Vec<f64>> {
    let compressed = parameters.dense_rows(&smolgen.compress, x);
    let hidden = parameters.dense(&smolgen.dense1, compressed.values());
    let hidden = parameters.layer_norm(&smolgen.norm1, &hidden);
    let codes = parameters.dense(&smolgen.dense2, &hidden);
    let codes = parameters.layer_norm(&smolgen.norm2, &codes);
    let code_width = codes.len() / heads;
    codes.chunks(code_width).map(|code| parameters.dense(&smolgen.generate, code)).collect()
}
