//! Table 3: accuracy by forced-mate depth.

use study::SelfPlayTemperature::{Adaptive, One};
use study::Term::{EntropyBonus, ForwardKl, None as NoTerm, ReverseKl};
use study::Variant;

use super::{Printed, variant};

/// A row of Table 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Table3Row {
    /// Which network.
    pub variant: Variant,
    /// Percent of the mates in one to five.
    pub mates: [Printed; 5],
}

const fn row(variant: Variant, values: [f64; 5], margins: [f64; 5]) -> Table3Row {
    let mut mates = [Printed::accuracy(0.0, 0.0); 5];
    let mut depth = 0;
    while depth < 5 {
        mates[depth] = Printed::accuracy(values[depth], margins[depth]);
        depth += 1;
    }
    Table3Row { variant, mates }
}

/// All rows.
pub const TABLE3: [Table3Row; 9] = [
    row(Variant::Base, [99.94, 98.82, 92.58, 77.16, 58.01], [0.04, 0.15, 0.36, 0.58, 1.45]),
    row(
        variant(NoTerm, Adaptive),
        [99.92, 98.77, 92.97, 79.23, 61.59],
        [0.04, 0.15, 0.35, 0.56, 1.43],
    ),
    row(variant(NoTerm, One), [99.80, 98.90, 93.68, 80.73, 63.81], [0.06, 0.14, 0.34, 0.55, 1.41]),
    row(
        variant(EntropyBonus, Adaptive),
        [99.95, 99.12, 94.13, 81.62, 64.28],
        [0.03, 0.13, 0.33, 0.54, 1.40],
    ),
    row(
        variant(EntropyBonus, One),
        [99.91, 98.76, 93.08, 79.15, 61.55],
        [0.04, 0.15, 0.35, 0.56, 1.43],
    ),
    row(
        variant(ReverseKl, Adaptive),
        [99.95, 99.15, 94.21, 81.27, 63.31],
        [0.03, 0.13, 0.32, 0.54, 1.41],
    ),
    row(
        variant(ReverseKl, One),
        [99.93, 99.03, 94.03, 81.03, 62.96],
        [0.04, 0.14, 0.33, 0.54, 1.42],
    ),
    row(
        variant(ForwardKl, Adaptive),
        [99.94, 99.18, 94.27, 81.38, 63.23],
        [0.04, 0.13, 0.32, 0.54, 1.41],
    ),
    row(
        variant(ForwardKl, One),
        [99.94, 99.02, 93.80, 81.06, 62.67],
        [0.04, 0.14, 0.33, 0.54, 1.42],
    ),
];
