//! Products of numbers rounded to bfloat16: the upper half of an `f32`, with 8 significant bits.
//!
//! Instructions for them take numbers in pairs of neighbours along the inner dimension. Two sets
//! are known: AMX, whose registers are tiles of sixteen rows, and AVX512-BF16, whose registers are
//! rows. Both read [`PairTile`]s and add up in `f32`, each in its own order.
//!
//! # What the instructions do to numbers
//!
//! Rounding is to nearest, ties to even; NaN stays NaN; a subnormal number counts as zero, in
//! operands and in sums. [`round`] is the same rounding in plain Rust.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod amx;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(test)]
mod tests;

use std::fmt;

use super::{LANES, Lanes, Simd};

/// Sixteen rows of sixteen pairs. Of a left operand, rows are its rows and pairs follow one another
/// along the inner dimension; of a right operand, it is pairs of the inner dimension that are the
/// rows, and its columns follow one another.
///
/// A pair stands in the bits of one `f32`, the first number in the lower half. Pairs are moved as
/// `f32`, never computed with.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct PairTile(pub(crate) [[f32; LANES]; LANES]);

impl PairTile {
    pub(crate) const ZERO: Self = Self([[0.0; LANES]; LANES]);
}

/// Instructions for products of pairs that this processor is known to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PairUnit(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    Amx,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// A computation with pairs. As for [`Kernel`](super::Kernel), all of it is `#[inline(always)]`.
pub(crate) trait PairKernel {
    /// Runs the computation.
    fn run<P: Pairs>(self, pairs: P);
}

/// Proof that the processor has instructions for pairs.
pub(crate) trait Pairs: Copy {
    /// The instructions for everything else.
    type Simd: Simd;

    /// Proof that it has those as well.
    fn simd(self) -> Self::Simd;

    /// Rounds thirty-two numbers that follow one another, to pairs of neighbours.
    fn join(self, first: LanesOf<Self>, second: LanesOf<Self>) -> LanesOf<Self>;

    /// Rounds numbers to pairs of one of `even` and one of `odd`.
    fn interleave(self, even: LanesOf<Self>, odd: LanesOf<Self>) -> LanesOf<Self>;

    /// Continues (or starts from zero, if `first`) the sums of 32 rows and 32 columns by the
    /// products along the inner dimension: two tiles one above the other on the left and two side
    /// by side on the right for each of its parts. With `rows` of 16 or fewer only the upper 16
    /// rows of sums are read and written.
    ///
    /// # Panics
    ///
    /// If there are no tiles, different numbers of them, or too few sums.
    fn multiply_add(
        self,
        left: &[[PairTile; 2]],
        right: &[[PairTile; 2]],
        rows: usize,
        sums: PairSums<'_>,
        first: bool,
    );
}

type LanesOf<P> = <<P as Pairs>::Simd as Simd>::Lanes;

/// Where sums of products of pairs stand.
pub(crate) struct PairSums<'a> {
    /// From the first sum on.
    pub(crate) values: &'a mut [f32],
    /// The distance between rows.
    pub(crate) stride: usize,
}

#[cfg(target_arch = "x86_64")]
impl PairSums<'_> {
    /// Rows that are computed: whole tiles.
    ///
    /// Panics unless the operands match and the sums reach to the end of each row.
    #[inline(always)]
    fn check(&self, left: &[[PairTile; 2]], right: &[[PairTile; 2]], rows: usize) -> usize {
        let rows = if rows <= LANES { LANES } else { 2 * LANES };
        assert!(!left.is_empty() && left.len() == right.len(), "tiles of the operands");
        assert!(
            self.stride >= 2 * LANES && (rows - 1) * self.stride + 2 * LANES <= self.values.len(),
            "sums"
        );
        rows
    }
}

impl PairUnit {
    /// All that this processor has, the fastest first.
    pub(crate) fn available() -> Vec<PairUnit> {
        let mut units = Vec::new();
        #[cfg(target_arch = "x86_64")]
        if avx512::detect() {
            #[cfg(target_os = "linux")]
            if amx::detect() {
                units.push(PairUnit(Kind::Amx));
            }
            units.push(PairUnit(Kind::Avx512));
        }
        units
    }

    /// Whether products of pairs take less time than such of `f32`.
    pub(crate) fn outpaces_f32(self) -> bool {
        match self.0 {
            #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
            Kind::Amx => true,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => avx512::outpaces_f32(),
        }
    }

    /// Runs a kernel compiled for these instructions.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(unused_variables, reason = "other processors have no unit to run it on")
    )]
    pub(crate) fn run(self, kernel: impl PairKernel) {
        match self.0 {
            #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
            // SAFETY: `available` alone makes this value, after it has seen the features.
            Kind::Amx => unsafe { amx::run(kernel) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Kind::Avx512 => unsafe { avx512::run(kernel) },
        }
    }
}

impl fmt::Display for PairUnit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(target_arch = "x86_64")]
        formatter.write_str(match self.0 {
            #[cfg(target_os = "linux")]
            Kind::Amx => "AMX",
            Kind::Avx512 => "AVX512-BF16",
        })?;
        #[cfg(not(target_arch = "x86_64"))]
        let _ = formatter;
        Ok(())
    }
}

/// The nearest bfloat16, as an `f32`.
///
/// Adding half of the last place that is kept, less one unless that place is odd, rounds to
/// nearest with ties to even when the lower bits are then cut off.
#[inline(always)]
pub(crate) fn round(value: f32) -> f32 {
    const EXPONENT: u32 = 0x7f80_0000;
    const QUIET: u32 = 0x0040_0000;
    let bits = value.to_bits();
    let nearest = bits.wrapping_add(0x7fff + (bits >> 16 & 1));
    let finite = if bits & EXPONENT == 0 { bits & 0x8000_0000 } else { nearest };
    let rounded = if value.is_nan() { bits | QUIET } else { finite };
    f32::from_bits(rounded & 0xffff_0000)
}

/// [`round`] of each lane.
#[inline(always)]
pub(crate) fn round_lanes<S: Simd>(simd: S, lanes: S::Lanes) -> S::Lanes {
    let mut values = [0.0; LANES];
    lanes.store(&mut values);
    simd.load(&values.map(round))
}
