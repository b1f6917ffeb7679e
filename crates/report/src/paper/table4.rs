//! Table 4: solution probability.

use study::SelfPlayTemperature::Adaptive;
use study::Term::{EntropyBonus, ForwardKl, None as NoTerm, ReverseKl};
use study::Variant;

use super::{Printed, variant};

/// A row of Table 4. Means are geometric unless they say otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Table4Row {
    /// Which network.
    pub variant: Variant,
    /// Of the 100,000 puzzles.
    pub all: Printed,
    /// Of the 20,000 puzzles rated 2400 or more.
    pub hard: Printed,
    /// The arithmetic mean of the same.
    pub hard_arithmetic: Printed,
    /// Of the mates in one to five.
    pub mates: [Printed; 5],
}

const fn row(variant: Variant, all: f64, [hard, arithmetic]: [f64; 2], of: [f64; 5]) -> Table4Row {
    let mut mates = [Printed::plain(0.0, 3); 5];
    let mut depth = 0;
    while depth < 5 {
        mates[depth] = Printed::plain(of[depth], 3);
        depth += 1;
    }
    Table4Row {
        variant,
        all: Printed::plain(all, 3),
        hard: Printed::plain(hard, 3),
        hard_arithmetic: Printed::plain(arithmetic, 3),
        mates,
    }
}

/// All rows.
pub const TABLE4: [Table4Row; 5] = [
    row(Variant::Base, 0.660, [0.199, 0.302], [0.915, 0.819, 0.615, 0.344, 0.161]),
    row(variant(NoTerm, Adaptive), 0.536, [0.010, 0.600], [0.993, 0.896, 0.492, 0.107, 0.011]),
    row(
        variant(EntropyBonus, Adaptive),
        0.222,
        [0.103, 0.381],
        [0.399, 0.187, 0.102, 0.037, 0.011],
    ),
    row(variant(ReverseKl, Adaptive), 0.765, [0.178, 0.569], [0.978, 0.930, 0.721, 0.370, 0.126]),
    row(variant(ForwardKl, Adaptive), 0.759, [0.236, 0.526], [0.954, 0.894, 0.712, 0.411, 0.169]),
];
