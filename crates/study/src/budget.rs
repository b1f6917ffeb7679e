//! Making a study small enough for the time that there is.

use crate::sizes::{Omission, Sizes};

#[cfg(test)]
mod tests;

/// The part of its work to which every part of a study is made smaller before any is left out:
/// below it most intervals say nothing.
const LEAST_FACTOR: f64 = 0.2;
/// The smallest factor that is tried when nothing more can be left out.
const NO_WORK: f64 = 1e-6;
/// Halvings of the interval in which the factor is looked for.
const HALVINGS: usize = 40;

/// The largest study that takes no more than `budget` seconds, as `seconds` estimates them.
///
/// All parts become smaller together, down to a fifth of their work. Where that is not enough,
/// parts are left out in the order of [`Omission::ALL`], as few as possible. Where that is not
/// enough either, all parts become as small as need be; what is left may still take longer.
pub(crate) fn fit(full: &Sizes, budget: Option<f64>, seconds: impl Fn(&Sizes) -> f64) -> Sizes {
    let Some(budget) = budget else { return full.clone() };
    let fits = |sizes: &Sizes| seconds(sizes) <= budget;
    let mut parts = full.clone();
    let mut omissions = Omission::ALL.into_iter();
    loop {
        if fits(&parts) {
            return parts;
        }
        if fits(&parts.scaled(LEAST_FACTOR)) {
            return largest(&parts, LEAST_FACTOR, 1.0, fits);
        }
        match omissions.next() {
            Some(omission) => parts = parts.without(omission),
            None => return largest(&parts, NO_WORK, LEAST_FACTOR, fits),
        }
    }
}

/// The parts with the largest factor between `low` and `high` with which they fit; with `low` where
/// they fit with none.
fn largest(parts: &Sizes, mut low: f64, mut high: f64, fits: impl Fn(&Sizes) -> bool) -> Sizes {
    for _ in 0..HALVINGS {
        // Factors are compared as ratios.
        let middle = (low * high).sqrt();
        if fits(&parts.scaled(middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    parts.scaled(low)
}
