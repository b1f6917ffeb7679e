//! What a fine-tuning run is told: one documented field for each choice.

use std::fmt;

use chess::{HistoryFill, Rules};
use network::{AdamW, LearningRates};
use serde::{Deserialize, Serialize};

use crate::objective::{ExplorationTerm, Objective};

mod saving;
#[cfg(test)]
mod tests;

pub use saving::SavingConfig;

/// Everything that determines a run, given the base network.
///
/// Read from and written to TOML. A key that is left out has the paper's value (paper, Table 2); a
/// key that is not known here is an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FinetuneConfig {
    /// Seed of all randomness, in 0..2^63 (TOML has no larger integers). Equal seeds give equal
    /// runs, whatever the number of threads.
    pub seed: u64,
    /// Optimiser steps, at least 1 (paper, Table 2: 2,000).
    pub steps: u64,
    /// Games played in parallel, of each of which a step consumes one move; so also the batch
    /// size. In 1..=65,536 (paper, Table 2: 1,024).
    pub games: usize,
    /// The exploration term R (paper, Section 3.1, "Setup and conditions").
    pub exploration: ExplorationTerm,
    /// Weight of the exploration term, at least 0; of no effect without one (paper, Table 2: 0.01).
    pub beta: f64,
    /// Temperature of the behaviour policy mu (paper, Equation (6)).
    pub temperature: SamplingTemperature,
    /// Plies after which a game is a draw, in 1..=10,000 (paper, Table 2: 512).
    pub ply_cap: u32,
    /// Weight c_v of the value loss, at least 0 (paper, Table 2: 0.2).
    pub value_coefficient: f64,
    /// Decay alpha of the weights' exponential moving average, in [0, 1) (paper, Table 2: 0.995).
    pub ema_decay: f64,
    /// Steps of linear warm-up of the learning rates, at least 0 (paper, Table 2: 200). Step k of
    /// w uses k/w of the peak, so that the first step already learns.
    pub warmup_steps: u64,
    /// Before the first step each game is played ahead by a number of full moves drawn from
    /// 0..=this, sampled from the base, so that the games are out of phase and of each other; 0
    /// starts all games at the initial position. In 0..=1,000; the paper does not say.
    pub warm_start_moves: u32,
    /// What the network sees before a game's first position.
    #[serde(with = "HistoryFillName")]
    pub history_fill: HistoryFill,
    /// Peak learning rates by group of parameters.
    pub learning_rates: PeakLearningRates,
    /// Constants of the optimiser.
    pub optimiser: OptimiserConstants,
    /// When the run is saved.
    pub saving: SavingConfig,
}

/// Temperature at which self-play samples its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SamplingTemperature {
    /// `tau(s) = 1`: the policy itself.
    One,
    /// `tau(s) = H(WDL(s))` in nats, from the moving average's value head (paper, Equation (6)).
    Adaptive,
}

/// Peak learning rates, each in [0, 1] (paper, Table 2).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PeakLearningRates {
    /// Everything that is in no other group (3e-6).
    pub backbone: f64,
    /// The last encoder or residual block (1e-5).
    pub final_block: f64,
    /// The policy head (1e-5).
    pub policy_head: f64,
    /// The value head (3e-5).
    pub value_head: f64,
}

/// Constants of AdamW without weight decay (paper, Table 2; epsilon is the usual one).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OptimiserConstants {
    /// Decay of the gradient's average, in [0, 1) (0.9).
    pub beta1: f64,
    /// Decay of the squared gradient's average, in [0, 1) (0.98).
    pub beta2: f64,
    /// Added to the root of the squared gradient's average, above 0 (1e-8).
    pub epsilon: f64,
}

/// Lc0's names of the history fills.
#[derive(Serialize, Deserialize)]
#[serde(remote = "HistoryFill", rename_all = "snake_case")]
enum HistoryFillName {
    FenOnly,
    No,
    Always,
}

impl Default for FinetuneConfig {
    fn default() -> Self {
        Self {
            seed: 0,
            steps: 2_000,
            games: 1_024,
            exploration: ExplorationTerm::ForwardKl,
            beta: 1e-2,
            temperature: SamplingTemperature::Adaptive,
            ply_cap: 512,
            value_coefficient: 0.2,
            ema_decay: 0.995,
            warmup_steps: 200,
            warm_start_moves: 60,
            history_fill: HistoryFill::FenOnly,
            learning_rates: PeakLearningRates::default(),
            optimiser: OptimiserConstants::default(),
            saving: SavingConfig::default(),
        }
    }
}

