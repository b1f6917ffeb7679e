//! What fine-tuning recovers and gives back, against the base (paper, Section 3.5).

mod bins;
mod position;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use bins::{Bins, GatedCount};
pub use position::PositionChange;

use crate::{PuzzleOutcome, PuzzleRecord, Rule};

/// What a tuned network does differently from its base, puzzle by puzzle and position by position.
///
/// Correct is what the multi-solution rule accepts. A position is *recovered* where the base's most
/// probable move is wrong and the tuned network's is right, *given back* where it is the other way
/// round. A puzzle is gained or lost likewise, by all of its positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    /// Puzzles by what became of them.
    pub puzzles: PuzzleChanges,
    /// All positions.
    pub positions: u64,
    /// Of the positions where the base is wrong, how many are recovered, by the probability that
    /// the base keeps on the solution.
    pub by_probability: Bins,
    /// The same by the rank of the solution, from 2 (the base's second choice) on; the last row
    /// holds all ranks from [`Recovery::DEEPEST_RANK`] on.
    pub by_rank: BTreeMap<u32, GatedCount>,
    /// Of the positions where the base is right, how many are given back, by the base's lead of
    /// its best move over the second.
    pub by_lead: Bins,
    /// Positions where the base is wrong and the tuned network right.
    pub recovered: PositionGroup,
    /// Positions where both are wrong.
    pub unrecovered: PositionGroup,
    /// Positions where the base is right and the tuned network wrong.
    pub given_back: PositionGroup,
}

/// Puzzles by what became of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PuzzleChanges {
    /// Only the tuned network solves them.
    pub gained: PuzzleGroup,
    /// Only the base solves them.
    pub lost: PuzzleGroup,
    /// Both solve them.
    pub kept: PuzzleGroup,
    /// Neither solves them.
    pub unsolved: PuzzleGroup,
}

/// Puzzles of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PuzzleGroup {
    /// How many.
    pub count: u64,
    rated: u64,
    ratings: u64,
}

/// Positions of one kind, with what changed in each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PositionGroup {
    changes: Vec<PositionChange>,
}

impl PuzzleGroup {
    pub(crate) fn add(&mut self, rating: Option<u32>) {
        self.count += 1;
        if let Some(rating) = rating {
            self.rated += 1;
            self.ratings += u64::from(rating);
        }
    }

    /// The mean of the ratings that are known; `None` without any.
    pub fn mean_rating(&self) -> Option<f64> {
        (self.rated > 0).then(|| self.ratings as f64 / self.rated as f64)
    }
}

impl PositionGroup {
    /// How many.
    pub fn count(&self) -> usize {
        self.changes.len()
    }

    /// The mean of a quantity; `None` without positions.
    pub fn mean(&self, of: impl Fn(&PositionChange) -> f64) -> Option<f64> {
        let sum: f64 = self.changes.iter().map(of).sum();
        (!self.changes.is_empty()).then(|| sum / self.changes.len() as f64)
    }

    /// The median of a quantity, of an even number the mean of the middle two; `None` without
    /// positions.
    pub fn median(&self, of: impl Fn(&PositionChange) -> f64) -> Option<f64> {
        median(self.changes.iter().map(of).collect())
    }

    /// The part of the positions for which something holds; `None` without positions.
    pub fn share(&self, holds: impl Fn(&PositionChange) -> bool) -> Option<f64> {
        self.mean(|change| f64::from(u8::from(holds(change))))
    }

    /// The geometric mean of the probability that the base keeps on the solution; `None` without
    /// positions.
    pub fn retention(&self) -> Option<f64> {
        self.mean(|change| change.base_log_mass).map(f64::exp)
    }
}

impl Default for Recovery {
    fn default() -> Recovery {
        Recovery {
            puzzles: PuzzleChanges::default(),
            positions: 0,
            by_probability: Bins::new(&Recovery::PROBABILITIES),
            by_rank: BTreeMap::new(),
            by_lead: Bins::new(&Recovery::LEADS),
            recovered: PositionGroup::default(),
            unrecovered: PositionGroup::default(),
            given_back: PositionGroup::default(),
        }
    }
}

