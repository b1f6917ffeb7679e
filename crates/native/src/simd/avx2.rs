use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Sub};

use super::{Kernel, LANES, Lanes, Simd};

/// Runs a kernel with AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx2(()))
}

/// Made by [`run`] only, so that holding one proves that the instructions exist.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

/// Two registers: lanes 0 to 7 and 8 to 15. Made through [`Avx2`] only, and so a proof as well.
#[derive(Clone, Copy)]
pub(super) struct F32x16(__m256, __m256);

/// Masks for the first `length` lanes, in both registers.
///
/// # Safety
///
/// The processor must have AVX2.
#[inline(always)]
unsafe fn first(length: usize) -> (__m256i, __m256i) {
    assert!(length <= LANES);
    let length = length as i32;
    // SAFETY: the caller's promise.
    unsafe {
        let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        (
            _mm256_cmpgt_epi32(_mm256_set1_epi32(length), lanes),
            _mm256_cmpgt_epi32(_mm256_set1_epi32(length - 8), lanes),
        )
    }
}

/// `2^exponent` for integral exponents between -126 and 127.
///
/// # Safety
///
/// The processor must have AVX2.
#[inline(always)]
unsafe fn power_of_two(exponent: __m256i) -> __m256 {
    // SAFETY: the caller's promise.
    unsafe {
        let biased = _mm256_add_epi32(exponent, _mm256_set1_epi32(127));
        _mm256_castsi256_ps(_mm256_slli_epi32::<23>(biased))
    }
}

/// `value * 2^exponent`; the first of the two products is exact, as its factor and its result are
/// normal numbers.
///
/// # Safety
///
/// The processor must have AVX2.
#[inline(always)]
unsafe fn times_power_of_two(value: __m256, exponent: __m256) -> __m256 {
    // SAFETY: the caller's promise.
    unsafe {
        let exponent = _mm256_cvtps_epi32(exponent);
        let half = _mm256_srai_epi32::<1>(exponent);
        let rest = _mm256_sub_epi32(exponent, half);
        _mm256_mul_ps(_mm256_mul_ps(value, power_of_two(half)), power_of_two(rest))
    }
}

/// The transpose of eight rows of eight.
///
/// # Safety
///
/// The processor must have AVX2.
#[inline(always)]
unsafe fn transpose8(rows: [__m256; 8]) -> [__m256; 8] {
    let mut pairs = rows;
    let mut fours = rows;
    let mut columns = rows;
    // SAFETY: the caller's promise.
    unsafe {
        for i in 0..4 {
            pairs[2 * i] = _mm256_unpacklo_ps(rows[2 * i], rows[2 * i + 1]);
            pairs[2 * i + 1] = _mm256_unpackhi_ps(rows[2 * i], rows[2 * i + 1]);
        }
        for i in 0..2 {
            for half in 0..2 {
                let a = _mm256_castps_pd(pairs[4 * i + half]);
                let b = _mm256_castps_pd(pairs[4 * i + half + 2]);
                fours[4 * i + 2 * half] = _mm256_castpd_ps(_mm256_unpacklo_pd(a, b));
                fours[4 * i + 2 * half + 1] = _mm256_castpd_ps(_mm256_unpackhi_pd(a, b));
            }
        }
        for c in 0..4 {
            columns[c] = _mm256_permute2f128_ps::<0x20>(fours[c], fours[4 + c]);
            columns[4 + c] = _mm256_permute2f128_ps::<0x31>(fours[c], fours[4 + c]);
        }
    }
    columns
}

impl Simd for Avx2 {
    type Lanes = F32x16;

    // Twelve sums in registers, two of the right operand and one of the left: 15 of the 16.
    const TILE_ROWS: usize = 6;
    const TILE_LANES: usize = 1;

    #[inline(always)]
    fn splat(self, value: f32) -> F32x16 {
        // SAFETY: `self` proves AVX2.
        let lanes = unsafe { _mm256_set1_ps(value) };
        F32x16(lanes, lanes)
    }

    #[inline(always)]
    fn load(self, values: &[f32; LANES]) -> F32x16 {
        let values = values.as_ptr();
        // SAFETY: `self` proves AVX2; the array has the 64 bytes that are read.
        unsafe { F32x16(_mm256_loadu_ps(values), _mm256_loadu_ps(values.add(8))) }
    }

    #[inline(always)]
    fn load_first(self, values: &[f32], fill: f32) -> F32x16 {
        // SAFETY: `self` proves AVX2; lanes outside the masks are not read.
        unsafe {
            let (low, high) = first(values.len());
            let (values, fill) = (values.as_ptr(), _mm256_set1_ps(fill));
            let lanes = _mm256_maskload_ps(values, low);
            let upper_lanes = _mm256_maskload_ps(values.wrapping_add(8), high);
            F32x16(
                _mm256_blendv_ps(fill, lanes, _mm256_castsi256_ps(low)),
                _mm256_blendv_ps(fill, upper_lanes, _mm256_castsi256_ps(high)),
            )
        }
    }