impl Default for PeakLearningRates {
    fn default() -> Self {
        Self { backbone: 3e-6, final_block: 1e-5, policy_head: 1e-5, value_head: 3e-5 }
    }
}

impl Default for OptimiserConstants {
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.98, epsilon: 1e-8 }
    }
}

/// A configuration that cannot be run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// A value outside its range.
    #[error("{key} = {value}, expected {expected}")]
    OutOfRange {
        /// Name of the key, with its table: `optimiser.beta1`.
        key: &'static str,
        /// What was given.
        value: String,
        /// What may be given.
        expected: &'static str,
    },
    /// Text that is no configuration; the message names line and column.
    #[error(transparent)]
    Syntax(#[from] toml::de::Error),
}

impl FinetuneConfig {
    /// Reads and validates a configuration.
    ///
    /// # Errors
    ///
    /// Where the text is not TOML, a key is unknown, or a value is of a wrong type or out of range.
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text)?;
        config.validate()?;
        Ok(config)
    }

    /// Checks every value's range.
    ///
    /// # Errors
    ///
    /// [`ConfigError::OutOfRange`] for the first value outside its range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let Self { learning_rates: rates, optimiser, .. } = self;
        within("seed", self.seed, i64::try_from(self.seed).is_ok(), "0 to 2^63 - 1")?;
        within("steps", self.steps, self.steps >= 1, "at least 1")?;
        within("games", self.games, (1..=65_536).contains(&self.games), "1 to 65536")?;
        within("beta", self.beta, at_least_zero(self.beta), "a finite number of at least 0")?;
        within("ply_cap", self.ply_cap, (1..=10_000).contains(&self.ply_cap), "1 to 10000")?;
        within(
            "value_coefficient",
            self.value_coefficient,
            at_least_zero(self.value_coefficient),
            "a finite number of at least 0",
        )?;
        within("ema_decay", self.ema_decay, is_decay(self.ema_decay), DECAY)?;
        within(
            "warm_start_moves",
            self.warm_start_moves,
            self.warm_start_moves <= 1_000,
            "0 to 1000",
        )?;
        for (key, rate) in [
            ("learning_rates.backbone", rates.backbone),
            ("learning_rates.final_block", rates.final_block),
            ("learning_rates.policy_head", rates.policy_head),
            ("learning_rates.value_head", rates.value_head),
        ] {
            within(key, rate, (0.0..=1.0).contains(&rate), "0 to 1")?;
        }
        within("optimiser.beta1", optimiser.beta1, is_decay(optimiser.beta1), DECAY)?;
        within("optimiser.beta2", optimiser.beta2, is_decay(optimiser.beta2), DECAY)?;
        within(
            "optimiser.epsilon",
            optimiser.epsilon,
            optimiser.epsilon as f32 > 0.0 && optimiser.epsilon <= 1.0,
            "above 0 and at most 1, in single precision",
        )?;
        self.saving.validate()
    }

    /// The objective that these settings describe.
    pub fn objective(&self) -> Objective {
        Objective {
            exploration: self.exploration,
            beta: self.beta,
            value_coefficient: self.value_coefficient,
        }
    }

    /// The rules by which self-play games end.
    pub fn rules(&self) -> Rules {
        Rules { ply_cap: Some(self.ply_cap) }
    }

    /// Fraction of the peak learning rates that step `step`, counted from 1, uses.
    pub fn warmup_factor(&self, step: u64) -> f64 {
        if step >= self.warmup_steps { 1.0 } else { step as f64 / self.warmup_steps as f64 }
    }
}

impl From<PeakLearningRates> for LearningRates {
    fn from(peak: PeakLearningRates) -> Self {
        Self {
            backbone: peak.backbone,
            final_block: peak.final_block,
            policy_head: peak.policy_head,
            value_head: peak.value_head,
        }
    }
}

impl From<OptimiserConstants> for AdamW {
    fn from(constants: OptimiserConstants) -> Self {
        Self { beta1: constants.beta1, beta2: constants.beta2, epsilon: constants.epsilon }
    }
}

const DECAY: &str = "at least 0 and below 1, in single precision";

/// False for NaN, as all of these.
fn is_decay(value: f64) -> bool {
    value >= 0.0 && (value as f32) < 1.0
}

fn at_least_zero(value: f64) -> bool {
    value >= 0.0 && value.is_finite()
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