impl Recovery {
    /// Where the bins of the base's probability of the solution begin (paper, Figure 8).
    pub const PROBABILITIES: [f64; 4] = [0.0, 0.05, 0.15, 0.3];

    /// Where the bins of the base's lead begin; the paper looks at those above 0.6.
    pub const LEADS: [f64; 5] = [0.0, 0.1, 0.2, 0.4, 0.6];

    /// From this rank on ranks are counted together (paper, Section 3.5).
    pub const DEEPEST_RANK: u32 = 6;

    /// Adds a puzzle, as both networks have answered it.
    ///
    /// # Panics
    ///
    /// If the records are not of one puzzle.
    pub fn add(&mut self, base: &PuzzleRecord, tuned: &PuzzleRecord) {
        assert_eq!(base.facts.line, tuned.facts.line, "two answers to one puzzle");
        let group = match (solves(base), solves(tuned)) {
            (false, true) => &mut self.puzzles.gained,
            (true, false) => &mut self.puzzles.lost,
            (true, true) => &mut self.puzzles.kept,
            (false, false) => &mut self.puzzles.unsolved,
        };
        group.add(base.facts.rating);
        for (base, tuned) in base.answers.iter().zip(&tuned.answers) {
            self.add_position(&PositionChange::of(base, tuned));
        }
    }

    fn add_position(&mut self, change: &PositionChange) {
        self.positions += 1;
        if change.base_right {
            self.by_lead.add(change.base_lead, !change.tuned_right);
            if !change.tuned_right {
                self.given_back.changes.push(change.clone());
            }
            return;
        }
        self.by_probability.add(change.base_mass(), change.tuned_right);
        let rank = (change.base_rank + 1).min(Recovery::DEEPEST_RANK);
        self.by_rank.entry(rank).or_default().add(change.tuned_right);
        let group = if change.tuned_right { &mut self.recovered } else { &mut self.unrecovered };
        group.changes.push(change.clone());
    }

    /// Positions where the base is wrong.
    pub fn base_wrong(&self) -> u64 {
        (self.recovered.count() + self.unrecovered.count()) as u64
    }
}

/// What two networks, tuned from one base, recover apart (paper, Section 3.5).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExclusiveRecovery {
    /// Puzzles that both gain.
    pub shared: PuzzleGroup,
    /// Puzzles that the first alone gains, and the base's probability of their solution: of the
    /// whole line.
    pub first: ExclusiveGroup,
    /// Puzzles that the second alone gains.
    pub second: ExclusiveGroup,
}

/// Puzzles that only one network gains.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExclusiveGroup {
    /// The puzzles.
    pub puzzles: PuzzleGroup,
    /// Their ids, in the order of the suite.
    pub ids: Vec<String>,
    probabilities: Vec<f64>,
}

impl ExclusiveGroup {
    /// The median of the base's probability of the solution, over the positions where the base is
    /// wrong; `None` without any.
    pub fn median_base_probability(&self) -> Option<f64> {
        median(self.probabilities.clone())
    }

    fn add(&mut self, base: &PuzzleRecord) {
        self.puzzles.add(base.facts.rating);
        self.ids.push(base.facts.id.clone());
        let wrong = base.answers.iter().filter(|answer| !answer.accepted[Rule::MultiSolution]);
        self.probabilities.extend(wrong.map(|answer| answer.log_mass[Rule::MultiSolution].exp()));
    }
}

impl ExclusiveRecovery {
    /// Adds a puzzle, as the base and both networks have answered it.
    pub fn add(&mut self, base: &PuzzleRecord, first: &PuzzleRecord, second: &PuzzleRecord) {
        if solves(base) {
            return;
        }
        match (solves(first), solves(second)) {
            (true, true) => self.shared.add(base.facts.rating),
            (true, false) => self.first.add(base),
            (false, true) => self.second.add(base),
            (false, false) => {}
        }
    }
}

fn solves(record: &PuzzleRecord) -> bool {
    PuzzleOutcome::of(&record.answers).solved[Rule::MultiSolution]
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    Some(if values.len().is_multiple_of(2) {
        f64::midpoint(values[values.len() / 2 - 1], upper)
    } else {
        upper
    })
}
