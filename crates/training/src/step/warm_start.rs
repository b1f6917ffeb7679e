//! Playing the games ahead before the first step.

use chess::Planes;
use policy::Temperature;
use rayon::prelude::*;

use super::{Trainer, adaptive_temperature, first_error, non_finite};
use crate::behaviour::Decision;
use crate::config::SamplingTemperature;
use crate::error::TrainingError;

/// The warm start's step number in errors.
const STEP: u64 = 0;

impl Trainer {
    /// Plies of the warm start that are still to be played.
    pub fn warm_start_plies_left(&self) -> u32 {
        self.games.warm_start_plies()
    }

    /// Plays one ply of the warm start, sampled from the base with the temperature of its own
    /// value head; false where none was left.
    ///
    /// A network untrained is its own average and its own base, so this is how self-play begins.
    ///
    /// # Errors
    ///
    /// Where an output of the base is not finite.
    pub fn play_warm_start_ply(&mut self) -> Result<bool, TrainingError> {
        let (mut games, rules) = self.games.in_warm_start();
        if games.is_empty() {
            return Ok(false);
        }
        let planes: Vec<Planes> = games.iter().map(|live| live.position.planes.clone()).collect();
        let outputs = self.base.evaluate(&planes);
        let temperature = self.config.temperature;
        let played = games.par_iter_mut().enumerate().map(|(row, live)| {
            let value = outputs.value_of(row);
            let value = value.map_err(non_finite(STEP, "base's value", &live.game))?;
            let temperature = match temperature {
                SamplingTemperature::One => Temperature::ONE,
                SamplingTemperature::Adaptive => adaptive_temperature(&value.outcome()),
            };
            let logits = live.logits(&outputs, row);
            let decision = Decision::sample(&logits, temperature, &mut live.generator)
                .map_err(non_finite(STEP, "base's policy", &live.game))?;
            live.play(decision.action, rules)
                .map_err(|source| TrainingError::Encoding { step: STEP, source })?;
            live.warm_start_plies -= 1;
            Ok(())
        });
        first_error(played.collect())?;
        Ok(true)
    }
}
