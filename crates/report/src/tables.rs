//! The tables of a report: rows and columns of what was measured, with what the paper printed.

mod build;
mod cell;
mod openings;
mod render;
mod table1;
mod table3;
mod table4;
mod table5;
mod table6;
#[cfg(test)]
mod tests;
mod value_heads;

pub(crate) use table3::mate;

use crate::documents::Documents;

pub use cell::{Against, Cell, Number};

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name in file names: `table-1`.
    pub slug: &'static str,
    /// Its name for people: `Table 1`.
    pub name: &'static str,
    /// What it is about.
    pub title: String,
    /// How to read it.
    pub caption: String,
    /// Headings of the columns that say what a row is.
    pub stub: Vec<&'static str>,
    /// Headings of the columns of numbers.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Whether the paper has such a table.
    pub in_paper: bool,
    /// Files of measurements that are not there.
    pub missing: Vec<&'static str>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What it is, one for each of [`Table::stub`].
    pub stub: Vec<String>,
    /// What was measured, one for each of [`Table::columns`].
    pub here: Vec<Cell>,
    /// What the paper printed; empty where the paper has no such table.
    pub paper: Vec<Cell>,
}

impl Table {
    /// All tables, the paper's first.
    pub fn all(documents: &Documents) -> Vec<Table> {
        vec![
            table1::table(documents),
            table3::table(documents),
            table4::table(documents),
            table5::table(documents),
            table6::table(documents),
            openings::table(documents),
            value_heads::table(documents),
        ]
    }

    /// Whether anything was measured.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().flat_map(|row| &row.here).all(|cell| !cell.is_measured())
    }
}
