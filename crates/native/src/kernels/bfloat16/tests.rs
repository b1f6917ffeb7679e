use proptest::prelude::*;

use crate::kernels::testing::{assert_close, assert_same_bits, numbers};
use crate::kernels::{
    Arithmetic, Epilogue, MatrixMut, MatrixRef, PackedMatrix, Precision, Start, matmul,
    matmul_transposed_left,
};
use crate::simd::bfloat16::round;

/// Runs a computation with every arithmetic of bfloat16 that the processor has.
fn on_every_arithmetic(compute: impl Fn(Arithmetic)) {
    let arithmetics = Arithmetic::available(Precision::Bfloat16);
    for unit in ["AMX", "AVX512-BF16"] {
        if !arithmetics.iter().any(|arithmetic| arithmetic.to_string().ends_with(unit)) {
            eprintln!("skipped: this processor has no {unit}");
        }
    }
    arithmetics.into_iter().for_each(compute);
}

/// Integers between -64 and 64: all of bfloat16, and their sums of `f32`, so that every order of
/// summation gives the same.
fn integers(seed: u32, count: usize) -> Vec<f32> {
    numbers(seed, count).into_iter().map(|number| (64.0 * number).round()).collect()
}

/// `start + a b` of operands rounded to bfloat16, in f64, and for each element the sum of the
/// magnitudes of its terms. Elements are numbered as `[row][k]` and `[k][column]`.
fn plain(
    (m, k, n): (usize, usize, usize),
    a: impl Fn(usize, usize) -> f32,
    b: impl Fn(usize, usize) -> f32,
    start: &[f32],
) -> (Vec<f64>, Vec<f64>) {
    let mut result: (Vec<f64>, Vec<f64>) =
        start.iter().map(|&start| (f64::from(start), f64::from(start.abs()))).unzip();
    for i in 0..m {
        for j in 0..n {
            for p in 0..k {
                let term = f64::from(round(a(i, p))) * f64::from(round(b(p, j)));
                result.0[i * n + j] += term;
                result.1[i * n + j] += term.abs();
            }
        }
    }
    result
}

/// Compares with the plain sums: exactly for integers, else up to rounding of `k` sums.
fn check(actual: &[f32], (expected, scale): &(Vec<f64>, Vec<f64>), k: usize, exact: bool) {
    let tolerance = if exact { 0.0 } else { (k + 4) as f64 * f64::from(f32::EPSILON) };
    assert_close(actual, expected, scale, tolerance);
}

/// `a b` for a strided `a`, with `b` packed in both ways.
fn check_product(m: usize, k: usize, n: usize, exact: bool) {
    let generate = if exact { integers } else { numbers };
    let stride = k + 3;
    let (a, b) = (generate(1, m * stride), generate(2, k * n));
    let transposed: Vec<f32> = (0..n * k).map(|i| b[i % k * n + i / k]).collect();
    let expected =
        plain((m, k, n), |i, p| a[i * stride + p], |p, j| b[p * n + j], &vec![0.0; m * n]);
    on_every_arithmetic(|arithmetic| {
        let packed = [
            PackedMatrix::from_rows(arithmetic, MatrixRef::new(&b, k, n)),
            PackedMatrix::from_output_input(arithmetic, MatrixRef::new(&transposed, n, k)),
        ];
        let [direct, transposed] = packed.map(|packed| {
            let mut out = vec![f32::NAN; m * n];
            let (a, view) = (MatrixRef::strided(&a, m, k, stride), MatrixMut::new(&mut out, m, n));
            matmul(arithmetic.instruction_set(), a, &packed, view, Epilogue::default());
            out
        });
        assert_same_bits(&direct, &transposed, &format!("{arithmetic}, {m} x {k} x {n}"));
        check(&direct, &expected, k, exact);
    });
}

