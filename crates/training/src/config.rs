//! What a fine-tuning run is told: one documented field for each choice.

use chess::{HistoryFill, Rules};
use network::{AdamW, LearningRates};
use serde::{Deserialize, Serialize};

use crate::beta::BetaSchedule;
use crate::objective::{ExplorationTerm, Objective, ValueWeighting};
use crate::references::ReferenceConfig;
use crate::start::OpeningBookConfig;

mod builder;
mod error;
pub(crate) mod keys;
mod preset;
mod print;
mod saving;
#[cfg(test)]
mod tests;
pub(crate) mod validate;

pub use builder::ConfigBuilder;
pub(crate) use builder::{join, line_of};
pub use error::ConfigError;
pub use keys::{KEYS, Key};
pub use preset::{Preset, UnknownPreset};

pub use saving::SavingConfig;

/// Everything that determines a run, given the base network.
///
/// Read from and written to TOML. A key that is left out has the value of the preset `paper`
/// (paper, Table 2), or of the one that the key `preset` names; a key that is not known here is
/// an error. [`KEYS`] has a line for each.
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
    /// Weight of the exploration term at the first step, at least 0; of no effect without one
    /// (paper, Table 2: 0.01). `beta_schedule` says how it goes on.
    pub beta: f64,
    /// Weight of the base in the mixture of references that is the exploration term's prior, at
    /// least 0; without further `references` of no effect, since the base is all of it then.
    pub base_weight: f64,
    /// Temperature of the behaviour policy mu (paper, Equation (6)).
    pub temperature: SamplingTemperature,
    /// The value head that sets the adaptive temperature; of no effect on temperature `one`, and
    /// none on the warm start, in which trained network, average and base are the same.
    pub temperature_source: TemperatureSource,
    /// Plies after which a game is over, in 1..=10,000 (paper, Table 2: 512). Counted from the
    /// game's start position, so that the moves of a book's opening and of the warm start count.
    pub ply_cap: u32,
    /// What the last move before the cap is worth (paper, Table 2: "drawn at cap"). A game that
    /// ends by the rules of chess on that very move has its result either way.
    pub ply_cap_outcome: PlyCapOutcome,
    /// Weight c_v of the value loss, its anchor included, at least 0 (paper, Table 2: 0.2).
    pub value_coefficient: f64,
    /// Whether the importance weight rho weighs the value loss. At temperature `one` rho is 1 and
    /// nothing changes.
    pub value_weighting: ValueWeighting,
    /// Weight w, within the value loss, of a divergence from the base's value head, at least 0:
    /// the loss has `c_v w KL(WDL_base||WDL)`, in the other direction beside `reverse_kl`. Neither
    /// rho nor beta weighs it, and it is measured against the base also where there are further
    /// references (the paper has none).
    pub value_anchor: f64,
    /// Decay alpha of the weights' exponential moving average, in [0, 1) (paper, Table 2: 0.995).
    pub ema_decay: f64,
    /// Steps of linear warm-up of the learning rates, at least 0 (paper, Table 2: 200). Step k of
    /// w uses k/w of the peak, so that the first step already learns.
    pub warmup_steps: u64,
    /// Before the first step each game is played ahead by a number of full moves drawn from
    /// 0..=this, sampled from the base, so that the games are out of phase and of each other; 0
    /// leaves all games where they start, side by side. In 0..=1,000; the paper does not say. With an opening
    /// book the games are played ahead from the openings drawn for them. Games that begin later
    /// are not played ahead.
    pub warm_start_moves: u32,
    /// What the network sees before a game's first position.
    #[serde(with = "HistoryFillName")]
    pub history_fill: HistoryFill,
    /// How beta goes over the run (paper, "Limitations").
    pub beta_schedule: BetaSchedule,
    /// Peak learning rates by group of parameters.
    pub learning_rates: PeakLearningRates,
    /// Constants of the optimiser.
    pub optimiser: OptimiserConstants,
    /// When the run is saved.
    pub saving: SavingConfig,
    /// Where games start: each game, and each that begins after it, draws its opening from the
    /// book by its own generator (root randomisation; paper, "Limitations"). Without one, at the
    /// initial position, as in the paper. The moves of a PGN opening are the game's history; a
    /// position of an EPD file has none, so that `history_fill` shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening_book: Option<OpeningBookConfig>,
    /// Further reference networks: the exploration term's prior is the mixture of their policies
    /// and the base's (paper, "Limitations"). What is measured against the base stays so: the KLs
    /// of the metrics, the drift of `beta_schedule`, and the value anchor. Of no effect with the
    /// terms `none` and `entropy_bonus`, which have no prior.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<ReferenceConfig>,
}

/// Temperature at which self-play samples its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SamplingTemperature {
    /// `tau(s) = 1`: the policy itself.
    One,
    /// `tau(s) = H(WDL(s))` in nats (paper, Equation (6)).
    Adaptive,
}

/// Which value head the adaptive temperature is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TemperatureSource {
    /// The moving average's, for stability (paper, Section 2.3).
    Average,
    /// The trained network's, as in the released trainer; spares a pass of the average.
    Online,
}

/// What becomes of a game at the ply cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlyCapOutcome {
    /// It is a draw.
    Draw,
    /// It is cut off without a result: another begins, but the move is labelled by the average's
    /// value of the position that it led to, like any other.
    Bootstrap,
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
pub(crate) enum HistoryFillName {
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
            base_weight: 1.0,
            temperature: SamplingTemperature::Adaptive,
            temperature_source: TemperatureSource::Average,
            ply_cap: 512,
            ply_cap_outcome: PlyCapOutcome::Draw,
            value_coefficient: 0.2,
            value_weighting: ValueWeighting::Rho,
            value_anchor: 0.0,
            ema_decay: 0.995,
            warmup_steps: 200,
            warm_start_moves: 60,
            history_fill: HistoryFill::FenOnly,
            beta_schedule: BetaSchedule::default(),
            learning_rates: PeakLearningRates::default(),
            optimiser: OptimiserConstants::default(),
            saving: SavingConfig::default(),
            opening_book: None,
            references: Vec::new(),
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

impl FinetuneConfig {
    /// Reads and validates a configuration; the key `preset` names what the keys left out are.
    ///
    /// # Errors
    ///
    /// Where the text is not TOML, a key is unknown, or a value is of a wrong type or out of range.
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        let mut builder = ConfigBuilder::new(ConfigBuilder::preset_of(text)?.unwrap_or_default());
        builder.merge(text)?;
        builder.finish()
    }

    /// The objective that these settings describe, at the first step.
    pub fn objective(&self) -> Objective {
        Objective {
            exploration: self.exploration,
            beta: self.beta,
            value_coefficient: self.value_coefficient,
            value_weighting: self.value_weighting,
            value_anchor: self.value_anchor,
        }
    }

    /// Whether the sampling temperature needs a pass of the average over the positions.
    pub fn needs_average_for_temperature(&self) -> bool {
        self.temperature == SamplingTemperature::Adaptive
            && self.temperature_source == TemperatureSource::Average
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
