//! What stands in a table.

use crate::numbers::decimal;

/// A place in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A number.
    Number(Number),
    /// Words, or what the paper printed.
    Text(String),
    /// Nothing can stand here.
    Blank,
    /// It was not measured.
    NotMeasured,
}

/// A number in a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// As it is; infinity where a mean has no bound.
    pub value: f64,
    /// Beginning and end of its 95% interval.
    pub interval: Option<(f64, f64)>,
    /// Digits behind the point.
    pub decimals: usize,
    /// Whether a sign stands before positive numbers.
    pub signed: bool,
    /// A second number that is shown in parentheses.
    pub aside: Option<f64>,
    /// Whether it is the best of its column or row.
    pub best: bool,
    /// Where it stands against the base; none where that is not to be marked.
    pub against_base: Option<Against>,
}

/// Where a number stands against the base's, by more than its interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// Above.
    Above,
    /// Below.
    Below,
}

impl Number {
    /// A number without anything else.
    pub fn new(value: f64, decimals: usize) -> Number {
        Number {
            value,
            interval: None,
            decimals,
            signed: false,
            aside: None,
            best: false,
            against_base: None,
        }
    }

    /// With an interval.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Number {
        Number { interval: Some((low, high)), ..self }
    }

    /// With a sign before positive numbers.
    #[must_use]
    pub fn signed(self) -> Number {
        Number { signed: true, ..self }
    }

    /// The number, and what stands in parentheses behind it.
    pub fn text(&self) -> String {
        let value = self.one(self.value);
        match self.aside {
            Some(aside) => format!("{value} ({})", self.one(aside)),
            None => value,
        }
    }

    /// The interval: `93.70–94.00`; with a word where a sign could be taken for the dash.
    pub fn interval_text(&self) -> Option<String> {
        let (low, high) = self.interval?;
        let between = if self.signed || low < 0.0 { " to " } else { "–" };
        Some(format!("{}{between}{}", self.one(low), self.one(high)))
    }

    fn one(&self, value: f64) -> String {
        if value.is_infinite() {
            return if value > 0.0 { "∞" } else { "−∞" }.to_owned();
        }
        decimal(value, self.decimals, self.signed)
    }
}

impl Cell {
    /// A number, or that it was not measured.
    pub fn number(number: Option<Number>) -> Cell {
        number.map_or(Cell::NotMeasured, Cell::Number)
    }

    /// Words, or that it was not measured.
    pub fn text(text: Option<String>) -> Cell {
        text.map_or(Cell::NotMeasured, Cell::Text)
    }

    /// Whether it holds what was measured.
    pub fn is_measured(&self) -> bool {
        matches!(self, Cell::Number(_) | Cell::Text(_))
    }

    /// Its number.
    pub(crate) fn as_number_mut(&mut self) -> Option<&mut Number> {
        match self {
            Cell::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Its number's value.
    pub(crate) fn value(&self) -> Option<f64> {
        match self {
            Cell::Number(number) => Some(number.value),
            _ => None,
        }
    }
}
