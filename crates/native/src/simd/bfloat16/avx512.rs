use std::arch::x86_64::*;

use super::{PairKernel, PairSums, PairTile, Pairs};
use crate::simd::avx512::{Avx512, F32x16};
use crate::simd::{InstructionSet, LANES, Lanes, Simd};

/// Whether the processor has AVX512-BF16 and what [`Avx512`] needs.
pub(super) fn detect() -> bool {
    InstructionSet::has_avx512() && is_x86_feature_detected!("avx512bf16")
}

/// Whether AVX512-BF16 multiplies more numbers in a second than AVX-512 does in `f32`.
///
/// The instruction multiplies twice as many as a fused multiply-add of `f32`. An Emerald Rapids was
/// seen to begin one every two cycles and four of the others in that time, so that it does half as
/// much with it; it stands for all of Intel's here. Zen 4 begins as many of both, by published tables.
pub(super) fn outpaces_f32() -> bool {
    let vendor = __cpuid(0);
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    name.as_flattened() != b"GenuineIntel"
}

/// Runs a kernel with AVX512-BF16.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,avx2,fma")]
pub(super) fn run(kernel: impl PairKernel) {
    kernel.run(Rows(Avx512(())));
}

/// Made by [`run`] only, so that holding one proves that the instructions exist.
#[derive(Clone, Copy)]
struct Rows(Avx512);

/// Rows whose sums stay in registers: 16 sums, two columns of the right operand and a pair of the
/// left one.
const ROWS: usize = 8;

impl Pairs for Rows {
    type Simd = Avx512;

    #[inline(always)]
    fn simd(self) -> Avx512 {
        self.0
    }

    #[inline(always)]
    fn join(self, first: F32x16, second: F32x16) -> F32x16 {
        // SAFETY: `self` proves AVX512-BF16.
        unsafe { join(first, second) }
    }

    #[inline(always)]
    fn interleave(self, even: F32x16, odd: F32x16) -> F32x16 {
        // SAFETY: `self` proves AVX512-BF16.
        unsafe { interleave(even, odd) }
    }

    #[inline(always)]
    fn multiply_add(
        self,
        left: &[[PairTile; 2]],
        right: &[[PairTile; 2]],
        rows: usize,
        sums: PairSums<'_>,
        first: bool,
    ) {
        let rows = sums.check(left, right, rows);
        let PairSums { values, stride } = sums;
        for row in (0..rows).step_by(ROWS) {
            let (tile, start) = (row / LANES, row % LANES);
            let mut accumulators = [[self.0.splat(0.0); 2]; ROWS];
            let chunk = |row: usize, half: usize| {
                let start = row * stride + half * LANES;
                start..start + LANES
            };
            if !first {
                for (r, sums) in accumulators.iter_mut().enumerate() {
                    for (half, sum) in sums.iter_mut().enumerate() {
                        *sum = self.0.load_chunk(&values[chunk(row + r, half)], 0.0);
                    }
                }
            }
            for (left, right) in left.iter().zip(right) {
                for pair in 0..LANES {
                    let columns = [self.0.load(&right[0].0[pair]), self.0.load(&right[1].0[pair])];
                    for (r, sums) in accumulators.iter_mut().enumerate() {
                        let numbers = self.0.splat(left[tile].0[start + r][pair]);
                        for (sum, columns) in sums.iter_mut().zip(columns) {
                            // SAFETY: `self` proves AVX512-BF16.
                            *sum = unsafe { multiply_add(numbers, columns, *sum) };
                        }
                    }
                }
            }
            for (r, sums) in accumulators.into_iter().enumerate() {
                for (half, sum) in sums.into_iter().enumerate() {
                    sum.store_chunk(&mut values[chunk(row + r, half)]);
                }
            }
        }
    }
}

/// See [`Pairs::join`].
///
/// # Safety
///
/// The processor must have AVX512-BF16.
#[inline(always)]
pub(super) unsafe fn join(first: F32x16, second: F32x16) -> F32x16 {
    // SAFETY: the caller's promise; all registers have 64 bytes.
    unsafe {
        let pairs = _mm512_cvtne2ps_pbh(second.0, first.0);
        F32x16(std::mem::transmute::<__m512bh, __m512>(pairs))
    }
}

/// See [`Pairs::interleave`].
///
/// # Safety
///
/// The processor must have AVX512-BF16.
#[inline(always)]
pub(super) unsafe fn interleave(even: F32x16, odd: F32x16) -> F32x16 {
    const ORDER: [i16; 32] = {
        let mut order = [0; 32];
        let mut lane = 0;
        while lane < 16 {
            order[2 * lane] = lane as i16;
            order[2 * lane + 1] = lane as i16 + 16;
            lane += 1;
        }
        order
    };
    // SAFETY: the caller's promise; the order has the 64 bytes that are read.
    unsafe {
        let order = _mm512_loadu_epi16(ORDER.as_ptr());
        let pairs = _mm512_castps_si512(join(even, odd).0);
        F32x16(_mm512_castsi512_ps(_mm512_permutexvar_epi16(order, pairs)))
    }
}

/// `sum + pairs of numbers * pairs of columns`
///
/// # Safety
///
/// The processor must have AVX512-BF16.
#[inline(always)]
unsafe fn multiply_add(numbers: F32x16, columns: F32x16, sum: F32x16) -> F32x16 {
    // SAFETY: the caller's promise; all registers have 64 bytes.
    unsafe {
        let numbers = std::mem::transmute::<__m512, __m512bh>(numbers.0);
        let columns = std::mem::transmute::<__m512, __m512bh>(columns.0);
        F32x16(_mm512_dpbf16_ps(sum.0, numbers, columns))
    }
}
