//! The weights: every tensor of a network, by Lc0's names.
//!
//! No shapes are stored; they follow from element counts. Matrices are row-major `[out][in]`,
//! kernels `[out][in][rank][file]`. `E` is the embedding width, `d` the width of all heads
//! together, `h` the number of heads.

use super::format::Encoding;
use super::structure::message;
use bytes::Bytes;

/// One tensor, without its shape.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Layer {
    /// The value of step 0 of [`Encoding::Linear16`]; 0 where absent.
    #[prost(float, optional, tag = 1)]
    pub min_val: Option<f32>,
    /// The value of step 65535 of [`Encoding::Linear16`]; 0 where absent.
    #[prost(float, optional, tag = 2)]
    pub max_val: Option<f32>,
    /// The elements, little-endian, in row-major order; see [`crate::layer::decode`].
    #[prost(bytes = "bytes", optional, tag = 3)]
    pub params: Option<Bytes>,
    /// How `params` are stored; absent means [`Encoding::Linear16`].
    #[prost(enumeration = "Encoding", optional, tag = 4)]
    pub encoding: Option<i32>,
    /// The shape, where a newer writer stored one.
    #[prost(uint32, repeated, packed = "false", tag = 5)]
    pub dims: Vec<u32>,
}

message! {
    /// A convolution and its batch normalisation, unfolded (LC0_FORMAT section 6).
    pub struct ConvBlock {
        /// Kernels, `[out][in][rank][file]`.
        #[prost(tag = 1, message, optional)]
        pub weights: Option<Layer>,
        /// Biases, `[out]`.
        #[prost(tag = 2, message, optional)]
        pub biases: Option<Layer>,
        /// Batch means, `[out]`; without them there is no batch normalisation.
        #[prost(tag = 3, message, optional)]
        pub bn_means: Option<Layer>,
        /// Batch *variances*, despite the name, `[out]`.
        #[prost(tag = 4, message, optional)]
        pub bn_stddivs: Option<Layer>,
        /// Scales, `[out]`; 1 where absent.
        #[prost(tag = 5, message, optional)]
        pub bn_gammas: Option<Layer>,
        /// Shifts, `[out]`; 0 where absent.
        #[prost(tag = 6, message, optional)]
        pub bn_betas: Option<Layer>,
    }
}

message! {
    /// Squeeze and excitation.
    pub struct SeUnit {
        /// Squeeze: weights, `[s][C]`.
        #[prost(tag = 1, message, optional)]
        pub w1: Option<Layer>,
        /// Squeeze: biases, `[s]`.
        #[prost(tag = 2, message, optional)]
        pub b1: Option<Layer>,
        /// Excitation: weights, `[2C][s]`.
        #[prost(tag = 3, message, optional)]
        pub w2: Option<Layer>,
        /// Excitation: biases, `[2C]`.
        #[prost(tag = 4, message, optional)]
        pub b2: Option<Layer>,
    }
}

message! {
    /// A residual block.
    pub struct Residual {
        /// First convolution.
        #[prost(tag = 1, message, optional)]
        pub conv1: Option<ConvBlock>,
        /// Second convolution.
        #[prost(tag = 2, message, optional)]
        pub conv2: Option<ConvBlock>,
        /// Squeeze and excitation, before the skip is added.
        #[prost(tag = 3, message, optional)]
        pub se: Option<SeUnit>,
    }
}

message! {
    /// Attention biases generated from the position (LC0_FORMAT section 5).
    pub struct Smolgen {
        /// Compression of each square, `[c][E]`, no biases.
        #[prost(tag = 1, message, optional)]
        pub compress: Option<Layer>,
        /// Compressed board to hidden: weights, `[hidden][64 c]`.
        #[prost(tag = 2, message, optional)]
        pub dense1_w: Option<Layer>,
        /// Compressed board to hidden: biases.
        #[prost(tag = 3, message, optional)]
        pub dense1_b: Option<Layer>,
        /// First normalisation: scales.
        #[prost(tag = 4, message, optional)]
        pub ln1_gammas: Option<Layer>,
        /// First normalisation: shifts.
        #[prost(tag = 5, message, optional)]
        pub ln1_betas: Option<Layer>,
        /// Hidden to all heads: weights, `[h gen][hidden]`.
        #[prost(tag = 6, message, optional)]
        pub dense2_w: Option<Layer>,
        /// Hidden to all heads: biases.
        #[prost(tag = 7, message, optional)]
        pub dense2_b: Option<Layer>,
        /// Second normalisation, over all heads at once: scales.
        #[prost(tag = 8, message, optional)]
        pub ln2_gammas: Option<Layer>,
        /// Second normalisation: shifts.
        #[prost(tag = 9, message, optional)]
        pub ln2_betas: Option<Layer>,
    }
}

