#[cfg(test)]
mod tests;

use std::ops::Range;

use super::tile::Sums;

/// Rows of numbers in memory, each `stride` after the one before.
#[derive(Clone, Copy, Debug)]
pub struct MatrixRef<'a> {
    values: &'a [f32],
    rows: usize,
    columns: usize,
    stride: usize,
}

/// Rows of numbers in memory to write to, each `stride` after the one before.
#[derive(Debug)]
pub struct MatrixMut<'a> {
    values: &'a mut [f32],
    rows: usize,
    columns: usize,
    stride: usize,
}

/// Panics unless `length` numbers hold the matrix.
#[track_caller]
fn check(length: usize, rows: usize, columns: usize, stride: usize) {
    assert!(columns <= stride, "rows of {columns} columns overlap at a stride of {stride}");
    let needed = match rows {
        0 => Some(0),
        _ => (rows - 1).checked_mul(stride).and_then(|start| start.checked_add(columns)),
    };
    assert!(
        needed.is_some_and(|needed| needed <= length),
        "{rows} rows of {columns} columns at a stride of {stride} do not fit in {length} numbers",
    );
}

impl<'a> MatrixRef<'a> {
    /// `rows` rows of `columns` numbers, one directly after another.
    ///
    /// # Panics
    ///
    /// If `values` are too few.
    #[track_caller]
    pub fn new(values: &'a [f32], rows: usize, columns: usize) -> Self {
        Self::strided(values, rows, columns, columns)
    }

    /// `rows` rows of `columns` numbers, each row starting `stride` numbers after the one before.
    ///
    /// # Panics
    ///
    /// If `values` are too few, or rows overlap.
    #[track_caller]
    pub fn strided(values: &'a [f32], rows: usize, columns: usize, stride: usize) -> Self {
        check(values.len(), rows, columns, stride);
        Self { values, rows, columns, stride }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The distance between the starts of successive rows.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The part of a row in a range of columns.
    #[inline(always)]
    pub fn row(&self, row: usize, columns: Range<usize>) -> &'a [f32] {
        &self.values[row * self.stride..][columns]
    }
}

impl<'a> MatrixMut<'a> {
    /// `rows` rows of `columns` numbers, one directly after another.
    ///
    /// # Panics
    ///
    /// If `values` are too few.
    #[track_caller]
    pub fn new(values: &'a mut [f32], rows: usize, columns: usize) -> Self {
        Self::strided(values, rows, columns, columns)
    }

    /// `rows` rows of `columns` numbers, each row starting `stride` numbers after the one before.
    ///
    /// # Panics
    ///
    /// If `values` are too few, or rows overlap.
    #[track_caller]
    pub fn strided(values: &'a mut [f32], rows: usize, columns: usize, stride: usize) -> Self {
        check(values.len(), rows, columns, stride);
        Self { values, rows, columns, stride }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The distance between the starts of successive rows.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The part of a row in a range of columns.
    #[inline(always)]
    pub fn row_mut(&mut self, row: usize, columns: Range<usize>) -> &mut [f32] {
        &mut self.values[row * self.stride..][columns]
    }

    /// The numbers from a row and column on, as sums of a tile.
    #[inline(always)]
    pub(super) fn sums(&mut self, row: usize, column: usize) -> Sums<'_> {
        let stride = self.stride;
        Sums { values: &mut self.values[row * stride + column..], stride }
    }
}
