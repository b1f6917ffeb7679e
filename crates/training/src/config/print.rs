//! A configuration as a person wants to read and edit it.

use std::fmt::Write;

use toml::{Table, Value};

use super::FinetuneConfig;
use super::keys::{self, KEYS, TABLES};
use crate::references::ReferenceConfig;
use crate::start::OpeningBookConfig;

impl FinetuneConfig {
    /// All keys in TOML, each under a comment that says what it is; what is not set stands there
    /// as a comment. Read back it is the same configuration.
    pub fn to_commented_toml(&self) -> String {
        let table = table_of(self);
        let mut text = String::new();
        for key in KEYS.iter().filter(|key| !key.path.contains('.')) {
            write_key(&mut text, "", key, &table[key.path]);
        }
        for (name, help) in TABLES {
            match table.get(*name) {
                Some(Value::Array(items)) => {
                    let tables = items.iter().filter_map(Value::as_table);
                    tables.for_each(|item| write_table(&mut text, "", name, help, item));
                }
                Some(Value::Table(item)) => write_table(&mut text, "", name, help, item),
                _ => write_table(&mut text, "# ", name, help, &absent(name)),
            }
        }
        text
    }
}

/// What an optional table would be, as an example.
fn absent(name: &str) -> Table {
    match name {
        "references" => table_of(&ReferenceConfig::default()),
        _ => table_of(&OpeningBookConfig::default()),
    }
}

fn table_of(value: &impl serde::Serialize) -> Table {
    Table::try_from(value).expect("strings, numbers and tables are TOML")
}

fn write_table(text: &mut String, comment: &str, name: &str, help: &str, values: &Table) {
    let header = if name == "references" { format!("[[{name}]]") } else { format!("[{name}]") };
    write_line(text, format_args!("\n# {help}\n{comment}{header}"));
    for key in KEYS {
        let Some((table, last)) = key.path.split_once('.') else { continue };
        if table != name {
            continue;
        }
        match values.get(last) {
            Some(value) => write_key(text, comment, key, value),
            None => {
                write_line(text, format_args!("# {}: {}\n# {last} = \"\"", key.help, key.expected))
            }
        }
    }
}

fn write_key(text: &mut String, comment: &str, key: &keys::Key, value: &Value) {
    let last = key.path.rsplit('.').next().unwrap_or(key.path);
    write_line(text, format_args!("# {}: {}\n{comment}{last} = {value}", key.help, key.expected));
}

fn write_line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("text can be written to");
}
