//! What computes a network: the interface at the level of the whole network.
//!
//! An engine knows planes and logits. It knows nothing of moves, games or objectives: those are
//! gradients with respect to the logits, computed elsewhere in closed form.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use chess::{MoveIndex, Planes};
use policy::{PolicyError, ValueLogits};

use crate::architecture::{Architecture, ValueKind};
use crate::tensor::Group;

mod state;

pub use state::{StateVector, TrainingState};

/// Raw outputs for a batch of positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Outputs {
    /// Policy logits, `[positions][1858]`.
    pub policy: Vec<f32>,
    /// Value logits, `[positions][3]` (win, draw, loss) or `[positions][1]` (before tanh).
    pub value: Vec<f32>,
    /// Plies to the end of the game, `[positions]`; empty where the network has no such head.
    pub moves_left: Vec<f32>,
    /// Meaning of `value`.
    pub value_kind: ValueKind,
}

impl Outputs {
    /// Zeros for `positions` positions.
    pub fn zeros(positions: usize, value_kind: ValueKind, moves_left: bool) -> Self {
        Self {
            policy: vec![0.0; positions * MoveIndex::COUNT],
            value: vec![0.0; positions * value_kind.width()],
            moves_left: vec![0.0; if moves_left { positions } else { 0 }],
            value_kind,
        }
    }

    /// Number of positions.
    pub fn positions(&self) -> usize {
        self.policy.len() / MoveIndex::COUNT
    }

    /// The 1858 policy logits of one position.
    pub fn policy_of(&self, position: usize) -> &[f32] {
        &self.policy[position * MoveIndex::COUNT..][..MoveIndex::COUNT]
    }

    /// The value logits of one position.
    ///
    /// # Errors
    ///
    /// Where one of them is not finite.
    pub fn value_of(&self, position: usize) -> Result<ValueLogits, PolicyError> {
        match self.value_kind {
            ValueKind::Wdl => {
                let logits = &self.value[position * 3..][..3];
                ValueLogits::wdl([logits[0], logits[1], logits[2]])
            }
            ValueKind::Scalar => ValueLogits::scalar(self.value[position]),
        }
    }

    /// Plies to the end of the game.
    pub fn moves_left_of(&self, position: usize) -> Option<f32> {
        self.moves_left.get(position).copied()
    }
}

/// Gradient of a loss with respect to [`Outputs`], in the same shapes.
///
/// `moves_left` is empty where the loss does not depend on it.
pub type OutputGradients = Outputs;

/// What went wrong in an engine.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EngineError {
    /// [`TrainableEngine::backward`] without a forward pass before it.
    #[error("a backward pass needs the forward pass whose outputs it differentiates")]
    NoForwardPass,
    /// [`TrainableEngine::update`] without a new backward pass before it.
    #[error("an update needs a backward pass of its own")]
    NoBackwardPass,
    /// Gradients or parameters whose sizes are not those of the network or the batch.
    #[error("{what} has {found} elements, expected {expected}")]
    Shape {
        /// Which argument.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The right length.
        expected: usize,
    },
    /// A parameter that is NaN or infinite.
    #[error("parameter {index} of tensor {tensor} is {value}")]
    NonFinite {
        /// Name of the tensor.
        tensor: String,
        /// Element within the tensor.
        index: usize,
        /// Its value.
        value: f32,
    },
}

/// A network that can be evaluated.
///
/// The outputs of a position have the same bits whatever else is in the batch and however many
/// threads compute it.
pub trait Engine: Send + Sync {
    /// Structure of the network.
    fn architecture(&self) -> &Arc<Architecture>;

    /// Raw outputs for each position.
    fn evaluate(&self, planes: &[Planes]) -> Outputs;
}

/// Step size of AdamW for each group of parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearningRates {
    /// See [`Group::Backbone`].
    pub backbone: f64,
    /// See [`Group::FinalBlock`].
    pub final_block: f64,
    /// See [`Group::PolicyHead`].
    pub policy_head: f64,
    /// See [`Group::ValueHead`].
    pub value_head: f64,
}

impl LearningRates {
    /// The rate of `group`. The moves-left head has none: no objective of ours trains it.
    pub fn of(&self, group: Group) -> f64 {
        match group {
            Group::Backbone => self.backbone,
            Group::FinalBlock => self.final_block,
            Group::PolicyHead => self.policy_head,
            Group::ValueHead => self.value_head,
            Group::MovesLeftHead => 0.0,
        }
    }

