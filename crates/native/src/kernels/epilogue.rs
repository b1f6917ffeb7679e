use std::ops::Range;

use super::activation::{Activation, Function, with_function};
use super::packed::PANEL;
use super::{MatrixMut, MatrixRef};
use crate::simd::{LANES, Lanes, Simd};

/// What is done to the elements of a product before they are stored, in the order of the fields.
///
/// `v = a b; v = v + bias; v = alpha v; v = v + add; (save); v = activation(v); v = v * multiply`
///
/// Each step rounds once.
#[derive(Debug)]
pub struct Epilogue<'a> {
    /// Added to each row.
    pub bias: Option<&'a [f32]>,
    /// Multiplies product and bias.
    pub alpha: f32,
    /// Added after `alpha`: a residual connection, or the gradient so far.
    pub add: Add<'a>,
    /// Kept for the backward pass.
    pub save: Save<'a>,
    /// Applied to each element.
    pub activation: Activation,
    /// Multiplies the result: in a backward pass, the saved derivative of the layer before.
    pub multiply: Option<MatrixRef<'a>>,
}

impl Epilogue<'_> {
    /// Whether there is nothing but a bias and an activation.
    fn is_plain(&self) -> bool {
        self.alpha == 1.0
            && matches!(self.add, Add::Nothing)
            && matches!(self.save, Save::Nothing)
            && self.multiply.is_none()
    }
}

impl Default for Epilogue<'_> {
    /// The product itself.
    fn default() -> Self {
        Self {
            bias: None,
            alpha: 1.0,
            add: Add::Nothing,
            save: Save::Nothing,
            activation: Activation::Identity,
            multiply: None,
        }
    }
}

/// What is added to a product.
#[derive(Clone, Copy, Debug, Default)]
pub enum Add<'a> {
    /// Nothing.
    #[default]
    Nothing,
    /// A matrix of the output's shape.
    Matrix(MatrixRef<'a>),
    /// What the output holds already.
    Output,
}

/// What is kept of a product's elements for the backward pass.
#[derive(Debug, Default)]
pub enum Save<'a> {
    /// Nothing.
    #[default]
    Nothing,
    /// The argument `v` of the activation.
    PreActivation(MatrixMut<'a>),
    /// The activation's derivative there.
    Derivative(MatrixMut<'a>),
}

/// Where a product goes, and through what.
pub(super) struct Output<'a> {
    out: MatrixMut<'a>,
    epilogue: Epilogue<'a>,
}

impl<'a> Output<'a> {
    /// Panics unless all parts have the shape of the product.
    #[track_caller]
    pub(super) fn new(shape: (usize, usize), out: MatrixMut<'a>, epilogue: Epilogue<'a>) -> Self {
        assert_eq!((out.rows(), out.columns()), shape, "output");
        if let Some(bias) = epilogue.bias {
            assert_eq!(bias.len(), shape.1, "bias");
        }
        if let Add::Matrix(add) = &epilogue.add {
            assert_eq!((add.rows(), add.columns()), shape, "addend");
        }
        if let Save::PreActivation(saved) | Save::Derivative(saved) = &epilogue.save {
            assert_eq!((saved.rows(), saved.columns()), shape, "saved values");
        }
        if let Some(multiply) = &epilogue.multiply {
            assert_eq!((multiply.rows(), multiply.columns()), shape, "factor");
        }
        Self { out, epilogue }
    }

    /// The function that [`finish_chunk`](Self::finish_chunk) takes.
    pub(super) fn activation(&self) -> Activation {
        self.epilogue.activation
    }

    /// Takes rows of sums through the epilogue to the output, `width <= PANEL` columns.
    #[inline(always)]
    pub(super) fn finish<S: Simd>(
        &mut self,
        simd: S,
        sums: &[[f32; PANEL]],
        row: usize,
        columns: (usize, usize),
    ) {
        with_function!(self.epilogue.activation, F => {
            self.finish_with::<S, F>(simd, sums, row, columns)
        });
    }

