//! Training: gradients of a batch, AdamW, the moving average.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use chess::Planes;
use network::{
    AdamW, Architecture, Engine, EngineError, LearningRates, Network, OutputGradients, Outputs,
    StateVector, TrainableEngine, TrainingState,
};
use tch::{Kind, Tensor};

use crate::adamw::{AdamWState, Parts, adamw, is_finite, move_average};
use crate::model::{Logits, Model};
use crate::options::{Options, TorchError};
use crate::weights::{Tracking, Weights, copy_out, to_vec};

/// A network in libtorch that can be trained.
///
/// Parameters, average and optimiser state stay on the device. There a trainer needs six vectors
/// of the network's size, and the activations of one micro-batch.
///
/// # Panics
///
/// Passes and updates panic with libtorch's message where libtorch fails, as when the device's
/// memory is exhausted; a smaller [`Options::micro_batch`] needs less.
pub struct TorchTrainer {
    architecture: Arc<Architecture>,
    // Behind a lock: tensors may move between threads, but not be shared by them.
    device: Mutex<OnDevice>,
    parts: Parts,
    gradient: Vec<f32>,
    /// Whether no update has used `gradient` yet.
    gradient_is_new: bool,
    updates: u64,
}

/// What lies in the device's memory.
struct OnDevice {
    model: Model,
    theta: Weights,
    average: Weights,
    first_moment: Tensor,
    second_moment: Tensor,
    gradient: Tensor,
    forward_pass: Option<ForwardPass>,
}

/// What the next backward pass differentiates.
struct ForwardPass {
    planes: Vec<Planes>,
    /// Of a batch that is one micro-batch.
    logits: Option<Logits>,
}

impl TorchTrainer {
    /// Starts training at `network`, with the average equal to it.
    ///
    /// # Errors
    ///
    /// Where the device is not there or does not compute in the precision.
    pub fn new(network: Network, options: &Options) -> Result<Self, TorchError> {
        let Network { architecture, parameters } = network;
        let architecture = Arc::new(architecture);
        let model = Model::new(Arc::clone(&architecture), options)?;
        let zeros = || Tensor::zeros(parameters.len() as i64, (Kind::Float, model.device()));
        let device = OnDevice {
            theta: model.weights(&parameters, Tracking::On),
            average: model.weights(&parameters, Tracking::Off),
            first_moment: zeros(),
            second_moment: zeros(),
            gradient: zeros(),
            forward_pass: None,
            model,
        };
        Ok(Self {
            parts: Parts::new(&architecture.layout),
            architecture,
            device: Mutex::new(device),
            gradient: vec![0.0; parameters.len()],
            gradient_is_new: false,
            updates: 0,
        })
    }

