//! What a supervised run is told.

use std::fmt;

use chess::HistoryFill;
use serde::{Deserialize, Serialize};

use super::data::TrainingData;
use crate::config::validate::{at_least_zero, is_decay};
use crate::config::{
    ConfigError, HistoryFillName, OptimiserConstants, PeakLearningRates, SavingConfig,
};

#[cfg(test)]
mod tests;

/// Everything that determines a supervised run, given the network that it starts from.
///
/// Read from and written to TOML; a key that is not known here is an error. The defaults are those
/// of the paper's fine-tuning (Table 2), as in its puzzle-tuned control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SupervisedConfig {
    /// Seed of the order of the samples, in 0..2^63.
    #[serde(default)]
    pub seed: u64,
    /// Optimiser steps, at least 1.
    #[serde(default = "defaults::steps")]
    pub steps: u64,
    /// Samples of a step, in 1..=65,536.
    #[serde(default = "defaults::batch")]
    pub batch: usize,
    /// Weight c_v of the value loss, at least 0.
    #[serde(default = "defaults::value_coefficient")]
    pub value_coefficient: f64,
    /// Decay of the weights' exponential moving average, in [0, 1).
    #[serde(default = "defaults::ema_decay")]
    pub ema_decay: f64,
    /// Steps of linear warm-up of the learning rates, at least 0.
    #[serde(default = "defaults::warmup_steps")]
    pub warmup_steps: u64,
    /// The part of the peak learning rates that is left at the last step, in [0, 1]: after the
    /// warm-up they fall to it along half a period of a cosine. 1 keeps them constant.
    #[serde(default = "defaults::final_rate")]
    pub final_rate: f64,
    /// Samples in the buffer out of which a step's are drawn, in 1..=4,194,304; each takes about
    /// 2 kB.
    #[serde(default = "defaults::shuffle_buffer")]
    pub shuffle_buffer: usize,
    /// Whether every second sample, by chance, is seen in a mirror where nobody may castle any more:
    /// twice as many samples out of the same files.
    #[serde(default)]
    pub mirror: bool,
    /// What the network sees before a game's first position, for puzzles.
    #[serde(default, with = "HistoryFillName")]
    pub history_fill: HistoryFill,
    /// Peak learning rates by group of parameters.
    #[serde(default)]
    pub learning_rates: PeakLearningRates,
    /// Constants of the optimiser.
    #[serde(default)]
    pub optimiser: OptimiserConstants,
    /// When the run is saved.
    #[serde(default)]
    pub saving: SavingConfig,
    /// The files to learn from.
    pub data: TrainingData,
}

mod defaults {
    pub(super) fn steps() -> u64 {
        2_000
    }

    pub(super) fn batch() -> usize {
        1_024
    }

    pub(super) fn value_coefficient() -> f64 {
        0.2
    }

    pub(super) fn ema_decay() -> f64 {
        0.995
    }

    pub(super) fn warmup_steps() -> u64 {
        200
    }

    pub(super) fn final_rate() -> f64 {
        1.0
    }

    pub(super) fn shuffle_buffer() -> usize {
        65_536
    }
}

impl SupervisedConfig {
    /// The defaults, learning from `data`.
    pub fn new(data: TrainingData) -> Self {
        Self {
            seed: 0,
            steps: defaults::steps(),
            batch: defaults::batch(),
            value_coefficient: defaults::value_coefficient(),
            ema_decay: defaults::ema_decay(),
            warmup_steps: defaults::warmup_steps(),
            final_rate: defaults::final_rate(),
            shuffle_buffer: defaults::shuffle_buffer(),
            mirror: false,
            history_fill: HistoryFill::default(),
            learning_rates: PeakLearningRates::default(),
            optimiser: OptimiserConstants::default(),
            saving: SavingConfig::default(),
            data,
        }
    }

    /// Checks every value's range.
    ///
    /// # Errors
    ///
    /// [`ConfigError::OutOfRange`] for the first value outside its range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        within("seed", self.seed, i64::try_from(self.seed).is_ok(), "0 to 2^63 - 1")?;
        within("steps", self.steps, self.steps >= 1, "at least 1")?;
        within("batch", self.batch, (1..=65_536).contains(&self.batch), "1 to 65536")?;
        let coefficient = self.value_coefficient;
        let expected = "a finite number of at least 0";
        within("value_coefficient", coefficient, at_least_zero(coefficient), expected)?;
        within("final_rate", self.final_rate, (0.0..=1.0).contains(&self.final_rate), "0 to 1")?;
        let buffer = self.shuffle_buffer;
        within("shuffle_buffer", buffer, (1..=1 << 22).contains(&buffer), "1 to 4194304")?;
        let expected = "at least 0 and below 1, in single precision";
        within("ema_decay", self.ema_decay, is_decay(self.ema_decay), expected)?;
        self.learning_rates.validate()?;
        self.optimiser.validate()?;
        self.saving.validate()?;
        match &self.data {
            TrainingData::Puzzles { files, .. } => {
                within("data.puzzles.files", "[]", !files.is_empty(), "at least one file")
            }
            TrainingData::Chunks { files, result_ratio: ratio } => {
                within("data.chunks.files", "[]", !files.is_empty(), "at least one file")?;
                within("data.chunks.result_ratio", ratio, (0.0..=1.0).contains(ratio), "0 to 1")
            }
        }
    }

    /// Fraction of the peak learning rates that step `step`, counted from 1, uses.
    pub fn rate_factor(&self, step: u64) -> f64 {
        if step < self.warmup_steps {
            return step as f64 / self.warmup_steps as f64;
        }
        let falling = self.steps.saturating_sub(self.warmup_steps).max(1);
        let progress = (step - self.warmup_steps) as f64 / falling as f64;
        let fallen = (1.0 - (std::f64::consts::PI * progress.min(1.0)).cos()) / 2.0;
        1.0 - (1.0 - self.final_rate) * fallen
    }
}

fn within(
    key: &'static str,
    value: impl fmt::Display,
    valid: bool,
    expected: &'static str,
) -> Result<(), ConfigError> {
    if valid {
        Ok(())
    } else {
        Err(ConfigError::OutOfRange { key, value: value.to_string(), expected })
    }
}
