use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Sub};

use super::{Kernel, LANES, Lanes, Simd};

/// Runs a kernel with AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx512(()))
}

/// Made only in functions that enable the features, as [`run`] does, so that holding one proves that
/// the instructions exist.
#[derive(Clone, Copy)]
pub(super) struct Avx512(pub(super) ());

/// One register. Made through [`Avx512`] only, and so a proof as well.
#[derive(Clone, Copy)]
pub(super) struct F32x16(pub(super) __m512);

/// Ones in the lowest `length` bits.
#[inline(always)]
fn first(length: usize) -> __mmask16 {
    assert!(length <= LANES);
    ((1_u32 << length) - 1) as __mmask16
}

impl Simd for Avx512 {
    type Lanes = F32x16;

    // 28 sums, two columns of the right operand and one element of the left one: 31 of the 32
    // registers.
    const TILE_ROWS: usize = 14;
    const TILE_LANES: usize = 2;

    #[inline(always)]
    fn splat(self, value: f32) -> F32x16 {
        // SAFETY: `self` proves AVX-512.
        F32x16(unsafe { _mm512_set1_ps(value) })
    }

    #[inline(always)]
    fn load(self, values: &[f32; LANES]) -> F32x16 {
        // SAFETY: `self` proves AVX-512; the array has the 64 bytes that are read.
        F32x16(unsafe { _mm512_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn load_first(self, values: &[f32], fill: f32) -> F32x16 {
        let mask = first(values.len());
        // SAFETY: `self` proves AVX-512; lanes outside the mask are not read.
        F32x16(unsafe { _mm512_mask_loadu_ps(_mm512_set1_ps(fill), mask, values.as_ptr()) })
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
        // SAFETY: `self` proves AVX-512; the array has the 64 bytes that are written.
        unsafe { _mm512_storeu_ps(values.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn store_first(self, values: &mut [f32]) {
        let mask = first(values.len());
        // SAFETY: `self` proves AVX-512; lanes outside the mask are not written.
        unsafe { _mm512_mask_storeu_ps(values.as_mut_ptr(), mask, self.0) }
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        F32x16(unsafe { _mm512_fmadd_ps(self.0, factor.0, addend.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        F32x16(unsafe { _mm512_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        F32x16(unsafe { _mm512_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: `self` proves AVX-512.
        F32x16(unsafe { _mm512_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn round(self) -> Self {
        // SAFETY: `self` proves AVX-512.
        F32x16(unsafe { _mm512_roundscale_ps::<_MM_FROUND_TO_NEAREST_INT>(self.0) })
    }

    #[inline(always)]
    fn times_power_of_two(self, exponent: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        F32x16(unsafe { _mm512_scalef_ps(self.0, exponent.0) })
    }

    #[inline(always)]
    fn select_positive(self, positive: Self, otherwise: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        unsafe {
            let mask = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(self.0, _mm512_setzero_ps());
            F32x16(_mm512_mask_blend_ps(mask, otherwise.0, positive.0))
        }
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        // SAFETY: `self` proves AVX-512, AVX2 and so SSE.
        unsafe {
            let v = _mm256_add_ps(_mm512_castps512_ps256(self.0), upper_half(self.0));
            let v = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps::<1>(v));
            let v = _mm_add_ps(v, _mm_movehl_ps(v, v));
            _mm_cvtss_f32(_mm_add_ss(v, _mm_movehdup_ps(v)))
        }
    }

    #[inline(always)]
    fn largest(self) -> f32 {
        // SAFETY: `self` proves AVX-512, AVX2 and so SSE.
        unsafe {
            let v = _mm256_max_ps(_mm512_castps512_ps256(self.0), upper_half(self.0));
            let v = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps::<1>(v));
            let v = _mm_max_ps(v, _mm_movehl_ps(v, v));
            _mm_cvtss_f32(_mm_max_ss(v, _mm_movehdup_ps(v)))
        }
    }

    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        // Within each quarter of the registers: pairs of rows, then fours of rows, so that quarter
        // `q` of `fours[4 * g + c]` holds column `4 * q + c` of rows `4 * g .. 4 * g + 4`.
        let mut pairs = rows;
        let mut fours = rows;
        let mut columns = rows;
        // SAFETY: the rows prove AVX-512.
        unsafe {
            for i in 0..8 {
                let (a, b) = (rows[2 * i].0, rows[2 * i + 1].0);
                pairs[2 * i] = F32x16(_mm512_unpacklo_ps(a, b));
                pairs[2 * i + 1] = F32x16(_mm512_unpackhi_ps(a, b));
            }
            for i in 0..4 {
                for half in 0..2 {
                    let a = _mm512_castps_pd(pairs[4 * i + half].0);
                    let b = _mm512_castps_pd(pairs[4 * i + half + 2].0);
                    let (low, high) = (_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b));
                    fours[4 * i + 2 * half] = F32x16(_mm512_castpd_ps(low));
                    fours[4 * i + 2 * half + 1] = F32x16(_mm512_castpd_ps(high));
                }
            }
            // Then the quarters change places: `even` and `odd` hold quarters 0, 2 and 1, 3.
            const EVEN: i32 = 0b10_00_10_00;
            const ODD: i32 = 0b11_01_11_01;
            for c in 0..4 {
                let (a, b) = (fours[c].0, fours[4 + c].0);
                let (even_low, odd_low) =
                    (_mm512_shuffle_f32x4::<EVEN>(a, b), _mm512_shuffle_f32x4::<ODD>(a, b));
                let (a, b) = (fours[8 + c].0, fours[12 + c].0);
                let (even_high, odd_high) =
                    (_mm512_shuffle_f32x4::<EVEN>(a, b), _mm512_shuffle_f32x4::<ODD>(a, b));
                columns[c] = F32x16(_mm512_shuffle_f32x4::<EVEN>(even_low, even_high));
                columns[8 + c] = F32x16(_mm512_shuffle_f32x4::<ODD>(even_low, even_high));
                columns[4 + c] = F32x16(_mm512_shuffle_f32x4::<EVEN>(odd_low, odd_high));
                columns[12 + c] = F32x16(_mm512_shuffle_f32x4::<ODD>(odd_low, odd_high));
            }
        }
        columns
    }
}

/// Lanes 8 to 15.
///
/// # Safety
///
/// The processor must have AVX-512.
#[inline(always)]
unsafe fn upper_half(lanes: __m512) -> __m256 {
    // SAFETY: the caller's promise.
    unsafe { _mm512_extractf32x8_ps::<1>(lanes) }
}

impl Add for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        F32x16(unsafe { _mm512_add_ps(self.0, other.0) })
    }
}

impl Sub for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        F32x16(unsafe { _mm512_sub_ps(self.0, other.0) })
    }
}

impl Mul for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        F32x16(unsafe { _mm512_mul_ps(self.0, other.0) })
    }
}

impl Div for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        F32x16(unsafe { _mm512_div_ps(self.0, other.0) })
    }
}
