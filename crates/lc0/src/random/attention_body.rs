//! Weights of a transformer encoder, in LC0_FORMAT section 5's order of computation.

use super::source::{Fill, Source};
use super::{
    AttentionBody, AttentionPolicySize, Heads, HiddenSize, PLANES, PositionEncoding, SQUARES,
    SmolgenSize,
};
use crate::proto::{
    EncoderLayer, Ffn, Mha, PolicyHead, PolicyHeads, Smolgen, ValueHead, ValueHeads, Weights,
};

/// Piece planes of the current position, the input of the dense position encoding.
const PIECE_PLANES: usize = 12;

/// Planes that are 1 on an average square: its piece in eight positions, rights and constants.
const ACTIVE_PLANES: usize = 12;

/// Makes attention scores, and so the choice between moves, clearly uneven.
const SHARP: f32 = 1.5;

/// Minor number of the first lc0 that loads such a network.
pub(super) fn minor_version(body: &AttentionBody) -> u32 {
    match body.heads {
        Heads::One => 30,
        Heads::Several { .. } => 31,
    }
}

impl AttentionBody {
    pub(super) fn weights(&self, source: &mut impl Source) -> Weights {
        let mut weights = Weights::default();
        self.fill_embedding(&mut weights, source);
        let layer = EncoderSize {
            embedding: self.embedding,
            attention_heads: self.attention_heads,
            depth: self.depth,
            feed_forward: self.feed_forward,
        };
        weights.encoder =
            (0..self.encoders).map(|_| encoder(&layer, self.smolgen.as_ref(), source)).collect();
        weights.headcount =
            Some(u32::try_from(self.attention_heads).expect("fewer than 2^32 heads"));
        if let Some(smolgen) = &self.smolgen {
            weights.smolgen_w = source.matrix(SQUARES * SQUARES, smolgen.generated, SHARP);
        }
        self.fill_heads(&mut weights, source);
        if let Some(size) = &self.moves_left {
            weights.ip_mov_w = source.matrix(size.embedding, self.embedding, 1.0);
            weights.ip_mov_b = source.biases(size.embedding);
            fill_moves_left(&mut weights, size, source);
        }
        weights
    }

    fn fill_embedding(&self, weights: &mut Weights, source: &mut impl Source) {
        let width = self.embedding;
        let positions = match self.position {
            PositionEncoding::Map => SQUARES,
            PositionEncoding::Dense { channels, feed_forward } => {
                // A position has at most 32 pieces.
                let fill = Fill::Matrix { inputs: 32, gain: 1.0 };
                let inputs = SQUARES * PIECE_PLANES;
                weights.ip_emb_preproc_w = source.layer(SQUARES * channels * inputs, fill);
                weights.ip_emb_preproc_b = source.biases(SQUARES * channels);
                weights.ip_emb_ln_gammas = source.scales(width);
                weights.ip_emb_ln_betas = source.biases(width);
                weights.ip_emb_ffn = Some(ffn(width, feed_forward, source));
                weights.ip_emb_ffn_ln_gammas = source.scales(width);
                weights.ip_emb_ffn_ln_betas = source.biases(width);
                channels
            }
        };
        let inputs = PLANES + positions;
        // Position channels are of unit size, all of them active.
        let fill = Fill::Planes { inputs, kernel: 1, active: ACTIVE_PLANES + positions };
        weights.ip_emb_w = source.layer(width * inputs, fill);
        weights.ip_emb_b = source.biases(width);
        if self.gating {
            let factors = Fill::Uniform { centre: 1.0, spread: 0.8 };
            weights.ip_mult_gate = source.layer(width * SQUARES, factors);
            let summands = Fill::Uniform { centre: 0.0, spread: 0.6 };
            weights.ip_add_gate = source.layer(width * SQUARES, summands);
        }
    }

    fn fill_heads(&self, weights: &mut Weights, source: &mut impl Source) {
        let Heads::Several { own_policy_embeddings, error_estimates } = self.heads else {
            weights.ip_pol_w = source.matrix(self.policy.embedding, self.embedding, 1.0);
            weights.ip_pol_b = source.biases(self.policy.embedding);
            let policy = policy_head(&self.policy, source);
            weights.ip2_pol_w = policy.ip2_pol_w;
            weights.ip2_pol_b = policy.ip2_pol_b;
            weights.ip3_pol_w = policy.ip3_pol_w;
            weights.ip3_pol_b = policy.ip3_pol_b;
            weights.ip4_pol_w = policy.ip4_pol_w;
            let value = value_head(self.embedding, &self.value, false, source);
            weights.ip_val_w = value.ip_val_w;
            weights.ip_val_b = value.ip_val_b;
            weights.ip1_val_w = value.ip1_val_w;
            weights.ip1_val_b = value.ip1_val_b;
            weights.ip2_val_w = value.ip2_val_w;
            weights.ip2_val_b = value.ip2_val_b;
            return;
        };
        let mut heads = PolicyHeads::default();
        if !own_policy_embeddings {
            heads.ip_pol_w = source.matrix(self.policy.embedding, self.embedding, 1.0);
            heads.ip_pol_b = source.biases(self.policy.embedding);
        }
        for head in [&mut heads.vanilla, &mut heads.optimistic_st, &mut heads.soft] {
            let mut made = policy_head(&self.policy, source);
            if own_policy_embeddings {
                made.ip_pol_w = source.matrix(self.policy.embedding, self.embedding, 1.0);
                made.ip_pol_b = source.biases(self.policy.embedding);
            }
            *head = Some(made);
        }
        weights.policy_heads = Some(heads);
        let mut heads = ValueHeads::default();
        for head in [&mut heads.winner, &mut heads.q, &mut heads.st] {
            *head = Some(value_head(self.embedding, &self.value, error_estimates, source));
        }
        weights.value_heads = Some(heads);
    }
}

