//! Training: gradients of a batch, AdamW, the moving average.

use std::borrow::Cow;
use std::sync::Arc;

use chess::Planes;
use network::{
    AdamW, Architecture, Engine, EngineError, LearningRates, Network, OutputGradients, Outputs,
    PositionLoss, StateVector, TrainableEngine, TrainingState,
};
use rayon::prelude::*;

use crate::huge_pages;
use crate::kernels::{
    AdamWState, Arithmetic, BiasCorrection, InstructionSet, Precision, adamw, first_non_finite,
    move_average,
};
use crate::layers::{Gradient, Pass, Purpose};
use crate::model::{Model, OutputRows, Tape};
use crate::pool::Pool;

mod lanes;

use lanes::{Lane, LaneSum};

/// Bytes of activations kept between forward and backward pass by default, at the least: large
/// networks keep as much as AdamW's two moments take. Chunks that do not fit go through the
/// forward pass again, with the same bits, which takes about a quarter of a step longer.
const ACTIVATION_BUDGET: usize = 64 << 20;

/// Elements that one task of an elementwise pass takes.
const ELEMENTS: usize = 1 << 16;

/// A network on the CPU that can be trained.
pub struct NativeTrainer {
    architecture: Arc<Architecture>,
    parameters: Vec<f32>,
    average: Vec<f32>,
    first_moment: Vec<f32>,
    second_moment: Vec<f32>,
    updates: u64,
    gradient: LaneSum,
    /// Whether no update has used `gradient` yet.
    gradient_is_new: bool,
    theta: Model,
    average_model: Model,
    pool: Pool,
    set: InstructionSet,
    /// Bytes that the tape of a full chunk holds.
    tape_bytes: usize,
    activation_budget: usize,
    forward_pass: Option<ForwardPass>,
}

/// What the next backward pass differentiates.
struct ForwardPass {
    planes: Vec<Planes>,
    /// One a chunk, as many as the budget allows.
    tapes: Vec<Option<Tape>>,
}

impl NativeTrainer {
    /// Starts training at `network`, with the average equal to it.
    pub fn new(network: Network) -> Self {
        Self::with_precision(network, Precision::default())
    }

    /// As [`new`](Self::new), with products of a precision, computed as fast as the processor can.
    /// Parameters, activations, gradients and sums are `f32` in any case.
    pub fn with_precision(network: Network, precision: Precision) -> Self {
        Self::with_arithmetic(network, Arithmetic::detect(precision))
    }

    /// As [`new`](Self::new), computing with `set`. All sets give the same bits.
    pub fn with_instruction_set(network: Network, set: InstructionSet) -> Self {
        Self::with_arithmetic(network, set.into())
    }

    /// As [`new`](Self::new), computing with `arithmetic`.
    pub fn with_arithmetic(network: Network, arithmetic: Arithmetic) -> Self {
        let set = arithmetic.instruction_set();
        let Network { architecture, parameters } = network;
        let theta = Model::new(&architecture, &parameters, Purpose::Training, arithmetic);
        let average_model = Model::new(&architecture, &parameters, Purpose::Inference, arithmetic);
        let pool = Pool::default();
        let tape_bytes = measure_tape(&theta, &pool);
        let count = parameters.len();
        let parameter_bytes = size_of_val(&parameters[..]);
        let parameters = huge_pages::copy(&parameters);
        Self {
            architecture: Arc::new(architecture),
            average: huge_pages::copy(&parameters),
            parameters,
            first_moment: huge_pages::zeros(count),
            gradient: LaneSum::zeros(count),
            second_moment: huge_pages::zeros(count),
            updates: 0,
            gradient_is_new: false,
            theta,
            average_model,
            pool,
            set,
            tape_bytes,
            activation_budget: ACTIVATION_BUDGET.max(2 * parameter_bytes),
            forward_pass: None,
        }
    }

    /// Sets the bytes of activations kept between forward and backward pass. Results do not
    /// depend on it.
    pub fn set_activation_budget(&mut self, bytes: usize) {
        self.activation_budget = bytes;
    }

