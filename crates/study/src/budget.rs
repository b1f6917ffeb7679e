//! Making a study small enough for the time that there is.

use crate::sizes::{Omission, Sizes};

#[cfg(test)]
mod tests;

/// The part of its work to which every part of a study is made smaller before any is left out:
/// below it most intervals say nothing.
const LEAST_FACTOR: f64 = 0.2;
/// The part of a budget that all puzzles may take and still be left whole: to measure less of what was
/// trained would save nothing and cost certainty.
const PUZZLES_SHARE: f64 = 0.05;
/// The smallest factor that is tried when nothing more can be left out.
const NO_WORK: f64 = 1e-6;
/// Halvings of the interval in which the factor is looked for.
const HALVINGS: usize = 40;

/// The largest study that takes no more than `budget` seconds, as `seconds` estimates them.
///
/// All parts become smaller together, down to a fifth of their work; puzzles do only where they take a
/// considerable part of the budget. Where that is not enough, parts are left out in the order of
/// [`Omission::ALL`], as few as possible. Where that is not enough either, all parts become as small
/// as need be; what is left may still take longer.
pub(crate) fn fit(full: &Sizes, budget: Option<f64>, seconds: impl Fn(&Sizes) -> f64) -> Sizes {
    let Some(budget) = budget else { return full.clone() };
    let fits = |sizes: &Sizes| seconds(sizes) <= budget;
    let few = Sizes { puzzles: full.scaled(0.0).puzzles, ..full.clone() };
    let whole_suites = seconds(full) - seconds(&few) <= PUZZLES_SHARE * budget;
    let scaled = |parts: &Sizes, factor: f64| match (parts.scaled(factor), whole_suites) {
        (scaled, true) => Sizes { puzzles: parts.puzzles.clone(), ..scaled },
        (scaled, false) => scaled,
    };
    let mut parts = full.clone();
    let mut omissions = Omission::ALL.into_iter();
    loop {
        if fits(&parts) {
            return parts;
        }
        if fits(&scaled(&parts, LEAST_FACTOR)) {
            return largest(|factor| scaled(&parts, factor), LEAST_FACTOR, 1.0, fits);
        }
        match omissions.next() {
            Some(omission) => parts = parts.without(omission),
            None => return largest(|factor| scaled(&parts, factor), NO_WORK, LEAST_FACTOR, fits),
        }
    }
}

/// What `scaled` makes of the largest factor between `low` and `high` with which it fits; of `low`
/// where it fits with none.
fn largest(
    scaled: impl Fn(f64) -> Sizes,
    mut low: f64,
    mut high: f64,
    fits: impl Fn(&Sizes) -> bool,
) -> Sizes {
    for _ in 0..HALVINGS {
        // Factors are compared as ratios.
        let middle = (low * high).sqrt();
        if fits(&scaled(middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    scaled(low)
}
