//! Lines of `searchless evaluate --json`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A network on a suite.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct EvaluationLine {
    /// The network, relative to the study.
    pub network: String,
    /// Puzzles measured.
    pub puzzles: u64,
    /// Positions whose solutions could not be proved within the solver's budget.
    pub unproved: u64,
    /// What `versus` compares with; none for the first network.
    pub reference: Option<String>,
    /// By name of the rule.
    pub rules: BTreeMap<String, Measures>,
    /// The rule of the groups.
    pub rule: String,
    /// Groups of puzzles by what they have in common: `rating`, `mate-depth`.
    pub by: BTreeMap<String, Vec<Group>>,
}

/// A group of puzzles.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Group {
    /// Its name: `1400-1599`, `mate in 3`.
    pub group: String,
    /// What was measured of it.
    #[serde(flatten)]
    pub measures: Measures,
}

/// What was measured of some puzzles.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Measures {
    /// Puzzles.
    pub total: u64,
    /// Puzzles solved.
    pub solved: u64,
    /// Fraction solved; none without puzzles, as the means.
    pub accuracy: Option<f64>,
    /// Beginning of the Wilson 95% interval of the accuracy.
    pub low: f64,
    /// Its end.
    pub high: f64,
    /// Geometric mean of the solution probability.
    pub geometric_mean: Option<f64>,
    /// Its arithmetic mean.
    pub arithmetic_mean: Option<f64>,
    /// Compared with the first network; none for that one itself.
    pub versus: Option<Versus>,
}

/// A network compared with the first one, puzzle by puzzle.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Versus {
    /// Of the accuracies, as fractions.
    pub accuracy_difference: PairedDifference,
    /// Of the geometric means of the solution probability.
    pub geometric_ratio: PairedDifference,
}

/// A paired estimate; none is what is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct PairedDifference {
    /// The estimate.
    pub value: Option<f64>,
    /// Beginning of its 95% interval.
    pub low: Option<f64>,
    /// The interval's end.
    pub high: Option<f64>,
}

impl EvaluationLine {
    /// The rule of every accuracy of the paper's tables.
    pub const RULE: &'static str = "multi-solution";

    /// What was measured of all puzzles, under the paper's rule.
    pub fn measures(&self) -> Option<&Measures> {
        self.rules.get(Self::RULE)
    }

    /// What was measured of one group, where groups are scored by the paper's rule.
    pub fn group(&self, by: &str, group: &str) -> Option<&Measures> {
        let groups = self.groups(by)?;
        groups.iter().find(|found| found.group == group).map(|found| &found.measures)
    }

    /// All groups, where they are scored by the paper's rule.
    pub fn groups(&self, by: &str) -> Option<&[Group]> {
        (self.rule == Self::RULE).then_some(())?;
        self.by.get(by).map(Vec::as_slice)
    }
}

impl PairedDifference {
    /// Estimate, beginning and end of the interval, where all are known.
    pub fn known(self) -> Option<(f64, f64, f64)> {
        Some((self.value?, self.low?, self.high?))
    }
}