    /// Sums the gradient over lanes; `add` adds that of one of them.
    fn sum_gradient<T: Send>(
        &mut self,
        lanes: Vec<T>,
        add: impl Fn(&Self, T, &mut Gradient<'_>) -> Result<(), EngineError> + Sync,
    ) -> Result<&[f32], EngineError> {
        self.gradient_is_new = false;
        let mut gradient = std::mem::replace(&mut self.gradient, LaneSum::zeros(0));
        let summed = gradient.sum(self.set, lanes, |lane, target| {
            let mut gradient = Gradient::new(target);
            add(self, lane, &mut gradient)?;
            gradient.finish(&self.architecture.layout);
            Ok(())
        });
        self.gradient = gradient;
        summed?;
        self.gradient_is_new = true;
        Ok(self.gradient.total())
    }

    fn check_gradients(
        &self,
        gradients: &OutputGradients,
        positions: usize,
    ) -> Result<(), EngineError> {
        let expected = self.theta.outputs(positions);
        let check = |what, found: usize, expected: usize| match found == expected {
            true => Ok(()),
            false => Err(EngineError::Shape { what, found, expected }),
        };
        check("policy gradient", gradients.policy.len(), expected.policy.len())?;
        check("value gradient", gradients.value.len(), expected.value.len())?;
        if gradients.moves_left.is_empty() {
            return Ok(());
        }
        check("moves-left gradient", gradients.moves_left.len(), expected.moves_left.len())
    }
}

/// The same bits as the first forward pass of these positions.
fn forward_again(model: &Model, pass: Pass<'_>, planes: &[Planes]) -> Tape {
    let mut outputs = model.outputs(planes.len());
    model.forward(pass, planes, OutputRows::of(&mut outputs))
}

fn measure_tape(model: &Model, pool: &Pool) -> usize {
    let empty = Planes { masks: [0; 112], values: [0.0; 112] };
    let tape = forward_again(model, model.pass(pool, true), &vec![empty; model.chunk()]);
    let bytes = pool.outstanding_bytes();
    drop(tape);
    bytes
}

impl Engine for NativeTrainer {
    fn architecture(&self) -> &Arc<Architecture> {
        &self.architecture
    }

    fn evaluate(&self, planes: &[Planes]) -> Outputs {
        self.theta.evaluate(&self.pool, planes)
    }
}

impl TrainableEngine for NativeTrainer {
    fn evaluate_average(&self, planes: &[Planes]) -> Outputs {
        self.average_model.evaluate(&self.pool, planes)
    }

    fn forward(&mut self, planes: &[Planes]) -> Outputs {
        self.forward_pass = None;
        let count = planes.len().div_ceil(self.theta.chunk()).max(1);
        let kept = (self.activation_budget / self.tape_bytes).min(count);
        let mut outputs = self.theta.outputs(planes.len());
        let chunks = planes.par_chunks(self.theta.chunk()).enumerate();
        let tapes = self.theta.rows(&mut outputs, self.theta.chunk()).zip(chunks).map(
            |(rows, (chunk, planes))| {
                // Spread evenly, so that lanes take equally long.
                let keep = chunk * kept / count != (chunk + 1) * kept / count;
                let tape = self.theta.forward(self.theta.pass(&self.pool, keep), planes, rows);
                keep.then_some(tape)
            },
        );
        let tapes = tapes.collect();
        self.forward_pass = Some(ForwardPass { planes: planes.to_vec(), tapes });
        outputs
    }

    fn backward(&mut self, gradients: &OutputGradients) -> Result<&[f32], EngineError> {
        let ForwardPass { planes, tapes } =
            self.forward_pass.take().ok_or(EngineError::NoForwardPass)?;
        self.check_gradients(gradients, planes.len())?;
        let mut tapes = tapes.into_iter();
        let lanes = Lane::of_batch(planes.len(), self.theta.chunk()).into_iter();
        let lanes = lanes.map(|lane| {
            let tapes: Vec<_> = tapes.by_ref().take(lane.chunks().len()).collect();
            (lane, tapes)
        });
        self.sum_gradient(lanes.collect(), |trainer, (lane, tapes), gradient| {
            let (theta, pass) = (&trainer.theta, trainer.theta.pass(&trainer.pool, true));
            for (chunk, tape) in lane.chunks().zip(tapes) {
                let tape =
                    tape.unwrap_or_else(|| forward_again(theta, pass, &planes[chunk.clone()]));
                theta.backward(pass, tape, gradients, chunk, gradient);
            }
            Ok(())
        })
    }

