//! Where backward passes leave the gradient.

use std::collections::HashSet;
use std::ops::Range;

use network::Layout;

use crate::kernels::{Arithmetic, MatrixMut, MatrixRef, Start, matmul_transposed_left};

/// The flat gradient vector that backward passes add to.
///
/// It holds anything before: a tensor is set to zero when it is first asked for, or not even then
/// where a product overwrites it. Clearing all of it at the beginning and reading the zeros again
/// took a twentieth of a training step.
pub(crate) struct Gradient<'a> {
    flat: &'a mut [f32],
    /// The tensors that hold the gradient so far, by their ends.
    begun: HashSet<(usize, usize)>,
}

/// A layer's weights and biases in the gradient.
pub(crate) struct LayerGradient<'a> {
    weights: &'a mut [f32],
    start: Start,
    biases: Option<&'a mut [f32]>,
}

impl<'a> Gradient<'a> {
    pub(crate) fn new(flat: &'a mut [f32]) -> Self {
        Self { flat, begun: HashSet::new() }
    }

    /// Whether this is the first time that a tensor is asked for.
    fn begins(&mut self, range: &Range<usize>) -> bool {
        self.begun.insert((range.start, range.end))
    }

    pub(super) fn tensor(&mut self, range: &Range<usize>) -> &mut [f32] {
        if self.begins(range) {
            self.flat[range.clone()].fill(0.0);
        }
        &mut self.flat[range.clone()]
    }

    /// Two tensors, the first standing before the second in the layout.
    pub(super) fn pair(
        &mut self,
        first: &Range<usize>,
        second: &Range<usize>,
    ) -> (&mut [f32], &mut [f32]) {
        self.tensor(first);
        self.tensor(second);
        self.split(first, second)
    }

    fn split(&mut self, first: &Range<usize>, second: &Range<usize>) -> (&mut [f32], &mut [f32]) {
        let (low, high) = self.flat.split_at_mut(second.start);
        (&mut low[first.clone()], &mut high[..second.len()])
    }

    /// A layer's weights, and its biases behind them in the layout.
    pub(super) fn layer(
        &mut self,
        weights: &Range<usize>,
        biases: Option<&Range<usize>>,
    ) -> LayerGradient<'_> {
        let start = if self.begins(weights) { Start::Zero } else { Start::Target };
        match biases {
            None => LayerGradient { weights: &mut self.flat[weights.clone()], start, biases: None },
            Some(biases) => {
                self.tensor(biases);
                let (weights, biases) = self.split(weights, biases);
                LayerGradient { weights, start, biases: Some(biases) }
            }
        }
    }

    /// Sets the tensors to zero that no layer has asked for.
    pub(crate) fn finish(mut self, layout: &Layout) {
        for tensor in layout.tensors() {
            self.tensor(&tensor.range());
        }
    }
}

impl LayerGradient<'_> {
    /// Adds `dy^T x` to the weights and the sum of the rows of `dy` to the biases.
    pub(super) fn add(&mut self, arithmetic: Arithmetic, dy: MatrixRef<'_>, x: MatrixRef<'_>) {
        let weights = MatrixMut::new(self.weights, dy.columns(), x.columns());
        matmul_transposed_left(arithmetic, dy, x, weights, self.start, self.biases.as_deref_mut());
        self.start = Start::Target;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::InstructionSet;

    #[test]
    fn tensors_begin_with_zeros_once() {
        let mut flat = [f32::NAN; 8];
        let (weights, biases) = (0..4, 4..6);
        let set = InstructionSet::detect();
        let (dy, x) = ([1.0, 2.0], [3.0, 4.0]);
        let mut gradient = Gradient::new(&mut flat);
        for passes in 1..3 {
            let mut layer = gradient.layer(&weights, Some(&biases));
            layer.add(set.into(), MatrixRef::new(&dy, 1, 2), MatrixRef::new(&x, 1, 2));
            let times = passes as f32;
            assert_eq!(gradient.tensor(&weights), [3.0, 4.0, 6.0, 8.0].map(|x| times * x));
            assert_eq!(gradient.tensor(&biases), [times, 2.0 * times]);
        }
        let (first, second) = gradient.pair(&(4..6), &(6..7));
        (first[0], second[0]) = (5.0, second[0] + 1.0);
        assert_eq!(gradient.tensor(&(7..8)), [0.0]);
        assert_eq!(flat, [6.0, 8.0, 12.0, 16.0, 5.0, 4.0, 1.0, 0.0]);
    }
}
