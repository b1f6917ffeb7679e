//! Queries, keys and values of all heads in one product.

use std::ops::Range;

use super::{Gradient, Pass, Purpose, Source};
use crate::kernels::{
    Add, Epilogue, MatrixMut, MatrixRef, PackedMatrix, matmul, matmul_transposed_left,
};
use crate::pool::Buffer;

/// Parts of a row: query, key, value.
pub(super) const PARTS: usize = 3;

/// Three dense layers of the same input, their outputs side by side in each row.
pub(crate) struct Projection {
    pub(super) inputs: usize,
    /// Outputs of each of the three.
    pub(super) width: usize,
    forward: PackedMatrix,
    backward: Option<PackedMatrix>,
    bias: Vec<f32>,
    weights: [network::TensorId; PARTS],
    biases: [network::TensorId; PARTS],
    ranges: [(Range<usize>, Range<usize>); PARTS],
}

impl Projection {
    pub(crate) fn new(attention: &network::Attention, source: Source<'_>) -> Self {
        let layers = [&attention.query, &attention.key, &attention.value];
        let (inputs, width) = (attention.query.inputs, attention.query.outputs);
        let weights = layers.map(|layer| layer.weight);
        let biases = layers.map(|layer| layer.bias.expect("projections have a bias"));
        let joined = joined(source, weights);
        let matrix = MatrixRef::new(&joined, PARTS * width, inputs);
        Self {
            inputs,
            width,
            forward: PackedMatrix::from_output_input(source.arithmetic, matrix),
            backward: (source.purpose == Purpose::Training)
                .then(|| PackedMatrix::from_rows(source.arithmetic, matrix)),
            bias: self::joined(source, biases),
            weights,
            biases,
            ranges: [0, 1, 2].map(|part| {
                (source.layout.range(weights[part]), source.layout.range(biases[part]))
            }),
        }
    }

    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        let joined = joined(source, self.weights);
        let matrix = MatrixRef::new(&joined, PARTS * self.width, self.inputs);
        self.forward.repack_output_input(source.set(), matrix);
        if let Some(backward) = &mut self.backward {
            backward.repack_rows(source.set(), matrix);
        }
        self.bias = self::joined(source, self.biases);
    }

    /// `x: [rows][inputs]` to `[rows][query, key, value]`.
    pub(crate) fn forward(&self, pass: Pass<'_>, x: &[f32]) -> Buffer {
        let (rows, outputs) = (x.len() / self.inputs, PARTS * self.width);
        let mut y = pass.pool.take(rows * outputs);
        let epilogue = Epilogue { bias: Some(&self.bias), ..Epilogue::default() };
        let x = MatrixRef::new(x, rows, self.inputs);
        matmul(pass.set, x, &self.forward, MatrixMut::new(&mut y, rows, outputs), epilogue);
        y
    }

    /// Adds to `dx`.
    pub(crate) fn backward_adding(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        dy: &[f32],
        dx: &mut [f32],
        gradient: &mut Gradient<'_>,
    ) {
        let (rows, outputs) = (x.len() / self.inputs, PARTS * self.width);
        let x = MatrixRef::new(x, rows, self.inputs);
        for (part, (weight, bias)) in self.ranges.iter().enumerate() {
            let dy = MatrixRef::strided(&dy[part * self.width..], rows, self.width, outputs);
            let (weight, bias) = gradient.pair(weight, bias);
            let weight = MatrixMut::new(weight, self.width, self.inputs);
            matmul_transposed_left(pass.arithmetic, dy, x, weight, Some(bias));
        }
        let backward = self.backward.as_ref().expect("layers of a trainable network");
        let epilogue = Epilogue { add: Add::Output, ..Epilogue::default() };
        let dy = MatrixRef::new(dy, rows, outputs);
        matmul(pass.set, dy, backward, MatrixMut::new(dx, rows, self.inputs), epilogue);
    }
}

/// The three tensors, one after another.
fn joined(source: Source<'_>, tensors: [network::TensorId; PARTS]) -> Vec<f32> {
    tensors.into_iter().flat_map(|tensor| source.tensor(tensor)).copied().collect()
}
