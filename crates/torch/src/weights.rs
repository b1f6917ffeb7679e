//! One flat parameter vector on the device, and the tensors in it.

use network::{Layout, TensorId};
use tch::{Device, Kind, Tensor, no_grad};

/// Whether autograd follows the tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tracking {
    Off,
    On,
}

/// The parameters of a network. The tensors share the vector's memory, so that optimiser and
/// average see one vector and layers see tensors.
pub(crate) struct Weights {
    flat: Tensor,
    tensors: Vec<Tensor>,
    /// Place of each tensor in the vector, ascending.
    starts: Vec<usize>,
}

impl Weights {
    pub(crate) fn new(layout: &Layout, values: &[f32], device: Device, tracking: Tracking) -> Self {
        let flat = Tensor::from_slice(values).to_device(device);
        let tensor = |info: &network::TensorInfo| {
            let shape: Vec<i64> = info.shape.iter().map(|&size| size as i64).collect();
            let view =
                flat.narrow(0, info.range().start as i64, info.len() as i64).view(&shape[..]);
            // Detached, it is a leaf of the graph in the same memory: the gradient of a view of
            // the whole vector would have the whole vector's size, for each tensor.
            view.detach().set_requires_grad(tracking == Tracking::On)
        };
        let tensors = layout.tensors().iter().map(tensor).collect();
        let starts = layout.tensors().iter().map(|info| info.range().start).collect();
        Self { flat, tensors, starts }
    }

    /// All tensors in the order of the layout.
    pub(crate) fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }

    /// One tensor, in the shape of the layout.
    pub(crate) fn tensor(&self, layout: &Layout, id: TensorId) -> &Tensor {
        let found = self.starts.binary_search(&layout.range(id).start);
        &self.tensors[found.expect("a tensor of the layout")]
    }

    /// The whole vector.
    pub(crate) fn flat(&self) -> &Tensor {
        &self.flat
    }

    /// Takes other values over.
    pub(crate) fn set(&mut self, values: &[f32]) {
        no_grad(|| self.flat.copy_(&Tensor::from_slice(values)));
    }
}

/// The elements of a tensor of 32-bit floats.
pub(crate) fn copy_out(tensor: &Tensor, values: &mut [f32]) {
    debug_assert_eq!(tensor.kind(), Kind::Float);
    assert_eq!(tensor.numel(), values.len(), "elements of a tensor");
    tensor.to_device(Device::Cpu).contiguous().copy_data(values, values.len());
}

/// As [`copy_out`], into a new vector.
pub(crate) fn to_vec(tensor: &Tensor) -> Vec<f32> {
    let mut values = vec![0.0; tensor.numel()];
    copy_out(tensor, &mut values);
    values
}