/// `weights += dy^T x`, all rows at once and in two calls.
fn check_weight_gradient(rows: usize, outputs: usize, inputs: usize, exact: bool) {
    let generate = if exact { integers } else { numbers };
    let (dy, x) = (generate(1, rows * (outputs + 1)), generate(2, rows * (inputs + 2)));
    let (start, bias_start) = (generate(3, outputs * inputs), generate(4, outputs));
    let expected = plain(
        (outputs, rows, inputs),
        |output, row| dy[row * (outputs + 1) + output],
        |row, input| x[row * (inputs + 2) + input],
        &start,
    );
    on_every_arithmetic(|arithmetic| {
        let sums = |start: &[f32], split: usize, first: Start| {
            let (mut weights, mut bias) = (start.to_vec(), bias_start.clone());
            for (part, start) in [(0..split, first), (split..rows, Start::Target)] {
                let dy = &dy[part.start * (outputs + 1)..];
                let x = &x[part.start * (inputs + 2)..];
                matmul_transposed_left(
                    arithmetic,
                    MatrixRef::strided(dy, part.len(), outputs, outputs + 1),
                    MatrixRef::strided(x, part.len(), inputs, inputs + 2),
                    MatrixMut::new(&mut weights, outputs, inputs),
                    start,
                    Some(&mut bias),
                );
            }
            (weights, bias)
        };
        let (weights, bias) = sums(&start, 0, Start::Target);
        check(&weights, &expected, rows, exact);
        for (output, sum) in bias.iter().enumerate() {
            let dy = (0..rows).map(|row| dy[row * (outputs + 1) + output]);
            assert_eq!(*sum, dy.fold(bias_start[output], |sum, dy| sum + dy), "{arithmetic}");
        }
        // Parts of 32 rows are added up one by one in any case.
        let context = format!("{arithmetic}, {rows} x {outputs} x {inputs}");
        assert_same_bits(&sums(&start, rows / 64 * 32, Start::Target).0, &weights, &context);
        // Of what is there before nothing is left.
        let zeros = sums(&vec![0.0; start.len()], rows / 64 * 32, Start::Target).0;
        assert_same_bits(&sums(&start, rows / 64 * 32, Start::Zero).0, &zeros, &context);
    });
}

#[test]
fn products_at_the_edges_of_tiles() {
    for exact in [false, true] {
        for (m, k, n) in
            [(1, 1, 1), (16, 32, 32), (17, 33, 33), (32, 64, 64), (15, 31, 16), (48, 700, 17)]
        {
            check_product(m, k, n, exact);
        }
    }
}

#[test]
fn weight_gradients_at_the_edges_of_tiles() {
    for exact in [false, true] {
        for (rows, outputs, inputs) in
            [(0, 3, 5), (1, 1, 1), (32, 16, 32), (33, 17, 31), (512, 32, 64), (600, 48, 65)]
        {
            check_weight_gradient(rows, outputs, inputs, exact);
        }
    }
}

/// A weight is rounded before it is multiplied, and so is an activation.
#[test]
fn operands_are_rounded_to_nearest() {
    // Half a last place of bfloat16 at 1 is 2^-8: ties go to the even neighbour.
    let values = [1.0 + 0.003_906_25, 1.0 + 0.003_907, 1.0 + 0.011_718_75, 1.0e-40, -1.0];
    let rounded = [1.0, 1.007_812_5, 1.015_625, 0.0, -1.0];
    let ones = [1.0; 5];
    on_every_arithmetic(|arithmetic| {
        let product = |left: &[f32], right: &[f32]| {
            let b = PackedMatrix::from_rows(arithmetic, MatrixRef::new(right, 1, 5));
            let mut out = [[0.0; 5]; 5];
            let view = MatrixMut::new(out.as_flattened_mut(), 5, 5);
            let a = MatrixRef::new(left, 5, 1);
            matmul(arithmetic.instruction_set(), a, &b, view, Epilogue::default());
            out
        };
        assert_eq!(product(&values, &ones), rounded.map(|x| [x; 5]), "{arithmetic}");
        assert_eq!(product(&ones, &values), [rounded; 5], "{arithmetic}");
    });
}

#[test]
fn not_a_number_comes_through_weight_gradients() {
    let (mut dy, x) = (numbers(1, 40 * 20), numbers(2, 40 * 33));
    dy[7 * 20 + 4] = f32::NAN;
    on_every_arithmetic(|arithmetic| {
        let mut weights = vec![0.0; 20 * 33];
        let (dy, x) = (MatrixRef::new(&dy, 40, 20), MatrixRef::new(&x, 40, 33));
        let view = MatrixMut::new(&mut weights, 20, 33);
        matmul_transposed_left(arithmetic, dy, x, view, Start::Target, None);
        for (output, row) in weights.chunks(33).enumerate() {
            assert!(row.iter().all(|x| x.is_nan() == (output == 4)), "{arithmetic}, {output}");
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn products_of_any_shape(m in 1..70_usize, k in 1..200_usize, n in 1..100_usize) {
        check_product(m, k, n, false);
        check_product(m, k, n, true);
    }

    #[test]
    fn weight_gradients_of_any_shape(
        rows in 1..200_usize,
        outputs in 1..100_usize,
        inputs in 1..100_usize,
    ) {
        check_weight_gradient(rows, outputs, inputs, false);
        check_weight_gradient(rows, outputs, inputs, true);
    }
}