/// Sizes of an encoder layer.
pub(super) struct EncoderSize {
    pub(super) embedding: usize,
    pub(super) attention_heads: usize,
    pub(super) depth: usize,
    pub(super) feed_forward: usize,
}

pub(super) fn encoder(
    size: &EncoderSize,
    smolgen_size: Option<&SmolgenSize>,
    source: &mut impl Source,
) -> EncoderLayer {
    let embedding = size.embedding;
    let width = size.attention_heads * size.depth;
    let mha = Mha {
        q_w: source.matrix(width, embedding, SHARP),
        q_b: source.biases(width),
        k_w: source.matrix(width, embedding, SHARP),
        k_b: source.biases(width),
        v_w: source.matrix(width, embedding, 1.0),
        v_b: source.biases(width),
        dense_w: source.matrix(embedding, width, 1.0),
        dense_b: source.biases(embedding),
        smolgen: smolgen_size.map(|smolgen_size| smolgen(size, smolgen_size, source)),
        ..Mha::default()
    };
    EncoderLayer {
        mha: Some(mha),
        ln1_gammas: source.scales(embedding),
        ln1_betas: source.biases(embedding),
        ffn: Some(ffn(embedding, size.feed_forward, source)),
        ln2_gammas: source.scales(embedding),
        ln2_betas: source.biases(embedding),
    }
}

fn smolgen(size: &EncoderSize, smolgen: &SmolgenSize, source: &mut impl Source) -> Smolgen {
    let generated = size.attention_heads * smolgen.generated;
    Smolgen {
        compress: source.matrix(smolgen.compress, size.embedding, 1.0),
        dense1_w: source.matrix(smolgen.hidden, SQUARES * smolgen.compress, 1.0),
        dense1_b: source.biases(smolgen.hidden),
        ln1_gammas: source.scales(smolgen.hidden),
        ln1_betas: source.biases(smolgen.hidden),
        dense2_w: source.matrix(generated, smolgen.hidden, 1.0),
        dense2_b: source.biases(generated),
        ln2_gammas: source.scales(generated),
        ln2_betas: source.biases(generated),
    }
}

fn ffn(width: usize, hidden: usize, source: &mut impl Source) -> Ffn {
    Ffn {
        dense1_w: source.matrix(hidden, width, 1.0),
        dense1_b: source.biases(hidden),
        dense2_w: source.matrix(width, hidden, 1.0),
        dense2_b: source.biases(width),
    }
}

/// A policy head without an embedding of its own.
pub(super) fn policy_head(size: &AttentionPolicySize, source: &mut impl Source) -> PolicyHead {
    PolicyHead {
        ip2_pol_w: source.matrix(size.width, size.embedding, SHARP),
        ip2_pol_b: source.biases(size.width),
        ip3_pol_w: source.matrix(size.width, size.embedding, SHARP),
        ip3_pol_b: source.biases(size.width),
        ip4_pol_w: source.matrix(4, size.width, 1.0),
        ..PolicyHead::default()
    }
}

fn value_head(
    embedding: usize,
    size: &HiddenSize,
    error_estimate: bool,
    source: &mut impl Source,
) -> ValueHead {
    let mut head = ValueHead {
        ip_val_w: source.matrix(size.embedding, embedding, 1.0),
        ip_val_b: source.biases(size.embedding),
        ip1_val_w: source.matrix(size.hidden, SQUARES * size.embedding, 1.0),
        ip1_val_b: source.biases(size.hidden),
        ip2_val_w: source.matrix(3, size.hidden, SHARP),
        ip2_val_b: source.biases(3),
        ..ValueHead::default()
    };
    if error_estimate {
        head.ip_val_err_w = source.matrix(1, size.hidden, 1.0);
        head.ip_val_err_b = source.biases(1);
    }
    head
}

/// The moves-left head after its embedding.
pub(super) fn fill_moves_left(weights: &mut Weights, size: &HiddenSize, source: &mut impl Source) {
    weights.ip1_mov_w = source.matrix(size.hidden, SQUARES * size.embedding, 1.0);
    weights.ip1_mov_b = source.biases(size.hidden);
    weights.ip2_mov_w = source.matrix(1, size.hidden, 4.0);
    // Plies cannot be negative: enough that the final ReLU is not always 0.
    weights.ip2_mov_b = source.layer(1, Fill::Uniform { centre: 25.0, spread: 2.0 });
}
