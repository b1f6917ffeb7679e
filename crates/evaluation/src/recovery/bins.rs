//! How often something happens, by a quantity that may gate it.

use crate::{Interval, wilson_interval};

/// Of so many positions, in how many it happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GatedCount {
    /// Positions.
    pub total: u64,
    /// Those in which it happened.
    pub happened: u64,
}

/// Counts by ranges of a quantity in [0, 1].
#[derive(Clone, Debug, PartialEq)]
pub struct Bins {
    starts: Vec<f64>,
    counts: Vec<GatedCount>,
}

impl GatedCount {
    pub(crate) fn add(&mut self, happened: bool) {
        self.total += 1;
        self.happened += u64::from(happened);
    }

    /// The part in which it happened; `None` without positions.
    pub fn rate(self) -> Option<f64> {
        (self.total > 0).then(|| self.happened as f64 / self.total as f64)
    }

    /// Wilson's 95% interval of the rate.
    pub fn interval(self) -> Interval {
        wilson_interval(self.happened, self.total)
    }
}

impl Bins {
    /// Bins that begin at `starts`, ascending from 0; the last ends with 1.
    pub(crate) fn new(starts: &[f64]) -> Bins {
        assert!(starts.first() == Some(&0.0) && starts.is_sorted(), "bins from 0 on");
        Bins { starts: starts.to_vec(), counts: vec![GatedCount::default(); starts.len()] }
    }

    /// Counts a position: to the bin that begins at or below `quantity`.
    pub(crate) fn add(&mut self, quantity: f64, happened: bool) {
        let bin = self.starts.partition_point(|&start| start <= quantity).max(1) - 1;
        self.counts[bin].add(happened);
    }

    /// Beginning, end and count of each bin.
    pub fn rows(&self) -> impl Iterator<Item = (f64, f64, GatedCount)> + '_ {
        let ends = self.starts[1..].iter().copied().chain([1.0]);
        self.starts
            .iter()
            .zip(ends)
            .zip(&self.counts)
            .map(|((&start, end), &count)| (start, end, count))
    }
}
