//! Convolution over the board, as a dense layer over each square's neighbourhood.

use super::dense::{Dense, DenseTape};
use super::{Gradient, Pass, Source};
use crate::kernels::{col2im, im2col};
use crate::pool::Buffer;

pub(crate) struct Convolution {
    inputs: usize,
    kernel: usize,
    dense: Dense,
}

pub(crate) struct ConvolutionTape {
    dense: DenseTape,
}

impl Convolution {
    pub(crate) fn new(convolution: &network::Convolution, source: Source<'_>) -> Self {
        let dense = network::Dense {
            inputs: convolution.kernel * convolution.kernel * convolution.inputs,
            outputs: convolution.outputs,
            weight: convolution.weight,
            bias: Some(convolution.bias),
            activation: convolution.activation,
        };
        let (inputs, kernel) = (convolution.inputs, convolution.kernel);
        Self { inputs, kernel, dense: Dense::new(&dense, source) }
    }

    pub(crate) fn outputs(&self) -> usize {
        self.dense.outputs
    }

    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        self.dense.refresh(source);
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

    /// `x: [rows][inputs]` to `[rows][outputs]`.
    pub(crate) fn forward(&self, pass: Pass<'_>, x: &[f32]) -> (Buffer, ConvolutionTape) {
        let columns = self.columns(pass, x);
        let (y, dense) = self.dense.forward(pass, columns.as_deref().unwrap_or(x));
        (y, ConvolutionTape { dense })
    }

    /// From `dy` to `dx`. The columns are nine times as large as `x`, so they are made again
    /// rather than kept.
    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        tape: &ConvolutionTape,
        dy: &mut [f32],
        gradient: &mut Gradient<'_>,
    ) -> Buffer {
        let Some(columns) = self.columns(pass, x) else {
            return self.dense.backward(pass, x, &tape.dense, dy, gradient);
        };
        let dcolumns = self.dense.backward(pass, &columns, &tape.dense, dy, gradient);
        let mut dx = pass.pool.take(x.len());
        col2im(pass.set, &dcolumns, self.inputs, &mut dx);
        dx
    }

    /// As [`backward`](Self::backward) where nothing needs `dx`.
    pub(crate) fn backward_parameters(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        tape: &ConvolutionTape,
        dy: &mut [f32],
        gradient: &mut Gradient<'_>,
    ) {
        let columns = self.columns(pass, x);
        let x = columns.as_deref().unwrap_or(x);
        self.dense.backward_parameters(pass, x, &tape.dense, dy, gradient);
    }
}
