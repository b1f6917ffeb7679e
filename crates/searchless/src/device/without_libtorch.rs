//! What stands in for libtorch where the program was built without it: a word on how to build it.

use std::sync::Arc;

use anyhow::anyhow;
use network::{Engine, Network, TrainableEngine};

use super::{DeviceArguments, LibtorchDevice};

pub(super) fn engine(
    _network: Network,
    _device: LibtorchDevice,
    arguments: DeviceArguments,
) -> anyhow::Result<Arc<dyn Engine>> {
    Err(unavailable(arguments))
}

pub(super) fn trainer(
    _network: Network,
    _device: LibtorchDevice,
    arguments: DeviceArguments,
) -> anyhow::Result<Box<dyn TrainableEngine>> {
    Err(unavailable(arguments))
}

fn unavailable(arguments: DeviceArguments) -> anyhow::Error {
    anyhow!(
        "device {} needs libtorch, which this program was built without; to build it with the \
         PyTorch 2.11 that is installed: LIBTORCH_USE_PYTORCH=1 cargo build --release -p \
         searchless --features torch (see docs/gpu.md)",
        arguments.device
    )
}
