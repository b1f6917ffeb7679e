use proptest::prelude::*;

use super::*;
use crate::kernels::testing::{assert_close, assert_same_bits, numbers, on_every_set};
use crate::kernels::{Activation, Add, Arithmetic, Precision, Save};

/// Operands of a product: `a [m x k]` in rows of a larger stride, weights `[n x k]`, and the rest.
struct Operands {
    shape: (usize, usize, usize),
    stride: usize,
    a: Vec<f32>,
    weights: Vec<f32>,
    bias: Vec<f32>,
    add: Vec<f32>,
    multiply: Vec<f32>,
}

impl Operands {
    fn new(m: usize, k: usize, n: usize, padding: usize) -> Self {
        Self {
            shape: (m, k, n),
            stride: k + padding,
            a: numbers(1, m * (k + padding)),
            weights: numbers(2, n * k),
            bias: numbers(3, n),
            add: numbers(4, m * n),
            multiply: numbers(5, m * n),
        }
    }

    fn a(&self) -> MatrixRef<'_> {
        MatrixRef::strided(&self.a, self.shape.0, self.shape.1, self.stride)
    }

    fn packed(&self, arithmetic: impl Into<Arithmetic>) -> PackedMatrix {
        let (_, k, n) = self.shape;
        PackedMatrix::from_output_input(arithmetic, MatrixRef::new(&self.weights, n, k))
    }

    /// The product in f64 and, for each element, the sum of the magnitudes of its terms.
    fn product(&self) -> (Vec<f64>, Vec<f64>) {
        let (m, k, n) = self.shape;
        let mut result = (vec![0.0; m * n], vec![0.0; m * n]);
        for i in 0..m {
            for j in 0..n {
                for p in 0..k {
                    let term =
                        f64::from(self.a[i * self.stride + p]) * f64::from(self.weights[j * k + p]);
                    result.0[i * n + j] += term;
                    result.1[i * n + j] += term.abs();
                }
            }
        }
        result
    }
}

/// Everything that this processor can compute products with.
fn arithmetics() -> impl Iterator<Item = Arithmetic> {
    [Precision::Float32, Precision::Bfloat16].into_iter().flat_map(Arithmetic::available)
}

/// Rounding errors of a chain of `k` operations, relative to the sum of magnitudes.
fn tolerance(k: usize) -> f64 {
    (k + 4) as f64 * f64::from(f32::EPSILON) / 2.0
}

fn check_product(m: usize, k: usize, n: usize, padding: usize) {
    let operands = Operands::new(m, k, n, padding);
    let product = on_every_set(|set| {
        let mut out = vec![f32::NAN; m * n];
        let b = operands.packed(set);
        matmul(set, operands.a(), &b, MatrixMut::new(&mut out, m, n), Epilogue::default());
        out
    });
    let (expected, scale) = operands.product();
    assert_close(&product, &expected, &scale, tolerance(k));

    // Exactly one chain of fused multiply-adds, in ascending order.
    for i in 0..m {
        for j in 0..n {
            let mut sum = 0.0_f32;
            for p in 0..k {
                sum = operands.a[i * operands.stride + p].mul_add(operands.weights[j * k + p], sum);
            }
            assert_eq!(product[i * n + j].to_bits(), sum.to_bits(), "row {i}, column {j}");
        }
    }
}

/// Runs each kind of epilogue and compares it with the same steps on the plain product.
fn check_epilogues(arithmetic: Arithmetic, m: usize, k: usize, n: usize) {
    let operands = Operands::new(m, k, n, 0);
    let set = arithmetic.instruction_set();
    let mut product = vec![0.0; m * n];
    let (a, b) = (operands.a(), operands.packed(arithmetic));
    matmul(set, a, &b, MatrixMut::new(&mut product, m, n), Epilogue::default());
    let output = numbers(6, m * n);
    let activation = Activation::Relu;
    for case in 0..32 {
        let [bias, scaled, matrix, onto, multiplied] =
            [0, 1, 2, 3, 4].map(|bit| case >> bit & 1 == 1);
        let alpha = if scaled { 0.3 } else { 1.0 };
        for save in 0..3 {
            let result = {
                let mut out = output.clone();
                let mut saved = vec![0.0; m * n];
                let view = MatrixMut::new(&mut saved, m, n);
                let epilogue = Epilogue {
                    bias: bias.then_some(&operands.bias),
                    alpha,
                    add: match (matrix, onto) {
                        (true, _) => Add::Matrix(MatrixRef::new(&operands.add, m, n)),
                        (false, true) => Add::Output,
                        (false, false) => Add::Nothing,
                    },
                    save: match save {
                        0 => Save::Nothing,
                        1 => Save::PreActivation(view),
                        _ => Save::Derivative(view),
                    },
                    activation,
                    multiply: multiplied.then(|| MatrixRef::new(&operands.multiply, m, n)),
                };
                matmul(set, a, &b, MatrixMut::new(&mut out, m, n), epilogue);
                out.extend(saved);
                out
            };
            let mut expected = (Vec::new(), Vec::new());
            for (index, &v) in product.iter().enumerate() {
                let v = if bias { v + operands.bias[index % n] } else { v };
                let v = v * alpha;
                let v = match (matrix, onto) {
                    (true, _) => v + operands.add[index],
                    (false, true) => v + output[index],
                    (false, false) => v,
                };
                expected.1.push(match save {
                    0 => 0.0,
                    1 => v,
                    _ => f32::from(u8::from(v > 0.0)),
                });
                let v = v.max(0.0);
                expected.0.push(if multiplied { v * operands.multiply[index] } else { v });
            }
            expected.0.extend(expected.1);
            let context = format!("{arithmetic}, case {case:05b}, save {save}");
            assert_same_bits(&result, &expected.0, &context);
        }
    }
}

