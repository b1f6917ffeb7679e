//! Groups of puzzles that are alike.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::PuzzleFacts;

/// Width of a group of ratings.
const RATING_WIDTH: u32 = 200;

/// By what puzzles are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Breakdown {
    /// By rating, 200 points together; a puzzle without one stands in a group of its own.
    Rating,
    /// By theme; a puzzle stands in the group of each of its themes.
    Theme,
    /// By moves to mate ([`PuzzleFacts::mate_depth`]); other puzzles stand in no group.
    MateDepth,
}

/// A name that no breakdown has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no breakdown; expected rating, theme or mate-depth")]
pub struct UnknownBreakdown(String);

/// Puzzles that are alike, in the order in which a table shows them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Ratings from `lowest` on, below the next group's.
    Rating {
        /// A multiple of the width.
        lowest: u32,
    },
    /// Puzzles without a rating.
    Unrated,
    /// Puzzles of a theme.
    Theme(String),
    /// Puzzles of mate in so many moves.
    MateDepth(u32),
}

/// The puzzles of each group, by their places in the suite.
#[derive(Clone, Debug)]
pub struct Groups {
    breakdown: Breakdown,
    puzzles: u32,
    members: BTreeMap<Group, Vec<u32>>,
}

impl Breakdown {
    /// All breakdowns.
    pub const ALL: [Breakdown; 3] = [Breakdown::Rating, Breakdown::Theme, Breakdown::MateDepth];

    /// The name by which people choose it.
    pub fn name(self) -> &'static str {
        match self {
            Breakdown::Rating => "rating",
            Breakdown::Theme => "theme",
            Breakdown::MateDepth => "mate-depth",
        }
    }

    /// The groups in which a puzzle stands, each once.
    pub fn groups_of(self, facts: &PuzzleFacts) -> Vec<Group> {
        match self {
            Breakdown::Rating => vec![facts.rating.map_or(Group::Unrated, |rating| {
                Group::Rating { lowest: rating - rating % RATING_WIDTH }
            })],
            Breakdown::Theme => {
                let mut themes: Vec<Group> =
                    facts.themes.iter().cloned().map(Group::Theme).collect();
                themes.sort_unstable();
                themes.dedup();
                themes
            }
            Breakdown::MateDepth => facts.mate_depth.map(Group::MateDepth).into_iter().collect(),
        }
    }
}

impl Groups {
    /// No puzzles yet.
    pub fn new(breakdown: Breakdown) -> Groups {
        Groups { breakdown, puzzles: 0, members: BTreeMap::new() }
    }

    /// Adds the next puzzle of a suite.
    ///
    /// # Panics
    ///
    /// Beyond 2^32 puzzles.
    pub fn add(&mut self, facts: &PuzzleFacts) {
        for group in self.breakdown.groups_of(facts) {
            self.members.entry(group).or_default().push(self.puzzles);
        }
        self.puzzles = self.puzzles.checked_add(1).expect("fewer than 2^32 puzzles");
    }

    /// By what the puzzles are grouped.
    pub fn breakdown(&self) -> Breakdown {
        self.breakdown
    }

    /// The groups and the places, counted from 0 and ascending, of the puzzles in each.
    pub fn iter(&self) -> impl Iterator<Item = (&Group, &[u32])> {
        self.members.iter().map(|(group, members)| (group, members.as_slice()))
    }
}

impl fmt::Display for Group {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Group::Rating { lowest } => {
                write!(formatter, "{lowest}-{}", u64::from(*lowest) + u64::from(RATING_WIDTH) - 1)
            }
            Group::Unrated => formatter.write_str("unrated"),
            Group::Theme(theme) => formatter.write_str(theme),
            Group::MateDepth(moves) => write!(formatter, "mate in {moves}"),
        }
    }
}

impl fmt::Display for Breakdown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Breakdown {
    type Err = UnknownBreakdown;

    fn from_str(name: &str) -> Result<Breakdown, UnknownBreakdown> {
        let found = Breakdown::ALL.into_iter().find(|breakdown| breakdown.name() == name);
        found.ok_or_else(|| UnknownBreakdown(name.to_owned()))
    }
}
