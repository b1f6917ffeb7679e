//! Table 5: sampled play and the shape of policies.

use study::SelfPlayTemperature::{Adaptive, One};
use study::Term::{EntropyBonus, ForwardKl, None as NoTerm, ReverseKl};
use study::Variant;

use super::{Printed, variant};
use crate::documents::{RAW, TEMPERED};

/// A row of Table 5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Table5Row {
    /// Which network.
    pub variant: Variant,
    /// By which policy it plays.
    pub sampling: &'static str,
    /// Sampled Elo over the raw base.
    pub elo: Printed,
    /// Entropy in nats, `KL(base||p)`, `KL(p||base)`, and the mass on the base's five best moves.
    pub shape: [Printed; 4],
}

const fn row(
    variant: Variant,
    sampling: &'static str,
    (elo, margin): (f64, f64),
    of: [f64; 4],
) -> Table5Row {
    let mut shape = [Printed::plain(0.0, 2); 4];
    let mut column = 0;
    while column < 4 {
        shape[column] = Printed::plain(of[column], 2);
        column += 1;
    }
    Table5Row { variant, sampling, elo: Printed::difference(elo, margin, 0), shape }
}

/// All rows.
pub const TABLE5: [Table5Row; 10] = [
    Table5Row {
        variant: Variant::Base,
        sampling: RAW,
        elo: Printed::plain(0.0, 0),
        shape: [
            Printed::plain(1.69, 2),
            Printed::plain(0.0, 2),
            Printed::plain(0.0, 2),
            Printed::plain(0.81, 2),
        ],
    },
    row(Variant::Base, TEMPERED, (361.0, 29.0), [0.39, 8.38, 0.81, 0.98]),
    row(variant(NoTerm, Adaptive), TEMPERED, (671.0, 31.0), [0.06, 11.04, 1.03, 0.99]),
    row(variant(NoTerm, One), RAW, (660.0, 31.0), [0.22, 7.59, 0.89, 0.98]),
    row(variant(EntropyBonus, Adaptive), TEMPERED, (476.0, 30.0), [0.74, 2.38, 0.59, 0.92]),
    row(variant(EntropyBonus, One), RAW, (357.0, 29.0), [1.44, 1.26, 0.26, 0.75]),
    row(variant(ReverseKl, Adaptive), TEMPERED, (657.0, 31.0), [0.28, 6.56, 0.80, 0.99]),
    row(variant(ReverseKl, One), RAW, (585.0, 31.0), [1.52, 0.60, 0.18, 0.76]),
    row(variant(ForwardKl, Adaptive), TEMPERED, (602.0, 31.0), [0.33, 6.42, 0.78, 0.99]),
    row(variant(ForwardKl, One), RAW, (501.0, 30.0), [1.56, 0.22, 0.12, 0.77]),
];
