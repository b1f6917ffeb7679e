//! Speed of the kernels on one thread: matrix products beside those of the `gemm` crate,
//! convolutions in three ways, attention.
//!
//! `cargo bench -p native --bench kernels [-- FILTER]`; the throughput is in multiplications of the
//! definition, each with its addition.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use native::kernels::{
    Epilogue, HeadLayout, InstructionSet, MatrixMut, MatrixRef, PackedMatrix, ScoreBias, Start,
    TOKENS, Tiling, WinogradWeights, attention, attention_backward, im2col, matmul,
    matmul_transposed_left, winograd, winograd_scratch,
};

/// Numbers between -1 and 1 without a pattern.
fn numbers(count: usize) -> Vec<f32> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
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

/// `[rows x depth]` times the weights of a layer.
fn products(criterion: &mut Criterion) {
    let set = InstructionSet::detect();
    let mut group = criterion.benchmark_group("matmul");
    for (rows, depth, columns) in [
        (512, 128, 128),
        (512, 128, 256),
        (512, 256, 1024),
        (512, 1024, 1536),
        (64, 128, 128),
        (64, 1024, 1024),
    ] {
        let shape = format!("{rows}x{depth}x{columns}");
        group.throughput(Throughput::Elements((rows * depth * columns) as u64));
        let (a, weights) = (numbers(rows * depth), numbers(columns * depth));
        let (mut ours, mut theirs) = (vec![0.0; rows * columns], vec![0.0; rows * columns]);
        let packed = PackedMatrix::from_output_input(set, MatrixRef::new(&weights, columns, depth));
        group.bench_function(BenchmarkId::new("native", &shape), |bencher| {
            bencher.iter(|| {
                let a = MatrixRef::new(black_box(&a), rows, depth);
                let out = MatrixMut::new(&mut ours, rows, columns);
                matmul(set, a, &packed, out, Epilogue::default());
            });
        });
        group.bench_function(BenchmarkId::new("gemm", &shape), |bencher| {
            bencher.iter(|| {
                let a = Strided { values: black_box(&a), row: depth, column: 1 };
                let weights = Strided { values: &weights, row: 1, column: depth };
                gemm_product((rows, depth, columns), a, weights, &mut theirs, false);
            });
        });
    }
}

/// Gradients of the weights of a layer `[outputs x inputs]`.
fn weight_gradients(criterion: &mut Criterion) {
    let set = InstructionSet::detect();
    let mut group = criterion.benchmark_group("matmul_transposed_left");
    for (rows, outputs, inputs) in
        [(512, 128, 128), (512, 256, 128), (512, 1024, 256), (1024, 1536, 1024), (512, 64, 576)]
    {
        let shape = format!("{outputs}x{inputs} over {rows}");
        group.throughput(Throughput::Elements((rows * outputs * inputs) as u64));
        let (dy, x) = (numbers(rows * outputs), numbers(rows * inputs));
        let (mut ours, mut theirs) = (vec![0.0; outputs * inputs], vec![0.0; outputs * inputs]);
        group.bench_function(BenchmarkId::new("native", &shape), |bencher| {
            bencher.iter(|| {
                let dy = MatrixRef::new(black_box(&dy), rows, outputs);
                let x = MatrixRef::new(&x, rows, inputs);
                let out = MatrixMut::new(&mut ours, outputs, inputs);
                matmul_transposed_left(set, dy, x, out, Start::Target, None);
            });
        });
        group.bench_function(BenchmarkId::new("gemm", &shape), |bencher| {
            bencher.iter(|| {
                let dy = Strided { values: black_box(&dy), row: 1, column: outputs };
                let x = Strided { values: &x, row: inputs, column: 1 };
                gemm_product((outputs, rows, inputs), dy, x, &mut theirs, true);
            });
        });
    }
}

/// Convolutions of 3 x 3 as a product over neighbourhoods, and through Winograd's algorithm.
fn convolutions(criterion: &mut Criterion) {
    let set = InstructionSet::detect();
    let mut group = criterion.benchmark_group("convolution");
    for (boards, channels) in [(2, 64), (8, 64), (8, 128), (16, 128), (8, 256)] {
        let shape = format!("{boards} boards, {channels} channels");
        let (rows, depth) = (boards * TOKENS, 9 * channels);
        group.throughput(Throughput::Elements((rows * depth * channels) as u64));
        let (x, kernel) = (numbers(rows * channels), numbers(channels * depth));
        let mut out = vec![0.0; rows * channels];
        let packed = PackedMatrix::from_output_input(set, MatrixRef::new(&kernel, channels, depth));
        let mut columns = vec![0.0; rows * depth];
        group.bench_function(BenchmarkId::new("im2col", &shape), |bencher| {
            bencher.iter(|| {
                im2col(black_box(&x), channels, &mut columns);
                let columns = MatrixRef::new(&columns, rows, depth);
                let out = MatrixMut::new(&mut out, rows, channels);
                matmul(set, columns, &packed, out, Epilogue::default());
            });
        });
        for (name, tiling) in [("F(2x2)", Tiling::Two), ("F(4x4)", Tiling::Four)] {
            let weights = WinogradWeights::forward(set, tiling, &kernel, (channels, channels));
            let mut scratch = vec![0.0; winograd_scratch(&weights, boards)];
            group.bench_function(BenchmarkId::new(name, &shape), |bencher| {
                bencher.iter(|| {
                    let out = MatrixMut::new(&mut out, rows, channels);
                    let (x, epilogue) = (black_box(&x), Epilogue::default());
                    winograd(set, x, &weights, &mut scratch, out, epilogue);
                });
            });
        }
    }
}

/// Forward and backward of one head.
fn heads(criterion: &mut Criterion) {
    let set = InstructionSet::detect();
    let mut group = criterion.benchmark_group("attention");
    for depth in [16, 32, 64] {
        let (qkv, dy) = (numbers(TOKENS * 3 * depth), numbers(TOKENS * depth));
        let layout =
            HeadLayout { query: 0, key: depth, value: 2 * depth, stride: 3 * depth, depth };
        let mut probabilities = [0.0; TOKENS * TOKENS];
        let (mut out, mut gradients) = (vec![0.0; TOKENS * depth], vec![0.0; qkv.len()]);
        group.bench_function(BenchmarkId::new("forward", depth), |bencher| {
            bencher.iter(|| {
                let out = MatrixMut::new(&mut out, TOKENS, depth);
                let p = &mut probabilities;
                attention(set, black_box(&qkv), layout, 0.2, ScoreBias::None, p, out);
            });
        });
        group.bench_function(BenchmarkId::new("backward", depth), |bencher| {
            bencher.iter(|| {
                let dy = MatrixRef::new(black_box(&dy), TOKENS, depth);
                let p = &mut probabilities;
                p.fill(1.0 / 64.0);
                attention_backward(set, &qkv, layout, 0.2, p, dy, &mut gradients);
            });
        });
    }
}

criterion_group!(benches, products, weight_gradients, convolutions, heads);
criterion_main!(benches);
