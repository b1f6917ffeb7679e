//! Queries, keys and values of all heads in one product.

use std::cell::RefCell;
use std::ops::Range;

use super::{Gradient, Pass, Purpose, Source};
use crate::kernels::{Add, Epilogue, MatrixMut, MatrixRef, PackedMatrix, matmul};
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
        let (forward, backward) = with_joined(source, weights, |joined| {
            let matrix = MatrixRef::new(joined, PARTS * width, inputs);
            let forward = PackedMatrix::from_output_input(source.arithmetic, matrix);
            let backward = (source.purpose == Purpose::Training)
                .then(|| PackedMatrix::from_rows(source.arithmetic, matrix));
            (forward, backward)
        });
        Self {
            inputs,
            width,
            forward,
            backward,
            bias: with_joined(source, biases, <[f32]>::to_vec),
            weights,
            biases,
            ranges: [0, 1, 2].map(|part| {
                (source.layout.range(weights[part]), source.layout.range(biases[part]))
            }),
        }
    }

    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        let Self { forward, backward, bias, .. } = self;
        with_joined(source, self.weights, |joined| {
            let matrix = MatrixRef::new(joined, PARTS * self.width, self.inputs);
            forward.repack_output_input(source.set(), matrix);
            if let Some(backward) = backward {
                backward.repack_rows(source.set(), matrix);
            }
        });
        with_joined(source, self.biases, |joined| bias.copy_from_slice(joined));
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
            gradient.layer(weight, Some(bias)).add(pass.arithmetic, dy, x);
        }
        let backward = self.backward.as_ref().expect("layers of a trainable network");
        let epilogue = Epilogue { add: Add::Output, ..Epilogue::default() };
        let dy = MatrixRef::new(dy, rows, outputs);
        matmul(pass.set, dy, backward, MatrixMut::new(dx, rows, self.inputs), epilogue);
    }
}

/// Runs `work` with the three tensors one after another, in memory that is kept for the thread's next
/// ones: fresh pages for those of all layers took a twentieth of a training step.
fn with_joined<T>(
    source: Source<'_>,
    tensors: [network::TensorId; PARTS],
    work: impl FnOnce(&[f32]) -> T,
) -> T {
    thread_local! {
        static JOINED: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
    }
    JOINED.with_borrow_mut(|joined| {
        joined.clear();
        tensors.iter().for_each(|&tensor| joined.extend_from_slice(source.tensor(tensor)));
        work(joined)
    })
}
