//! Where a policy ranks the moves that solve a puzzle.

#[cfg(test)]
mod tests;

/// How often the most probable of the accepted moves (multi-solution rule) was the first choice of a
/// policy, its second, and so on, over positions in which the solver is to move.
///
/// A solution that is ranked second is near to being found; one far down the list is what sampling
/// hardly ever tries (paper, Section 3.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ranks {
    counts: [u64; Ranks::GROUPS],
}

impl Ranks {
    /// Ranks that are counted one by one, and behind them all others together.
    pub const GROUPS: usize = 5;

    /// Counts a position by its [`Answer::accepted_rank`](crate::Answer::accepted_rank).
    pub fn add(&mut self, accepted_rank: u32) {
        let last = Ranks::GROUPS - 1;
        self.counts[usize::try_from(accepted_rank).map_or(last, |rank| rank.min(last))] += 1;
    }

    /// Positions by rank; the last number is of rank [`GROUPS`](Ranks::GROUPS) and all beyond.
    pub fn counts(&self) -> [u64; Ranks::GROUPS] {
        self.counts
    }

    /// The same as shares of all; `None` without positions.
    pub fn shares(&self) -> Option<[f64; Ranks::GROUPS]> {
        let total: u64 = self.counts.iter().sum();
        (total > 0).then(|| self.counts.map(|count| count as f64 / total as f64))
    }
}
