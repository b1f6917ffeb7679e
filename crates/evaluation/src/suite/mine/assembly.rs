//! The suite, from games in their order.

use std::collections::{BTreeMap, HashMap};

use chess::puzzle::Puzzle;

use super::super::build::AcceptableReport;
use super::counts::MineCounts;
use super::error::MineError;
use super::miner::MinedGame;

/// Width of a group of difficulties.
const WIDTH: u32 = 200;

/// The puzzles of the first games, as long as not enough are there.
pub(super) struct Assembly {
    most: u64,
    games: u64,
    pub(super) puzzles: Vec<Puzzle>,
    pub(super) counts: MineCounts,
    pub(super) themes: BTreeMap<String, u64>,
    pub(super) difficulty: BTreeMap<u32, u64>,
    pub(super) acceptable: AcceptableReport,
    /// Positions to solve by the ids of their puzzles.
    known: HashMap<String, String>,
}

impl Assembly {
    /// Takes at most `count` puzzles, or all.
    pub(super) fn new(count: Option<u64>, node_budget: u64) -> Assembly {
        Assembly {
            most: count.unwrap_or(u64::MAX),
            games: 0,
            puzzles: Vec::new(),
            counts: MineCounts::default(),
            themes: BTreeMap::new(),
            difficulty: BTreeMap::new(),
            acceptable: AcceptableReport {
                node_budget: Some(node_budget),
                ..AcceptableReport::default()
            },
            known: HashMap::new(),
        }
    }

    /// Whether enough puzzles are there.
    pub(super) fn is_full(&self) -> bool {
        self.puzzles.len() as u64 >= self.most
    }

    /// Games taken so far: the next one's place.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Takes the next game.
    pub(super) fn add(&mut self, mined: &MinedGame) -> Result<(), MineError> {
        self.games += 1;
        self.counts.merge(&mined.counts);
        for row in &mined.puzzles {
            if self.is_full() {
                self.counts.reject("more than asked for");
                continue;
            }
            // The work file may have been edited.
            let puzzle = Puzzle::from_row(row).map_err(|problem| MineError::Damaged {
                path: format!("game {} of the work file", mined.game),
                problem: problem.to_string(),
            })?;
            let position = puzzle.position_key();
            match self.known.get(&puzzle.id) {
                Some(known) if *known == position => {
                    self.counts.reject("the position of an earlier one")
                }
                Some(_) => self.counts.reject("the id of an earlier one"),
                None => {
                    self.known.insert(puzzle.id.clone(), position);
                    self.take(puzzle);
                }
            }
        }
        Ok(())
    }

    fn take(&mut self, puzzle: Puzzle) {
        for theme in &puzzle.themes {
            *self.themes.entry(theme.clone()).or_default() += 1;
        }
        if let Some(index) = puzzle.rating {
            *self.difficulty.entry(index - index % WIDTH).or_default() += 1;
        }
        if let Some(acceptable) = &puzzle.acceptable {
            self.acceptable.add(puzzle.acceptance, acceptable);
        }
        self.puzzles.push(puzzle);
    }
}
