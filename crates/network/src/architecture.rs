//! A network's structure as plain data: which layers there are, their sizes, and which tensors
//! they use. What the layers compute is in LC0_FORMAT sections 4 to 6.
//!
//! Activations are square-major everywhere: a board is 64 rows (one per square, a1 first, seen by
//! the side to move) of one value per channel.

use chess::InputFormat;

use crate::activation::Activation;
use crate::tensor::{Layout, TensorId};

/// Squares of a board, which are the tokens of an attention body.
pub const SQUARES: usize = 64;

/// Channels of the input: the planes of LC0_FORMAT section 2.
pub const INPUT_CHANNELS: usize = 112;

/// Structure of a network, with one policy head and one value head selected.
#[derive(Clone, Debug)]
pub struct Architecture {
    /// How positions are encoded.
    pub input_format: InputFormat,
    /// From the input planes to the features of each square.
    pub body: Body,
    /// Selected policy head.
    pub policy: PolicyHead,
    /// Selected value head.
    pub value: ValueHead,
    /// Moves-left head, where the file has one.
    pub moves_left: Option<MovesLeftHead>,
    /// Names, shapes and places of all tensors that the layers above refer to.
    pub layout: Layout,
}

/// The shared part of the network.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one in a network")]
pub enum Body {
    /// Transformer over the 64 squares (LC0_FORMAT section 5).
    Attention(AttentionBody),
    /// Tower of residual convolution blocks (LC0_FORMAT section 6).
    Residual(ResidualTower),
}

impl Body {
    /// Features per square that the heads receive.
    pub fn width(&self) -> usize {
        match self {
            Self::Attention(body) => body.embedding.dense.outputs,
            Self::Residual(tower) => tower.input.outputs,
        }
    }
}

/// `y = activation(W x + b)`.
#[derive(Clone, Debug)]
pub struct Dense {
    /// Length of `x`.
    pub inputs: usize,
    /// Length of `y`.
    pub outputs: usize,
    /// `W`, `[outputs][inputs]`.
    pub weight: TensorId,
    /// `b`, `[outputs]`; zero where absent.
    pub bias: Option<TensorId>,
    /// Applied to the sum.
    pub activation: Activation,
}

/// `y = gammas (x - mean) / sqrt(variance + epsilon) + betas`, over the last axis.
#[derive(Clone, Debug)]
pub struct LayerNorm {
    /// Length of the normalised axis.
    pub width: usize,
    /// Scale, `[width]`.
    pub gammas: TensorId,
    /// Shift, `[width]`.
    pub betas: TensorId,
    /// Added to the variance.
    pub epsilon: f32,
}

/// Two dense layers.
#[derive(Clone, Debug)]
pub struct FeedForward {
    /// To the hidden width, with the activation.
    pub dense1: Dense,
    /// Back to the width of the body.
    pub dense2: Dense,
}

/// Transformer body.
#[derive(Clone, Debug)]
pub struct AttentionBody {
    /// From planes to tokens.
    pub embedding: Embedding,
    /// Applied in order.
    pub encoders: Vec<Encoder>,
}

/// From the planes of each square to the first token vectors.
#[derive(Clone, Debug)]
pub struct Embedding {
    /// What is appended to the planes.
    pub position: PositionEncoding,
    /// From planes and position encoding to the body's width.
    pub dense: Dense,
    /// Normalisation behind `dense`.
    pub norm: Option<LayerNorm>,
    /// Elementwise scale and shift per square and feature.
    pub gate: Option<Gate>,
    /// Residual feed-forward block behind the gate.
    pub feed_forward: Option<ResidualFeedForward>,
}

/// What tells the squares apart.
#[derive(Clone, Debug)]
pub enum PositionEncoding {
    /// Nothing.
    None,
    /// `PE_MAP`: 64 constants per square, see [`position_map`].
    Map,
    /// `PE_DENSE`: a dense layer from the 12 piece planes of the whole board, flattened
    /// square-major (768 values), to 64 times so many channels.
    Dense(Dense),
}

