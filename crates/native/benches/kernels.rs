//! Speed of the matrix product on one thread, beside that of the `gemm` crate in the same run.
//!
//! The two alternate, because the speed of a machine changes over minutes; the ratio of medians is
//! the result.

use std::hint::black_box;
use std::time::Instant;

use native::kernels::{Epilogue, InstructionSet, MatrixMut, MatrixRef, PackedMatrix, matmul};

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

fn product(rows: usize, depth: usize, columns: usize) {
    let (a, weights) = (numbers(rows * depth), numbers(columns * depth));
    let (mut ours, mut theirs) = (vec![0.0; rows * columns], vec![0.0; rows * columns]);
    let a = a.as_slice();
    let weights = weights.as_slice();
    let set = InstructionSet::detect();
    let packed = PackedMatrix::from_output_input(set, MatrixRef::new(weights, columns, depth));
    let operations = 2.0 * (rows * depth * columns) as f64;
    let repeats = (5e7 / operations).ceil() as usize;
    let [own, gemm] = time(
        repeats,
        [
            &mut || {
                let a = MatrixRef::new(black_box(a), rows, depth);
                let out = MatrixMut::new(&mut ours, rows, columns);
                matmul(set, a, &packed, out, Epilogue::default());
            },
            // SAFETY: the shapes and strides are those of the slices.
            &mut || unsafe {
                gemm::gemm(
                    rows,
                    columns,
                    depth,
                    theirs.as_mut_ptr(),
                    1,
                    columns as isize,
                    false,
                    black_box(a).as_ptr(),
                    1,
                    depth as isize,
                    weights.as_ptr(),
                    depth as isize,
                    1,
                    0.0,
                    1.0,
                    false,
                    false,
                    false,
                    gemm::Parallelism::None,
                );
            },
        ],
    );
    for (x, y) in ours.iter().zip(&theirs) {
        assert!((x - y).abs() < 1e-3 * (depth as f32).sqrt(), "{x} is not {y}");
    }
    let speed = |seconds: f64| operations / seconds / 1e9;
    println!(
        "{:>20} {:>8.1} {:>8.1} {:>8.2}",
        format!("{rows} x {depth} x {columns}"),
        speed(own),
        speed(gemm),
        gemm / own,
    );
}

fn main() {
    println!("matmul in GFLOP/s, {}", InstructionSet::detect());
    println!("{:>20} {:>8} {:>8} {:>8}", "", "native", "gemm", "ratio");
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
}
