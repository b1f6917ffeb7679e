//! Sums, products and updates of numbers one by one.

#[cfg(test)]
mod tests;

use super::{InstructionSet, MatrixRef};
use crate::simd::{Kernel, LANES, Lanes, Simd};

/// A new value for each number from itself and another one.
pub(super) trait Combine {
    /// The new value.
    fn combine<S: Simd>(&self, simd: S, target: S::Lanes, source: S::Lanes) -> S::Lanes;
}

/// Applies a combination to all numbers.
///
/// # Panics
///
/// If the lengths differ.
pub(super) fn update<C: Combine>(
    set: InstructionSet,
    combination: C,
    target: &mut [f32],
    source: &[f32],
) {
    assert_eq!(target.len(), source.len(), "lengths");
    set.run(Update { combination, target, source });
}

struct Update<'a, C> {
    combination: C,
    target: &'a mut [f32],
    source: &'a [f32],
}

impl<C: Combine> Kernel for Update<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for (target, source) in self.target.chunks_mut(LANES).zip(self.source.chunks(LANES)) {
            let lanes = (simd.load_chunk(target, 0.0), simd.load_chunk(source, 0.0));
            self.combination.combine(simd, lanes.0, lanes.1).store_chunk(target);
        }
    }
}

/// `y += x`
///
/// # Panics
///
/// If the lengths differ.
pub fn add_assign(set: InstructionSet, y: &mut [f32], x: &[f32]) {
    struct Sum;
    impl Combine for Sum {
        #[inline(always)]
        fn combine<S: Simd>(&self, _simd: S, y: S::Lanes, x: S::Lanes) -> S::Lanes {
            y + x
        }
    }
    update(set, Sum, y, x);
}

/// `y = alpha x + y`, rounded once.
///
/// # Panics
///
/// If the lengths differ.
pub fn scale_add(set: InstructionSet, y: &mut [f32], alpha: f32, x: &[f32]) {
    struct ScaleAdd(f32);
    impl Combine for ScaleAdd {
        #[inline(always)]
        fn combine<S: Simd>(&self, simd: S, y: S::Lanes, x: S::Lanes) -> S::Lanes {
            x.mul_add(simd.splat(self.0), y)
        }
    }
    update(set, ScaleAdd(alpha), y, x);
}

/// `y *= x`
///
/// # Panics
///
/// If the lengths differ.
pub fn multiply_assign(set: InstructionSet, y: &mut [f32], x: &[f32]) {
    struct Product;
    impl Combine for Product {
        #[inline(always)]
        fn combine<S: Simd>(&self, _simd: S, y: S::Lanes, x: S::Lanes) -> S::Lanes {
            y * x
        }
    }
    update(set, Product, y, x);
}

/// An exponential moving average: `average = decay * average + (1 - decay) * x`, rounded as
/// `average + (1 - decay) (x - average)`, which leaves an average equal to `x` as it is.
///
/// # Panics
///
/// If the lengths differ.
pub fn move_average(set: InstructionSet, average: &mut [f32], decay: f64, x: &[f32]) {
    struct Lerp(f32);
    impl Combine for Lerp {
        #[inline(always)]
        fn combine<S: Simd>(&self, simd: S, average: S::Lanes, x: S::Lanes) -> S::Lanes {
            (x - average).mul_add(simd.splat(self.0), average)
        }
    }
    update(set, Lerp((1.0 - decay) as f32), average, x);
}

/// Adds each column's sum over the rows, in ascending order, to `sums`.
///
/// # Panics
///
/// If `sums` has not one number per column.
pub fn column_sums(set: InstructionSet, x: MatrixRef<'_>, sums: &mut [f32]) {
    struct ColumnSums<'a>(MatrixRef<'a>, &'a mut [f32]);
    impl Kernel for ColumnSums<'_> {
        type Output = ();

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            add_column_sums(simd, &self.0, self.1);
        }
    }
    assert_eq!(x.columns(), sums.len(), "columns");
    set.run(ColumnSums(x, sums));
}

/// [`column_sums`] within a kernel.
#[inline(always)]
pub(super) fn add_column_sums<S: Simd>(simd: S, x: &MatrixRef<'_>, sums: &mut [f32]) {
    for row in 0..x.rows() {
        let row = x.row(row, 0..sums.len());
        for (sums, x) in sums.chunks_mut(LANES).zip(row.chunks(LANES)) {
            (simd.load_chunk(sums, 0.0) + simd.load_chunk(x, 0.0)).store_chunk(sums);
        }
    }
}