    #[inline(always)]
    fn prefetch(self, address: *const f32) {
        // SAFETY: a hint, which cannot fault.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
}

impl Lanes for F32x16 {
    #[inline(always)]
    fn store(self, values: &mut [f32; LANES]) {
        let values = values.as_mut_ptr();
        // SAFETY: `self` proves AVX2; the array has the 64 bytes that are written.
        unsafe {
            _mm256_storeu_ps(values, self.0);
            _mm256_storeu_ps(values.add(8), self.1);
        }
    }

    #[inline(always)]
    fn store_first(self, values: &mut [f32]) {
        // SAFETY: `self` proves AVX2; lanes outside the masks are not written.
        unsafe {
            let (low, high) = first(values.len());
            let values = values.as_mut_ptr();
            _mm256_maskstore_ps(values, low, self.0);
            _mm256_maskstore_ps(values.wrapping_add(8), high, self.1);
        }
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        // SAFETY: `self` proves AVX2 and FMA.
        unsafe {
            F32x16(
                _mm256_fmadd_ps(self.0, factor.0, addend.0),
                _mm256_fmadd_ps(self.1, factor.1, addend.1),
            )
        }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX2.
        unsafe { F32x16(_mm256_max_ps(self.0, other.0), _mm256_max_ps(self.1, other.1)) }
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX2.
        unsafe { F32x16(_mm256_min_ps(self.0, other.0), _mm256_min_ps(self.1, other.1)) }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: `self` proves AVX2.
        unsafe { F32x16(_mm256_sqrt_ps(self.0), _mm256_sqrt_ps(self.1)) }
    }

    #[inline(always)]
    fn round(self) -> Self {
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
        // SAFETY: `self` proves AVX2.
        unsafe { F32x16(_mm256_round_ps::<NEAREST>(self.0), _mm256_round_ps::<NEAREST>(self.1)) }
    }

    #[inline(always)]
    fn times_power_of_two(self, exponent: Self) -> Self {
        // SAFETY: `self` proves AVX2.
        unsafe {
            F32x16(times_power_of_two(self.0, exponent.0), times_power_of_two(self.1, exponent.1))
        }
    }

    #[inline(always)]
    fn select_positive(self, positive: Self, otherwise: Self) -> Self {
        // SAFETY: `self` proves AVX2.
        unsafe {
            let zero = _mm256_setzero_ps();
            let (low, high) = (
                _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, zero),
                _mm256_cmp_ps::<_CMP_GT_OQ>(self.1, zero),
            );
            F32x16(
                _mm256_blendv_ps(otherwise.0, positive.0, low),
                _mm256_blendv_ps(otherwise.1, positive.1, high),
            )
        }
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        // SAFETY: `self` proves AVX2 and so SSE.
        unsafe {
            let v = _mm256_add_ps(self.0, self.1);
            let v = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps::<1>(v));
            let v = _mm_add_ps(v, _mm_movehl_ps(v, v));
            _mm_cvtss_f32(_mm_add_ss(v, _mm_movehdup_ps(v)))
        }
    }

    #[inline(always)]
    fn largest(self) -> f32 {
        // SAFETY: `self` proves AVX2 and so SSE.
        unsafe {
            let v = _mm256_max_ps(self.0, self.1);
            let v = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps::<1>(v));
            let v = _mm_max_ps(v, _mm_movehl_ps(v, v));
            _mm_cvtss_f32(_mm_max_ss(v, _mm_movehdup_ps(v)))
        }
    }

    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        let mut columns = rows;
        // Each of the four blocks of eight by eight is transposed; the block above the diagonal
        // and the one below change places.
        // SAFETY: the rows prove AVX2.
        unsafe {
            let mut blocks = [[rows[0].0; 8]; 4];
            for i in 0..8 {
                blocks[0][i] = rows[i].0;
                blocks[1][i] = rows[8 + i].0;
                blocks[2][i] = rows[i].1;
                blocks[3][i] = rows[8 + i].1;
            }
            let (a, b) = (transpose8(blocks[0]), transpose8(blocks[1]));
            let (c, d) = (transpose8(blocks[2]), transpose8(blocks[3]));
            for i in 0..8 {
                columns[i] = F32x16(a[i], b[i]);
                columns[8 + i] = F32x16(c[i], d[i]);
            }
        }
        columns
    }
}

impl Add for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX2.
        unsafe { F32x16(_mm256_add_ps(self.0, other.0), _mm256_add_ps(self.1, other.1)) }
    }
}

impl Sub for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX2.
        unsafe { F32x16(_mm256_sub_ps(self.0, other.0), _mm256_sub_ps(self.1, other.1)) }
    }
}

impl Mul for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX2.
        unsafe { F32x16(_mm256_mul_ps(self.0, other.0), _mm256_mul_ps(self.1, other.1)) }
    }
}

impl Div for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX2.
        unsafe { F32x16(_mm256_div_ps(self.0, other.0), _mm256_div_ps(self.1, other.1)) }
    }
}
