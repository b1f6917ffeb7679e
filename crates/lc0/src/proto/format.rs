//! The markers that say how weights are stored and combined.

use super::structure::message;

message! {
    /// How the weights are stored and combined.
    #[derive(Eq, Hash)]
    pub struct Format {
        /// How layers without an encoding of their own are stored; always
        /// [`Encoding::Linear16`] in practice.
        #[prost(tag = 1, enumeration = "Encoding", optional)]
        pub weights_encoding: Option<i32>,
        /// How the weights are combined.
        #[prost(tag = 2, message, optional)]
        pub network_format: Option<NetworkFormat>,
    }
}

message! {
    /// How the weights are combined. [`crate::NetworkFile::net`] gives it with the markers of
    /// older files brought to today's values.
    #[derive(Eq, Hash)]
    pub struct NetworkFormat {
        /// Meaning of the 112 input planes.
        #[prost(tag = 1, enumeration = "InputFormat", optional)]
        pub input: Option<i32>,
        /// What the value head means.
        #[prost(tag = 2, enumeration = "OutputFormat", optional)]
        pub output: Option<i32>,
        /// Body.
        #[prost(tag = 3, enumeration = "NetworkStructure", optional)]
        pub network: Option<i32>,
        /// Policy head.
        #[prost(tag = 4, enumeration = "PolicyFormat", optional)]
        pub policy: Option<i32>,
        /// Value head.
        #[prost(tag = 5, enumeration = "ValueFormat", optional)]
        pub value: Option<i32>,
        /// Moves-left head.
        #[prost(tag = 6, enumeration = "MovesLeftFormat", optional)]
        pub moves_left: Option<i32>,
        /// Activation wherever no other is named.
        #[prost(tag = 7, enumeration = "DefaultActivation", optional)]
        pub default_activation: Option<i32>,
        /// Activation inside smolgen.
        #[prost(tag = 8, enumeration = "ActivationFunction", optional)]
        pub smolgen_activation: Option<i32>,
        /// Activation of the encoders' feed-forward networks.
        #[prost(tag = 9, enumeration = "ActivationFunction", optional)]
        pub ffn_activation: Option<i32>,
        /// How squares learn where they are.
        #[prost(tag = 10, enumeration = "InputEmbedding", optional)]
        pub input_embedding: Option<i32>,
    }
}

/// How a layer's numbers are stored, little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum Encoding {
    /// Not said: as [`Encoding::Linear16`].
    Unknown = 0,
    /// `u16` steps of `(max_val - min_val) / 65535` above `min_val`.
    Linear16 = 1,
    /// IEEE half precision. Needs lc0 0.33, as do the following.
    Float16 = 2,
    /// The upper half of a single-precision number.
    Bfloat16 = 3,
    /// IEEE single precision.
    Float32 = 4,
}

/// Meaning of the 112 input planes (LC0_FORMAT section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum InputFormat {
    /// Not said.
    Unknown = 0,
    /// Castling rights as four constant planes, the raw half-move clock.
    Classical112Plane = 1,
    /// Castling rights as the rooks' squares.
    CastlingPlane = 2,
    /// Additionally flipped and transposed to a canonical orientation.
    Canonicalization = 3,
    /// Additionally the half-move clock divided by 100.
    CanonicalizationHectoplies = 4,
    /// Additionally history only of repetitions.
    CanonicalizationV2 = 5,
    /// [`InputFormat::CanonicalizationHectoplies`] with a plane that marks Black to move.
    CanonicalizationHectopliesArmageddon = 132,
    /// [`InputFormat::CanonicalizationV2`] with a plane that marks Black to move.
    CanonicalizationV2Armageddon = 133,
}

/// What the value head means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum OutputFormat {
    /// Not said.
    Unknown = 0,
    /// One number, the expected result in [-1, 1].
    Classical = 1,
    /// Probabilities of win, draw and loss.
    Wdl = 2,
}

/// Body of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum NetworkStructure {
    /// Not said.
    Unknown = 0,
    /// Residual tower without marked heads.
    Classical = 1,
    /// Residual tower with squeeze-and-excitation, without marked heads.
    Se = 2,
    /// Residual tower.
    ClassicalWithHeadformat = 3,
    /// Residual tower with squeeze-and-excitation.
    SeWithHeadformat = 4,
    /// The network is the ONNX model.
    Onnx = 5,
    /// Transformer encoder with one head of each kind.
    AttentionbodyWithHeadformat = 6,
    /// Transformer encoder with several policy and value heads.
    AttentionbodyWithMultiheadformat = 7,
    /// What some trainers wrote for [`NetworkStructure::AttentionbodyWithMultiheadformat`].
    AbLegacyWithMultiheadformat = 134,
}

/// Policy head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum PolicyFormat {
    /// Not said.
    Unknown = 0,
    /// A fully connected layer to all 1858 moves.
    Classical = 1,
    /// 73 planes of 64 origin squares.
    Convolution = 2,
    /// Products of queries of origin and keys of target squares.
    Attention = 3,
}

/// Value head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum ValueFormat {
    /// Not said.
    Unknown = 0,
    /// One number through tanh.
    Classical = 1,
    /// Logits of win, draw and loss.
    Wdl = 2,
    /// Parameters of a distribution; never published.
    Param = 3,
}

/// Moves-left head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum MovesLeftFormat {
    /// There is none.
    None = 0,
    /// One non-negative number of plies.
    V1 = 1,
}

/// Activation wherever no other is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum DefaultActivation {
    /// `max(x, 0)`.
    Relu = 0,
    /// `x tanh(ln(1 + exp x))`.
    Mish = 1,
}

/// Activation of a named part (LC0_FORMAT section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum ActivationFunction {
    /// The same as the default activation.
    Default = 0,
    /// `x tanh(ln(1 + exp x))`.
    Mish = 1,
    /// `max(x, 0)`.
    Relu = 2,
    /// `x`.
    None = 3,
    /// Hyperbolic tangent.
    Tanh = 4,
    /// `1 / (1 + exp -x)`.
    Sigmoid = 5,
    /// Scaled exponential linear unit.
    Selu = 6,
    /// `x sigmoid(x)`.
    Swish = 7,
    /// `max(x, 0)^2`.
    Relu2 = 8,
    /// Softmax over the layer.
    Softmax = 9,
}

/// How squares learn where they are (LC0_FORMAT section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum InputEmbedding {
    /// Not said, or a residual tower.
    None = 0,
    /// A fixed map of which squares a queen or a knight reaches.
    PeMap = 1,
    /// A dense layer over the pieces of the whole board.
    PeDense = 2,
}