message! {
    /// Multi-head attention.
    pub struct Mha {
        /// Queries: weights, `[d][E]`.
        #[prost(tag = 1, message, optional)]
        pub q_w: Option<Layer>,
        /// Queries: biases.
        #[prost(tag = 2, message, optional)]
        pub q_b: Option<Layer>,
        /// Keys: weights, `[d][E]`.
        #[prost(tag = 3, message, optional)]
        pub k_w: Option<Layer>,
        /// Keys: biases.
        #[prost(tag = 4, message, optional)]
        pub k_b: Option<Layer>,
        /// Values: weights, `[d][E]`.
        #[prost(tag = 5, message, optional)]
        pub v_w: Option<Layer>,
        /// Values: biases.
        #[prost(tag = 6, message, optional)]
        pub v_b: Option<Layer>,
        /// Output: weights, `[E][d]`.
        #[prost(tag = 7, message, optional)]
        pub dense_w: Option<Layer>,
        /// Output: biases.
        #[prost(tag = 8, message, optional)]
        pub dense_b: Option<Layer>,
        /// Generated attention biases.
        #[prost(tag = 9, message, optional)]
        pub smolgen: Option<Smolgen>,
        /// Relative position encoding of queries (newer than lc0 0.32).
        #[prost(tag = 10, message, optional)]
        pub rpe_q: Option<Layer>,
        /// Relative position encoding of keys.
        #[prost(tag = 11, message, optional)]
        pub rpe_k: Option<Layer>,
        /// Relative position encoding of values.
        #[prost(tag = 12, message, optional)]
        pub rpe_v: Option<Layer>,
    }
}

message! {
    /// A feed-forward network.
    pub struct Ffn {
        /// Expansion: weights, `[dff][E]`.
        #[prost(tag = 1, message, optional)]
        pub dense1_w: Option<Layer>,
        /// Expansion: biases.
        #[prost(tag = 2, message, optional)]
        pub dense1_b: Option<Layer>,
        /// Contraction: weights, `[E][dff]`.
        #[prost(tag = 3, message, optional)]
        pub dense2_w: Option<Layer>,
        /// Contraction: biases.
        #[prost(tag = 4, message, optional)]
        pub dense2_b: Option<Layer>,
    }
}

message! {
    /// An encoder layer.
    pub struct EncoderLayer {
        /// Attention.
        #[prost(tag = 1, message, optional)]
        pub mha: Option<Mha>,
        /// Normalisation after attention: scales, `[E]`.
        #[prost(tag = 2, message, optional)]
        pub ln1_gammas: Option<Layer>,
        /// Normalisation after attention: shifts, `[E]`.
        #[prost(tag = 3, message, optional)]
        pub ln1_betas: Option<Layer>,
        /// Feed-forward network.
        #[prost(tag = 4, message, optional)]
        pub ffn: Option<Ffn>,
        /// Normalisation after the feed-forward network: scales, `[E]`.
        #[prost(tag = 5, message, optional)]
        pub ln2_gammas: Option<Layer>,
        /// Normalisation after the feed-forward network: shifts, `[E]`.
        #[prost(tag = 6, message, optional)]
        pub ln2_betas: Option<Layer>,
    }
}

