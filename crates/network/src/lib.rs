//! The networks: their architectures as plain data, the interface of what computes them, and the
//! evaluator that turns games into move distributions.
//!
//! [`Network::load`] reads structure and weights from an Lc0 file; an [`Engine`] computes raw
//! outputs from input planes; an [`Evaluator`] puts chess around it. How the numbers are computed
//! is not known here.

mod activation;
mod architecture;
mod batch_norm;
mod engine;
mod evaluator;
mod heads;
mod load;
mod signature;
mod store;
mod tensor;

pub use activation::Activation;
pub use architecture::{
    Architecture, Attention, AttentionBody, AttentionPolicy, BoardHead, Body, Convolution,
    ConvolutionPolicy, Dense, DensePolicy, Embedding, Encoder, FeedForward, Gate, INPUT_CHANNELS,
    LayerNorm, MovesLeftHead, PolicyHead, PositionEncoding, ResidualBlock, ResidualFeedForward,
    ResidualTower, SQUARES, Smolgen, SquareEmbedding, SqueezeExcitation, ValueHead, ValueKind,
    position_map,
};
pub use engine::{
    AdamW, Engine, EngineError, LearningRates, OutputGradients, Outputs, PositionLoss, StateVector,
    TrainableEngine, TrainingState,
};
pub use evaluator::{EncodedPosition, Evaluation, EvaluationError, Evaluator};
pub use heads::{HeadSelection, PolicyHeadName, UnknownHead, ValueHeadName};
pub use load::{LoadError, Network};
pub use signature::{Signature, SignatureError, sample_games};
pub use store::StoreError;
pub use tensor::{FileOrder, Group, Layout, Source, TensorId, TensorInfo};
