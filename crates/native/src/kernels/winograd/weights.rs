use super::tiling::{Four, Points, Two};
use super::{InstructionSet, PanelRow, SIDE};
use crate::kernels::packed::Panels;
use crate::kernels::{MatrixRef, PackedMatrix};
use crate::simd::{Kernel, Simd};

/// Elements of the convolution's kernel.
const TAPS: usize = 9;

/// Products of input and output channels from which on the tiles are small.
const LARGE: usize = 128 * 128;

/// How the board is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tiling {
    /// Tiles of 2 x 2 squares, F(2 x 2, 3 x 3): 2.25 times fewer multiplications than the
    /// definition, 1.8 times its weights.
    Two,
    /// Tiles of 4 x 4 squares, F(4 x 4, 3 x 3): 4 times fewer multiplications, 4 times the
    /// weights, and twice the rounding error.
    Four,
}

impl Tiling {
    /// The faster one unless its weights are many: those of wide towers would take four times the
    /// memory of the network, and so much of the bandwidth that little is gained.
    pub fn of(inputs: usize, outputs: usize) -> Self {
        if inputs * outputs <= LARGE { Self::Four } else { Self::Two }
    }

    /// Squares of a tile's side.
    fn side(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Four => 4,
        }
    }

    /// Tiles of a board.
    pub(super) fn tiles(self) -> usize {
        (SIDE / self.side()).pow(2)
    }

    /// Elements of a tile with what is around it: products of matrices.
    pub(super) fn products(self) -> usize {
        (self.side() + 2).pow(2)
    }

    /// `G`.
    fn points(self) -> &'static [[f64; 3]] {
        match self {
            Self::Two => &Two::WEIGHTS,
            Self::Four => &Four::WEIGHTS,
        }
    }
}

/// Which way a convolution is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    /// From inputs to outputs.
    Forward,
    /// From gradients of outputs to gradients of inputs: the kernel turned by half a circle, its
    /// channels swapped.
    Backward,
}

/// The weights of a convolution of 3 x 3 squares for [`winograd`](super::winograd): `G w G^T` of
/// the kernel `w` of each pair of channels, one packed matrix for each of its elements.
#[derive(Clone, Debug)]
pub struct WinogradWeights {
    tiling: Tiling,
    direction: Direction,
    products: Vec<PackedMatrix>,
}

impl WinogradWeights {
    /// From weights `[outputs][rank][file][inputs]`.
    ///
    /// # Panics
    ///
    /// If there are not `9 * inputs * outputs` weights, or none.
    pub fn forward(
        set: InstructionSet,
        tiling: Tiling,
        weights: &[f32],
        (outputs, inputs): (usize, usize),
    ) -> Self {
        Self::new(set, tiling, weights, (outputs, inputs), Direction::Forward)
    }

    /// The adjoint of [`forward`](Self::forward) with the same weights: takes gradients of the
    /// outputs to gradients of the inputs.
    ///
    /// # Panics
    ///
    /// As `forward`.
    pub fn backward(
        set: InstructionSet,
        tiling: Tiling,
        weights: &[f32],
        (outputs, inputs): (usize, usize),
    ) -> Self {
        Self::new(set, tiling, weights, (outputs, inputs), Direction::Backward)
    }

    fn new(
        set: InstructionSet,
        tiling: Tiling,
        weights: &[f32],
        (outputs, inputs): (usize, usize),
        direction: Direction,
    ) -> Self {
        let (from, to) = match direction {
            Direction::Forward => (inputs, outputs),
            Direction::Backward => (outputs, inputs),
        };
        assert!(from > 0 && to > 0, "a convolution from {from} to {to} channels");
        let products = (0..tiling.products()).map(|_| PackedMatrix::zeros(set, from, to)).collect();
        let mut transformed = Self { tiling, direction, products };
        transformed.replace(set, weights);
        transformed
    }

    /// Takes changed weights over.
    ///
    /// # Panics
    ///
    /// If the number of weights differs.
    pub fn replace(&mut self, set: InstructionSet, weights: &[f32]) {
        let (outputs, inputs) = match self.direction {
            Direction::Forward => (self.outputs(), self.inputs()),
            Direction::Backward => (self.inputs(), self.outputs()),
        };
        assert_eq!(weights.len(), outputs * TAPS * inputs, "weights");
        let points = self.tiling.points();
        let mut transformed = vec![0.0; outputs * inputs];
        let pairs = points.iter().flat_map(|rank| points.iter().map(move |file| (rank, file)));
        for (product, (rank, file)) in self.products.iter_mut().zip(pairs) {
            let factors = |tap: usize| rank[tap / 3] * file[tap % 3];
            let mut kernel: [f64; TAPS] = std::array::from_fn(factors);
            if self.direction == Direction::Backward {
                kernel.reverse();
            }
            set.run(Combine { kernel, weights, inputs, transformed: &mut transformed });
            let matrix = MatrixRef::new(&transformed, outputs, inputs);
            match self.direction {
                Direction::Forward => product.repack_output_input(set, matrix),
                Direction::Backward => product.repack_rows(set, matrix),
            }
        }
    }

    /// Channels that a convolution takes.
    pub(super) fn inputs(&self) -> usize {
        self.products[0].depth()
    }

    /// Channels that it gives.
    pub(super) fn outputs(&self) -> usize {
        self.products[0].columns()
    }

    pub(super) fn tiling(&self) -> Tiling {
        self.tiling
    }

    /// The right operand of each product.
    pub(super) fn panels(&self) -> impl Iterator<Item = &[PanelRow]> {
        self.products.iter().map(|product| match product.panels() {
            Panels::Exact(panels) => &panels[..],
            Panels::Rounded(_) | Panels::Pairs(_) => unreachable!("packed from an instruction set"),
        })
    }
}

/// One element of `G w G^T` for every pair of channels: a sum over the kernel's elements, which is
/// rounded to `f32` at the end only.
struct Combine<'a> {
    kernel: [f64; TAPS],
    weights: &'a [f32],
    inputs: usize,
    transformed: &'a mut [f32],
}

impl Kernel for Combine<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) {
        let (inputs, kernel) = (self.inputs, self.kernel);
        let rows = self.transformed.chunks_exact_mut(inputs);
        for (row, weights) in rows.zip(self.weights.chunks_exact(TAPS * inputs)) {
            let mut taps = [weights; TAPS];
            for (tap, weights) in taps.iter_mut().zip(weights.chunks_exact(inputs)) {
                *tap = weights;
            }
            for (input, transformed) in row.iter_mut().enumerate() {
                let mut sum = 0.0;
                for (tap, factor) in taps.iter().zip(kernel) {
                    sum += factor * f64::from(tap[input]);
                }
                *transformed = sum as f32;
            }
        }
    }
}