/// Gating: `out = x * multiplier + addend` for rows `x` of the gates' length, rounded once.
///
/// # Panics
///
/// If lengths do not match.
pub fn gate(set: InstructionSet, x: &[f32], multiplier: &[f32], addend: &[f32], out: &mut [f32]) {
    struct Gate<'a> {
        x: &'a [f32],
        multiplier: &'a [f32],
        addend: &'a [f32],
        out: &'a mut [f32],
    }
    impl Kernel for Gate<'_> {
        type Output = ();

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            let width = self.multiplier.len().max(1);
            for (x, out) in self.x.chunks(width).zip(self.out.chunks_mut(width)) {
                let inputs = x.chunks(LANES).zip(out.chunks_mut(LANES));
                let gates = self.multiplier.chunks(LANES).zip(self.addend.chunks(LANES));
                for ((x, out), (multiplier, addend)) in inputs.zip(gates) {
                    let multiplier = simd.load_chunk(multiplier, 0.0);
                    let addend = simd.load_chunk(addend, 0.0);
                    simd.load_chunk(x, 0.0).mul_add(multiplier, addend).store_chunk(out);
                }
            }
        }
    }
    check_gate(x.len(), multiplier.len());
    assert_eq!((addend.len(), out.len()), (multiplier.len(), x.len()), "lengths");
    set.run(Gate { x, multiplier, addend, out });
}

/// The backward pass of [`gate`]: adds to the gradients of the gates, and takes `gradient` from
/// that of the output to that of `x`.
///
/// # Panics
///
/// If lengths do not match.
pub fn gate_backward(
    set: InstructionSet,
    x: &[f32],
    multiplier: &[f32],
    gradient: &mut [f32],
    multiplier_gradient: &mut [f32],
    addend_gradient: &mut [f32],
) {
    struct GateBackward<'a> {
        x: &'a [f32],
        multiplier: &'a [f32],
        gradient: &'a mut [f32],
        multiplier_gradient: &'a mut [f32],
        addend_gradient: &'a mut [f32],
    }
    impl Kernel for GateBackward<'_> {
        type Output = ();

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            let width = self.multiplier.len().max(1);
            for (x, gradient) in self.x.chunks(width).zip(self.gradient.chunks_mut(width)) {
                let inputs = x.chunks(LANES).zip(gradient.chunks_mut(LANES));
                let gates = (self.multiplier.chunks(LANES))
                    .zip(self.multiplier_gradient.chunks_mut(LANES))
                    .zip(self.addend_gradient.chunks_mut(LANES));
                for ((x, gradient), ((multiplier, d_multiplier), d_addend)) in inputs.zip(gates) {
                    let dy = simd.load_chunk(gradient, 0.0);
                    dy.mul_add(simd.load_chunk(x, 0.0), simd.load_chunk(d_multiplier, 0.0))
                        .store_chunk(d_multiplier);
                    (simd.load_chunk(d_addend, 0.0) + dy).store_chunk(d_addend);
                    (dy * simd.load_chunk(multiplier, 0.0)).store_chunk(gradient);
                }
            }
        }
    }
    check_gate(x.len(), multiplier.len());
    assert_eq!(gradient.len(), x.len(), "gradient");
    let gates = (multiplier_gradient.len(), addend_gradient.len());
    assert_eq!(gates, (multiplier.len(), multiplier.len()), "gradients of the gates");
    set.run(GateBackward { x, multiplier, gradient, multiplier_gradient, addend_gradient });
}

/// Panics unless `length` numbers are whole rows of the gates' length.
#[track_caller]
fn check_gate(length: usize, gates: usize) {
    assert!(
        length == 0 || gates > 0 && length.is_multiple_of(gates),
        "{length} numbers in rows of {gates}"
    );
}

/// The index of the first number that is infinite or NaN.
pub fn first_non_finite(set: InstructionSet, x: &[f32]) -> Option<usize> {
    struct AllFinite<'a>(&'a [f32]);
    impl Kernel for AllFinite<'_> {
        type Output = bool;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> bool {
            // Zero times a number is zero, unless it is infinite or NaN.
            let mut zero = simd.splat(0.0);
            for x in self.0.chunks(LANES) {
                zero = simd.load_chunk(x, 0.0).mul_add(simd.splat(0.0), zero);
            }
            zero.sum() == 0.0
        }
    }
    if set.run(AllFinite(x)) { None } else { x.iter().position(|x| !x.is_finite()) }
}
