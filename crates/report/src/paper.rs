//! What the paper printed in its tables, to be shown beside what is measured here.
//!
//! Beyond Search-Imitation: Prior-Directed Exploration for Searchless Chess (arXiv 2608.27757).

mod table1;
mod table3;
mod table4;
mod table5;
mod table6;

use std::fmt;

use study::{SelfPlayTemperature, Term, Variant};

pub use table1::{TABLE1, Table1Row};
pub use table3::{TABLE3, Table3Row};
pub use table4::{TABLE4, Table4Row};
pub use table5::{TABLE5, Table5Row};
pub use table6::{TABLE6, TABLE6_BASE, TABLE6_BETAS, TABLE6_UNREGULARISED, Table6Row};

/// A number with the half of its 95% interval, as printed with `decimals` digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    /// The number.
    pub value: f64,
    /// Half of the interval's width, where one is printed.
    pub margin: Option<f64>,
    /// Digits behind the point.
    pub decimals: usize,
    /// Whether a sign stands before positive numbers.
    pub signed: bool,
}

impl Printed {
    const fn accuracy(value: f64, margin: f64) -> Printed {
        Printed { value, margin: Some(margin), decimals: 2, signed: false }
    }

    const fn plain(value: f64, decimals: usize) -> Printed {
        Printed { value, margin: None, decimals, signed: false }
    }

    const fn difference(value: f64, margin: f64, decimals: usize) -> Printed {
        Printed { value, margin: Some(margin), decimals, signed: true }
    }
}

impl fmt::Display for Printed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Printed { value, margin, decimals, signed } = *self;
        formatter.write_str(&crate::numbers::decimal(value, decimals, signed))?;
        match margin {
            Some(margin) => write!(formatter, " ± {margin:.decimals$}"),
            None => Ok(()),
        }
    }
}

/// Shorthand for the rows below.
const fn variant(term: Term, temperature: SelfPlayTemperature) -> Variant {
    Variant::SelfPlay { term, temperature }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_printed() {
        let check = |printed: Printed, expected: &str| assert_eq!(printed.to_string(), expected);
        check(TABLE1[0].accuracy, "93.85 ± 0.15");
        check(TABLE1[1].elo, "+9.8 ± 8.2");
        check(TABLE1[9].elo, "−258.0 ± 9.1");
        check(TABLE4[4].hard, "0.236");
    }

    /// What the paper's text says of its own tables.
    #[test]
    fn rows_agree_with_the_papers_text() {
        let forward = &TABLE4[4];
        assert!((forward.hard.value / TABLE4[3].hard.value - 1.33).abs() < 0.005);
        assert!((forward.mates[4].value / TABLE4[3].mates[4].value - 1.34).abs() < 0.005);
        let gains: Vec<f64> =
            TABLE1[1..9].iter().map(|row| row.accuracy.value - TABLE1[0].accuracy.value).collect();
        let lowest = gains.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!((lowest - 0.15).abs() < 1e-9 && (highest - 1.05).abs() < 1e-9, "{gains:?}");
        for row in TABLE1.iter().filter_map(|row| row.record) {
            assert_eq!(row.iter().sum::<u32>(), 1000);
        }
        // The best of each row is bold, and is the model carried into Table 1.
        for row in &TABLE6 {
            let best = row.accuracy.iter().map(|printed| printed.value).fold(0.0, f64::max);
            assert_eq!(row.accuracy[row.best].value, best);
            let carried = TABLE1.iter().find(|found| found.variant == row.variant);
            assert_eq!(carried.and_then(|row| row.beta), Some(TABLE6_BETAS[row.best]));
        }
        let order = |variants: Vec<Variant>| assert_eq!(variants, Variant::all());
        order(TABLE1.iter().map(|row| row.variant).collect());
        order(TABLE3.iter().map(|row| row.variant).chain([Variant::PuzzleTuned]).collect());
    }
}