message! {
    /// A policy head of a network with several.
    pub struct PolicyHead {
        /// The head's own embedding, instead of the shared one: weights, `[p][E]`.
        #[prost(tag = 1, message, optional)]
        pub ip_pol_w: Option<Layer>,
        /// The head's own embedding, instead of the shared one: biases.
        #[prost(tag = 2, message, optional)]
        pub ip_pol_b: Option<Layer>,
        /// Queries: weights, `[d][p]`.
        #[prost(tag = 3, message, optional)]
        pub ip2_pol_w: Option<Layer>,
        /// Queries: biases.
        #[prost(tag = 4, message, optional)]
        pub ip2_pol_b: Option<Layer>,
        /// Keys: weights, `[d][p]`.
        #[prost(tag = 5, message, optional)]
        pub ip3_pol_w: Option<Layer>,
        /// Keys: biases.
        #[prost(tag = 6, message, optional)]
        pub ip3_pol_b: Option<Layer>,
        /// Promotions, rows queen, rook, bishop, knight, `[4][d]`.
        #[prost(tag = 7, message, optional)]
        pub ip4_pol_w: Option<Layer>,
        /// Encoder layers after the embedding.
        #[prost(tag = 8, message, repeated)]
        pub pol_encoder: Vec<EncoderLayer>,
        /// Attention heads of `pol_encoder`.
        #[prost(tag = 9, uint32, optional)]
        pub pol_headcount: Option<u32>,
        /// First convolution of a convolutional head.
        #[prost(tag = 10, message, optional)]
        pub policy1: Option<ConvBlock>,
        /// Last convolution of a convolutional head.
        #[prost(tag = 11, message, optional)]
        pub policy: Option<ConvBlock>,
    }
}

message! {
    /// A policy head under a free name.
    pub struct PolicyHeadMap {
        /// The name.
        #[prost(tag = 1, string, optional)]
        pub key: Option<String>,
        /// The head.
        #[prost(tag = 2, message, optional)]
        pub value: Option<PolicyHead>,
    }
}

message! {
    /// The policy heads of a network with several.
    pub struct PolicyHeads {
        /// The embedding that heads without their own share: weights, `[p][E]`.
        #[prost(tag = 1, message, optional)]
        pub ip_pol_w: Option<Layer>,
        /// The embedding that heads without their own share: biases.
        #[prost(tag = 2, message, optional)]
        pub ip_pol_b: Option<Layer>,
        /// The search's own visit distribution.
        #[prost(tag = 3, message, optional)]
        pub vanilla: Option<PolicyHead>,
        /// Weighted to games that went better than expected in the short term.
        #[prost(tag = 4, message, optional)]
        pub optimistic_st: Option<PolicyHead>,
        /// Trained on a softened distribution.
        #[prost(tag = 5, message, optional)]
        pub soft: Option<PolicyHead>,
        /// The opponent's reply.
        #[prost(tag = 6, message, optional)]
        pub opponent: Option<PolicyHead>,
        /// Heads under free names.
        #[prost(tag = 7, message, repeated)]
        pub policy_head_map: Vec<PolicyHeadMap>,
    }
}

message! {
    /// A value head of a network with several.
    pub struct ValueHead {
        /// Embedding of each square: weights, `[v][E]`.
        #[prost(tag = 1, message, optional)]
        pub ip_val_w: Option<Layer>,
        /// Embedding of each square: biases.
        #[prost(tag = 2, message, optional)]
        pub ip_val_b: Option<Layer>,
        /// Board to hidden: weights, `[hidden][64 v]`.
        #[prost(tag = 3, message, optional)]
        pub ip1_val_w: Option<Layer>,
        /// Board to hidden: biases.
        #[prost(tag = 4, message, optional)]
        pub ip1_val_b: Option<Layer>,
        /// Hidden to win, draw, loss: weights, `[3][hidden]`.
        #[prost(tag = 5, message, optional)]
        pub ip2_val_w: Option<Layer>,
        /// Hidden to win, draw, loss: biases.
        #[prost(tag = 6, message, optional)]
        pub ip2_val_b: Option<Layer>,
        /// Error estimate, for training only: weights, `[1][hidden]`.
        #[prost(tag = 7, message, optional)]
        pub ip_val_err_w: Option<Layer>,
        /// Error estimate, for training only: biases.
        #[prost(tag = 8, message, optional)]
        pub ip_val_err_b: Option<Layer>,
        /// Categorical value, for training only: weights, `[n][hidden]`.
        #[prost(tag = 9, message, optional)]
        pub ip_val_cat_w: Option<Layer>,
        /// Categorical value, for training only: biases.
        #[prost(tag = 10, message, optional)]
        pub ip_val_cat_b: Option<Layer>,
        /// The convolution of a convolutional head.
        #[prost(tag = 11, message, optional)]
        pub value: Option<ConvBlock>,
    }
}

