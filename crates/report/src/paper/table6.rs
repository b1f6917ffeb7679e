//! Table 6: selection of the coefficient.

use study::SelfPlayTemperature::{Adaptive, One};
use study::Term::{EntropyBonus, ForwardKl, ReverseKl};
use study::{SelfPlayTemperature, Variant};

use super::{Printed, variant};

/// A row of Table 6.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Table6Row {
    /// Which arm.
    pub variant: Variant,
    /// Percent of 10,000 puzzles at each of [`TABLE6_BETAS`].
    pub accuracy: [Printed; 5],
    /// The place of the best, which is printed bold.
    pub best: usize,
}

/// The columns.
pub const TABLE6_BETAS: [f64; 5] = [1e-4, 1e-3, 1e-2, 1e-1, 1.0];

/// The base, as the caption tells it.
pub const TABLE6_BASE: Printed = Printed::accuracy(93.52, 0.48);

/// The runs without a term, as the caption tells them.
pub const TABLE6_UNREGULARISED: [(SelfPlayTemperature, Printed); 2] =
    [(Adaptive, Printed::accuracy(93.99, 0.47)), (One, Printed::accuracy(94.04, 0.46))];

const fn row(variant: Variant, best: usize, of: [(f64, f64); 5]) -> Table6Row {
    let mut accuracy = [Printed::accuracy(0.0, 0.0); 5];
    let mut column = 0;
    while column < 5 {
        accuracy[column] = Printed::accuracy(of[column].0, of[column].1);
        column += 1;
    }
    Table6Row { variant, accuracy, best }
}

/// All rows.
pub const TABLE6: [Table6Row; 6] = [
    row(
        variant(EntropyBonus, Adaptive),
        2,
        [(94.42, 0.45), (94.19, 0.46), (94.70, 0.44), (94.07, 0.46), (82.77, 0.74)],
    ),
    row(
        variant(EntropyBonus, One),
        0,
        [(93.92, 0.47), (91.24, 0.55), (91.59, 0.54), (90.53, 0.57), (83.13, 0.73)],
    ),
    row(
        variant(ReverseKl, Adaptive),
        2,
        [(94.30, 0.45), (94.22, 0.46), (94.57, 0.44), (94.47, 0.45), (93.93, 0.47)],
    ),
    row(
        variant(ReverseKl, One),
        2,
        [(94.11, 0.46), (94.38, 0.45), (94.63, 0.44), (94.30, 0.45), (93.86, 0.47)],
    ),
    row(
        variant(ForwardKl, Adaptive),
        2,
        [(94.37, 0.45), (94.54, 0.45), (94.67, 0.44), (94.52, 0.45), (93.80, 0.47)],
    ),
    row(
        variant(ForwardKl, One),
        2,
        [(94.26, 0.46), (94.38, 0.45), (94.59, 0.44), (94.42, 0.45), (93.78, 0.47)],
    ),
];
