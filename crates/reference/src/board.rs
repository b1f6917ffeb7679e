//! Features of the 64 squares.

use chess::Planes;
use network::SQUARES;

/// One row of features for each square, a1 first, as the side to move sees the board.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Board {
    width: usize,
    values: Vec<f64>,
}

impl Board {
    /// A board of `width` features, `feature(square, index)` each.
    pub(crate) fn from_fn(width: usize, feature: impl Fn(usize, usize) -> f64) -> Self {
        let square = |square| (0..width).map(move |index| (square, index));
        let values = (0..SQUARES).flat_map(square).map(|(square, index)| feature(square, index));
        Self { width, values: values.collect() }
    }

    /// A board of the rows that `row` makes, which are all of one length.
    pub(crate) fn from_rows(row: impl Fn(usize) -> Vec<f64>) -> Self {
        let rows: Vec<Vec<f64>> = (0..SQUARES).map(row).collect();
        Self { width: rows[0].len(), values: rows.concat() }
    }

    /// The 112 planes.
    pub(crate) fn from_planes(planes: &Planes) -> Self {
        Self::from_fn(Planes::COUNT, |square, plane| {
            if planes.masks[plane] >> square & 1 == 1 {
                f64::from(planes.values[plane])
            } else {
                0.0
            }
        })
    }

    /// Features per square.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// All values, square-major.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    /// The features of one square.
    pub(crate) fn row(&self, square: usize) -> &[f64] {
        &self.values[square * self.width..][..self.width]
    }

    /// One feature of one square.
    pub(crate) fn at(&self, square: usize, feature: usize) -> f64 {
        self.row(square)[feature]
    }

    /// `f` of each row.
    pub(crate) fn map_rows(&self, f: impl Fn(&[f64]) -> Vec<f64>) -> Self {
        Self::from_rows(|square| f(self.row(square)))
    }

    /// All values, channel-major: feature 0 of all squares first.
    pub(crate) fn channel_major(&self) -> Vec<f64> {
        let channel = |feature| (0..SQUARES).map(move |square| self.at(square, feature));
        (0..self.width).flat_map(channel).collect()
    }
}
