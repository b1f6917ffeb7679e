//! Table 1: puzzle accuracy and searchless playing strength.

use study::SelfPlayTemperature::{Adaptive, One};
use study::Term::{EntropyBonus, ForwardKl, None as NoTerm, ReverseKl};
use study::Variant;

use super::{Printed, variant};

/// A row of Table 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Table1Row {
    /// Which network.
    pub variant: Variant,
    /// Its selected coefficient (Table 6).
    pub beta: Option<f64>,
    /// Percent of 100,000 puzzles.
    pub accuracy: Printed,
    /// Percent of 20,000 puzzles rated 2400 or more.
    pub hard: Printed,
    /// Difference to the base; the base's own row is absolute.
    pub elo: Printed,
    /// Wins, draws and losses against the base.
    pub record: Option<[u32; 3]>,
    /// Likelihood of superiority over the base, as printed.
    pub los: Option<&'static str>,
}

const fn row(
    variant: Variant,
    beta: Option<f64>,
    [accuracy, hard, elo]: [(f64, f64); 3],
    record: [u32; 3],
    los: &'static str,
) -> Table1Row {
    Table1Row {
        variant,
        beta,
        accuracy: Printed::accuracy(accuracy.0, accuracy.1),
        hard: Printed::accuracy(hard.0, hard.1),
        elo: Printed::difference(elo.0, elo.1, 1),
        record: Some(record),
        los: Some(los),
    }
}

/// All rows.
pub const TABLE1: [Table1Row; 10] = [
    Table1Row {
        variant: Variant::Base,
        beta: None,
        accuracy: Printed::accuracy(93.85, 0.15),
        hard: Printed::accuracy(60.01, 0.68),
        elo: Printed { value: 2374.0, margin: Some(37.0), decimals: 0, signed: false },
        record: None,
        los: None,
    },
    row(
        variant(NoTerm, Adaptive),
        None,
        [(94.06, 0.15), (60.50, 0.68), (9.8, 8.2)],
        [326, 351, 323],
        "0.55",
    ),
    row(
        variant(NoTerm, One),
        None,
        [(94.04, 0.15), (60.80, 0.68), (-0.5, 8.3)],
        [380, 295, 325],
        "0.98",
    ),
    row(
        variant(EntropyBonus, Adaptive),
        Some(1e-2),
        [(94.90, 0.14), (62.30, 0.67), (-5.8, 8.3)],
        [331, 323, 346],
        "0.28",
    ),
    row(
        variant(EntropyBonus, One),
        Some(1e-4),
        [(94.00, 0.15), (60.47, 0.68), (6.6, 8.2)],
        [344, 335, 321],
        "0.81",
    ),
    row(
        variant(ReverseKl, Adaptive),
        Some(1e-2),
        [(94.83, 0.14), (62.67, 0.67), (16.2, 8.3)],
        [388, 314, 298],
        ">0.99",
    ),
    row(
        variant(ReverseKl, One),
        Some(1e-2),
        [(94.78, 0.14), (62.53, 0.67), (9.6, 8.2)],
        [335, 349, 316],
        "0.77",
    ),
    row(
        variant(ForwardKl, Adaptive),
        Some(1e-2),
        [(94.87, 0.14), (62.67, 0.67), (11.7, 8.3)],
        [385, 267, 348],
        "0.91",
    ),
    row(
        variant(ForwardKl, One),
        Some(1e-2),
        [(94.72, 0.14), (62.21, 0.67), (16.6, 8.3)],
        [361, 318, 321],
        "0.94",
    ),
    row(
        Variant::PuzzleTuned,
        None,
        [(96.80, 0.11), (67.95, 0.65), (-258.0, 9.1)],
        [169, 101, 730],
        "<0.01",
    ),
];