    fn device_mut(&mut self) -> &mut OnDevice {
        self.device.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn with_device<T>(&self, work: impl FnOnce(&OnDevice) -> T) -> T {
        // Nothing that only reads leaves anything half done when it panics.
        work(&self.device.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl OnDevice {
    fn forward(&mut self, planes: &[Planes]) -> Outputs {
        // Frees the activations of a forward pass that no backward pass followed.
        self.forward_pass = None;
        let (outputs, logits) = if self.model.is_micro_batch(planes.len()) && !planes.is_empty() {
            let mut outputs = self.model.outputs(planes.len());
            let logits = self.model.logits(&self.theta, planes);
            logits.copy_out(&mut outputs, 0..planes.len());
            (outputs, Some(logits))
        } else {
            (self.model.evaluate(&self.theta, planes), None)
        };
        self.forward_pass = Some(ForwardPass { planes: planes.to_vec(), logits });
        outputs
    }

    /// Sets the gradient to the sum over the micro-batches, in their order.
    fn backward(&mut self, gradients: &OutputGradients) -> Result<(), EngineError> {
        let ForwardPass { planes, logits: mut kept } =
            self.forward_pass.take().ok_or(EngineError::NoForwardPass)?;
        check_shape(gradients, &self.model.outputs(planes.len()))?;
        let _ = self.gradient.zero_();
        for positions in self.model.micro_batches(planes.len()) {
            let logits = kept
                .take()
                .unwrap_or_else(|| self.model.logits(&self.theta, &planes[positions.clone()]));
            let product = logits.product(gradients, &positions);
            drop(logits);
            let parts = Tensor::run_backward(&[product], self.theta.tensors(), false, false);
            for (part, tensor) in parts.iter().zip(self.model.architecture().layout.tensors()) {
                // Where the loss does not depend on a tensor, its gradient is not defined.
                if part.defined() {
                    let (start, len) = (tensor.range().start as i64, tensor.len() as i64);
                    let mut sum = self.gradient.narrow(0, start, len);
                    sum += part.reshape(-1);
                }
            }
        }
        Ok(())
    }
}

fn check_shape(gradients: &OutputGradients, outputs: &Outputs) -> Result<(), EngineError> {
    let check = |what, found: usize, expected: usize| match found == expected {
        true => Ok(()),
        false => Err(EngineError::Shape { what, found, expected }),
    };
    check("policy gradient", gradients.policy.len(), outputs.policy.len())?;
    check("value gradient", gradients.value.len(), outputs.value.len())?;
    if gradients.moves_left.is_empty() {
        return Ok(());
    }
    check("moves-left gradient", gradients.moves_left.len(), outputs.moves_left.len())
}

impl Engine for TorchTrainer {
    fn architecture(&self) -> &Arc<Architecture> {
        &self.architecture
    }

    fn evaluate(&self, planes: &[Planes]) -> Outputs {
        self.with_device(|device| device.model.evaluate(&device.theta, planes))
    }
}

impl TrainableEngine for TorchTrainer {
    fn evaluate_average(&self, planes: &[Planes]) -> Outputs {
        self.with_device(|device| device.model.evaluate(&device.average, planes))
    }

    fn forward(&mut self, planes: &[Planes]) -> Outputs {
        self.device_mut().forward(planes)
    }

    fn backward(&mut self, gradients: &OutputGradients) -> Result<&[f32], EngineError> {
        let device = self.device.get_mut().unwrap_or_else(PoisonError::into_inner);
        device.backward(gradients)?;
        copy_out(&device.gradient, &mut self.gradient);
        self.gradient_is_new = true;
        Ok(&self.gradient)
    }

    fn update(&mut self, optimiser: &AdamW, rates: &LearningRates) -> Result<(), EngineError> {
        if !self.gradient_is_new {
            return Err(EngineError::NoBackwardPass);
        }
        if !self.with_device(|device| is_finite(&device.gradient)) {
            self.architecture.layout.check_finite(&self.gradient)?;
        }
        self.gradient_is_new = false;
        self.updates += 1;
        let device = self.device.get_mut().unwrap_or_else(PoisonError::into_inner);
        // Its activations are those of other parameters.
        device.forward_pass = None;
        let state = AdamWState {
            parameters: device.theta.flat(),
            first_moment: &device.first_moment,
            second_moment: &device.second_moment,
        };
        adamw(&self.parts, optimiser, rates, self.updates, &state, &device.gradient);
        Ok(())
    }

    fn average(&mut self, decay: f64) {
        let device = self.device_mut();
        move_average(device.average.flat(), decay, device.theta.flat());
    }

    fn state_vector(&self, vector: StateVector) -> Cow<'_, [f32]> {
        self.with_device(|device| {
            Cow::Owned(to_vec(match vector {
                StateVector::Parameters => device.theta.flat(),
                StateVector::Average => device.average.flat(),
                StateVector::FirstMoment => &device.first_moment,
                StateVector::SecondMoment => &device.second_moment,
            }))
        })
    }

    fn updates(&self) -> u64 {
        self.updates
    }

    fn restore(&mut self, state: &TrainingState) -> Result<(), EngineError> {
        state.check(&self.architecture.layout)?;
        let device = self.device_mut();
        device.forward_pass = None;
        device.theta.set(&state.parameters);
        device.average.set(&state.average);
        device.first_moment.copy_(&Tensor::from_slice(&state.first_moment));
        device.second_moment.copy_(&Tensor::from_slice(&state.second_moment));
        self.updates = state.updates;
        self.gradient_is_new = false;
        Ok(())
    }
}