#[test]
fn products_of_all_tile_shapes() {
    for (m, k, n) in [(1, 1, 1), (14, 16, 32), (15, 17, 33), (29, 40, 48), (64, 513, 65)] {
        check_product(m, k, n, 0);
    }
    // More than one group of panels, and more than two stops of the sums.
    check_product(3, 1100, 300, 7);
    for m in 1..=30 {
        check_product(m, 5, 37, 1);
    }
}

#[test]
fn epilogues() {
    for (m, k, n) in [(5, 7, 32), (17, 9, 45), (3, 520, 40)] {
        arithmetics().for_each(|arithmetic| check_epilogues(arithmetic, m, k, n));
    }
}

#[test]
fn an_empty_inner_dimension_leaves_the_bias() {
    for arithmetic in arithmetics() {
        let mut out = vec![f32::NAN; 6];
        let epilogue = Epilogue { bias: Some(&[1.0, 2.0, 3.0]), ..Epilogue::default() };
        let (a, b) = (MatrixRef::new(&[], 2, 0), PackedMatrix::zeros(arithmetic, 0, 3));
        let set = arithmetic.instruction_set();
        matmul(set, a, &b, MatrixMut::new(&mut out, 2, 3), epilogue);
        assert_eq!(out, [1.0, 2.0, 3.0, 1.0, 2.0, 3.0], "{arithmetic}");
    }
}

#[test]
fn a_row_alone_gives_the_same_bits() {
    arithmetics().for_each(check_rows);
}

/// Each row of a product alone.
fn check_rows(arithmetic: Arithmetic) {
    let (m, k, n) = (70, 600, 70);
    let operands = Operands::new(m, k, n, 3);
    let set = arithmetic.instruction_set();
    let b = operands.packed(arithmetic);
    let epilogue = || Epilogue {
        bias: Some(&operands.bias),
        activation: Activation::Mish,
        ..Epilogue::default()
    };
    let mut together = vec![0.0; m * n];
    matmul(set, operands.a(), &b, MatrixMut::new(&mut together, m, n), epilogue());
    for i in 0..m {
        let mut alone = vec![0.0; n];
        let row = MatrixRef::new(&operands.a[i * operands.stride..], 1, k);
        matmul(set, row, &b, MatrixMut::new(&mut alone, 1, n), epilogue());
        assert_same_bits(&alone, &together[i * n..][..n], &format!("{arithmetic}, row {i}"));
    }
}

#[test]
fn the_output_may_be_strided() {
    let (m, k, n, stride) = (6, 20, 35, 50);
    let operands = Operands::new(m, k, n, 0);
    let out = on_every_set(|set| {
        let mut out = vec![7.0; m * stride];
        let view = MatrixMut::strided(&mut out, m, n, stride);
        matmul(set, operands.a(), &operands.packed(set), view, Epilogue::default());
        out
    });
    let (expected, _) = operands.product();
    for (index, x) in out.iter().enumerate() {
        let (row, column) = (index / stride, index % stride);
        let expected = if column < n { expected[row * n + column] } else { 7.0 };
        assert!((f64::from(*x) - expected).abs() < 1e-5);
    }
}

#[test]
fn not_a_number_comes_through() {
    let mut operands = Operands::new(3, 20, 40, 0);
    operands.a[25] = f32::NAN;
    for activation in Activation::ALL {
        for arithmetic in arithmetics() {
            let mut out = vec![0.0; 3 * 40];
            let view = MatrixMut::new(&mut out, 3, 40);
            let epilogue = Epilogue { activation, ..Epilogue::default() };
            let b = operands.packed(arithmetic);
            matmul(arithmetic.instruction_set(), operands.a(), &b, view, epilogue);
            let context = format!("{arithmetic}, {activation:?}");
            assert!(out[40..80].iter().all(|x| x.is_nan()), "{context}");
            assert!(out[..40].iter().chain(&out[80..]).all(|x| x.is_finite()), "{context}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn products_of_any_shape(m in 1..70_usize, k in 1..200_usize, n in 1..100_usize) {
        check_product(m, k, n, 2);
    }
}
