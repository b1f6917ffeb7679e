//! A configuration put together from its sources, later ones over earlier ones.

use serde::Deserialize;
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use super::{ConfigError, FinetuneConfig, Key, Preset, keys};
use crate::references::ReferenceConfig;

/// Name of the key that is no setting, but says what the others are where they are left out.
const PRESET: &str = "preset";
/// The one table that may be given several times.
const LIST: &str = "references";

/// A configuration in the making: a preset, then files and single keys over it.
#[derive(Clone, Debug)]
pub struct ConfigBuilder {
    /// Always a configuration, complete but for its optional tables.
    table: Table,
}

impl ConfigBuilder {
    /// The configuration of a preset.
    pub fn new(preset: Preset) -> Self {
        Self::of(&preset.config())
    }

    /// A whole configuration, to be changed.
    pub(crate) fn of(config: &FinetuneConfig) -> Self {
        Self { table: Table::try_from(config).expect("strings, numbers and tables are TOML") }
    }

    /// The preset that a file of settings names.
    ///
    /// # Errors
    ///
    /// Where the text is not TOML, or names no preset.
    pub fn preset_of(text: &str) -> Result<Option<Preset>, ConfigError> {
        let table: Table = toml::from_str(text)?;
        let name = table.get(PRESET).map(|name| match name {
            Value::String(name) => name.clone(),
            other => other.to_string(),
        });
        Ok(name.map(|name| name.parse()).transpose()?)
    }

    /// Sets the keys of a file of settings; its `preset` is not one of them.
    ///
    /// # Errors
    ///
    /// Where the text is not TOML, a key is unknown, or a value is of another type than its key.
    pub fn merge(&mut self, text: &str) -> Result<(), ConfigError> {
        self.merge_but_for(&[], text)
    }

    /// As [`ConfigBuilder::merge`], but for tables that mean something else.
    pub(crate) fn merge_but_for(&mut self, others: &[&str], text: &str) -> Result<(), ConfigError> {
        let mut values: Table = toml::from_str(text)?;
        for name in others.iter().chain([&PRESET]) {
            values.remove(*name);
        }
        let places = DeTable::parse(text)?;
        self.merge_table("", &values, Some(places.get_ref()), text)
    }

    /// Sets the keys of the table `name` of a file, as [`ConfigBuilder::merge`].
    ///
    /// # Errors
    ///
    /// As [`ConfigBuilder::merge`]; nothing is set where there is no such table.
    pub fn merge_within(&mut self, name: &str, text: &str) -> Result<(), ConfigError> {
        let values: Table = toml::from_str(text)?;
        let places = DeTable::parse(text)?;
        let places = place(Some(places.get_ref()), name).and_then(|(_, inner)| inner.as_table());
        match values.get(name) {
            Some(Value::Table(values)) => self.merge_table("", values, places, text),
            _ => Ok(()),
        }
    }

    /// Sets one key by `key=value`: the key with its table, as in `optimiser.beta1`, the value as
    /// in TOML. What is no value in TOML, such as a bare word, is text.
    ///
    /// # Errors
    ///
    /// Where there is no such key, or the value is of another type.
    pub fn assign(&mut self, argument: &str) -> Result<(), ConfigError> {
        let no_assignment = || ConfigError::NoAssignment { argument: argument.to_owned() };
        let (key, text) = argument.split_once('=').ok_or_else(no_assignment)?;
        let parsed: Result<Table, _> = toml::from_str(&format!("value = {text}"));
        let value = parsed.ok().filter(|table| table.len() == 1);
        let value = value.and_then(|mut table| table.remove("value"));
        let value = value.unwrap_or_else(|| Value::String(text.trim().to_owned()));
        self.set(key.trim(), &value)
    }

    /// The configuration, with every value's range checked.
    ///
    /// # Errors
    ///
    /// [`ConfigError::OutOfRange`] for the first value outside its range.
    pub fn finish(self) -> Result<FinetuneConfig, ConfigError> {
        let config = FinetuneConfig::deserialize(self.table)?;
        config.validate()?;
        Ok(config)
    }

