//! Speed of the matrix products on one thread, beside that of the `gemm` crate in the same run, of
//! convolutions in three ways, and of attention.
//!
//! The two alternate, because the speed of a machine changes over minutes; the ratio of medians is
//! the result.

use std::hint::black_box;
use std::time::Instant;

use native::kernels::{
    Epilogue, HeadLayout, InstructionSet, MatrixMut, MatrixRef, PackedMatrix, ScoreBias, TOKENS,
    Tiling, WinogradWeights, attention, attention_backward, im2col, matmul, matmul_transposed_left,
    winograd, winograd_scratch,
};

const ROUNDS: usize = 31;

/// Numbers between -1 and 1 without a pattern.
fn numbers(count: usize) -> Vec<f32> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// Median seconds of each of the computations, which alternate.
fn time<const N: usize>(repeats: usize, mut computations: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut seconds = [(); N].map(|()| Vec::new());
    for _ in 0..ROUNDS {
        for (computation, seconds) in computations.iter_mut().zip(&mut seconds) {
            let start = Instant::now();
            for _ in 0..repeats {
                computation();
            }
            seconds.push(start.elapsed().as_secs_f64() / repeats as f64);
        }
    }
    seconds.map(|mut seconds| {
        seconds.sort_by(f64::total_cmp);
        seconds[ROUNDS / 2]
    })
}

/// A matrix whose rows and columns are at any distance.
struct Strided<'a> {
    values: &'a [f32],
    row: usize,
    column: usize,
}

/// `out = a b`, or `out += a b`, by the `gemm` crate, for `[m x k]` times `[k x n]`.
fn gemm_product(
    (m, k, n): (usize, usize, usize),
    a: Strided<'_>,
    b: Strided<'_>,
    out: &mut [f32],
    accumulate: bool,
) {
    // SAFETY: the callers' slices have the shapes and strides.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            out.as_mut_ptr(),
            1,
            n as isize,
            accumulate,
            a.values.as_ptr(),
            a.column as isize,
            a.row as isize,
            b.values.as_ptr(),
            b.column as isize,
            b.row as isize,
            1.0,
            1.0,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}

/// Prints speeds of ours and theirs, and the ratio.
fn report(shape: &str, operations: f64, [own, gemm]: [f64; 2]) {
    let speed = |seconds: f64| operations / seconds / 1e9;
    println!("{shape:>24} {:>8.1} {:>8.1} {:>8.2}", speed(own), speed(gemm), gemm / own);
}

fn product(rows: usize, depth: usize, columns: usize) {
    let (a, weights) = (numbers(rows * depth), numbers(columns * depth));
    let (mut ours, mut theirs) = (vec![0.0; rows * columns], vec![0.0; rows * columns]);
    let set = InstructionSet::detect();
    let packed = PackedMatrix::from_output_input(set, MatrixRef::new(&weights, columns, depth));
    let operations = 2.0 * (rows * depth * columns) as f64;
    let repeats = (5e7 / operations).ceil() as usize;
    let times = time(
        repeats,
        [
            &mut || {
                let a = MatrixRef::new(black_box(&a), rows, depth);
                let out = MatrixMut::new(&mut ours, rows, columns);
                matmul(set, a, &packed, out, Epilogue::default());
            },
            &mut || {
                let a = Strided { values: black_box(&a), row: depth, column: 1 };
                let weights = Strided { values: &weights, row: 1, column: depth };
                gemm_product((rows, depth, columns), a, weights, &mut theirs, false);
            },
        ],
    );
    for (x, y) in ours.iter().zip(&theirs) {
        assert!((x - y).abs() < 1e-3 * (depth as f32).sqrt(), "{x} is not {y}");
    }
    report(&format!("{rows} x {depth} x {columns}"), operations, times);
}

fn weight_gradient(rows: usize, outputs: usize, inputs: usize) {
    let (dy, x) = (numbers(rows * outputs), numbers(rows * inputs));
    let (mut ours, mut theirs) = (vec![0.0; outputs * inputs], vec![0.0; outputs * inputs]);
    let set = InstructionSet::detect();
    let operations = 2.0 * (rows * outputs * inputs) as f64;
    let repeats = (5e7 / operations).ceil() as usize;
    let times = time(
        repeats,
        [
            &mut || {
                let dy = MatrixRef::new(black_box(&dy), rows, outputs);
                let x = MatrixRef::new(&x, rows, inputs);
                let out = MatrixMut::new(&mut ours, outputs, inputs);
                matmul_transposed_left(set, dy, x, out, None);
            },
            &mut || {
                let dy = Strided { values: black_box(&dy), row: 1, column: outputs };
                let x = Strided { values: &x, row: inputs, column: 1 };
                gemm_product((outputs, rows, inputs), dy, x, &mut theirs, true);
            },
        ],
    );
    report(&format!("{outputs} x {inputs} over {rows}"), operations, times);
}