    fn differentiate(
        &mut self,
        planes: &[Planes],
        loss: &PositionLoss<'_>,
    ) -> Result<&[f32], EngineError> {
        self.forward_pass = None;
        let lanes = Lane::of_batch(planes.len(), self.theta.chunk());
        self.sum_gradient(lanes, |trainer, lane, gradient| {
            let (theta, pass) = (&trainer.theta, trainer.theta.pass(&trainer.pool, true));
            for chunk in lane.chunks() {
                let length = chunk.len();
                let mut outputs = theta.outputs(length);
                let rows = OutputRows::of(&mut outputs);
                let tape = theta.forward(pass, &planes[chunk.clone()], rows);
                let gradients = loss(chunk, &outputs);
                trainer.check_gradients(&gradients, length)?;
                theta.backward(pass, tape, &gradients, 0..length, gradient);
            }
            Ok(())
        })
    }

    fn update(&mut self, optimiser: &AdamW, rates: &LearningRates) -> Result<(), EngineError> {
        if !self.gradient_is_new {
            return Err(EngineError::NoBackwardPass);
        }
        // Which one it is, is only looked for where there is one.
        let parts = self.gradient.total().par_chunks(ELEMENTS);
        if parts.any(|part| first_non_finite(self.set, part).is_some()) {
            self.architecture.layout.check_finite(self.gradient.total())?;
        }
        self.gradient_is_new = false;
        self.updates += 1;
        let correction = BiasCorrection::new(optimiser, self.updates);
        let layout = &self.architecture.layout;
        let parameters = self.parameters.par_chunks_mut(ELEMENTS);
        let first = self.first_moment.par_chunks_mut(ELEMENTS);
        let second = self.second_moment.par_chunks_mut(ELEMENTS);
        let gradient = self.gradient.total().par_chunks(ELEMENTS);
        let parts = parameters.zip(first).zip(second).zip(gradient).enumerate();
        parts.for_each(|(part, (((parameters, first), second), gradient))| {
            // A part has several small tensors, or a piece of a large one.
            for (tensor, place) in layout.pieces(part * ELEMENTS, gradient.len()) {
                let state = AdamWState {
                    parameters: &mut parameters[place.clone()],
                    first_moment: &mut first[place.clone()],
                    second_moment: &mut second[place.clone()],
                };
                let rate = rates.of(tensor.group);
                adamw(self.set, optimiser, rate, correction, state, &gradient[place]);
            }
        });
        self.forward_pass = None;
        self.theta.refresh(&self.architecture, &self.parameters);
        Ok(())
    }

    fn average(&mut self, decay: f64) {
        let parts = self.average.par_chunks_mut(ELEMENTS).zip(self.parameters.par_chunks(ELEMENTS));
        parts.for_each(|(average, parameters)| move_average(self.set, average, decay, parameters));
        self.average_model.refresh(&self.architecture, &self.average);
    }

    fn state_vector(&self, vector: StateVector) -> Cow<'_, [f32]> {
        Cow::Borrowed(match vector {
            StateVector::Parameters => &self.parameters,
            StateVector::Average => &self.average,
            StateVector::FirstMoment => &self.first_moment,
            StateVector::SecondMoment => &self.second_moment,
        })
    }

    fn updates(&self) -> u64 {
        self.updates
    }

    fn restore(&mut self, state: &TrainingState) -> Result<(), EngineError> {
        state.check(&self.architecture.layout)?;
        self.parameters.copy_from_slice(&state.parameters);
        self.average.copy_from_slice(&state.average);
        self.first_moment.copy_from_slice(&state.first_moment);
        self.second_moment.copy_from_slice(&state.second_moment);
        self.updates = state.updates;
        self.gradient_is_new = false;
        self.forward_pass = None;
        self.theta.refresh(&self.architecture, &self.parameters);
        self.average_model.refresh(&self.architecture, &self.average);
        Ok(())
    }
}
