use std::sync::{Arc, Mutex, PoisonError};

use chess::Planes;
use network::{Architecture, Engine, Network, Outputs};

use crate::model::Model;
use crate::options::{Options, TorchError};
use crate::weights::{Tracking, Weights};

/// A network in libtorch, for inference.
///
/// One evaluation runs at a time; libtorch spreads it over its threads or the GPU.
///
/// # Panics
///
/// Evaluation panics with libtorch's message where libtorch fails, as when the device's memory is
/// exhausted; a smaller [`Options::micro_batch`] needs less.
pub struct TorchEngine {
    architecture: Arc<Architecture>,
    // Behind a lock: tensors may move between threads, but not be shared by them.
    network: Mutex<(Model, Weights)>,
}

impl TorchEngine {
    /// Copies the weights to the device.
    ///
    /// # Errors
    ///
    /// Where the device is not there or does not compute in the precision.
    pub fn new(network: Network, options: &Options) -> Result<Self, TorchError> {
        let architecture = Arc::new(network.architecture);
        let model = Model::new(Arc::clone(&architecture), options)?;
        let weights = model.weights(&network.parameters, Tracking::Off);
        Ok(Self { architecture, network: Mutex::new((model, weights)) })
    }
}

impl Engine for TorchEngine {
    fn architecture(&self) -> &Arc<Architecture> {
        &self.architecture
    }

    fn evaluate(&self, planes: &[Planes]) -> Outputs {
        // An evaluation that panicked has changed nothing.
        let network = self.network.lock().unwrap_or_else(PoisonError::into_inner);
        let (model, weights) = &*network;
        model.evaluate(weights, planes)
    }
}
