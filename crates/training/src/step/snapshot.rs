//! The state of a trainer beside the network's vectors, as it goes into a checkpoint.

use network::TrainingState;
use serde::{Deserialize, Serialize};

use super::Trainer;
use crate::beta::DriftAverage;
use crate::checkpoint::{InvalidSnapshot, Snapshot};
use crate::openings::{Openings, OpeningsRecord};
use crate::self_play::GameRecord;

#[cfg(test)]
mod tests;

/// With settings, base and the network's vectors, all that a [`Trainer`] needs to go on bit for
/// bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TrainerSnapshot {
    /// Steps made so far.
    pub(crate) steps: u64,
    games: Vec<GameRecord>,
    openings: OpeningsRecord,
    /// What beta follows where its schedule is by drift.
    #[serde(default)]
    drift: DriftAverage,
}

impl Snapshot for TrainerSnapshot {
    fn steps(&self) -> u64 {
        self.steps
    }
}

impl Trainer {
    /// The state between two steps, or two plies of the warm start.
    pub(crate) fn snapshot(&self) -> TrainerSnapshot {
        TrainerSnapshot {
            steps: self.steps,
            games: self.games.records(),
            openings: self.openings.record(),
            drift: self.drift,
        }
    }

    /// Goes on from `snapshot` and the network's `state` at that time.
    ///
    /// # Errors
    ///
    /// Where a trainer of these settings cannot have made them; it must not be used then.
    pub(crate) fn restore(
        &mut self,
        snapshot: TrainerSnapshot,
        state: &TrainingState,
    ) -> Result<(), InvalidSnapshot> {
        let TrainerSnapshot { steps, games, openings, drift } = snapshot;
        let longest = 2 * self.config.warm_start_moves;
        if let Some(game) = games.iter().find(|game| game.warm_start_plies > longest) {
            let found = game.warm_start_plies;
            let problem = format!("{found} plies of warm start, expected at most {longest}");
            return Err(InvalidSnapshot(problem));
        }
        self.games.restore(games)?;
        self.openings = Openings::from_record(openings)?;
        self.theta.restore(state).map_err(|error| InvalidSnapshot(error.to_string()))?;
        self.drift = drift;
        self.steps = steps;
        Ok(())
    }
}