    fn merge_table(
        &mut self,
        prefix: &str,
        values: &Table,
        places: Option<&DeTable<'_>>,
        text: &str,
    ) -> Result<(), ConfigError> {
        for (name, value) in values {
            let path = join(prefix, name);
            let (start, inner) = place(places, name).unzip();
            match value {
                Value::Table(values) if keys::is_table(&path) && path != LIST => {
                    // An optional table is there as soon as it is named, even if it is empty.
                    self.table.entry(&path).or_insert_with(|| Table::new().into());
                    let places = inner.and_then(DeValue::as_table);
                    self.merge_table(&path, values, places, text)?;
                }
                _ => self.set(&path, value).map_err(|error| match start {
                    Some(start) => {
                        ConfigError::Line { line: line_of(start, text), source: Box::new(error) }
                    }
                    None => error,
                })?,
            }
        }
        Ok(())
    }

    /// What a key, table or list is set to, in the one form that its type has: `1` is `1.0` where
    /// a key is no whole number. `None` where it is not there.
    pub(crate) fn value(&self, path: &str) -> Option<Value> {
        let config = FinetuneConfig::deserialize(self.table.clone()).ok()?;
        let mut table = Self::of(&config).table;
        match path.split_once('.') {
            Some((name, key)) => table.get_mut(name)?.as_table_mut()?.remove(key),
            None => table.remove(path),
        }
    }

    /// Sets a key, or all of a table or list.
    pub(crate) fn set(&mut self, path: &str, value: &Value) -> Result<(), ConfigError> {
        if path == LIST {
            return self.set_list(value);
        }
        if keys::is_table(path) {
            let Value::Table(values) = value else {
                return Err(ConfigError::NotATable { key: path.to_owned(), value: shown(value) });
            };
            return self.merge_table(path, values, None, "");
        }
        let key = known(path)?;
        let mut changed = self.table.clone();
        match path.split_once('.') {
            Some((LIST, _)) => {
                return Err(ConfigError::PartOfList { key: path.to_owned(), list: LIST });
            }
            Some((table, name)) => {
                let table = changed.entry(table).or_insert_with(|| Table::new().into());
                let table = table.as_table_mut().expect("the keys with a point are in tables");
                table.insert(name.to_owned(), value.clone());
            }
            None => {
                changed.insert(path.to_owned(), value.clone());
            }
        }
        // The table was a configuration before, so that a fault is this key's.
        if FinetuneConfig::deserialize(changed.clone()).is_err() {
            return Err(wrong(key, value));
        }
        self.table = changed;
        Ok(())
    }

    /// Sets the list of references, all at once.
    fn set_list(&mut self, value: &Value) -> Result<(), ConfigError> {
        let not_a_list = || ConfigError::NotATable { key: LIST.to_owned(), value: shown(value) };
        for reference in value.as_array().ok_or_else(not_a_list)? {
            for (name, value) in reference.as_table().ok_or_else(not_a_list)? {
                let key = known(&join(LIST, name))?;
                let alone = Table::from_iter([(name.clone(), value.clone())]);
                if ReferenceConfig::deserialize(alone).is_err() {
                    return Err(wrong(key, value));
                }
            }
        }
        self.table.insert(LIST.to_owned(), value.clone());
        Ok(())
    }
}

/// Where a table has the key, and its value.
fn place<'a>(places: Option<&'a DeTable<'a>>, name: &str) -> Option<(usize, &'a DeValue<'a>)> {
    let (key, value) = places?.iter().find(|(key, _)| key.get_ref() == name)?;
    Some((key.span().start, value.get_ref()))
}

/// The line of a place in a text, counted from 1.
pub(crate) fn line_of(start: usize, text: &str) -> usize {
    1 + text[..start].matches('\n').count()
}

/// The name of a key with its table.
pub(crate) fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
}

fn known(path: &str) -> Result<&'static Key, ConfigError> {
    keys::find(path).ok_or_else(|| unknown(path))
}

fn unknown(path: &str) -> ConfigError {
    ConfigError::UnknownKey { key: path.to_owned(), nearest: keys::nearest(path) }
}

fn wrong(key: &Key, value: &Value) -> ConfigError {
    ConfigError::OutOfRange { key: key.path, value: shown(value), expected: key.expected }
}

/// A value in one line.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        _ => value.to_string(),
    }
}
