//! Architectures by name.

use super::{
    AttentionBody, AttentionPolicySize, Heads, HiddenSize, PolicyEncoderSize, PositionEncoding,
    ResidualTower, SmolgenSize, Specification, TowerPolicy,
};
use crate::proto::{ActivationFunction, DefaultActivation};

/// A named architecture: the shape of a published network, or a small one of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Preset {
    /// BT4-1024x15x32h: 192 million weights (LC0_FORMAT section 7).
    Bt4,
    /// T82-768x15x24h: a fixed position map and one head of each kind.
    T82,
    /// Maia: 64 filters, 6 blocks, 0.87 million weights.
    Maia,
    /// BT4's structure, 128 wide and 4 layers deep, one head of each kind: 2.3 million weights.
    Chessformer128,
    /// BT4's structure, 256 wide and 8 layers deep, one head of each kind: 6.6 million weights.
    Chessformer256,
    /// BT4's structure with 0.4 million weights.
    TinyBt4,
    /// BT4's structure with no two sizes alike and an embedding in every policy head.
    OddBt4,
    /// BT4's structure without gating and smolgen.
    PlainBt4,
    /// T82's structure with 0.1 million weights.
    TinyT82,
    /// A residual tower with an attention policy behind encoder layers, as T78 and T79 had.
    TowerAttention,
    /// A residual tower with a convolutional policy.
    TowerConvolution,
    /// A residual tower with the oldest heads.
    TowerClassical,
    /// The smallest attention body that has every part, 60 thousand weights.
    Smallest,
}

impl Preset {
    /// All presets.
    pub const ALL: [Self; 13] = [
        Self::Bt4,
        Self::T82,
        Self::Maia,
        Self::Chessformer128,
        Self::Chessformer256,
        Self::TinyBt4,
        Self::OddBt4,
        Self::PlainBt4,
        Self::TinyT82,
        Self::TowerAttention,
        Self::TowerConvolution,
        Self::TowerClassical,
        Self::Smallest,
    ];

    /// The name by which people choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bt4 => "bt4",
            Self::T82 => "t82",
            Self::Maia => "maia",
            Self::Chessformer128 => "chessformer-128x4",
            Self::Chessformer256 => "chessformer-256x8",
            Self::TinyBt4 => "tiny-bt4",
            Self::OddBt4 => "odd-bt4",
            Self::PlainBt4 => "plain-bt4",
            Self::TinyT82 => "tiny-t82",
            Self::TowerAttention => "tower-attention",
            Self::TowerConvolution => "tower-convolution",
            Self::TowerClassical => "tower-classical",
            Self::Smallest => "smallest",
        }
    }

    /// What it is, in a few words.
    pub fn description(self) -> &'static str {
        match self {
            Self::Bt4 => "BT4-1024x15x32h",
            Self::T82 => "T82-768x15x24h",
            Self::Maia => "Maia: a residual tower with squeeze and excitation",
            Self::Chessformer128 => "BT4's structure, 128 wide, 4 layers, single heads",
            Self::Chessformer256 => "BT4's structure, 256 wide, 8 layers, single heads",
            Self::TinyBt4 => "BT4's structure, 64 wide, 2 layers",
            Self::OddBt4 => "BT4's structure, no two sizes alike",
            Self::PlainBt4 => "BT4's structure without gating and smolgen",
            Self::TinyT82 => "T82's structure, 48 wide, 2 layers",
            Self::TowerAttention => "residual tower, attention policy with encoder layers",
            Self::TowerConvolution => "residual tower, convolutional policy",
            Self::TowerClassical => "residual tower, fully connected policy, scalar value",
            Self::Smallest => "the smallest attention body that has every part",
        }
    }

    /// The preset called `name`.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// The architecture.
    pub fn specification(self) -> Specification {
        match self {
            Self::Bt4 => Specification::AttentionBody(bt4()),
            Self::T82 => Specification::AttentionBody(t82()),
            Self::Chessformer128 => Specification::AttentionBody(chessformer(128, 4, 16)),
            Self::Chessformer256 => Specification::AttentionBody(chessformer(256, 8, 32)),
            Self::TinyBt4 => Specification::AttentionBody(tiny_bt4()),
            Self::OddBt4 => Specification::AttentionBody(odd_bt4()),
            Self::PlainBt4 => Specification::AttentionBody(AttentionBody {
                gating: false,
                smolgen: None,
                ..tiny_bt4()
            }),
            Self::TinyT82 => Specification::AttentionBody(tiny_t82()),
            Self::Smallest => Specification::AttentionBody(smallest()),
            Self::Maia => Specification::ResidualTower(maia()),
            Self::TowerAttention => Specification::ResidualTower(tower_attention()),
            Self::TowerConvolution => Specification::ResidualTower(tower_convolution()),
            Self::TowerClassical => Specification::ResidualTower(tower_classical()),
        }
    }
}

const SHARED_EMBEDDING: Heads =
    Heads::Several { own_policy_embeddings: false, error_estimates: true };

fn bt4() -> AttentionBody {
    AttentionBody {
        position: PositionEncoding::Dense { channels: 512, feed_forward: 1536 },
        embedding: 1024,
        gating: true,
        encoders: 15,
        attention_heads: 32,
        depth: 32,
        feed_forward: 1536,
        smolgen: Some(SmolgenSize { compress: 32, hidden: 256, generated: 256 }),
        default_activation: DefaultActivation::Mish,
        smolgen_activation: ActivationFunction::Swish,
        ffn_activation: ActivationFunction::Mish,
        heads: SHARED_EMBEDDING,
        policy: AttentionPolicySize { embedding: 1024, width: 1024 },
        value: HiddenSize { embedding: 128, hidden: 128 },
        moves_left: Some(HiddenSize { embedding: 32, hidden: 128 }),
    }
}

