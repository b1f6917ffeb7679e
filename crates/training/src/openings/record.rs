//! The windows as they go into a checkpoint.

use serde::{Deserialize, Serialize};

use super::{OPENING_WINDOW, OpeningWindow, Openings};
use crate::checkpoint::InvalidSnapshot;

/// The openings in each window, oldest first: the FEN of the start, where it is not the initial
/// position, and moves in UCI notation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpeningsRecord {
    /// The first move.
    pub(crate) first_move: Vec<String>,
    /// The first four plies.
    pub(crate) four_plies: Vec<String>,
    /// The first eight plies.
    pub(crate) eight_plies: Vec<String>,
}

impl Openings {
    /// All that the windows hold.
    pub(crate) fn record(&self) -> OpeningsRecord {
        OpeningsRecord {
            first_move: self.first_move.record(),
            four_plies: self.four_plies.record(),
            eight_plies: self.eight_plies.record(),
        }
    }

    /// The windows that `record` was made of.
    pub(crate) fn from_record(record: OpeningsRecord) -> Result<Self, InvalidSnapshot> {
        let mut openings = Self::new();
        openings.first_move.refill(record.first_move)?;
        openings.four_plies.refill(record.four_plies)?;
        openings.eight_plies.refill(record.eight_plies)?;
        Ok(openings)
    }
}

impl OpeningWindow {
    fn record(&self) -> Vec<String> {
        self.recent.iter().map(|opening| opening.to_string()).collect()
    }

    fn refill(&mut self, openings: Vec<String>) -> Result<(), InvalidSnapshot> {
        let (count, depth) = (openings.len(), self.depth);
        if count > OPENING_WINDOW {
            let problem = format!("{count} openings, expected at most {OPENING_WINDOW}");
            return Err(InvalidSnapshot(problem));
        }
        for opening in openings {
            // There may be a start position and moves of a book before these.
            if opening.split_terminator(' ').count() < depth as usize {
                let problem = format!("opening \"{opening}\", expected {depth} moves");
                return Err(InvalidSnapshot(problem));
            }
            self.count(opening.into());
        }
        Ok(())
    }
}
