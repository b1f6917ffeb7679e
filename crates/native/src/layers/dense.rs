//! `y = activation(W x + b)`, applied to every row.

use std::ops::Range;

use network::Activation;

use super::{Gradient, Pass, Purpose, Source};
use crate::kernels::{
    self, Add, Epilogue, MatrixMut, MatrixRef, PackedMatrix, Save, matmul, multiply_assign,
    softmax, softmax_backward,
};
use crate::pool::Buffer;

/// A dense layer with its weights packed for products.
pub(crate) struct Dense {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    activation: Activation,
    /// `W^T`: `y = x W^T`.
    forward: PackedMatrix,
    /// `W`: `dx = dv W`; only for training.
    backward: Option<PackedMatrix>,
    bias: Option<Vec<f32>>,
    weight: network::TensorId,
    weight_range: Range<usize>,
    bias_id: Option<network::TensorId>,
    bias_range: Option<Range<usize>>,
}

/// What the gradient of the pre-activations `W x + b` needs beside that of the outputs.
pub(crate) enum DenseTape {
    /// Nothing: without activation they are the same.
    Nothing,
    /// The activation's derivative there.
    Derivative(Buffer),
    /// The output of a softmax.
    Softmax(Buffer),
    /// It was not kept: no backward pass follows.
    Dropped,
}

impl Dense {
    pub(crate) fn new(dense: &network::Dense, source: Source<'_>) -> Self {
        let (outputs, inputs) = (dense.outputs, dense.inputs);
        let weights = MatrixRef::new(source.tensor(dense.weight), outputs, inputs);
        Self {
            inputs,
            outputs,
            activation: dense.activation,
            forward: PackedMatrix::from_output_input(source.arithmetic, weights),
            backward: (source.purpose == Purpose::Training)
                .then(|| PackedMatrix::from_rows(source.arithmetic, weights)),
            bias: dense.bias.map(|bias| source.tensor(bias).to_vec()),
            weight: dense.weight,
            weight_range: source.layout.range(dense.weight),
            bias_id: dense.bias,
            bias_range: dense.bias.map(|bias| source.layout.range(bias)),
        }
    }

