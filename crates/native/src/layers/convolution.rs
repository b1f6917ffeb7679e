//! Convolution over the board: `y = activation(sum over the kernel's elements of W x + b)`.

use std::ops::Range;

use network::SQUARES;

use super::dense::elementwise;
use super::{Gradient, Pass, Purpose, Source};
use crate::kernels::{
    Activation, Add, Epilogue, MatrixMut, MatrixRef, PackedMatrix, Precision, Save, Tiling,
    WinogradWeights, col2im, im2col, matmul, multiply_assign, winograd, winograd_scratch,
};
use crate::pool::Buffer;

pub(crate) struct Convolution {
    inputs: usize,
    outputs: usize,
    kernel: usize,
    activation: Activation,
    weights: Weights,
    bias: Vec<f32>,
    weight_id: network::TensorId,
    bias_id: network::TensorId,
    weight_range: Range<usize>,
    bias_range: Range<usize>,
}

/// What takes inputs to outputs and, for training, gradients of outputs to those of inputs.
enum Weights {
    /// Of a product with each square's neighbourhood: for a kernel of 1 x 1, where that is the
    /// square alone, and in bfloat16, which would round Winograd's differences rather than `x`.
    Neighbourhood {
        forward: PackedMatrix,
        backward: Option<PackedMatrix>,
    },
    Winograd {
        forward: WinogradWeights,
        backward: Option<WinogradWeights>,
    },
}

pub(crate) struct ConvolutionTape {
    /// The activation's derivative; `None` where it is 1.
    derivative: Option<Buffer>,
}

/// Bytes of neighbourhoods that are collected at a time for the weights' gradient, so that they
/// stay in the second-level cache.
const COLUMN_BYTES: usize = 256 << 10;

impl Convolution {
    pub(crate) fn new(convolution: &network::Convolution, source: Source<'_>) -> Self {
        let activation = elementwise(convolution.activation)
            .expect("a convolution's activation is the identity, ReLU or mish");
        Self::with_activation(convolution, activation, source)
    }

    /// With another activation than its own, for sums that go through one later.
    pub(crate) fn with_activation(
        convolution: &network::Convolution,
        activation: Activation,
        source: Source<'_>,
    ) -> Self {
        let &network::Convolution { inputs, outputs, kernel, weight, bias, .. } = convolution;
        let (set, weights) = (source.set(), source.tensor(weight));
        let training = source.purpose == Purpose::Training;
        let weights = if kernel == 3 && source.arithmetic.precision() == Precision::Float32 {
            let (tiling, shape) = (Tiling::of(inputs, outputs), (outputs, inputs));
            Weights::Winograd {
                forward: WinogradWeights::forward(set, tiling, weights, shape),
                backward: training.then(|| WinogradWeights::backward(set, tiling, weights, shape)),
            }
        } else {
            let weights = MatrixRef::new(weights, outputs, kernel * kernel * inputs);
            let arithmetic = source.arithmetic;
            Weights::Neighbourhood {
                forward: PackedMatrix::from_output_input(arithmetic, weights),
                backward: training.then(|| PackedMatrix::from_rows(arithmetic, weights)),
            }
        };
        Self {
            inputs,
            outputs,
            kernel,
            activation,
            weights,
            bias: source.tensor(bias).to_vec(),
            weight_id: weight,
            bias_id: bias,
            weight_range: source.layout.range(weight),
            bias_range: source.layout.range(bias),
        }
    }

    pub(crate) fn outputs(&self) -> usize {
        self.outputs
    }

    /// Numbers in a square's neighbourhood.
    fn depth(&self) -> usize {
        self.kernel * self.kernel * self.inputs
    }

