//! Sixteen `f32` lanes at a time, with the same bits from every implementation.
//!
//! A kernel is written once, generic over [`Simd`], and compiled for AVX-512, for AVX2 with FMA,
//! for NEON, and portably. All round alike: they use fused multiply-adds where the kernel says so
//! and nowhere else, true division and square root, and one order of reduction, that of
//! [`Lanes::sum`].

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub(crate) mod bfloat16;
mod instruction_set;
pub(crate) mod math;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(test)]
mod tests;

use std::ops::{Add, Div, Mul, Sub};

pub use instruction_set::InstructionSet;

/// The number of lanes.
pub(crate) const LANES: usize = 16;

/// A computation that can run on any instruction set.
///
/// `run` must be `#[inline(always)]`, and so must all functions below it that are generic over
/// [`Simd`]: they take on the target features of the caller into which they are inlined.
pub(crate) trait Kernel {
    /// What the computation returns.
    type Output;

    /// Runs the computation.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Proof that the processor has the instructions behind [`Simd::Lanes`]: the only source of lanes.
pub(crate) trait Simd: Copy {
    /// Sixteen numbers in registers.
    type Lanes: Lanes;

    /// Rows of the largest tile of a matrix product whose sums stay in registers.
    const TILE_ROWS: usize;
    /// Width of that tile, in lanes: 1 or 2.
    const TILE_LANES: usize;

    /// The same number in all lanes.
    fn splat(self, value: f32) -> Self::Lanes;

    /// Sixteen numbers from memory.
    fn load(self, values: &[f32; LANES]) -> Self::Lanes;

    /// The first `values.len()` lanes (at most sixteen) from memory, the others set to `fill`.
    fn load_first(self, values: &[f32], fill: f32) -> Self::Lanes;

    /// Asks for the cache line at an address, which may lie outside any allocation.
    fn prefetch(self, address: *const f32);

    /// At most sixteen numbers from memory, the lanes beyond them set to `fill`: the quick way
    /// where there are mostly sixteen.
    #[inline(always)]
    fn load_chunk(self, values: &[f32], fill: f32) -> Self::Lanes {
        match values.try_into() {
            Ok(values) => self.load(values),
            Err(_) => self.load_first(values, fill),
        }
    }
}

/// Sixteen numbers, computed with lane by lane.
pub(crate) trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// Writes all lanes to memory.
    fn store(self, values: &mut [f32; LANES]);

    /// Writes the first `values.len()` lanes (at most sixteen) to memory.
    fn store_first(self, values: &mut [f32]);

    /// Writes the first `values.len()` lanes: the quick way where there are mostly sixteen.
    #[inline(always)]
    fn store_chunk(self, values: &mut [f32]) {
        match values.try_into() {
            Ok(values) => self.store(values),
            Err(_) => self.store_first(values),
        }
    }

    /// `self * factor + addend`, rounded once.
    fn mul_add(self, factor: Self, addend: Self) -> Self;

    /// `if self > other { self } else { other }`: where either is NaN, `other`.
    fn max(self, other: Self) -> Self;

    /// `if self < other { self } else { other }`: where either is NaN, `other`.
    fn min(self, other: Self) -> Self;

    /// The square root, correctly rounded.
    fn sqrt(self) -> Self;

    /// The nearest integer, ties to even.
    fn round(self) -> Self;

    /// `self * 2^exponent`, rounded once, for integral exponents between -250 and 250 and
    /// magnitudes of `self` between 0.5 and 2. NaN in `self` stays NaN.
    fn times_power_of_two(self, exponent: Self) -> Self;

    /// `if self > 0 { positive } else { otherwise }`.
    fn select_positive(self, positive: Self, otherwise: Self) -> Self;

    /// The sum of all lanes: lane `i` plus lane `i + 8`, then `i + 4`, `i + 2` and `i + 1`.
    fn sum(self) -> f32;

    /// The largest lane, by [`Lanes::max`] in the order of [`Lanes::sum`].
    fn largest(self) -> f32;

    /// Lane `j` of row `i` becomes lane `i` of row `j`.
    fn transpose(rows: [Self; LANES]) -> [Self; LANES];
}