    /// Takes changed parameters over.
    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        let weights = MatrixRef::new(source.tensor(self.weight), self.outputs, self.inputs);
        self.forward.repack_output_input(source.set(), weights);
        if let Some(backward) = &mut self.backward {
            backward.repack_rows(source.set(), weights);
        }
        if let (Some(bias), Some(id)) = (&mut self.bias, self.bias_id) {
            bias.copy_from_slice(source.tensor(id));
        }
    }

    /// `x: [rows][inputs]` to `y: [rows][outputs]`.
    pub(crate) fn forward(&self, pass: Pass<'_>, x: &[f32]) -> (Buffer, DenseTape) {
        let rows = x.len() / self.inputs;
        let mut y = pass.pool.take(rows * self.outputs);
        let elementwise = elementwise(self.activation);
        let mut tape = match elementwise {
            Some(kernels::Activation::Identity) => DenseTape::Nothing,
            Some(_) if pass.keep => DenseTape::Derivative(pass.pool.take(rows * self.outputs)),
            _ => DenseTape::Dropped,
        };
        let save = match &mut tape {
            DenseTape::Derivative(kept) => {
                Save::Derivative(MatrixMut::new(kept, rows, self.outputs))
            }
            _ => Save::Nothing,
        };
        let epilogue = Epilogue {
            bias: self.bias.as_deref(),
            activation: elementwise.unwrap_or_default(),
            save,
            ..Epilogue::default()
        };
        self.product(pass, x, &mut y, epilogue);
        if elementwise.is_none() {
            softmax(pass.set, &mut y, self.outputs);
            if pass.keep {
                tape = DenseTape::Softmax(pass.pool.copy(&y));
            }
        }
        (y, tape)
    }

    /// `residual + scale * (W x + b)`, for layers without activation.
    pub(crate) fn forward_residual(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        residual: &[f32],
        scale: f32,
    ) -> Buffer {
        debug_assert_eq!(self.activation, Activation::Identity);
        let rows = x.len() / self.inputs;
        let mut y = pass.pool.take(rows * self.outputs);
        let epilogue = Epilogue {
            bias: self.bias.as_deref(),
            alpha: scale,
            add: Add::Matrix(MatrixRef::new(residual, rows, self.outputs)),
            ..Epilogue::default()
        };
        self.product(pass, x, &mut y, epilogue);
        y
    }

    fn product(&self, pass: Pass<'_>, x: &[f32], y: &mut [f32], epilogue: Epilogue<'_>) {
        let rows = x.len() / self.inputs;
        let x = MatrixRef::new(x, rows, self.inputs);
        let y = MatrixMut::new(y, rows, self.outputs);
        matmul(pass.set, x, &self.forward, y, epilogue);
    }

    /// From `dy` to `dx`; `dy` becomes `dv`, the gradient of the pre-activations.
    ///
    /// `v = W x + b`, so `dW = dv^T x`, `db = sum over rows of dv`, `dx = dv W`.
    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        tape: &DenseTape,
        dy: &mut [f32],
        gradient: &mut Gradient<'_>,
    ) -> Buffer {
        let mut dx = pass.pool.take(x.len());
        self.backward_parameters(pass, x, tape, dy, gradient);
        self.product_with_weights(pass, dy, &mut dx, Epilogue::default());
        dx
    }

    /// As [`backward`](Self::backward), for a layer without activation whose `x` is the output of
    /// another: where that one's `tape` is a derivative, `dx` is multiplied by it on its way out, so
    /// that it is the gradient of that layer's pre-activations, of which nothing is left to do.
    pub(crate) fn backward_through(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        tape: DenseTape,
        dy: &mut [f32],
        gradient: &mut Gradient<'_>,
    ) -> (Buffer, DenseTape) {
        let mut dx = pass.pool.take(x.len());
        self.backward_parameters(pass, x, &DenseTape::Nothing, dy, gradient);
        let DenseTape::Derivative(derivative) = tape else {
            self.product_with_weights(pass, dy, &mut dx, Epilogue::default());
            return (dx, tape);
        };
        let multiply = Some(MatrixRef::new(&derivative, x.len() / self.inputs, self.inputs));
        self.product_with_weights(pass, dy, &mut dx, Epilogue { multiply, ..Epilogue::default() });
        (dx, DenseTape::Nothing)
    }

    /// As [`backward`](Self::backward), adding to `dx`.
    pub(crate) fn backward_adding(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        tape: &DenseTape,
        dy: &mut [f32],
        dx: &mut [f32],
        gradient: &mut Gradient<'_>,
    ) {
        self.backward_parameters(pass, x, tape, dy, gradient);
        self.product_with_weights(
            pass,
            dy,
            dx,
            Epilogue { add: Add::Output, ..Epilogue::default() },
        );
    }

    /// As [`backward`](Self::backward) where nothing needs `dx`, as in the first layer.
    pub(crate) fn backward_parameters(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        tape: &DenseTape,
        dy: &mut [f32],
        gradient: &mut Gradient<'_>,
    ) {
        let rows = x.len() / self.inputs;
        match tape {
            DenseTape::Nothing => {}
            DenseTape::Softmax(y) => softmax_backward(pass.set, y, dy, self.outputs),
            DenseTape::Derivative(derivative) => multiply_assign(pass.set, dy, derivative),
            DenseTape::Dropped => unreachable!("a backward pass follows a forward pass that keeps"),
        }
        let dv = MatrixRef::new(dy, rows, self.outputs);
        let x = MatrixRef::new(x, rows, self.inputs);
        gradient.layer(&self.weight_range, self.bias_range.as_ref()).add(pass.arithmetic, dv, x);
    }

    /// `dv W` through an epilogue.
    fn product_with_weights(
        &self,
        pass: Pass<'_>,
        dv: &[f32],
        dx: &mut [f32],
        epilogue: Epilogue<'_>,
    ) {
        let backward = self.backward.as_ref().expect("layers of a trainable network");
        let rows = dv.len() / self.outputs;
        let dv = MatrixRef::new(dv, rows, self.outputs);
        let dx = MatrixMut::new(dx, rows, self.inputs);
        matmul(pass.set, dv, backward, dx, epilogue);
    }
}

/// The kernels' name of an activation that works on each element by itself.
pub(super) fn elementwise(activation: Activation) -> Option<kernels::Activation> {
    Some(match activation {
        Activation::Identity => kernels::Activation::Identity,
        Activation::Relu => kernels::Activation::Relu,
        Activation::ReluSquared => kernels::Activation::ReluSquared,
        Activation::Mish => kernels::Activation::Mish,
        Activation::Swish => kernels::Activation::Swish,
        Activation::Sigmoid => kernels::Activation::Sigmoid,
        Activation::Tanh => kernels::Activation::Tanh,
        Activation::Selu => kernels::Activation::Selu,
        Activation::Softmax => return None,
    })
}
