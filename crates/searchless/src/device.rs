//! What computes a network.

#[cfg(feature = "torch")]
mod libtorch;
#[cfg(not(feature = "torch"))]
#[path = "device/without_libtorch.rs"]
mod libtorch;

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::bail;
use clap::ValueEnum;
use native::{NativeEngine, NativeTrainer};
use network::{Engine, Network, TrainableEngine};

/// What computes, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::Args)]
#[command(next_help_heading = "Computation")]
pub(crate) struct DeviceArguments {
    /// What computes: cpu, cuda:N for a GPU through libtorch, or torch:cpu for libtorch on the CPU
    #[arg(long, value_name = "DEVICE", default_value_t)]
    device: Device,
    /// Number format of matrix products; tf32 is libtorch's alone [default: f32]
    #[arg(long, value_name = "FORMAT")]
    precision: Option<Precision>,
    /// Positions that libtorch computes at once; fewer need less memory [default: 64]
    #[arg(long, value_name = "N")]
    micro_batch: Option<NonZeroUsize>,
}

/// A device by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Device {
    /// The processor, through our own kernels.
    #[default]
    Cpu,
    /// Through libtorch.
    Libtorch(LibtorchDevice),
}

/// What libtorch computes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LibtorchDevice {
    /// The processor.
    Cpu,
    /// The GPU of this index.
    Cuda(usize),
}

/// Number format of the operands of products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Precision {
    /// 32-bit floats
    F32,
    /// 32-bit floats, rounded to 10 bits of significand for a GPU's tensor cores
    Tf32,
    /// bfloat16, with sums in 32-bit floats
    Bf16,
}

impl DeviceArguments {
    /// Makes `network` ready to be evaluated.
    pub(crate) fn engine(self, network: Network) -> anyhow::Result<Arc<dyn Engine>> {
        match self.device {
            Device::Cpu => Ok(Arc::new(NativeEngine::with_precision(network, self.native()?))),
            Device::Libtorch(device) => libtorch::engine(network, device, self),
        }
    }

    /// Makes `network` ready to be trained.
    pub(crate) fn trainer(self, network: Network) -> anyhow::Result<Box<dyn TrainableEngine>> {
        match self.device {
            Device::Cpu => Ok(Box::new(NativeTrainer::with_precision(network, self.native()?))),
            Device::Libtorch(device) => libtorch::trainer(network, device, self),
        }
    }

    /// The arguments as they were given, as words of a command.
    pub(crate) fn words(self) -> Vec<String> {
        let mut words = Vec::new();
        if self.device != Device::default() {
            words.extend(["--device".to_owned(), self.device.to_string()]);
        }
        if let Some(precision) = self.precision.and_then(|precision| precision.to_possible_value())
        {
            words.extend(["--precision".to_owned(), precision.get_name().to_owned()]);
        }
        if let Some(positions) = self.micro_batch {
            words.extend(["--micro-batch".to_owned(), positions.to_string()]);
        }
        words
    }

    /// The precision of our own kernels.
    fn native(self) -> anyhow::Result<native::Precision> {
        if self.micro_batch.is_some() {
            bail!("--micro-batch is for libtorch; give a --device too, cuda:N or torch:cpu");
        }
        match self.precision {
            None | Some(Precision::F32) => Ok(native::Precision::Float32),
            Some(Precision::Bf16) => Ok(native::Precision::Bfloat16),
            Some(Precision::Tf32) => bail!(
                "--precision tf32 is for libtorch; give a --device too, cuda:N or torch:cpu, or \
                 choose f32 or bf16"
            ),
        }
    }
}

/// For a run's record.
impl fmt::Display for DeviceArguments {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.device)?;
        match self.precision {
            None | Some(Precision::F32) => Ok(()),
            Some(Precision::Tf32) => formatter.write_str(", tf32"),
            Some(Precision::Bf16) => formatter.write_str(", bf16"),
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Device::Cpu => formatter.write_str("cpu"),
            Device::Libtorch(LibtorchDevice::Cpu) => formatter.write_str("torch:cpu"),
            Device::Libtorch(LibtorchDevice::Cuda(index)) => write!(formatter, "cuda:{index}"),
        }
    }
}

impl FromStr for Device {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let index = |index: &str| index.parse().ok().map(LibtorchDevice::Cuda);
        let device = match name {
            "cpu" => return Ok(Device::Cpu),
            "torch:cpu" => Some(LibtorchDevice::Cpu),
            "cuda" => Some(LibtorchDevice::Cuda(0)),
            _ => name.strip_prefix("cuda:").and_then(index),
        };
        device
            .map(Device::Libtorch)
            .ok_or_else(|| "expected cpu, cuda, cuda:N with a whole number N, or torch:cpu".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_said_as_they_were_given() {
        let check = |device: &str, precision, micro_batch, expected: &str| {
            let device = device.parse().expect("a device");
            let micro_batch = NonZeroUsize::new(micro_batch);
            let arguments = DeviceArguments { device, precision, micro_batch };
            assert_eq!(arguments.words().join(" "), expected);
        };
        check("cpu", None, 0, "");
        check("cuda", None, 0, "--device cuda:0");
        let bf16 = Some(Precision::Bf16);
        check("cuda:1", bf16, 128, "--device cuda:1 --precision bf16 --micro-batch 128");
    }

    #[test]
    fn devices_are_read_by_name() {
        let check = |name: &str, expected: Option<Device>, written: &str| {
            assert_eq!(name.parse().ok(), expected, "{name}");
            if let Some(device) = expected {
                assert_eq!(device.to_string(), written);
            }
        };
        let cuda = |index| Some(Device::Libtorch(LibtorchDevice::Cuda(index)));
        check("cpu", Some(Device::Cpu), "cpu");
        check("torch:cpu", Some(Device::Libtorch(LibtorchDevice::Cpu)), "torch:cpu");
        check("cuda", cuda(0), "cuda:0");
        check("cuda:0", cuda(0), "cuda:0");
        check("cuda:3", cuda(3), "cuda:3");
        for name in ["", "gpu", "cuda:", "cuda:-1", "cuda:x", "torch", "torch:cuda:0", "CPU"] {
            check(name, None, "");
        }
    }
}
