//! Architectures, as sizes. Every size is at least 1.

use crate::proto::{ActivationFunction, DefaultActivation, InputEmbedding, PolicyFormat};

/// An architecture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Specification {
    /// A transformer encoder.
    AttentionBody(AttentionBody),
    /// A convolutional residual tower.
    ResidualTower(ResidualTower),
}

/// A transformer encoder (LC0_FORMAT section 5), with a value head of win, draw and loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttentionBody {
    /// How squares learn where they are.
    pub position: PositionEncoding,
    /// Numbers per square between layers, `E`.
    pub embedding: usize,
    /// Whether the embedding is scaled and shifted for each square and channel.
    pub gating: bool,
    /// Encoder layers.
    pub encoders: usize,
    /// Attention heads of an encoder layer.
    pub attention_heads: usize,
    /// Width of a head; `d_model` is this times the heads.
    pub depth: usize,
    /// Hidden width of the encoders' feed-forward networks.
    pub feed_forward: usize,
    /// Generated attention biases.
    pub smolgen: Option<SmolgenSize>,
    /// Activation wherever no other is named.
    pub default_activation: DefaultActivation,
    /// Activation inside smolgen.
    pub smolgen_activation: ActivationFunction,
    /// Activation of the feed-forward networks.
    pub ffn_activation: ActivationFunction,
    /// How many heads there are.
    pub heads: Heads,
    /// Policy head or heads, without encoder layers of their own.
    pub policy: AttentionPolicySize,
    /// Value head or heads.
    pub value: HiddenSize,
    /// Moves-left head.
    pub moves_left: Option<HiddenSize>,
}

/// How squares learn where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionEncoding {
    /// A fixed map of 64 further inputs (PE_MAP).
    Map,
    /// A dense layer over the board, then normalisation and a feed-forward network (PE_DENSE).
    Dense {
        /// Further inputs for each square.
        channels: usize,
        /// Hidden width of the feed-forward network.
        feed_forward: usize,
    },
}

impl PositionEncoding {
    pub(super) fn marker(self) -> InputEmbedding {
        match self {
            Self::Map => InputEmbedding::PeMap,
            Self::Dense { .. } => InputEmbedding::PeDense,
        }
    }
}

/// Sizes of smolgen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmolgenSize {
    /// Channels that each square is compressed to.
    pub compress: usize,
    /// Hidden width.
    pub hidden: usize,
    /// Numbers generated for each head.
    pub generated: usize,
}

/// How many heads a network has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heads {
    /// One policy and one value head.
    One,
    /// Policy heads vanilla, optimistic_st and soft; value heads winner, q and st.
    Several {
        /// Whether each policy head has its own embedding instead of a shared one.
        own_policy_embeddings: bool,
        /// Whether value heads carry the error estimate that only training uses.
        error_estimates: bool,
    },
}

/// Sizes of an attention policy head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttentionPolicySize {
    /// Numbers per square.
    pub embedding: usize,
    /// Width of queries and keys.
    pub width: usize,
}

/// Sizes of a value or moves-left head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HiddenSize {
    /// Numbers per square.
    pub embedding: usize,
    /// Hidden width after all squares are joined.
    pub hidden: usize,
}

/// A convolutional residual tower (LC0_FORMAT section 6) with batch normalisation throughout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResidualTower {
    /// Channels.
    pub filters: usize,
    /// Residual blocks.
    pub blocks: usize,
    /// Hidden width of squeeze and excitation.
    pub squeeze: Option<usize>,
    /// Activation.
    pub activation: DefaultActivation,
    /// Policy head.
    pub policy: TowerPolicy,
    /// Value head.
    pub value: HiddenSize,
    /// Whether the value head gives win, draw and loss instead of one number.
    pub wdl: bool,
    /// Moves-left head.
    pub moves_left: Option<HiddenSize>,
}

/// Policy head of a residual tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TowerPolicy {
    /// Queries and keys, after an embedding.
    Attention {
        /// Sizes of the head.
        size: AttentionPolicySize,
        /// Encoder layers after the embedding.
        encoders: Option<PolicyEncoderSize>,
    },
    /// Two convolutions, to 80 planes.
    Convolution,
    /// A convolution to a few channels, then fully connected.
    Classical {
        /// Channels.
        channels: usize,
    },
}

impl TowerPolicy {
    pub(super) fn marker(&self) -> PolicyFormat {
        match self {
            Self::Attention { .. } => PolicyFormat::Attention,
            Self::Convolution => PolicyFormat::Convolution,
            Self::Classical { .. } => PolicyFormat::Classical,
        }
    }
}

/// Sizes of encoder layers in a policy head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyEncoderSize {
    /// Layers.
    pub layers: usize,
    /// Attention heads.
    pub attention_heads: usize,
    /// Width of a head.
    pub depth: usize,
    /// Hidden width of the feed-forward networks.
    pub feed_forward: usize,
}
