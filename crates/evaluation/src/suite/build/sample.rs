//! Drawing puzzles, each with the same probability.

use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use chess::puzzle::Puzzle;
use serde::Serialize;

use super::filter::{Filter, mate_depth};
use super::histories::Origin;
use crate::suite::identity::Fingerprint;

/// How many puzzles are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sample {
    /// Puzzles drawn, from each stratum where there are strata; all where there are fewer.
    pub count: u64,
    /// Seed of the draw.
    pub seed: u64,
    /// What is drawn from.
    pub strata: Strata,
}

/// Groups from each of which the same number of puzzles is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strata {
    /// All puzzles together.
    #[default]
    None,
    /// Bins of ratings from 0 up.
    Rating {
        /// How many points wide a bin is.
        width: std::num::NonZeroU32,
    },
    /// Themes: those asked for, or all. A puzzle is in the stratum of each theme it has, and
    /// may be drawn there; the suite has it once.
    Theme,
    /// Lengths of mates.
    MateDepth,
}

/// A puzzle that may be drawn.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    /// Number of its source, from 0, and its line.
    pub(super) place: (usize, u64),
    /// Its row of the suite, not yet with acceptable moves.
    pub(super) row: Box<str>,
    /// Where its history is from.
    pub(super) history: Origin,
}

/// The puzzles drawn so far.
///
/// Each puzzle has a number that only the seed and its id decide, and those with the lowest
/// numbers are drawn. So every set of `count` puzzles is as likely as any other, the draw does not
/// depend on the order of the rows, and of one seed a smaller draw is part of a larger one.
pub(super) struct Draw<'a> {
    sample: Sample,
    filter: &'a Filter,
    strata: BTreeMap<String, Stratum>,
}

/// One group.
#[derive(Default)]
struct Stratum {
    /// Puzzles that were in it.
    eligible: u64,
    /// The drawn ones, the highest number on top.
    drawn: BinaryHeap<(Fingerprint, Arc<Candidate>)>,
}

/// What a stratum had and gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StratumReport {
    /// Its name: a range of ratings, a theme, or a number of moves.
    pub name: String,
    /// Puzzles that could be drawn.
    pub eligible: u64,
    /// Puzzles drawn.
    pub drawn: u64,
}

impl<'a> Draw<'a> {
    pub(super) fn new(sample: Sample, filter: &'a Filter) -> Draw<'a> {
        Draw { sample, filter, strata: BTreeMap::new() }
    }

    /// Why `puzzle` is in no stratum, if it is not.
    pub(super) fn refuse(&self, puzzle: &Puzzle) -> Option<&'static str> {
        let missing = match self.sample.strata {
            Strata::None => return None,
            Strata::Rating { .. } => "no rating",
            Strata::Theme => "no theme",
            Strata::MateDepth => "no mate",
        };
        self.names(puzzle).is_empty().then_some(missing)
    }

    /// Lets a puzzle take part.
    pub(super) fn offer(&mut self, puzzle: &Puzzle, candidate: impl FnOnce() -> Candidate) {
        let seed = self.sample.seed.to_le_bytes();
        let number = Fingerprint::of(&[b"draw", &seed, puzzle.id.as_bytes()]);
        let most = usize::try_from(self.sample.count).unwrap_or(usize::MAX);
        let mut made = Some(candidate);
        let mut shared: Option<Arc<Candidate>> = None;
        for name in self.names(puzzle) {
            let stratum = self.strata.entry(name).or_default();
            stratum.eligible += 1;
            let full = stratum.drawn.len() >= most;
            if full && stratum.drawn.peek().is_none_or(|(highest, _)| *highest < number) {
                continue;
            }
            if full {
                stratum.drawn.pop();
            }
            // Most rows are never drawn, so theirs is not written.
            if let Some(make) = made.take() {
                shared = Some(Arc::new(make()));
            }
            let candidate = shared.as_ref().expect("made with the first stratum");
            stratum.drawn.push((number, Arc::clone(candidate)));
        }
    }

    /// The puzzles drawn, by their numbers, each once, and what the strata gave.
    pub(super) fn finish(self) -> (Vec<Arc<Candidate>>, Vec<StratumReport>) {
        let report = |(name, stratum): (&String, &Stratum)| StratumReport {
            name: name.trim_start().to_owned(),
            eligible: stratum.eligible,
            drawn: stratum.drawn.len() as u64,
        };
        let reports = match self.sample.strata {
            Strata::None => Vec::new(),
            _ => self.strata.iter().map(report).collect(),
        };
        let mut drawn: Vec<_> =
            self.strata.into_values().flat_map(|stratum| stratum.drawn).collect();
        drawn.sort();
        drawn.dedup_by_key(|(number, _)| *number);
        (drawn.into_iter().map(|(_, candidate)| candidate).collect(), reports)
    }

    /// The strata of a puzzle; numbers are right-aligned, so that names sort as they do.
    fn names(&self, puzzle: &Puzzle) -> Vec<String> {
        match self.sample.strata {
            Strata::None => vec![String::new()],
            Strata::Rating { width } => {
                let bin = |rating: u32| {
                    let low = rating - rating % width;
                    format!("{low:>10}-{}", low.saturating_add(width.get() - 1))
                };
                puzzle.rating.map(bin).into_iter().collect()
            }
            Strata::Theme => {
                let asked = &self.filter.themes;
                let mut themes = puzzle.themes.clone();
                themes.retain(|theme| asked.is_empty() || asked.contains(theme));
                themes.sort();
                themes.dedup();
                themes
            }
            Strata::MateDepth => {
                mate_depth(puzzle).map(|depth| format!("{depth:>10}")).into_iter().collect()
            }
        }
    }
}
