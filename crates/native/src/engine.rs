use std::sync::Arc;

use chess::Planes;
use network::{Architecture, Engine, Network, Outputs};

use crate::kernels::{Arithmetic, InstructionSet, Precision};
use crate::layers::Purpose;
use crate::model::Model;
use crate::pool::Pool;

/// A network on the CPU, for inference.
///
/// Chunks of a batch are spread over the threads of the current rayon pool.
pub struct NativeEngine {
    architecture: Arc<Architecture>,
    model: Model,
    pool: Pool,
}

impl NativeEngine {
    /// Packs the weights; only the packed form is kept.
    pub fn new(network: Network) -> Self {
        Self::with_precision(network, Precision::default())
    }

    /// As [`new`](Self::new), with products of a precision, computed as fast as the processor can.
    pub fn with_precision(network: Network, precision: Precision) -> Self {
        Self::with_arithmetic(network, Arithmetic::detect(precision))
    }

    /// As [`new`](Self::new), computing with `set`. All sets give the same bits.
    pub fn with_instruction_set(network: Network, set: InstructionSet) -> Self {
        Self::with_arithmetic(network, set.into())
    }

    /// As [`new`](Self::new), computing with `arithmetic`.
    pub fn with_arithmetic(network: Network, arithmetic: Arithmetic) -> Self {
        let (architecture, parameters) = (&network.architecture, &network.parameters);
        let model = Model::new(architecture, parameters, Purpose::Inference, arithmetic);
        let architecture = Arc::new(network.architecture);
        Self { architecture, model, pool: Pool::default() }
    }
}

impl Engine for NativeEngine {
    fn architecture(&self) -> &Arc<Architecture> {
        &self.architecture
    }

    fn evaluate(&self, planes: &[Planes]) -> Outputs {
        self.model.evaluate(&self.pool, planes)
    }
}