message! {
    /// A value head under a free name.
    pub struct ValueHeadMap {
        /// The name.
        #[prost(tag = 1, string, optional)]
        pub key: Option<String>,
        /// The head.
        #[prost(tag = 2, message, optional)]
        pub value: Option<ValueHead>,
    }
}

message! {
    /// The value heads of a network with several.
    pub struct ValueHeads {
        /// The game's result.
        #[prost(tag = 1, message, optional)]
        pub winner: Option<ValueHead>,
        /// The search's value.
        #[prost(tag = 2, message, optional)]
        pub q: Option<ValueHead>,
        /// The short-term value.
        #[prost(tag = 3, message, optional)]
        pub st: Option<ValueHead>,
        /// Heads under free names.
        #[prost(tag = 4, message, repeated)]
        pub value_head_map: Vec<ValueHeadMap>,
    }
}

message! {
    /// All tensors of a network.
    pub struct Weights {
        /// The first convolution of a residual tower.
        #[prost(tag = 1, message, optional)]
        pub input: Option<ConvBlock>,
        /// The residual tower.
        #[prost(tag = 2, message, repeated)]
        pub residual: Vec<Residual>,
        /// Policy: (last) convolution.
        #[prost(tag = 3, message, optional)]
        pub policy: Option<ConvBlock>,
        /// Policy: fully connected, or the embedding of an attention policy: weights, `[1858][64 c] or [p][E]`.
        #[prost(tag = 4, message, optional)]
        pub ip_pol_w: Option<Layer>,
        /// Policy: fully connected, or the embedding of an attention policy: biases.
        #[prost(tag = 5, message, optional)]
        pub ip_pol_b: Option<Layer>,
        /// Value: convolution.
        #[prost(tag = 6, message, optional)]
        pub value: Option<ConvBlock>,
        /// Value: board to hidden: weights, `[hidden][64 v]`.
        #[prost(tag = 7, message, optional)]
        pub ip1_val_w: Option<Layer>,
        /// Value: board to hidden: biases.
        #[prost(tag = 8, message, optional)]
        pub ip1_val_b: Option<Layer>,
        /// Value: hidden to output: weights, `[1 or 3][hidden]`.
        #[prost(tag = 9, message, optional)]
        pub ip2_val_w: Option<Layer>,
        /// Value: hidden to output: biases.
        #[prost(tag = 10, message, optional)]
        pub ip2_val_b: Option<Layer>,
        /// Policy: first convolution of a convolutional head.
        #[prost(tag = 11, message, optional)]
        pub policy1: Option<ConvBlock>,
        /// Moves left: convolution.
        #[prost(tag = 12, message, optional)]
        pub moves_left: Option<ConvBlock>,
        /// Moves left: board to hidden: weights, `[hidden][64 m]`.
        #[prost(tag = 13, message, optional)]
        pub ip1_mov_w: Option<Layer>,
        /// Moves left: board to hidden: biases.
        #[prost(tag = 14, message, optional)]
        pub ip1_mov_b: Option<Layer>,
        /// Moves left: hidden to output: weights, `[1][hidden]`.
        #[prost(tag = 15, message, optional)]
        pub ip2_mov_w: Option<Layer>,
        /// Moves left: hidden to output: biases.
        #[prost(tag = 16, message, optional)]
        pub ip2_mov_b: Option<Layer>,
        /// Attention policy: queries: weights, `[d][p]`.
        #[prost(tag = 17, message, optional)]
        pub ip2_pol_w: Option<Layer>,
        /// Attention policy: queries: biases.
        #[prost(tag = 18, message, optional)]
        pub ip2_pol_b: Option<Layer>,
        /// Attention policy: keys: weights, `[d][p]`.
        #[prost(tag = 19, message, optional)]
        pub ip3_pol_w: Option<Layer>,
        /// Attention policy: keys: biases.
        #[prost(tag = 20, message, optional)]
        pub ip3_pol_b: Option<Layer>,
        /// Attention policy: encoder layers after the embedding.
        #[prost(tag = 21, message, repeated)]
        pub pol_encoder: Vec<EncoderLayer>,
        /// Attention policy: promotions, rows queen, rook, bishop, knight, `[4][d]`.
        #[prost(tag = 22, message, optional)]
        pub ip4_pol_w: Option<Layer>,
        /// Attention heads of `pol_encoder`.
        #[prost(tag = 24, uint32, optional)]
        pub pol_headcount: Option<u32>,
        /// Embedding of each square: weights, `[E][112 + position]`.
        #[prost(tag = 25, message, optional)]
        pub ip_emb_w: Option<Layer>,
        /// Embedding of each square: biases.
        #[prost(tag = 26, message, optional)]
        pub ip_emb_b: Option<Layer>,
        /// The encoder layers of the body.
        #[prost(tag = 27, message, repeated)]
        pub encoder: Vec<EncoderLayer>,
        /// Attention heads of `encoder`.
        #[prost(tag = 28, uint32, optional)]
        pub headcount: Option<u32>,
        /// Value: embedding of each square: weights, `[v][E]`.
        #[prost(tag = 29, message, optional)]
        pub ip_val_w: Option<Layer>,
        /// Value: embedding of each square: biases.
        #[prost(tag = 30, message, optional)]
        pub ip_val_b: Option<Layer>,
        /// Moves left: embedding of each square: weights, `[m][E]`.
        #[prost(tag = 31, message, optional)]
        pub ip_mov_w: Option<Layer>,
        /// Moves left: embedding of each square: biases.
        #[prost(tag = 32, message, optional)]
        pub ip_mov_b: Option<Layer>,
        /// Input gating: factors, `[E][64]`.
        #[prost(tag = 33, message, optional)]
        pub ip_mult_gate: Option<Layer>,
        /// Input gating: summands, `[E][64]`.
        #[prost(tag = 34, message, optional)]
        pub ip_add_gate: Option<Layer>,
        /// Smolgen: the map from generated vectors to attention biases that all layers share, `[4096][gen]`.
        #[prost(tag = 35, message, optional)]
        pub smolgen_w: Option<Layer>,
        /// Smolgen: unused by lc0.
        #[prost(tag = 36, message, optional)]
        pub smolgen_b: Option<Layer>,
        /// Dense position encoding: weights, `[64 c][768]`.
        #[prost(tag = 37, message, optional)]
        pub ip_emb_preproc_w: Option<Layer>,
        /// Dense position encoding: biases.
        #[prost(tag = 38, message, optional)]
        pub ip_emb_preproc_b: Option<Layer>,
        /// Normalisation of the embedding: scales, `[E]`.
        #[prost(tag = 39, message, optional)]
        pub ip_emb_ln_gammas: Option<Layer>,
        /// Normalisation of the embedding: shifts, `[E]`.
        #[prost(tag = 40, message, optional)]
        pub ip_emb_ln_betas: Option<Layer>,
        /// Feed-forward network of the embedding.
        #[prost(tag = 41, message, optional)]
        pub ip_emb_ffn: Option<Ffn>,
        /// Normalisation after the embedding's feed-forward network: scales, `[E]`.
        #[prost(tag = 42, message, optional)]
        pub ip_emb_ffn_ln_gammas: Option<Layer>,
        /// Normalisation after the embedding's feed-forward network: shifts, `[E]`.
        #[prost(tag = 43, message, optional)]
        pub ip_emb_ffn_ln_betas: Option<Layer>,
        /// Value heads of a network with several.
        #[prost(tag = 44, message, optional)]
        pub value_heads: Option<ValueHeads>,
        /// Policy heads of a network with several.
        #[prost(tag = 45, message, optional)]
        pub policy_heads: Option<PolicyHeads>,
    }
}
