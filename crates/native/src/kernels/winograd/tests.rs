use super::*;
use crate::kernels::testing::{assert_close, assert_same_bits, numbers, on_every_set, widen};
use crate::kernels::{Activation, Add, MatrixRef, Save};

/// The convolution of one board by its definition, in `f64`: `[64 outputs]`.
fn convolve(x: &[f32], weights: &[f32], inputs: usize, outputs: usize) -> Vec<f64> {
    let (x, weights) = (widen(x), widen(weights));
    let mut y = vec![0.0; SQUARES * outputs];
    for (square, y) in y.chunks_exact_mut(outputs).enumerate() {
        for (rank, file) in (0..3).flat_map(|rank| (0..3).map(move |file| (rank, file))) {
            let (r, f) = (square / SIDE + rank, square % SIDE + file);
            if !(1..=SIDE).contains(&r) || !(1..=SIDE).contains(&f) {
                continue;
            }
            let x = &x[((r - 1) * SIDE + f - 1) * inputs..][..inputs];
            for (output, y) in y.iter_mut().enumerate() {
                let weights = &weights[((output * 3 + rank) * 3 + file) * inputs..][..inputs];
                *y += x.iter().zip(weights).map(|(x, weight)| x * weight).sum::<f64>();
            }
        }
    }
    y
}

/// What a tiling gives for `boards`, without an epilogue.
fn run(set: InstructionSet, weights: &WinogradWeights, x: &[f32]) -> Vec<f32> {
    let boards = x.len() / (SQUARES * weights.inputs());
    let mut scratch = vec![f32::NAN; winograd_scratch(weights, boards)];
    let rows = boards * SQUARES;
    let mut out = vec![f32::NAN; rows * weights.outputs()];
    let view = MatrixMut::new(&mut out, rows, weights.outputs());
    winograd(set, x, weights, &mut scratch, view, Epilogue::default());
    out
}

const TILINGS: [Tiling; 2] = [Tiling::Two, Tiling::Four];

/// Boards, inputs, outputs: whole lanes and parts of them, one and more rows of [`DEPTH`] and
/// panels, more boards than go in one pass.
const SHAPES: [(usize, usize, usize); 6] =
    [(1, 1, 1), (2, 5, 7), (3, 64, 32), (1, 70, 40), (2, 130, 16), (37, 16, 33)];

#[test]
fn both_tilings_are_the_convolution() {
    for ((boards, inputs, outputs), tiling) in
        SHAPES.into_iter().flat_map(|s| TILINGS.map(|t| (s, t)))
    {
        let x = numbers(1, boards * SQUARES * inputs);
        let weights = numbers(2, outputs * 9 * inputs);
        let result = on_every_set(|set| {
            let weights = WinogradWeights::forward(set, tiling, &weights, (outputs, inputs));
            run(set, &weights, &x)
        });
        let expected: Vec<f64> = x
            .chunks_exact(SQUARES * inputs)
            .flat_map(|x| convolve(x, &weights, inputs, outputs))
            .collect();
        let scale = vec![9.0 * inputs as f64; expected.len()];
        assert_close(&result, &expected, &scale, 5e-7);
    }
}

/// A square's lone value reaches its neighbours and no others, at every square of the board.
#[test]
fn every_square_has_its_neighbours() {
    let set = InstructionSet::detect();
    let kernel = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    for (tiling, square) in TILINGS.into_iter().flat_map(|t| (0..SQUARES).map(move |s| (t, s))) {
        let mut x = vec![0.0; SQUARES];
        x[square] = 1.0;
        let weights = WinogradWeights::forward(set, tiling, &kernel, (1, 1));
        let expected = convolve(&x, &kernel, 1, 1);
        assert_close(&run(set, &weights, &x), &expected, &[1.0; SQUARES], 1e-4);
    }
}

/// `<conv(x), dy> = <x, conv^T(dy)>` characterises the adjoint; here for unit vectors of `x`.
#[test]
fn the_adjoint() {
    let (inputs, outputs) = (3, 18);
    let (dy, weights) = (numbers(3, SQUARES * outputs), numbers(4, outputs * 9 * inputs));
    for tiling in TILINGS {
        let dx = on_every_set(|set| {
            let weights = WinogradWeights::backward(set, tiling, &weights, (outputs, inputs));
            run(set, &weights, &dy)
        });
        let expected: Vec<f64> = (0..SQUARES * inputs)
            .map(|index| {
                let mut unit = vec![0.0; SQUARES * inputs];
                unit[index] = 1.0;
                let y = convolve(&unit, &weights, inputs, outputs);
                y.iter().zip(&dy).map(|(y, &dy)| y * f64::from(dy)).sum()
            })
            .collect();
        let scale = vec![9.0 * outputs as f64; expected.len()];
        assert_close(&dx, &expected, &scale, 5e-7);
    }
}

