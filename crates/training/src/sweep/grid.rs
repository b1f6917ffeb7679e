//! The grid: keys with lists of values, and the cells that they span.

use serde::{Deserialize, Serialize};
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use super::cell::{self, Cell, Names};
use super::error::SweepError;
use crate::config::{ConfigBuilder, ConfigError, FinetuneConfig, join, keys, line_of};

#[cfg(test)]
mod tests;

/// Cells of the largest grid.
pub const MAXIMUM_CELLS: usize = 4_096;

/// The table of a file of settings that spans the grid.
const GRID: &str = "grid";

/// Settings that all runs share, and the grid that tells them apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    settings: FinetuneConfig,
    axes: Vec<Axis>,
    cells: Vec<Cell>,
}

/// A key and its values, in the order in which they were given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// With its table, as in `optimiser.beta1`.
    pub key: String,
    /// Each in the one form that the key's type has.
    pub(super) values: Vec<Value>,
}

/// A key of the grid as it stands in the file.
struct Entry<'a> {
    start: usize,
    key: String,
    value: &'a DeValue<'a>,
}

impl Sweep {
    /// Reads a file of settings with a table `[grid]`, in which any key has a list of values.
    /// `assignments`, each `key=value`, win over the settings and not over the grid.
    ///
    /// Cells are the product of the lists, the last key fastest. Where a key has no effect beside
    /// the others (beta without an exploration term, for one), all of its values are one cell.
    ///
    /// # Errors
    ///
    /// As [`FinetuneConfig::from_toml`], and where the grid is none, or too large.
    pub fn from_toml(text: &str, assignments: &[String]) -> Result<Self, SweepError> {
        let preset = ConfigBuilder::preset_of(text)?.unwrap_or_default();
        let mut builder = ConfigBuilder::new(preset);
        builder.merge_but_for(&[GRID], text)?;
        for assignment in assignments {
            builder.assign(assignment)?;
        }
        let settings = builder.finish()?;

        let places = DeTable::parse(text).map_err(ConfigError::from)?;
        let values: Table = toml::from_str(text).map_err(ConfigError::from)?;
        let grid = places.get_ref().iter().find(|(key, _)| key.get_ref() == GRID);
        let (Some((_, grid)), Some(Value::Table(values))) = (grid, values.get(GRID)) else {
            return Err(SweepError::NoGrid);
        };
        let mut entries = Vec::new();
        if let Some(table) = grid.get_ref().as_table() {
            collect("", table, &mut entries);
        }
        // The parser sorts by name; a file's order is its writer's.
        entries.sort_by_key(|entry| entry.start);
        let mut axes: Vec<Axis> = Vec::new();
        for Entry { start, key, value } in entries {
            let line = line_of(start, text);
            let given = find(values, &key).cloned();
            let list = given.as_ref().and_then(Value::as_array).filter(|list| !list.is_empty());
            let Some(list) = list.filter(|_| value.as_array().is_some()) else {
                let value = given.map_or_else(String::new, |value| value.to_string());
                return Err(SweepError::NotAList { line, key, value });
            };
            axes.push(axis(&settings, key, list, line)?);
        }
        Self::expand(settings, axes)
    }

    /// The sweep of settings and a grid, as a record has them.
    pub(super) fn expand(settings: FinetuneConfig, axes: Vec<Axis>) -> Result<Self, SweepError> {
        if axes.is_empty() || axes.iter().any(|axis| axis.values.is_empty()) {
            return Err(SweepError::NoGrid);
        }
        refuse_overlaps(&axes)?;
        let count =
            axes.iter().try_fold(1usize, |count, axis| count.checked_mul(axis.values.len()));
        let count = count.filter(|&count| count <= MAXIMUM_CELLS);
        let count = count.ok_or(SweepError::TooManyCells)?;

        let start = ConfigBuilder::of(&settings);
        let mut names = Names::default();
        let mut cells: Vec<Cell> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for number in 0..count {
            let mut choice = choose(&axes, number);
            let config = configure(&start, &axes, &choice)?;
            for (axis, value) in axes.iter().zip(&mut choice) {
                value.take_if(|_| !cell::has_effect(&axis.key, &config));
            }
            let values: Vec<Option<String>> =
                choice.iter().map(|value| value.map(cell::text)).collect();
            if !seen
                .insert(choice.iter().map(|value| value.map(Value::to_string)).collect::<Vec<_>>())
            {
                continue;
            }
            let config = configure(&start, &axes, &choice)?;
            let name = names.name(&axes, &values);
            cells.push(Cell { name, values, config });
        }
        Ok(Self { settings, axes, cells })
    }

