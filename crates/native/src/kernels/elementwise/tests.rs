use super::*;
use crate::kernels::testing::{assert_same_bits, numbers, on_every_set};

const LENGTHS: [usize; 6] = [0, 1, 15, 16, 33, 200];

/// Runs an update on every set and compares it with a scalar formula, to the bit.
fn check(kernel: impl Fn(InstructionSet, &mut [f32], &[f32]), scalar: impl Fn(f32, f32) -> f32) {
    for length in LENGTHS {
        let (y, x) = (numbers(1, length), numbers(2, length));
        let result = on_every_set(|set| {
            let mut y = y.clone();
            kernel(set, &mut y, &x);
            y
        });
        let expected: Vec<f32> = y.iter().zip(&x).map(|(&y, &x)| scalar(y, x)).collect();
        assert_same_bits(&result, &expected, "scalar formula");
    }
}

#[test]
fn updates() {
    check(add_assign, |y, x| y + x);
    check(multiply_assign, |y, x| y * x);
    check(|set, y, x| scale_add(set, y, -0.3, x), |y, x| x.mul_add(-0.3, y));
    check(|set, y, x| move_average(set, y, 0.75, x), |y, x| (x - y).mul_add(0.25, y));
}

#[test]
fn an_average_of_equal_numbers_stays() {
    let x = numbers(1, 50);
    let average = on_every_set(|set| {
        let mut average = x.clone();
        move_average(set, &mut average, 0.999, &x);
        average
    });
    assert_same_bits(&average, &x, "average");
}

#[test]
fn columns_add_up_in_order() {
    for (rows, columns) in [(1, 1), (7, 16), (64, 37), (0, 5)] {
        let (x, start) = (numbers(1, rows * (columns + 2)), numbers(2, columns));
        let sums = on_every_set(|set| {
            let mut sums = start.clone();
            column_sums(set, MatrixRef::strided(&x, rows, columns, columns + 2), &mut sums);
            sums
        });
        let mut expected = start.clone();
        for row in 0..rows {
            for (column, sum) in expected.iter_mut().enumerate() {
                *sum += x[row * (columns + 2) + column];
            }
        }
        assert_same_bits(&sums, &expected, "columns");
    }
}

#[test]
fn gates_and_their_gradients() {
    for (rows, width) in [(1, 1), (3, 16), (5, 37), (2, 128)] {
        let (x, dy) = (numbers(1, rows * width), numbers(2, rows * width));
        let (multiplier, addend) = (numbers(3, width), numbers(4, width));
        let start = numbers(5, 2 * width);
        let result = on_every_set(|set| {
            let mut out = vec![0.0; x.len()];
            gate(set, &x, &multiplier, &addend, &mut out);
            let (mut gradient, mut gates) = (dy.clone(), start.clone());
            let (d_multiplier, d_addend) = gates.split_at_mut(width);
            gate_backward(set, &x, &multiplier, &mut gradient, d_multiplier, d_addend);
            [out, gradient, gates].concat()
        });
        let mut gates = start.clone();
        let (mut out, mut gradient) = (Vec::new(), Vec::new());
        for (index, (&x, &dy)) in x.iter().zip(&dy).enumerate() {
            let column = index % width;
            out.push(x.mul_add(multiplier[column], addend[column]));
            gradient.push(dy * multiplier[column]);
            gates[column] = dy.mul_add(x, gates[column]);
            gates[width + column] += dy;
        }
        assert_same_bits(&result, &[out, gradient, gates].concat(), "gates");
    }
}

#[test]
fn the_first_bad_number_is_found() {
    for set in InstructionSet::available() {
        for length in LENGTHS {
            let mut x = numbers(1, length);
            x.iter_mut().step_by(3).for_each(|x| *x *= 3e38);
            assert_eq!(first_non_finite(set, &x), None, "{set}");
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                for index in 0..length {
                    let mut x = x.clone();
                    x[index] = bad;
                    x[length - 1] = bad;
                    assert_eq!(first_non_finite(set, &x), Some(index), "{set}");
                }
            }
        }
    }
}