/// A convolution of 3 x 3 squares as one product and in Winograd's two tilings, all in the
/// operations of the definition.
fn convolution(boards: usize, channels: usize) {
    let set = InstructionSet::detect();
    let (rows, depth) = (64 * boards, 9 * channels);
    let (x, weights) = (numbers(rows * channels), numbers(channels * depth));
    let packed = PackedMatrix::from_output_input(set, MatrixRef::new(&weights, channels, depth));
    let mut columns = vec![0.0; rows * depth];
    let mut outputs = [(); 3].map(|()| vec![0.0; rows * channels]);
    let [direct, two, four] = &mut outputs;
    let mut tilings = [(Tiling::Two, two), (Tiling::Four, four)].map(|(tiling, out)| {
        let shape = (channels, channels);
        let weights = WinogradWeights::forward(set, tiling, &weights, shape);
        let mut scratch = vec![0.0; winograd_scratch(&weights, boards)];
        let x = &x;
        move || {
            let out = MatrixMut::new(out, rows, channels);
            winograd(set, black_box(x), &weights, &mut scratch, out, Epilogue::default());
        }
    });
    let [two, four] = &mut tilings;
    let operations = 2.0 * (rows * depth * channels) as f64;
    let times = time(
        (2e8 / operations).ceil() as usize,
        [
            &mut || {
                im2col(black_box(&x), channels, &mut columns);
                let columns = MatrixRef::new(&columns, rows, depth);
                let out = MatrixMut::new(direct, rows, channels);
                matmul(set, columns, &packed, out, Epilogue::default());
            },
            two,
            four,
        ],
    );
    let [direct, two, four] = times.map(|seconds| operations / seconds / 1e9);
    println!("{:>24} {direct:>8.1} {two:>8.1} {four:>8.1}", format!("{boards} x {channels}"));
}

/// Forward and backward of one head, without a rival.
fn head(depth: usize) {
    let set = InstructionSet::detect();
    let qkv = numbers(TOKENS * 3 * depth);
    let dy = numbers(TOKENS * depth);
    let layout = HeadLayout { query: 0, key: depth, value: 2 * depth, stride: 3 * depth, depth };
    let mut probabilities = [0.0; TOKENS * TOKENS];
    let (mut out, mut gradients) = (vec![0.0; TOKENS * depth], vec![0.0; qkv.len()]);
    let mut backward_probabilities = [1.0 / 64.0; TOKENS * TOKENS];
    let [forward, backward] = time(
        500,
        [
            &mut || {
                let out = MatrixMut::new(&mut out, TOKENS, depth);
                let p = &mut probabilities;
                attention(set, black_box(&qkv), layout, 0.2, ScoreBias::None, p, out);
            },
            &mut || {
                let dy = MatrixRef::new(black_box(&dy), TOKENS, depth);
                let p = &mut backward_probabilities;
                p.fill(1.0 / 64.0);
                attention_backward(set, &qkv, layout, 0.2, p, dy, &mut gradients);
            },
        ],
    );
    println!("{:>24} {:>8.2} {:>8.2}", depth, forward * 1e6, backward * 1e6);
}

fn main() {
    let set = InstructionSet::detect();
    println!("matmul in GFLOP/s, {set}");
    println!("{:>24} {:>8} {:>8} {:>8}", "rows x depth x columns", "native", "gemm", "ratio");
    for (rows, depth, columns) in [
        (512, 128, 128),
        (512, 128, 256),
        (512, 256, 1024),
        (512, 1024, 1536),
        (512, 576, 64),
        (64, 128, 128),
        (64, 1024, 1024),
    ] {
        product(rows, depth, columns);
    }
    println!("matmul_transposed_left in GFLOP/s");
    for (rows, outputs, inputs) in
        [(512, 128, 128), (512, 256, 128), (512, 1024, 256), (1024, 1536, 1024), (512, 64, 576)]
    {
        weight_gradient(rows, outputs, inputs);
    }
    println!("convolution of 3 x 3 in GFLOP/s of the definition");
    println!("{:>24} {:>8} {:>8} {:>8}", "boards x channels", "im2col", "F(2x2)", "F(4x4)");
    for (boards, channels) in [(2, 64), (8, 64), (8, 128), (16, 128), (8, 256)] {
        convolution(boards, channels);
    }
    println!("attention of a head in microseconds");
    println!("{:>24} {:>8} {:>8}", "depth", "forward", "backward");
    for depth in [16, 32, 64] {
        head(depth);
    }
}