impl PositionEncoding {
    /// Channels that it appends to the input's.
    pub fn channels(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Map => SQUARES,
            Self::Dense(dense) => dense.outputs / SQUARES,
        }
    }
}

/// `h[square][feature] * multiply[square][feature] + add[square][feature]`.
#[derive(Clone, Debug)]
pub struct Gate {
    /// `[64][width]`, in the file `[width][64]`.
    pub multiply: TensorId,
    /// `[64][width]`, in the file `[width][64]`.
    pub add: TensorId,
}

/// `norm(x + residual_scale * feed_forward(x))`.
#[derive(Clone, Debug)]
pub struct ResidualFeedForward {
    /// The inner layers.
    pub feed_forward: FeedForward,
    /// Normalisation of the sum.
    pub norm: LayerNorm,
    /// Factor of the inner layers' output.
    pub residual_scale: f32,
}

/// Post-norm transformer layer.
#[derive(Clone, Debug)]
pub struct Encoder {
    /// Multi-head attention over the squares.
    pub attention: Attention,
    /// Normalisation of `x + residual_scale * attention(x)`.
    pub attention_norm: LayerNorm,
    /// Factor of the attention's output.
    pub residual_scale: f32,
    /// The second sub-layer with its own residual and normalisation.
    pub feed_forward: ResidualFeedForward,
}

/// Multi-head attention of all squares to all squares.
#[derive(Clone, Debug)]
pub struct Attention {
    /// Queries of all heads, one after another.
    pub query: Dense,
    /// Keys.
    pub key: Dense,
    /// Values.
    pub value: Dense,
    /// From the joined heads back to the body's width.
    pub output: Dense,
    /// Number of heads; divides the queries' width.
    pub heads: usize,
    /// Position-dependent bias of the scores.
    pub smolgen: Option<Smolgen>,
}

impl Attention {
    /// Width of one head.
    pub fn depth(&self) -> usize {
        self.query.outputs / self.heads
    }
}

/// Attention biases generated from the whole board.
#[derive(Clone, Debug)]
pub struct Smolgen {
    /// Per square, without bias.
    pub compress: Dense,
    /// From all squares' compressed features, flattened square-major.
    pub dense1: Dense,
    /// Normalisation behind `dense1`.
    pub norm1: LayerNorm,
    /// To all heads' codes, one after another.
    pub dense2: Dense,
    /// One normalisation over all heads' codes at once.
    pub norm2: LayerNorm,
    /// Shared by all layers and heads: from a head's code to `[query][key]` biases,
    /// `[4096][code]`.
    pub generate: Dense,
}

/// Convolution over the board, zero-padded, batch normalisation folded in.
#[derive(Clone, Debug)]
pub struct Convolution {
    /// Input channels.
    pub inputs: usize,
    /// Output channels.
    pub outputs: usize,
    /// Kernel size, 1 or 3.
    pub kernel: usize,
    /// `[outputs][rank][file][inputs]`, in the file `[outputs][inputs][rank][file]`.
    pub weight: TensorId,
    /// `[outputs]`.
    pub bias: TensorId,
    /// Applied to the sum.
    pub activation: Activation,
}

/// Convolutional body.
#[derive(Clone, Debug)]
pub struct ResidualTower {
    /// From the planes to the tower's width.
    pub input: Convolution,
    /// Applied in order.
    pub blocks: Vec<ResidualBlock>,
}

/// `activation(x + squeeze_excitation(conv2(conv1(x))))`.
#[derive(Clone, Debug)]
pub struct ResidualBlock {
    /// With its activation.
    pub conv1: Convolution,
    /// Without activation.
    pub conv2: Convolution,
    /// Reweights the channels of `conv2`'s output.
    pub squeeze_excitation: Option<SqueezeExcitation>,
    /// Applied to the sum.
    pub activation: Activation,
}

/// `sigmoid(s[..C]) * y + s[C..]` with `s = expand(reduce(mean of y over the squares))`.
#[derive(Clone, Debug)]
pub struct SqueezeExcitation {
    /// From the channels' means to a few values, with the activation.
    pub reduce: Dense,
    /// To two values per channel.
    pub expand: Dense,
}

