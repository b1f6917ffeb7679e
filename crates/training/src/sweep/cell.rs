//! One cell of a grid, and the name of its directory.

use std::collections::HashSet;

use toml::Value;

use super::grid::Axis;
use crate::config::{FinetuneConfig, SamplingTemperature};
use crate::objective::ExplorationTerm;

/// Letters of a value that go into a name.
const VALUE_LETTERS: usize = 48;
/// Letters of a name: file systems allow 255 bytes.
const NAME_LETTERS: usize = 160;
/// Keys whose values say by themselves what they are.
const BARE: [&str; 2] = ["exploration", "temperature"];

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Name of its directory, unique in the sweep whatever the case of letters.
    pub name: String,
    /// The value of each key of the grid, as a person writes it; `None` where the key has no
    /// effect beside the others, so that its values are one cell.
    pub values: Vec<Option<String>>,
    /// The settings of its run.
    pub config: FinetuneConfig,
}

/// Names that have been given.
#[derive(Debug, Default)]
pub(super) struct Names {
    given: HashSet<String>,
}

impl Names {
    /// A name for the cell with these values: of letters that every file system takes.
    pub(super) fn name(&mut self, axes: &[Axis], values: &[Option<String>]) -> String {
        let parts = axes.iter().zip(values).filter_map(|(axis, value)| {
            let value = plain(value.as_ref()?);
            let is_bare = BARE.contains(&axis.key.as_str());
            Some(if is_bare { value } else { format!("{}={value}", axis.key) })
        });
        let mut name = parts.collect::<Vec<_>>().join("-");
        name.truncate(NAME_LETTERS);
        if name.is_empty() {
            name.push_str("all");
        }
        let mut unique = name.clone();
        for number in 2.. {
            if self.given.insert(unique.to_lowercase()) {
                break;
            }
            unique = format!("{name}.{number}");
        }
        unique
    }
}

/// Whether a key changes anything in a run with these settings.
pub(super) fn has_effect(key: &str, config: &FinetuneConfig) -> bool {
    let table = key.split('.').next().unwrap_or(key);
    let term = config.exploration;
    let has_prior = matches!(term, ExplorationTerm::ForwardKl | ExplorationTerm::ReverseKl);
    match table {
        "beta" | "beta_schedule" => term != ExplorationTerm::None,
        "references" => has_prior,
        "base_weight" => has_prior && !config.references.is_empty(),
        "temperature_source" => config.temperature == SamplingTemperature::Adaptive,
        _ => true,
    }
}

/// A value as a person writes it.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Float(number) if *number == 0.0 || (1e-4..1e6).contains(&number.abs()) => {
            number.to_string()
        }
        Value::Float(number) => format!("{number:e}"),
        other => other.to_string(),
    }
}

/// A value in letters that need no quoting, as far as they go.
fn plain(value: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._+-".contains(letter);
    let mut plain = String::new();
    for letter in value.chars() {
        if is_plain(letter) {
            plain.push(letter);
        } else if !plain.ends_with('_') {
            plain.push('_');
        }
    }
    let mut plain = plain.trim_matches('_').to_owned();
    plain.truncate(VALUE_LETTERS);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes(keys: &[&str]) -> Vec<Axis> {
        keys.iter().map(|key| Axis { key: (*key).to_owned(), values: Vec::new() }).collect()
    }

    #[test]
    fn names_can_be_read() {
        let check = |keys: &[&str], values: &[&str], expected: &str| {
            let values: Vec<Option<String>> = values
                .iter()
                .map(|value| (!value.is_empty()).then(|| (*value).to_owned()))
                .collect();
            assert_eq!(Names::default().name(&axes(keys), &values), expected);
        };
        let grid = ["exploration", "temperature", "beta"];
        check(&grid, &["forward_kl", "adaptive", "0.01"], "forward_kl-adaptive-beta=0.01");
        check(&grid, &["none", "one", ""], "none-one");
        check(&["beta", "seed"], &["", "3"], "seed=3");
        check(&["optimiser.beta1"], &["0.9"], "optimiser.beta1=0.9");
        check(&["opening_book.file"], &["../books/a b.epd"], "opening_book.file=.._books_a_b.epd");
        check(&["references"], &["[{ file = \"é\", weight = 2.0 }]"], "references=file_weight_2.0");
        check(&["references"], &["[]"], "references=");
        check(&["beta"], &[""], "all");
    }

    #[test]
    fn names_are_unique_and_short() {
        let mut names = Names::default();
        let axes = axes(&["opening_book.file"]);
        let mut name = |value: &str| names.name(&axes, &[Some(value.to_owned())]);
        assert_eq!(name("a/b"), "opening_book.file=a_b");
        assert_eq!(name("a//b"), "opening_book.file=a_b.2");
        assert_eq!(name("A_B"), "opening_book.file=A_B.3");
        assert_eq!(name("a_b.2"), "opening_book.file=a_b.2.2");
        assert!(name(&"x".repeat(1_000)).len() < NAME_LETTERS);
    }

    #[test]
    fn numbers_are_written_as_people_write_them() {
        let check = |number: f64, expected: &str| {
            assert_eq!(text(&Value::Float(number)), expected);
        };
        check(1e-4, "0.0001");
        check(1e-5, "1e-5");
        check(1.0, "1");
        check(0.0, "0");
        check(2.5e7, "2.5e7");
        check(1e300, "1e300");
    }
}