/// Every part of the epilogue, beside a product and its epilogue in two steps.
#[test]
fn the_epilogue() {
    let (inputs, outputs, set) = (4, 20, InstructionSet::detect());
    let count = SQUARES * outputs;
    let (x, weights) = (numbers(5, SQUARES * inputs), numbers(6, outputs * 9 * inputs));
    let (bias, residual) = (numbers(7, outputs), numbers(8, count));
    for tiling in TILINGS {
        let weights = WinogradWeights::forward(set, tiling, &weights, (outputs, inputs));
        let plain = run(set, &weights, &x);
        let (mut out, mut kept) = (vec![f32::NAN; count], vec![f32::NAN; count]);
        let mut scratch = vec![f32::NAN; winograd_scratch(&weights, 1)];
        let epilogue = Epilogue {
            bias: Some(&bias),
            add: Add::Matrix(MatrixRef::new(&residual, SQUARES, outputs)),
            save: Save::PreActivation(MatrixMut::new(&mut kept, SQUARES, outputs)),
            activation: Activation::Relu,
            ..Epilogue::default()
        };
        let view = MatrixMut::new(&mut out, SQUARES, outputs);
        winograd(set, &x, &weights, &mut scratch, view, epilogue);
        let sums = plain.iter().zip(bias.iter().cycle()).zip(&residual);
        let expected: Vec<f32> = sums.map(|((v, bias), residual)| v + bias + residual).collect();
        assert_same_bits(&kept, &expected, "pre-activation");
        let expected: Vec<f32> = expected.into_iter().map(|v| v.max(0.0)).collect();
        assert_same_bits(&out, &expected, "output");
    }
}

/// A board's bits do not depend on the boards beside it.
#[test]
fn boards_are_apart() {
    let (boards, inputs, outputs, set) = (40, 20, 30, InstructionSet::detect());
    let (x, weights) = (numbers(9, boards * SQUARES * inputs), numbers(10, outputs * 9 * inputs));
    for tiling in TILINGS {
        let weights = WinogradWeights::forward(set, tiling, &weights, (outputs, inputs));
        let all = run(set, &weights, &x);
        for count in [1, 3, 40] {
            let parts = x.chunks(count * SQUARES * inputs).map(|x| run(set, &weights, x));
            assert_same_bits(&parts.collect::<Vec<_>>().concat(), &all, &format!("{count} boards"));
        }
    }
}

/// Replaced weights are those of a new layer.
#[test]
fn weights_are_replaced() {
    let (set, x) = (InstructionSet::detect(), numbers(11, SQUARES * 6));
    let (old, new) = (numbers(12, 6 * 9 * 6), numbers(13, 6 * 9 * 6));
    for (tiling, make) in TILINGS.into_iter().flat_map(|tiling| {
        [
            (tiling, WinogradWeights::forward as fn(_, _, &[f32], _) -> _),
            (tiling, WinogradWeights::backward),
        ]
    }) {
        let mut weights: WinogradWeights = make(set, tiling, &old, (6, 6));
        weights.replace(set, &new);
        let expected = make(set, tiling, &new, (6, 6));
        assert_same_bits(&run(set, &weights, &x), &run(set, &expected, &x), "replaced");
    }
}

/// Root mean square and largest error of both tilings and of a chain of products, relative to the
/// results' root mean square, for inputs behind a ReLU.
#[test]
fn rounding_errors_stay_near_those_of_the_definition() {
    let (boards, channels, set) = (4, 64, InstructionSet::detect());
    let mut x = numbers(14, boards * SQUARES * channels);
    x.iter_mut().for_each(|x| *x = x.max(0.0));
    let weights = numbers(15, channels * 9 * channels);
    let exact: Vec<f64> = x
        .chunks_exact(SQUARES * channels)
        .flat_map(|x| convolve(x, &weights, channels, channels))
        .collect();
    let size = (exact.iter().map(|y| y * y).sum::<f64>() / exact.len() as f64).sqrt();
    for (tiling, mean, most) in [(Tiling::Two, 3e-7, 3e-6), (Tiling::Four, 1e-6, 1e-5)] {
        let weights = WinogradWeights::forward(set, tiling, &weights, (channels, channels));
        let y = run(set, &weights, &x);
        let errors = y.iter().zip(&exact).map(|(&y, exact)| (f64::from(y) - exact).abs() / size);
        let squares: f64 = errors.clone().map(|error| error * error).sum();
        let (root, largest) = ((squares / y.len() as f64).sqrt(), errors.fold(0.0, f64::max));
        println!("{tiling:?}: {root:.1e}, {largest:.1e}");
        assert!(root < mean && largest < most, "{tiling:?}: {root:e}, {largest:e}");
    }
}
