//! Axes of diagrams.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use crate::numbers::{decimal, power_of_ten};

/// An axis: what is along it, from where to where, and where its ticks are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    /// Quantity and unit.
    pub(crate) label: String,
    /// Beginning, as drawn.
    pub(crate) low: f64,
    /// End, as drawn; above the beginning.
    pub(crate) high: f64,
    /// Places, as drawn, and what is written there.
    pub(crate) ticks: Vec<(f64, String)>,
    logarithmic: bool,
}

impl Axis {
    /// From the least to the greatest of `values`, rounded to ticks.
    pub(crate) fn linear(label: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let (low, high) = range(values).unwrap_or((0.0, 1.0));
        let room = if high > low { high - low } else { high.abs().max(1.0) * 0.1 };
        let step = step(room);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        let high = if high > low { high } else { low + step };
        Axis::stepped(label, low, high, step)
    }

    /// Between two numbers that are its first and last tick.
    pub(crate) fn between(label: &str, low: f64, high: f64) -> Axis {
        Axis::stepped(label, low, high, step(high - low))
    }

    /// From the power of ten at or below the least of `values` to that at or above the greatest.
    pub(crate) fn logarithmic(label: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let logarithms = values.into_iter().filter(|value| *value > 0.0).map(f64::log10);
        let (low, high) = range(logarithms).unwrap_or((0.0, 1.0));
        let low = (low + 1e-9).floor();
        let high = (high - 1e-9).ceil().max(low + 1.0);
        // At most about eight are legible on a narrow screen.
        let every = ((high - low) / 8.0).ceil().max(1.0) as i32;
        let ticks = (low as i32..=high as i32)
            .filter(|exponent| (exponent - low as i32) % every == 0)
            .map(|exponent| {
                let label = if exponent == 0 { "1".to_owned() } else { power_of_ten(exponent) };
                (f64::from(exponent), label)
            })
            .collect();
        Axis { label: label.to_owned(), low, high, ticks, logarithmic: true }
    }

    /// Names, the first at 0, the next at 1 and so on.
    pub(crate) fn categories(label: &str, names: &[String]) -> Axis {
        Axis {
            label: label.to_owned(),
            low: -0.5,
            high: names.len().max(1) as f64 - 0.5,
            ticks: names
                .iter()
                .enumerate()
                .map(|(place, name)| (place as f64, name.clone()))
                .collect(),
            logarithmic: false,
        }
    }

    /// Where a value is drawn.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let place = if self.logarithmic { value.max(f64::MIN_POSITIVE).log10() } else { value };
        place.clamp(self.low, self.high)
    }

    fn stepped(label: &str, low: f64, high: f64, step: f64) -> Axis {
        let decimals = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
        let count = ((high - low) / step + 1e-6).floor() as usize;
        let ticks = (0..=count)
            .map(|tick| {
                let place = low + step * tick as f64;
                (place, decimal(place, decimals, false))
            })
            .collect();
        Axis { label: label.to_owned(), low, high, ticks, logarithmic: false }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, place: &f64, (start, end): (i32, i32)) -> i32 {
        let part = (place - self.low) / (self.high - self.low);
        start + (f64::from(end - start) * part).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // Light lines stand between ticks; there are none.
        if hint.weight().allow_light_points() {
            return Vec::new();
        }
        self.ticks.iter().map(|(place, _)| *place).collect()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, place: &f64) -> String {
        let found = self.ticks.iter().find(|(tick, _)| tick == place);
        found.map_or_else(String::new, |(_, label)| label.clone())
    }
}

/// Least and greatest of the finite values.
fn range(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    values.into_iter().filter(|value| value.is_finite()).fold(None, |range, value| {
        let (low, high) = range.unwrap_or((value, value));
        Some((value.min(low), value.max(high)))
    })
}

/// 1, 2 or 5 times a power of ten, of which three to seven fit in `room`.
fn step(room: f64) -> f64 {
    let power = 10f64.powf((room / 5.0).log10().floor());
    let times = room / 5.0 / power;
    let steps = [(1.5, 1.0), (3.5, 2.0), (7.5, 5.0)];
    let round = steps.into_iter().find(|(below, _)| times < *below);
    power * round.map_or(10.0, |(_, step)| step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        let check = |axis: Axis, expected: &[&str]| {
            let written: Vec<&str> = axis.ticks.iter().map(|(_, label)| label.as_str()).collect();
            assert_eq!(written, expected);
        };
        check(Axis::linear("", [0.0, 1.0]), &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        check(Axis::linear("", [93.1, 94.9]), &["93.0", "93.5", "94.0", "94.5", "95.0"]);
        check(Axis::linear("", [-2.0, 41.0]), &["−10", "0", "10", "20", "30", "40", "50"]);
        check(Axis::linear("", [3.0]), &["3.00", "3.05"]);
        check(Axis::linear("", []), &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        check(Axis::logarithmic("", [1e-4, 1.0]), &["10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "1"]);
        check(Axis::logarithmic("", [1.0, 3e5]), &["1", "10¹", "10²", "10³", "10⁴", "10⁵", "10⁶"]);
        check(Axis::categories("", &["a".into(), "b".into()]), &["a", "b"]);
    }

    #[test]
    fn values_are_drawn_within_the_axis() {
        let axis = Axis::logarithmic("", [1.0, 1000.0]);
        for (value, place) in [(1.0, 0.0), (100.0, 2.0), (0.0, 0.0), (1e9, 3.0)] {
            assert!((axis.place(value) - place).abs() < 1e-12, "{value}");
        }
    }
}