/// From the body's features to 1858 logits.
#[derive(Clone, Debug)]
pub enum PolicyHead {
    /// Query-key products of squares.
    Attention(AttentionPolicy),
    /// Planes of move directions.
    Convolution(ConvolutionPolicy),
    /// One fully connected layer.
    Dense(DensePolicy),
}

/// Attention policy head.
#[derive(Clone, Debug)]
pub struct AttentionPolicy {
    /// Per square.
    pub embedding: Dense,
    /// Encoders of the head's own; most networks have none.
    pub encoders: Vec<Encoder>,
    /// Of the square that a move leaves.
    pub query: Dense,
    /// Of the square that a move reaches.
    pub key: Dense,
    /// `[4][width]`: offsets of promotions to queen, rook, bishop, knight, as products with keys.
    pub promotion: TensorId,
}

/// Convolution policy head.
#[derive(Clone, Debug)]
pub struct ConvolutionPolicy {
    /// With its activation.
    pub conv1: Convolution,
    /// 80 planes, of which 73 are used.
    pub conv2: Convolution,
}

/// Classical policy head.
#[derive(Clone, Debug)]
pub struct DensePolicy {
    /// 1x1 convolution.
    pub convolution: Convolution,
    /// From its output, flattened channel-major, to the 1858 logits.
    pub dense: Dense,
}

/// What a value head's last layer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Three logits: win, draw, loss of the side to move.
    Wdl,
    /// One logit `z` with `Q = tanh z`.
    Scalar,
}

impl ValueKind {
    /// Number of logits.
    pub fn width(self) -> usize {
        match self {
            Self::Wdl => 3,
            Self::Scalar => 1,
        }
    }
}

/// A layer applied to each square, and the order in which its output is flattened.
#[derive(Clone, Debug)]
pub enum SquareEmbedding {
    /// Attention bodies: a dense layer, flattened square-major.
    Dense(Dense),
    /// Convolutional bodies: a 1x1 convolution, flattened channel-major.
    Convolution(Convolution),
}

impl SquareEmbedding {
    /// Values per square.
    pub fn width(&self) -> usize {
        match self {
            Self::Dense(dense) => dense.outputs,
            Self::Convolution(convolution) => convolution.outputs,
        }
    }
}

/// Per-square embedding and two dense layers over the whole board.
#[derive(Clone, Debug)]
pub struct BoardHead {
    /// Per square.
    pub embedding: SquareEmbedding,
    /// Over all squares.
    pub dense1: Dense,
    /// To the output.
    pub dense2: Dense,
}

/// From the body's features to the logits of the game's outcome.
#[derive(Clone, Debug)]
pub struct ValueHead {
    /// Meaning of the logits.
    pub kind: ValueKind,
    /// The layers.
    pub layers: BoardHead,
}

/// From the body's features to the expected number of plies to the end.
#[derive(Clone, Debug)]
pub struct MovesLeftHead {
    /// The layers; the last one's activation is ReLU.
    pub layers: BoardHead,
}

/// The constants of `PE_MAP`: `[from][to]` is -1 on the diagonal, 1 where a queen or a knight
/// could go from `from` to `to` on an empty board, else 0.
pub fn position_map() -> Box<[[f32; SQUARES]; SQUARES]> {
    let mut map = Box::new([[0.0; SQUARES]; SQUARES]);
    for (from, row) in map.iter_mut().enumerate() {
        for (to, entry) in row.iter_mut().enumerate() {
            let ranks = (from / 8).abs_diff(to / 8);
            let files = (from % 8).abs_diff(to % 8);
            let reaches = ranks == 0 || files == 0 || ranks == files || ranks * files == 2;
            *entry = match (from == to, reaches) {
                (true, _) => -1.0,
                (false, true) => 1.0,
                (false, false) => 0.0,
            };
        }
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_map_has_the_moves_of_the_policy_vector() {
        let map = position_map();
        let ones = map.iter().flatten().filter(|&&value| value == 1.0).count();
        // 1858 entries less the 66 promotions.
        assert_eq!(ones, 1792);
        assert!((0..SQUARES).all(|square| map[square][square] == -1.0));
    }
}
