//! Networks in libtorch.

use std::num::NonZeroUsize;
use std::sync::Arc;

use anyhow::Context;
use network::{Engine, Network, TrainableEngine};
use torch::{Device, Options, TorchEngine, TorchTrainer};

use super::{DeviceArguments, LibtorchDevice, Precision};

pub(super) fn engine(
    network: Network,
    device: LibtorchDevice,
    arguments: DeviceArguments,
) -> anyhow::Result<Arc<dyn Engine>> {
    let engine = TorchEngine::new(network, &options(device, arguments));
    Ok(Arc::new(engine.with_context(|| format!("device {}", arguments.device))?))
}

pub(super) fn trainer(
    network: Network,
    device: LibtorchDevice,
    arguments: DeviceArguments,
) -> anyhow::Result<Box<dyn TrainableEngine>> {
    let trainer = TorchTrainer::new(network, &options(device, arguments));
    Ok(Box::new(trainer.with_context(|| format!("device {}", arguments.device))?))
}

fn options(device: LibtorchDevice, arguments: DeviceArguments) -> Options {
    // As many as compute everything else: those of --threads.
    let threads = NonZeroUsize::new(rayon::current_num_threads());
    torch::set_threads(threads.unwrap_or(NonZeroUsize::MIN));
    let default = Options::default();
    Options {
        device: match device {
            LibtorchDevice::Cpu => Device::Cpu,
            LibtorchDevice::Cuda(index) => Device::Cuda(index),
        },
        precision: match arguments.precision {
            None => default.precision,
            Some(Precision::F32) => torch::Precision::F32,
            Some(Precision::Tf32) => torch::Precision::Tf32,
            Some(Precision::Bf16) => torch::Precision::Bf16,
        },
        micro_batch: arguments.micro_batch.unwrap_or(default.micro_batch),
    }
}
