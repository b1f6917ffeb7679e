use proptest::prelude::*;

use super::*;
use crate::kernels::testing::{assert_same_bits, numbers, on_every_set};

/// Against single chains of fused multiply-adds over the rows, to the bit.
fn check(rows: usize, outputs: usize, inputs: usize) {
    let (dy, x) = (numbers(1, rows * (outputs + 1)), numbers(2, rows * (inputs + 2)));
    let (start, bias_start) = (numbers(3, outputs * inputs), numbers(4, outputs));
    // All rows at once, and in two calls; onto what is there, and onto zeros.
    for (split, first) in [(0, Start::Target), (rows / 3, Start::Target), (rows / 3, Start::Zero)] {
        let result = on_every_set(|set| {
            let (mut weights, mut bias) = (start.clone(), bias_start.clone());
            for (part, start) in [(0..split, first), (split..rows, Start::Target)] {
                let dy = &dy[part.start * (outputs + 1)..];
                let x = &x[part.start * (inputs + 2)..];
                matmul_transposed_left(
                    set,
                    MatrixRef::strided(dy, part.len(), outputs, outputs + 1),
                    MatrixRef::strided(x, part.len(), inputs, inputs + 2),
                    MatrixMut::new(&mut weights, outputs, inputs),
                    start,
                    Some(&mut bias),
                );
            }
            weights.extend(bias);
            weights
        });
        let (mut weights, mut bias) = (start.clone(), bias_start.clone());
        if first == Start::Zero {
            weights.fill(0.0);
        }
        for row in 0..rows {
            for output in 0..outputs {
                let dy = dy[row * (outputs + 1) + output];
                bias[output] += dy;
                for input in 0..inputs {
                    let sum = &mut weights[output * inputs + input];
                    *sum = dy.mul_add(x[row * (inputs + 2) + input], *sum);
                }
            }
        }
        weights.extend(bias);
        assert_same_bits(&result, &weights, &format!("{rows} x {outputs} x {inputs}"));
    }
}

#[test]
fn shapes_at_the_edges() {
    for (rows, outputs, inputs) in [(1, 1, 1), (0, 2, 3), (256, 14, 32), (300, 15, 33), (513, 3, 5)]
    {
        check(rows, outputs, inputs);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn any_shape(rows in 1..100_usize, outputs in 1..100_usize, inputs in 1..100_usize) {
        check(rows, outputs, inputs);
    }
}