    #[inline(always)]
    fn finish_with<S: Simd, F: Function>(
        &mut self,
        simd: S,
        sums: &[[f32; PANEL]],
        row: usize,
        (column, width): (usize, usize),
    ) {
        let columns = column..column + width;
        if width == PANEL {
            return match self.epilogue.is_plain() {
                true => self.finish_plain::<S, F>(simd, sums, row, column),
                false => self.finish_panel::<S, F>(simd, sums, row, column),
            };
        }
        let Epilogue { bias, alpha, add, save, multiply, .. } = &mut self.epilogue;
        let bias = bias.map(|bias| &bias[columns.clone()]);
        for (row, sums) in (row..).zip(sums) {
            let mut part = Part {
                bias,
                alpha: *alpha,
                add: AddedPart::new(add, row, columns.clone()),
                save: SavedPart::new(save, row, columns.clone()),
                multiply: multiply.as_ref().map(|matrix| matrix.row(row, columns.clone())),
                out: self.out.row_mut(row, columns.clone()),
            };
            for start in (0..width).step_by(LANES) {
                let sums = simd.load_chunk(&sums[start..start + LANES], 0.0);
                part.finish::<S, F>(simd, sums, start..(start + LANES).min(width));
            }
        }
    }

    /// The same for a full panel: no length has to be looked at.
    #[inline(always)]
    fn finish_panel<S: Simd, F: Function>(
        &mut self,
        simd: S,
        sums: &[[f32; PANEL]],
        row: usize,
        column: usize,
    ) {
        let columns = column..column + PANEL;
        let Epilogue { bias, alpha, add, save, multiply, .. } = &mut self.epilogue;
        let bias = bias.map(|bias| bias[columns.clone()].as_chunks().0);
        let alpha = simd.splat(*alpha);
        let derivative = matches!(save, Save::Derivative(_));
        for (row, sums) in (row..).zip(sums) {
            let part = |matrix: &MatrixRef<'a>| matrix.row(row, columns.clone()).as_chunks().0;
            let (out, _) = self.out.row_mut(row, columns.clone()).as_chunks_mut();
            let matrix = match add {
                Add::Matrix(matrix) => Some(part(matrix)),
                Add::Nothing | Add::Output => None,
            };
            let multiply = multiply.as_ref().map(part);
            let mut saved = match save {
                Save::Nothing => None,
                Save::PreActivation(matrix) | Save::Derivative(matrix) => {
                    Some(matrix.row_mut(row, columns.clone()).as_chunks_mut().0)
                }
            };
            for (chunk, sums) in sums.as_chunks().0.iter().enumerate() {
                let mut v = simd.load(sums);
                if let Some(bias) = bias {
                    v = v + simd.load(&bias[chunk]);
                }
                v = v * alpha;
                if let Some(matrix) = matrix {
                    v = v + simd.load(&matrix[chunk]);
                } else if let Add::Output = add {
                    v = v + simd.load(&out[chunk]);
                }
                match (&mut saved, derivative) {
                    (Some(saved), true) => {
                        let (value, derivative) = F::value_and_derivative(simd, v);
                        derivative.store(&mut saved[chunk]);
                        v = value;
                    }
                    (Some(saved), false) => {
                        v.store(&mut saved[chunk]);
                        v = F::value(simd, v);
                    }
                    (None, _) => v = F::value(simd, v),
                }
                if let Some(multiply) = multiply {
                    v = v * simd.load(&multiply[chunk]);
                }
                v.store(&mut out[chunk]);
            }
        }
    }

    /// Takes at most sixteen sums through the epilogue, whose activation is `F`, to `columns` of a
    /// row of the output.
    #[inline(always)]
    pub(super) fn finish_chunk<S: Simd, F: Function>(
        &mut self,
        simd: S,
        sums: S::Lanes,
        row: usize,
        columns: Range<usize>,
    ) {
        let width = columns.len();
        let Epilogue { bias, alpha, add, save, multiply, .. } = &mut self.epilogue;
        let mut part = Part {
            bias: bias.map(|bias| &bias[columns.clone()]),
            alpha: *alpha,
            add: AddedPart::new(add, row, columns.clone()),
            save: SavedPart::new(save, row, columns.clone()),
            multiply: multiply.as_ref().map(|matrix| matrix.row(row, columns.clone())),
            out: self.out.row_mut(row, columns),
        };
        part.finish::<S, F>(simd, sums, 0..width);
    }