    /// The settings that all runs share, before the grid.
    pub fn settings(&self) -> &FinetuneConfig {
        &self.settings
    }

    /// The keys of the grid.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The runs, no two of them the same.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }
}

/// The lists of a table and of the tables in it.
fn collect<'a>(prefix: &str, table: &'a DeTable<'a>, entries: &mut Vec<Entry<'a>>) {
    for (name, value) in table {
        let key = join(prefix, name.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) if keys::is_table(&key) => collect(&key, inner, entries),
            value => entries.push(Entry { start: name.span().start, key, value }),
        }
    }
}

/// The value of a key, whose table may be one, or a part of its name.
fn find<'a>(table: &'a Table, key: &str) -> Option<&'a Value> {
    table.get(key).or_else(|| {
        let (name, key) = key.split_once('.')?;
        table.get(name)?.as_table()?.get(key)
    })
}

/// A key whose values are all of its type, and different.
fn axis(
    settings: &FinetuneConfig,
    key: String,
    list: &[Value],
    line: usize,
) -> Result<Axis, SweepError> {
    let mut values: Vec<Value> = Vec::new();
    for value in list {
        let mut builder = ConfigBuilder::of(settings);
        let set = builder.set(&key, value);
        set.map_err(|error| ConfigError::Line { line, source: Box::new(error) })?;
        let value = builder.value(&key).unwrap_or_else(|| value.clone());
        if values.contains(&value) {
            return Err(SweepError::Twice { line, key, value: value.to_string() });
        }
        values.push(value);
    }
    Ok(Axis { key, values })
}

/// Two keys that set the same would make cells of different names that are the same run.
fn refuse_overlaps(axes: &[Axis]) -> Result<(), SweepError> {
    for (number, axis) in axes.iter().enumerate() {
        let table = axis.key.split('.').next().unwrap_or(&axis.key);
        let overlaps = |(other, one): (usize, &Axis)| {
            other != number && (one.key == axis.key || one.key == table)
        };
        if let Some((_, other)) = axes.iter().enumerate().find(|&pair| overlaps(pair)) {
            return Err(SweepError::Overlap { key: axis.key.clone(), table: other.key.clone() });
        }
    }
    Ok(())
}

/// The values of combination `number` of the product.
fn choose(axes: &[Axis], mut number: usize) -> Vec<Option<&Value>> {
    let mut choice = Vec::new();
    for axis in axes.iter().rev() {
        choice.push(axis.values.get(number % axis.values.len()));
        number /= axis.values.len();
    }
    choice.reverse();
    choice
}

/// The settings with these values.
fn configure(
    start: &ConfigBuilder,
    axes: &[Axis],
    choice: &[Option<&Value>],
) -> Result<FinetuneConfig, SweepError> {
    let mut builder = start.clone();
    let set = axes.iter().zip(choice).try_for_each(|(axis, value)| match value {
        Some(value) => builder.set(&axis.key, value),
        None => Ok(()),
    });
    set.and_then(|()| builder.finish()).map_err(|source| {
        let values: Vec<Option<String>> =
            choice.iter().map(|value| value.map(cell::text)).collect();
        SweepError::Cell { cell: Names::default().name(axes, &values), source }
    })
}
