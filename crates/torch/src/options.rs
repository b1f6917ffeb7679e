//! Where and how libtorch computes.

use std::num::NonZeroUsize;

use tch::{Cuda, Kind};

/// Switches TF32 on in libtorch, for the whole process; it is read once, before the first product.
const TF32_VARIABLE: &str = "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE";

/// What computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Device {
    /// The processor.
    #[default]
    Cpu,
    /// The CUDA GPU of this index, counted from 0.
    Cuda(usize),
}

/// Number format of the operands of products. Parameters, optimiser state, normalisations,
/// softmaxes, the residual stream and the last product of each head are 32-bit floats always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// 32-bit floats.
    #[default]
    F32,
    /// 32-bit floats of which a CUDA GPU's tensor cores read 10 bits of the significand. libtorch
    /// reads from the environment whether it may, so `TORCH_ALLOW_TF32_CUBLAS_OVERRIDE=1` must be
    /// set too.
    Tf32,
    /// bfloat16, with sums of 32 bits.
    Bf16,
}

/// How a network is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Where.
    pub device: Device,
    /// In which numbers.
    pub precision: Precision,
    /// Positions that go through the layers together, which bounds the memory for activations: for
    /// BT4 (LC0_FORMAT section 7) about 90 MB a position in training. Of a larger batch nothing is
    /// kept between forward and backward pass; each micro-batch goes through its forward pass
    /// again.
    pub micro_batch: NonZeroUsize,
}

impl Default for Options {
    fn default() -> Self {
        let micro_batch = NonZeroUsize::new(64).expect("positive");
        Self { device: Device::default(), precision: Precision::default(), micro_batch }
    }
}

/// Why libtorch cannot compute as asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TorchError {
    /// There is no GPU, no driver, or a PyTorch without CUDA.
    #[error(
        "libtorch finds no CUDA device: there is no NVIDIA GPU with a driver, or the PyTorch that \
         this program was built with is one without CUDA"
    )]
    NoCuda,
    /// There is no GPU of that index.
    #[error("there is no CUDA device {index}; libtorch finds {count}, counted from 0")]
    NoSuchDevice {
        /// Index that was asked for.
        index: usize,
        /// Number of devices.
        count: usize,
    },
    /// TF32 is a format of GPUs.
    #[error("TF32 is a number format of CUDA devices, not of the CPU")]
    Tf32OnCpu,
    /// TF32 is asked for, but not allowed by the environment.
    #[error(
        "TF32 is allowed for a whole process: set TORCH_ALLOW_TF32_CUBLAS_OVERRIDE=1 in its \
         environment"
    )]
    Tf32NotAllowed,
    /// Full precision is asked for, but the environment has TF32 on.
    #[error(
        "products of 32-bit floats would be TF32, since TORCH_ALLOW_TF32_CUBLAS_OVERRIDE=1 is set \
         in the environment; unset it, or choose TF32"
    )]
    Tf32Forced,
}

impl Options {
    /// The device, once it is known that it can compute so.
    pub(crate) fn device(&self) -> Result<tch::Device, TorchError> {
        let tf32 = std::env::var(TF32_VARIABLE).is_ok_and(|value| value == "1");
        match (self.device, self.precision) {
            (Device::Cpu, Precision::Tf32) => return Err(TorchError::Tf32OnCpu),
            (Device::Cuda(_), Precision::Tf32) if !tf32 => return Err(TorchError::Tf32NotAllowed),
            (Device::Cuda(_), Precision::F32) if tf32 => return Err(TorchError::Tf32Forced),
            _ => {}
        }
        let Device::Cuda(index) = self.device else { return Ok(tch::Device::Cpu) };
        if !Cuda::is_available() {
            return Err(TorchError::NoCuda);
        }
        let count = usize::try_from(Cuda::device_count()).unwrap_or_default();
        if index >= count {
            return Err(TorchError::NoSuchDevice { index, count });
        }
        Ok(tch::Device::Cuda(index))
    }

    /// Kind of the operands of products.
    pub(crate) fn kind(&self) -> Kind {
        match self.precision {
            Precision::F32 | Precision::Tf32 => Kind::Float,
            Precision::Bf16 => Kind::BFloat16,
        }
    }
}

/// Sets the number of threads that libtorch computes with on the CPU, for the whole process.
pub fn set_threads(threads: NonZeroUsize) {
    tch::set_num_threads(i32::try_from(threads.get()).unwrap_or(i32::MAX));
}
