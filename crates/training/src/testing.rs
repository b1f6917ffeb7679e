//! A network small enough to reason about, for tests.

use std::borrow::Cow;
use std::sync::Arc;

use chess::{InputFormat, MoveIndex, Planes};
use lc0::NetworkFile;
use lc0::random::{Preset, random_network};
use network::{
    AdamW, Architecture, Engine, EngineError, Group, HeadSelection, LearningRates, Network,
    OutputGradients, Outputs, StateVector, TrainableEngine, TrainingState, ValueKind,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::config::{FinetuneConfig, PeakLearningRates, SamplingTemperature};
use crate::step::Trainer;

/// One for each kind of piece, and a constant.
const FEATURES: usize = 13;

/// Logits: moves, then win, draw, loss.
const LOGITS: usize = MoveIndex::COUNT + 3;

/// Logits that are linear in where the pieces stand, trained by plain gradient descent.
#[derive(Clone)]
pub(crate) struct LinearEngine {
    architecture: Arc<Architecture>,
    /// `[LOGITS][FEATURES]`
    pub(crate) parameters: Vec<f32>,
    pub(crate) average: Vec<f32>,
    gradient: Vec<f32>,
    planes: Vec<Planes>,
    updates: u64,
    /// Factor on the weights of [`Engine::evaluate`] alone.
    evaluation_scale: f32,
}

impl LinearEngine {
    pub(crate) fn new(seed: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let specification = Preset::Smallest.specification();
        let net = random_network(&specification, &mut generator);
        let file = NetworkFile::new("smallest", net).expect("a network");
        let network = Network::load(&file, HeadSelection::default()).expect("a network");
        let parameters: Vec<f32> =
            (0..LOGITS * FEATURES).map(|_| generator.random_range(-1.0..1.0)).collect();
        Self {
            architecture: Arc::new(network.architecture),
            average: parameters.clone(),
            gradient: vec![0.0; parameters.len()],
            parameters,
            planes: Vec::new(),
            updates: 0,
            evaluation_scale: 1.0,
        }
    }

    /// Place of the first weight of a logit.
    pub(crate) fn row(logit: usize) -> usize {
        logit * FEATURES
    }

    /// Place of the constant part of a logit; the value head's follow the 1858 moves'.
    pub(crate) fn bias(logit: usize) -> usize {
        logit * FEATURES + FEATURES - 1
    }

    /// The same network, said to read another input format.
    pub(crate) fn with_input_format(mut self, input_format: InputFormat) -> Self {
        let architecture = Architecture { input_format, ..(*self.architecture).clone() };
        self.architecture = Arc::new(architecture);
        self
    }

    /// The same network with an evaluation that differs from its forward pass.
    pub(crate) fn with_evaluation_scaled(mut self, scale: f32) -> Self {
        self.evaluation_scale = scale;
        self
    }

    fn outputs(parameters: &[f32], planes: &[Planes]) -> Outputs {
        let mut outputs = Outputs::zeros(planes.len(), ValueKind::Wdl, false);
        for (row, planes) in planes.iter().enumerate() {
            let features = features(planes);
            let logit = |weights: &[f32]| -> f32 {
                weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
            };
            let logits: Vec<f32> = parameters.chunks_exact(FEATURES).map(logit).collect();
            let (policy, value) = logits.split_at(MoveIndex::COUNT);
            outputs.policy[row * MoveIndex::COUNT..][..MoveIndex::COUNT].copy_from_slice(policy);
            outputs.value[row * 3..][..3].copy_from_slice(value);
        }
        outputs
    }
}

fn features(planes: &Planes) -> [f32; FEATURES] {
    let squares = |mask: u64| (0..64).filter(|square| mask >> square & 1 == 1).sum::<u32>();
    std::array::from_fn(|feature| {
        if feature < 12 { squares(planes.masks[feature]) as f32 / 128.0 } else { 1.0 }
    })
}

impl Engine for LinearEngine {
    fn architecture(&self) -> &Arc<Architecture> {
        &self.architecture
    }

    fn evaluate(&self, planes: &[Planes]) -> Outputs {
        let scaled: Vec<f32> =
            self.parameters.iter().map(|weight| weight * self.evaluation_scale).collect();
        Self::outputs(&scaled, planes)
    }
}

impl TrainableEngine for LinearEngine {
    fn evaluate_average(&self, planes: &[Planes]) -> Outputs {
        Self::outputs(&self.average, planes)
    }

    fn forward(&mut self, planes: &[Planes]) -> Outputs {
        self.planes = planes.to_vec();
        Self::outputs(&self.parameters, planes)
    }

    fn backward(&mut self, gradients: &OutputGradients) -> Result<&[f32], EngineError> {
        self.gradient.fill(0.0);
        for (row, planes) in self.planes.iter().enumerate() {
            let features = features(planes);
            let policy = gradients.policy_of(row);
            let value = &gradients.value[row * 3..][..3];
            let rows = self.gradient.chunks_exact_mut(FEATURES);
            for (sums, gradient) in rows.zip(policy.iter().chain(value)) {
                sums.iter_mut().zip(features).for_each(|(sum, feature)| *sum += gradient * feature);
            }
        }
        Ok(&self.gradient)
    }

    fn update(&mut self, _: &AdamW, rates: &LearningRates) -> Result<(), EngineError> {
        let pairs = self.parameters.iter_mut().zip(&self.gradient);
        for (index, (parameter, gradient)) in pairs.enumerate() {
            let head = index / FEATURES < MoveIndex::COUNT;
            let group = if head { Group::PolicyHead } else { Group::ValueHead };
            *parameter -= rates.of(group) as f32 * gradient;
        }
        self.updates += 1;
        Ok(())
    }

    fn average(&mut self, decay: f64) {
        let decay = decay as f32;
        for (average, parameter) in self.average.iter_mut().zip(&self.parameters) {
            *average = decay * *average + (1.0 - decay) * parameter;
        }
    }

    fn state_vector(&self, vector: StateVector) -> Cow<'_, [f32]> {
        Cow::Borrowed(match vector {
            StateVector::Parameters => &self.parameters,
            StateVector::Average => &self.average,
            // Plain gradient descent has none.
            StateVector::FirstMoment | StateVector::SecondMoment => &[],
        })
    }

    fn updates(&self) -> u64 {
        self.updates
    }

    fn restore(&mut self, state: &TrainingState) -> Result<(), EngineError> {
        self.parameters.clone_from(&state.parameters);
        self.average.clone_from(&state.average);
        self.updates = state.updates;
        Ok(())
    }
}

/// A few short games and large steps.
pub(crate) fn config() -> FinetuneConfig {
    FinetuneConfig {
        seed: 3,
        steps: 20,
        games: 12,
        ply_cap: 40,
        ema_decay: 0.9,
        warmup_steps: 4,
        warm_start_moves: 6,
        temperature: SamplingTemperature::Adaptive,
        learning_rates: PeakLearningRates {
            backbone: 0.5,
            final_block: 0.5,
            policy_head: 0.5,
            value_head: 0.5,
        },
        ..FinetuneConfig::default()
    }
}

/// A linear network in training.
pub(crate) fn trainer(config: FinetuneConfig) -> Trainer {
    let engine = LinearEngine::new(5);
    Trainer::new(config, Box::new(engine.clone()), Arc::new(engine)).expect("valid settings")
}