/// A network of BT4's parts that a CPU can train.
fn chessformer(width: usize, encoders: usize, depth: usize) -> AttentionBody {
    AttentionBody {
        position: PositionEncoding::Dense { channels: 16, feed_forward: 2 * width },
        embedding: width,
        encoders,
        attention_heads: width / depth,
        depth,
        feed_forward: 2 * width,
        smolgen: Some(SmolgenSize { compress: 8, hidden: 64, generated: 64 }),
        heads: Heads::One,
        policy: AttentionPolicySize { embedding: width, width },
        value: HiddenSize { embedding: 32, hidden: 128 },
        moves_left: None,
        ..bt4()
    }
}

fn tiny_bt4() -> AttentionBody {
    AttentionBody {
        position: PositionEncoding::Dense { channels: 4, feed_forward: 96 },
        embedding: 64,
        encoders: 2,
        attention_heads: 4,
        depth: 16,
        feed_forward: 96,
        smolgen: Some(SmolgenSize { compress: 6, hidden: 24, generated: 16 }),
        policy: AttentionPolicySize { embedding: 48, width: 40 },
        value: HiddenSize { embedding: 8, hidden: 16 },
        moves_left: Some(HiddenSize { embedding: 4, hidden: 12 }),
        ..bt4()
    }
}

fn odd_bt4() -> AttentionBody {
    AttentionBody {
        position: PositionEncoding::Dense { channels: 3, feed_forward: 76 },
        embedding: 56,
        encoders: 3,
        attention_heads: 5,
        depth: 8,
        feed_forward: 72,
        smolgen: Some(SmolgenSize { compress: 4, hidden: 12, generated: 9 }),
        ffn_activation: ActivationFunction::Default,
        heads: Heads::Several { own_policy_embeddings: true, error_estimates: false },
        policy: AttentionPolicySize { embedding: 36, width: 28 },
        value: HiddenSize { embedding: 5, hidden: 11 },
        moves_left: Some(HiddenSize { embedding: 3, hidden: 7 }),
        ..bt4()
    }
}

fn smallest() -> AttentionBody {
    AttentionBody {
        position: PositionEncoding::Dense { channels: 1, feed_forward: 4 },
        embedding: 4,
        encoders: 1,
        attention_heads: 2,
        depth: 2,
        feed_forward: 6,
        smolgen: Some(SmolgenSize { compress: 1, hidden: 2, generated: 2 }),
        heads: Heads::Several { own_policy_embeddings: false, error_estimates: false },
        policy: AttentionPolicySize { embedding: 4, width: 4 },
        value: HiddenSize { embedding: 1, hidden: 2 },
        moves_left: Some(HiddenSize { embedding: 1, hidden: 2 }),
        ..bt4()
    }
}

fn t82() -> AttentionBody {
    AttentionBody {
        position: PositionEncoding::Map,
        embedding: 768,
        encoders: 15,
        attention_heads: 24,
        depth: 32,
        feed_forward: 1024,
        ffn_activation: ActivationFunction::Relu2,
        heads: Heads::One,
        policy: AttentionPolicySize { embedding: 768, width: 768 },
        value: HiddenSize { embedding: 32, hidden: 128 },
        moves_left: Some(HiddenSize { embedding: 8, hidden: 128 }),
        ..bt4()
    }
}

fn tiny_t82() -> AttentionBody {
    AttentionBody {
        embedding: 48,
        encoders: 2,
        attention_heads: 3,
        depth: 16,
        feed_forward: 64,
        smolgen: Some(SmolgenSize { compress: 5, hidden: 16, generated: 12 }),
        policy: AttentionPolicySize { embedding: 40, width: 32 },
        value: HiddenSize { embedding: 6, hidden: 10 },
        moves_left: Some(HiddenSize { embedding: 3, hidden: 9 }),
        ..t82()
    }
}

fn maia() -> ResidualTower {
    ResidualTower {
        filters: 64,
        blocks: 6,
        squeeze: Some(8),
        activation: DefaultActivation::Relu,
        policy: TowerPolicy::Convolution,
        value: HiddenSize { embedding: 32, hidden: 128 },
        wdl: true,
        moves_left: None,
    }
}

fn tower_attention() -> ResidualTower {
    ResidualTower {
        filters: 32,
        blocks: 2,
        squeeze: Some(4),
        activation: DefaultActivation::Mish,
        policy: TowerPolicy::Attention {
            size: AttentionPolicySize { embedding: 24, width: 20 },
            encoders: Some(PolicyEncoderSize {
                layers: 1,
                attention_heads: 3,
                depth: 8,
                feed_forward: 30,
            }),
        },
        value: HiddenSize { embedding: 6, hidden: 14 },
        wdl: true,
        moves_left: Some(HiddenSize { embedding: 4, hidden: 12 }),
    }
}

fn tower_convolution() -> ResidualTower {
    ResidualTower {
        activation: DefaultActivation::Relu,
        policy: TowerPolicy::Convolution,
        moves_left: None,
        ..tower_attention()
    }
}

fn tower_classical() -> ResidualTower {
    ResidualTower {
        squeeze: None,
        policy: TowerPolicy::Classical { channels: 8 },
        wdl: false,
        ..tower_convolution()
    }
}
