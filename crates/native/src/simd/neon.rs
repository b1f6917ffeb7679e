use std::arch::aarch64::*;
use std::array;
use std::ops::{Add, Div, Mul, Sub};

use super::{Kernel, LANES, Lanes, Simd};

/// Evaluates an expression of NEON instructions that take no pointers.
macro_rules! neon {
    ($expression:expr) => {
        // SAFETY: every arm64 processor has NEON.
        unsafe { $expression }
    };
}

/// Runs a kernel with NEON, which every arm64 processor has.
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Neon)
}

/// The instructions of all arm64 processors.
#[derive(Clone, Copy)]
pub(super) struct Neon;

/// Registers that hold the lanes, four each.
const REGISTERS: usize = 4;

/// Sixteen lanes, in order.
#[derive(Clone, Copy)]
pub(super) struct F32x16([float32x4_t; REGISTERS]);

impl F32x16 {
    #[inline(always)]
    fn zip(self, other: Self, combine: impl Fn(float32x4_t, float32x4_t) -> float32x4_t) -> Self {
        F32x16(array::from_fn(|i| combine(self.0[i], other.0[i])))
    }

    /// Combines lane `i` with lane `i + 8`, then `i + 4`, `i + 2` and `i + 1`.
    #[inline(always)]
    fn fold(self, combine: impl Fn(float32x4_t, float32x4_t) -> float32x4_t) -> f32 {
        let [a, b, c, d] = self.0;
        let lanes = combine(combine(a, c), combine(b, d));
        let lanes = combine(lanes, neon!(vextq_f32::<2>(lanes, lanes)));
        let lanes = combine(lanes, neon!(vextq_f32::<1>(lanes, lanes)));
        neon!(vgetq_lane_f32::<0>(lanes))
    }
}

/// `if a > b { a } else { b }`; the instruction for maxima treats NaN otherwise.
#[inline(always)]
fn greater(a: float32x4_t, b: float32x4_t) -> float32x4_t {
    neon!(vbslq_f32(vcgtq_f32(a, b), a, b))
}

/// `if a < b { a } else { b }`
#[inline(always)]
fn less(a: float32x4_t, b: float32x4_t) -> float32x4_t {
    neon!(vbslq_f32(vcltq_f32(a, b), a, b))
}

/// `2^exponent` for integral exponents between -126 and 127.
#[inline(always)]
fn power_of_two(exponent: int32x4_t) -> float32x4_t {
    neon!(vreinterpretq_f32_s32(vshlq_n_s32::<23>(vaddq_s32(exponent, vdupq_n_s32(127)))))
}

/// `value * 2^exponent`; the first of the two products is exact, as its factor and its result are
/// normal numbers.
#[inline(always)]
fn times_power_of_two(value: float32x4_t, exponent: float32x4_t) -> float32x4_t {
    let exponent = neon!(vcvtq_s32_f32(exponent));
    let half = neon!(vshrq_n_s32::<1>(exponent));
    let rest = neon!(vsubq_s32(exponent, half));
    neon!(vmulq_f32(vmulq_f32(value, power_of_two(half)), power_of_two(rest)))
}

/// The transpose of four rows of four.
#[inline(always)]
fn transpose4([a, b, c, d]: [float32x4_t; 4]) -> [float32x4_t; 4] {
    let low = |a, b| neon!(vcombine_f32(vget_low_f32(a), vget_low_f32(b)));
    let high = |a, b| neon!(vcombine_f32(vget_high_f32(a), vget_high_f32(b)));
    let (ab_even, ab_odd) = neon!((vtrn1q_f32(a, b), vtrn2q_f32(a, b)));
    let (cd_even, cd_odd) = neon!((vtrn1q_f32(c, d), vtrn2q_f32(c, d)));
    [low(ab_even, cd_even), low(ab_odd, cd_odd), high(ab_even, cd_even), high(ab_odd, cd_odd)]
}

impl Simd for Neon {
    type Lanes = F32x16;

    // 24 sums in registers, four of the right operand and one of the left: 29 of the 32.
    const TILE_ROWS: usize = 6;
    const TILE_LANES: usize = 1;

    #[inline(always)]
    fn splat(self, value: f32) -> F32x16 {
        F32x16([neon!(vdupq_n_f32(value)); REGISTERS])
    }

    #[inline(always)]
    fn load(self, values: &[f32; LANES]) -> F32x16 {
        let (chunks, _) = values.as_chunks::<4>();
        // SAFETY: each chunk has the four numbers that are read.
        F32x16(array::from_fn(|i| unsafe { vld1q_f32(chunks[i].as_ptr()) }))
    }

    #[inline(always)]
    fn load_first(self, values: &[f32], fill: f32) -> F32x16 {
        let mut lanes = [fill; LANES];
        lanes[..values.len()].copy_from_slice(values);
        self.load(&lanes)
    }

    // The instruction is not yet available in stable Rust.
    #[inline(always)]
    fn prefetch(self, _address: *const f32) {}
}

impl Lanes for F32x16 {
    #[inline(always)]
    fn store(self, values: &mut [f32; LANES]) {
        let (chunks, _) = values.as_chunks_mut::<4>();
        for (chunk, lanes) in chunks.iter_mut().zip(self.0) {
            // SAFETY: the chunk has the four numbers that are written.
            unsafe { vst1q_f32(chunk.as_mut_ptr(), lanes) }
        }
    }

    #[inline(always)]
    fn store_first(self, values: &mut [f32]) {
        let mut lanes = [0.0; LANES];
        self.store(&mut lanes);
        values.copy_from_slice(&lanes[..values.len()]);
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        F32x16(array::from_fn(|i| neon!(vfmaq_f32(addend.0[i], self.0[i], factor.0[i]))))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, greater)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, less)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        F32x16(self.0.map(|lanes| neon!(vsqrtq_f32(lanes))))
    }

    #[inline(always)]
    fn round(self) -> Self {
        F32x16(self.0.map(|lanes| neon!(vrndnq_f32(lanes))))
    }

    #[inline(always)]
    fn times_power_of_two(self, exponent: Self) -> Self {
        self.zip(exponent, times_power_of_two)
    }

    #[inline(always)]
    fn select_positive(self, positive: Self, otherwise: Self) -> Self {
        F32x16(array::from_fn(|i| {
            let mask = neon!(vcgtq_f32(self.0[i], vdupq_n_f32(0.0)));
            neon!(vbslq_f32(mask, positive.0[i], otherwise.0[i]))
        }))
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        self.fold(|a, b| neon!(vaddq_f32(a, b)))
    }

    #[inline(always)]
    fn largest(self) -> f32 {
        self.fold(greater)
    }

    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        let mut columns = rows;
        for i in 0..REGISTERS {
            for j in 0..REGISTERS {
                let block = transpose4(array::from_fn(|r| rows[4 * i + r].0[j]));
                for (r, lanes) in block.into_iter().enumerate() {
                    columns[4 * j + r].0[i] = lanes;
                }
            }
        }
        columns
    }
}

impl Add for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| neon!(vaddq_f32(a, b)))
    }
}

impl Sub for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| neon!(vsubq_f32(a, b)))
    }
}

impl Mul for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| neon!(vmulq_f32(a, b)))
    }
}

impl Div for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, |a, b| neon!(vdivq_f32(a, b)))
    }
}