    /// Takes changed parameters over.
    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        let (set, weights) = (source.set(), source.tensor(self.weight_id));
        let matrix = MatrixRef::new(weights, self.outputs, self.depth());
        match &mut self.weights {
            Weights::Neighbourhood { forward, backward } => {
                forward.repack_output_input(set, matrix);
                if let Some(backward) = backward {
                    backward.repack_rows(set, matrix);
                }
            }
            Weights::Winograd { forward, backward } => {
                forward.replace(set, weights);
                if let Some(backward) = backward {
                    backward.replace(set, weights);
                }
            }
        }
        self.bias.copy_from_slice(source.tensor(self.bias_id));
    }

    /// `x: [rows][inputs]`, and where given `residual: [rows][outputs]`, which is added before the
    /// activation, to `[rows][outputs]`.
    pub(crate) fn forward(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        residual: Option<&[f32]>,
    ) -> (Buffer, ConvolutionTape) {
        let rows = x.len() / self.inputs;
        let mut y = pass.pool.take(rows * self.outputs);
        let mut derivative =
            (pass.keep && self.activation != Activation::Identity).then(|| pass.pool.take(y.len()));
        let epilogue = Epilogue {
            bias: Some(&self.bias),
            add: residual.map_or(Add::Nothing, |residual| {
                Add::Matrix(MatrixRef::new(residual, rows, self.outputs))
            }),
            save: derivative.as_mut().map_or(Save::Nothing, |derivative| {
                Save::Derivative(MatrixMut::new(derivative, rows, self.outputs))
            }),
            activation: self.activation,
            ..Epilogue::default()
        };
        let out = MatrixMut::new(&mut y, rows, self.outputs);
        match &self.weights {
            Weights::Neighbourhood { forward, .. } => {
                let columns = self.columns(pass, x);
                let x = MatrixRef::new(columns.as_deref().unwrap_or(x), rows, self.depth());
                matmul(pass.set, x, forward, out, epilogue);
            }
            Weights::Winograd { forward, .. } => {
                let mut scratch = pass.pool.take(winograd_scratch(forward, rows / SQUARES));
                winograd(pass.set, x, forward, &mut scratch, out, epilogue);
            }
        }
        (y, ConvolutionTape { derivative })
    }

    /// From `dy` to `dx`; `dy` becomes `dv`, the gradient of the pre-activations, and so that of
    /// the residual.
    ///
    /// Input and output of square `s` and kernel's element `t` are at `x[s + t]` and `v[s]`, so
    /// `dx[s] = sum over t of W[t]^T dv[s - t]`: a convolution with the kernel turned round.
    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        tape: &ConvolutionTape,
        dy: &mut [f32],
        gradient: &mut Gradient<'_>,
    ) -> Buffer {
        self.backward_parameters(pass, x, tape, dy, gradient);
        let rows = x.len() / self.inputs;
        let mut dx = pass.pool.take(x.len());
        let dv = MatrixRef::new(dy, rows, self.outputs);
        let epilogue = Epilogue::default();
        match &self.weights {
            Weights::Neighbourhood { backward, .. } => {
                let backward = backward.as_ref().expect("layers of a trainable network");
                if self.kernel == 1 {
                    let dx = MatrixMut::new(&mut dx, rows, self.inputs);
                    matmul(pass.set, dv, backward, dx, epilogue);
                } else {
                    let mut dcolumns = pass.pool.take(rows * self.depth());
                    let view = MatrixMut::new(&mut dcolumns, rows, self.depth());
                    matmul(pass.set, dv, backward, view, epilogue);
                    col2im(pass.set, &dcolumns, self.inputs, &mut dx);
                }
            }
            Weights::Winograd { backward, .. } => {
                let backward = backward.as_ref().expect("layers of a trainable network");
                let mut scratch = pass.pool.take(winograd_scratch(backward, rows / SQUARES));
                let dx = MatrixMut::new(&mut dx, rows, self.inputs);
                winograd(pass.set, dy, backward, &mut scratch, dx, epilogue);
            }
        }
        dx
    }

    /// As [`backward`](Self::backward) where nothing needs `dx`.
    ///
    /// `dW = dv^T columns`. The columns are nine times as large as `x`, so they are made again
    /// rather than kept, some boards at a time.
    pub(crate) fn backward_parameters(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        tape: &ConvolutionTape,
        dy: &mut [f32],
        gradient: &mut Gradient<'_>,
    ) {
        if let Some(derivative) = &tape.derivative {
            multiply_assign(pass.set, dy, derivative);
        }
        let mut target = gradient.layer(&self.weight_range, Some(&self.bias_range));
        let boards = COLUMN_BYTES / (SQUARES * self.depth() * size_of::<f32>());
        let rows = SQUARES * boards.max(1);
        for (x, dv) in x.chunks(rows * self.inputs).zip(dy.chunks(rows * self.outputs)) {
            let rows = x.len() / self.inputs;
            let columns = self.columns(pass, x);
            let x = MatrixRef::new(columns.as_deref().unwrap_or(x), rows, self.depth());
            let dv = MatrixRef::new(dv, rows, self.outputs);
            target.add(pass.arithmetic, dv, x);
        }
    }

    /// The neighbourhood of each square as a row, `[rows][rank][file][inputs]`; `None` where it is
    /// the square alone.
    fn columns(&self, pass: Pass<'_>, x: &[f32]) -> Option<Buffer> {
        (self.kernel == 3).then(|| {
            let mut columns = pass.pool.take(9 * x.len());
            im2col(x, self.inputs, &mut columns);
            columns
        })
    }
}