    /// The same for a full panel and an epilogue of a bias and an activation only.
    #[inline(always)]
    fn finish_plain<S: Simd, F: Function>(
        &mut self,
        simd: S,
        sums: &[[f32; PANEL]],
        row: usize,
        column: usize,
    ) {
        let columns = column..column + PANEL;
        let mut bias = [None; PANEL / LANES];
        if let Some(values) = self.epilogue.bias {
            let (chunks, _) = values[columns.clone()].as_chunks();
            bias = [Some(simd.load(&chunks[0])), Some(simd.load(&chunks[1]))];
        }
        for (row, sums) in (row..).zip(sums) {
            let (sums, _) = sums.as_chunks();
            let (out, _) = self.out.row_mut(row, columns.clone()).as_chunks_mut();
            for ((out, sums), bias) in out.iter_mut().zip(sums).zip(bias) {
                let v = simd.load(sums);
                let v = bias.map_or(v, |bias| v + bias);
                F::value(simd, v).store(out);
            }
        }
    }
}

/// Some columns of a row of all that the epilogue reads and writes.
struct Part<'a> {
    bias: Option<&'a [f32]>,
    alpha: f32,
    add: AddedPart<'a>,
    save: SavedPart<'a>,
    multiply: Option<&'a [f32]>,
    out: &'a mut [f32],
}

enum AddedPart<'a> {
    Nothing,
    Matrix(&'a [f32]),
    Output,
}

impl<'a> AddedPart<'a> {
    #[inline(always)]
    fn new(add: &Add<'a>, row: usize, columns: Range<usize>) -> Self {
        match add {
            Add::Nothing => Self::Nothing,
            Add::Matrix(matrix) => Self::Matrix(matrix.row(row, columns)),
            Add::Output => Self::Output,
        }
    }
}

enum SavedPart<'a> {
    Nothing,
    PreActivation(&'a mut [f32]),
    Derivative(&'a mut [f32]),
}

impl<'a> SavedPart<'a> {
    #[inline(always)]
    fn new(save: &'a mut Save<'_>, row: usize, columns: Range<usize>) -> Self {
        match save {
            Save::Nothing => Self::Nothing,
            Save::PreActivation(matrix) => Self::PreActivation(matrix.row_mut(row, columns)),
            Save::Derivative(matrix) => Self::Derivative(matrix.row_mut(row, columns)),
        }
    }
}

impl Part<'_> {
    /// Takes sums through the epilogue to a chunk of the columns.
    #[inline(always)]
    fn finish<S: Simd, F: Function>(&mut self, simd: S, sums: S::Lanes, chunk: Range<usize>) {
        let mut v = sums;
        if let Some(bias) = self.bias {
            v = v + simd.load_chunk(&bias[chunk.clone()], 0.0);
        }
        v = v * simd.splat(self.alpha);
        match self.add {
            AddedPart::Nothing => {}
            AddedPart::Matrix(row) => v = v + simd.load_chunk(&row[chunk.clone()], 0.0),
            AddedPart::Output => v = v + simd.load_chunk(&self.out[chunk.clone()], 0.0),
        }
        match &mut self.save {
            SavedPart::Nothing => v = F::value(simd, v),
            SavedPart::PreActivation(saved) => {
                v.store_chunk(&mut saved[chunk.clone()]);
                v = F::value(simd, v);
            }
            SavedPart::Derivative(saved) => {
                let (value, derivative) = F::value_and_derivative(simd, v);
                derivative.store_chunk(&mut saved[chunk.clone()]);
                v = value;
            }
        }
        if let Some(multiply) = self.multiply {
            v = v * simd.load_chunk(&multiply[chunk.clone()], 0.0);
        }
        v.store_chunk(&mut self.out[chunk]);
    }
}
