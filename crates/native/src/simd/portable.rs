use std::array;
use std::ops::{Add, Div, Mul, Sub};

use super::{Kernel, LANES, Lanes, Simd};

pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Portable)
}

/// Arrays of sixteen.
#[derive(Clone, Copy)]
pub(super) struct Portable;

/// Sixteen lanes in an array.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct F32x16([f32; LANES]);

impl F32x16 {
    #[inline(always)]
    fn zip(self, other: Self, combine: impl Fn(f32, f32) -> f32) -> Self {
        F32x16(array::from_fn(|lane| combine(self.0[lane], other.0[lane])))
    }

    #[inline(always)]
    fn fold(self, combine: impl Fn(f32, f32) -> f32) -> f32 {
        let mut lanes = self.0;
        let mut width = LANES / 2;
        while width > 0 {
            for lane in 0..width {
                lanes[lane] = combine(lanes[lane], lanes[lane + width]);
            }
            width /= 2;
        }
        lanes[0]
    }
}

/// `2^exponent` for integral exponents between -126 and 127.
#[inline(always)]
fn power_of_two(exponent: i32) -> f32 {
    f32::from_bits((exponent.wrapping_add(127) as u32) << 23)
}

impl Simd for Portable {
    type Lanes = F32x16;

    const TILE_ROWS: usize = 6;
    const TILE_LANES: usize = 1;

    #[inline(always)]
    fn splat(self, value: f32) -> F32x16 {
        F32x16([value; LANES])
    }

    #[inline(always)]
    fn load(self, values: &[f32; LANES]) -> F32x16 {
        F32x16(*values)
    }

    #[inline(always)]
    fn load_first(self, values: &[f32], fill: f32) -> F32x16 {
        let mut lanes = [fill; LANES];
        lanes[..values.len()].copy_from_slice(values);
        F32x16(lanes)
    }

    #[inline(always)]
    fn prefetch(self, _address: *const f32) {}
}

impl Lanes for F32x16 {
    #[inline(always)]
    fn store(self, values: &mut [f32; LANES]) {
        *values = self.0;
    }

    #[inline(always)]
    fn store_first(self, values: &mut [f32]) {
        values.copy_from_slice(&self.0[..values.len()]);
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        F32x16(array::from_fn(|lane| self.0[lane].mul_add(factor.0[lane], addend.0[lane])))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        F32x16(self.0.map(f32::sqrt))
    }

    #[inline(always)]
    fn round(self) -> Self {
        F32x16(self.0.map(f32::round_ties_even))
    }

    #[inline(always)]
    fn times_power_of_two(self, exponent: Self) -> Self {
        // The first product is exact, as its factor and its result are normal numbers.
        self.zip(exponent, |value, exponent| {
            let exponent = exponent as i32;
            let half = exponent >> 1;
            value * power_of_two(half) * power_of_two(exponent - half)
        })
    }

    #[inline(always)]
    fn select_positive(self, positive: Self, otherwise: Self) -> Self {
        F32x16(array::from_fn(|lane| {
            if self.0[lane] > 0.0 { positive.0[lane] } else { otherwise.0[lane] }
        }))
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        self.fold(|a, b| a + b)
    }

    #[inline(always)]
    fn largest(self) -> f32 {
        self.fold(|a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        array::from_fn(|column| F32x16(array::from_fn(|row| rows[row].0[column])))
    }
}

impl Add for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
}

impl Div for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }
}
