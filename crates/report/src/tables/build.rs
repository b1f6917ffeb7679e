//! Numbers of the documents as they stand in tables.

use study::{SelfPlayTemperature, Variant};

use super::{Cell, Number, Row};
use crate::documents::{MeanAndError, Measures};

/// Half the width of a 95% interval, in standard errors.
pub(super) const STANDARD_ERRORS: f64 = 1.959_963_984_540_054;

/// A variant's exploration term and self-play temperature, as the paper's tables have them.
pub(super) fn stub(variant: Variant) -> Vec<String> {
    let (term, temperature) = match variant {
        Variant::Base => ("Frozen base", "–"),
        Variant::SelfPlay { term, temperature } => (term.title(), temperature_title(temperature)),
        Variant::PuzzleTuned => ("Puzzle-tuned control", "–"),
    };
    vec![term.to_owned(), temperature.to_owned()]
}

/// A self-play temperature, as the paper's tables have it.
pub(super) fn temperature_title(temperature: SelfPlayTemperature) -> &'static str {
    match temperature {
        SelfPlayTemperature::Adaptive => "adaptive",
        SelfPlayTemperature::One => "τ ≡ 1",
    }
}

/// An accuracy in percent.
pub(super) fn accuracy(measures: Option<&Measures>) -> Cell {
    let number = |measures: &Measures| {
        let percent = 100.0 * measures.accuracy?;
        Some(Number::new(percent, 2).within(100.0 * measures.low, 100.0 * measures.high))
    };
    Cell::number(measures.and_then(number))
}

/// A mean over games; one without bound is shown as that.
pub(super) fn mean(of: MeanAndError, decimals: usize) -> Number {
    let number = Number::new(of.mean.unwrap_or(f64::INFINITY), decimals);
    match (of.mean, of.standard_error) {
        (Some(mean), Some(error)) => {
            number.within(mean - STANDARD_ERRORS * error, mean + STANDARD_ERRORS * error)
        }
        _ => number,
    }
}

/// Marks the greatest number of each column; of equal ones the first.
pub(super) fn mark_best_of_columns(rows: &mut [Row]) {
    let columns = rows.first().map_or(0, |row| row.here.len());
    for column in 0..columns {
        let best = greatest(rows.iter().map(|row| row.here[column].value()));
        if let Some(number) = best.and_then(|row| rows[row].here[column].as_number_mut()) {
            number.best = true;
        }
    }
}

/// Marks the greatest number of a row; of equal ones the first.
pub(super) fn mark_best_of_row(row: &mut Row) {
    let best = greatest(row.here.iter().map(Cell::value));
    if let Some(number) = best.and_then(|column| row.here[column].as_number_mut()) {
        number.best = true;
    }
}

/// The place of the greatest of at least two values.
fn greatest(values: impl Iterator<Item = Option<f64>>) -> Option<usize> {
    let known: Vec<(usize, f64)> =
        values.enumerate().filter_map(|(place, value)| Some((place, value?))).collect();
    let (first, rest) = known.split_first()?;
    if rest.is_empty() {
        return None;
    }
    Some(rest.iter().fold(*first, |best, &next| if next.1 > best.1 { next } else { best }).0)
}
