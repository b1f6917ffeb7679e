use super::*;
use crate::kernels::testing::{assert_close, numbers, on_every_set, widen};
use crate::kernels::{Epilogue, MatrixMut, MatrixRef, PackedMatrix, matmul};

/// The columns of a board whose only channel numbers the squares from 1.
#[test]
fn the_corner_and_the_middle() {
    let x: Vec<f32> = (1..=64).map(|square| square as f32).collect();
    let mut columns = vec![f32::NAN; 64 * 9];
    im2col(&x, 1, &mut columns);
    let rows = [
        (0, [0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 9.0, 10.0]),
        (7, [0.0, 0.0, 0.0, 7.0, 8.0, 0.0, 15.0, 16.0, 0.0]),
        (27, [19.0, 20.0, 21.0, 27.0, 28.0, 29.0, 35.0, 36.0, 37.0]),
        (63, [55.0, 56.0, 0.0, 63.0, 64.0, 0.0, 0.0, 0.0, 0.0]),
    ];
    for (square, expected) in rows {
        assert_eq!(columns[square * 9..][..9], expected, "square {square}");
    }
}

/// A convolution through a product, against its definition.
#[test]
fn a_convolution() {
    let (boards, inputs, outputs) = (2, 5, 7);
    let x = numbers(1, boards * 64 * inputs);
    let weights = numbers(2, outputs * 9 * inputs);
    let mut columns = vec![0.0; boards * 64 * 9 * inputs];
    im2col(&x, inputs, &mut columns);
    let result = on_every_set(|set| {
        let mut out = vec![0.0; boards * 64 * outputs];
        let packed =
            PackedMatrix::from_output_input(set, MatrixRef::new(&weights, outputs, 9 * inputs));
        let columns = MatrixRef::new(&columns, boards * 64, 9 * inputs);
        let view = MatrixMut::new(&mut out, boards * 64, outputs);
        matmul(set, columns, &packed, view, Epilogue::default());
        out
    });
    let mut expected = Vec::new();
    for (board, rank, file) in
        (0..boards).flat_map(|b| (0..8).flat_map(move |r| (0..8).map(move |f| (b, r, f))))
    {
        for output in 0..outputs {
            let mut sum = 0.0;
            for (dr, df, input) in
                (0..3).flat_map(|r| (0..3).flat_map(move |f| (0..inputs).map(move |i| (r, f, i))))
            {
                let (r, f) = (rank + dr as i32 - 1, file + df as i32 - 1);
                if (0..8).contains(&r) && (0..8).contains(&f) {
                    let square = board * 64 + (8 * r + f) as usize;
                    sum += f64::from(x[square * inputs + input])
                        * f64::from(weights[((output * 3 + dr) * 3 + df) * inputs + input]);
                }
            }
            expected.push(sum);
        }
    }
    let scale = vec![1.0; expected.len()];
    assert_close(&result, &expected, &scale, 1e-5);
}

/// `<im2col(x), y> = <x, col2im(y)>` characterises the adjoint.
fn check_adjoint(boards: usize, channels: usize) {
    let x = numbers(1, boards * 64 * channels);
    let y = numbers(2, x.len() * 9);
    let mut columns = vec![0.0; y.len()];
    im2col(&x, channels, &mut columns);
    let adjoint = on_every_set(|set| {
        let mut adjoint = vec![f32::NAN; x.len()];
        col2im(set, &y, channels, &mut adjoint);
        adjoint
    });
    let dot =
        |a: &[f32], b: &[f32]| -> f64 { widen(a).iter().zip(widen(b)).map(|(a, b)| a * b).sum() };
    assert!((dot(&columns, &y) - dot(&x, &adjoint)).abs() < 1e-4);
    // Each unit vector of x by itself, not just one combination.
    for index in (0..x.len()).step_by(37) {
        let mut unit = vec![0.0; x.len()];
        unit[index] = 1.0;
        im2col(&unit, channels, &mut columns);
        assert!((dot(&columns, &y) - f64::from(adjoint[index])).abs() < 1e-5);
    }
}

#[test]
fn the_adjoint() {
    for (boards, channels) in [(1, 1), (2, 3), (1, 16), (1, 33)] {
        check_adjoint(boards, channels);
    }
}