    /// All rates times `factor`, as in a warm-up.
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            backbone: self.backbone * factor,
            final_block: self.final_block * factor,
            policy_head: self.policy_head * factor,
            value_head: self.value_head * factor,
        }
    }
}

/// Constants of AdamW; weight decay is 0 (paper, Table 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamW {
    /// Decay of the gradient's average.
    pub beta1: f64,
    /// Decay of the squared gradient's average.
    pub beta2: f64,
    /// Added to the root of the squared gradient's average.
    pub epsilon: f64,
}

impl Default for AdamW {
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.98, epsilon: 1e-8 }
    }
}

/// Gradient of a loss with respect to the outputs of a run of a batch's positions; see
/// [`TrainableEngine::differentiate`].
pub type PositionLoss<'a> = dyn Fn(Range<usize>, &Outputs) -> OutputGradients + Sync + 'a;

/// A network that can be trained: theta, its moving average, and the optimiser's state.
///
/// [`Engine::evaluate`] uses theta.
pub trait TrainableEngine: Engine {
    /// Outputs of the average's network.
    fn evaluate_average(&self, planes: &[Planes]) -> Outputs;

    /// Outputs of theta's network, with the same bits as [`Engine::evaluate`], kept ready for one
    /// [`backward`](Self::backward).
    fn forward(&mut self, planes: &[Planes]) -> Outputs;

    /// Gradient of the loss with respect to all parameters, in a flat vector, given the gradient
    /// with respect to the outputs of the last [`forward`](Self::forward).
    ///
    /// # Errors
    ///
    /// [`EngineError::NoForwardPass`], or [`EngineError::Shape`] where the gradients are not of
    /// the forward pass's shape.
    fn backward(&mut self, gradients: &OutputGradients) -> Result<&[f32], EngineError>;

    /// Gradient of a loss that is a sum over positions, in a flat vector: as
    /// [`forward`](Self::forward) and [`backward`](Self::backward) with the gradients in between
    /// from `loss`, but for a part of the batch at a time, so that activations of no more than
    /// these parts are in memory.
    ///
    /// `loss` is given the places of a run of positions in the batch and their outputs, and answers
    /// with the loss's gradient with respect to these. It is asked once for each position, from
    /// several threads and in any order.
    ///
    /// # Errors
    ///
    /// [`EngineError::Shape`] where gradients are not of the outputs' shape.
    fn differentiate(
        &mut self,
        planes: &[Planes],
        loss: &PositionLoss<'_>,
    ) -> Result<&[f32], EngineError> {
        let outputs = self.forward(planes);
        let gradients = loss(0..planes.len(), &outputs);
        self.backward(&gradients)
    }

    /// One AdamW step along the gradient of the last [`backward`](Self::backward) or
    /// [`differentiate`](Self::differentiate).
    ///
    /// # Errors
    ///
    /// [`EngineError::NoBackwardPass`] where the gradient was used already, and
    /// [`EngineError::NonFinite`] where it is not finite; nothing is changed then.
    fn update(&mut self, optimiser: &AdamW, rates: &LearningRates) -> Result<(), EngineError>;

    /// `average <- decay * average + (1 - decay) * theta`.
    fn average(&mut self, decay: f64);

    /// One vector of the state, not copied where it lies in the processor's memory: together the
    /// four are sixteen bytes a parameter.
    fn state_vector(&self, vector: StateVector) -> Cow<'_, [f32]>;

    /// Updates so far.
    fn updates(&self) -> u64;

    /// Everything needed to go on, copied.
    fn state(&self) -> TrainingState {
        let copy = |vector| self.state_vector(vector).into_owned();
        TrainingState {
            parameters: copy(StateVector::Parameters),
            average: copy(StateVector::Average),
            first_moment: copy(StateVector::FirstMoment),
            second_moment: copy(StateVector::SecondMoment),
            updates: self.updates(),
        }
    }

    /// Goes on from `state`.
    ///
    /// # Errors
    ///
    /// As [`TrainingState::check`]; nothing is changed then.
    fn restore(&mut self, state: &TrainingState) -> Result<(), EngineError>;
}
