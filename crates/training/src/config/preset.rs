//! Configurations by name.

use std::fmt;
use std::str::FromStr;

use super::{FinetuneConfig, PeakLearningRates, PlyCapOutcome, TemperatureSource};

/// A configuration to start from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// The paper's text: Table 2, for a network of 190 million parameters.
    #[default]
    Paper,
    /// The paper with what its authors' released trainer does otherwise: the temperature from the
    /// trained value head, games cut off at the ply cap, and the value head anchored to the base's.
    Release,
    /// For networks of some million parameters and less, and minutes on a CPU: fewer games and
    /// steps, ten times the paper's rates and its exploration term, a shorter warm-up and a faster
    /// average. (A gradient of a few games is noise for the most part: with the paper's coefficient
    /// nothing holds a small network back from following it, see `records/demo`.)
    ///
    /// What was seen, one run each (2026-11-30), of `finetune --steps 300 --games 128 --seed 1
    /// --warmup-steps 30 --ema-decay 0.98 --learning-rate-factor F --limit 5000 --suite` with a
    /// uniform sample of Lichess puzzles; the intervals are 1.4 percentage points to either side:
    ///
    /// | network | F | accuracy before, after | forward KL to the base, nats, last 20 steps |
    /// |---|---|---|---|
    /// | Maia 1100 | 10 | 38.40%, 38.98% | 0.11 |
    /// | Maia 1100 | 30 | 38.40%, 38.24% | 0.19 |
    /// | Maia 1100 | 100 | 38.40%, 30.54% | 0.48 |
    /// | 2 layers, random weights, 64 games | 10 | 1.16%, 1.12% | 0.09 |
    /// | 2 layers, random weights, 64 games | 30 | 1.16%, 0.98% | 0.22 |
    Small,
}

/// A name that is no preset's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no preset \"{name}\", expected paper, release or small")]
pub struct UnknownPreset {
    /// The name.
    pub name: String,
}

impl Preset {
    /// All, in the order of their declaration.
    pub const ALL: [Self; 3] = [Self::Paper, Self::Release, Self::Small];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Release => "release",
            Self::Small => "small",
        }
    }

    /// The configuration.
    pub fn config(self) -> FinetuneConfig {
        let paper = FinetuneConfig::default();
        match self {
            Self::Paper => paper,
            Self::Release => FinetuneConfig {
                temperature_source: TemperatureSource::Online,
                ply_cap_outcome: PlyCapOutcome::Bootstrap,
                value_anchor: 0.1,
                ..paper
            },
            Self::Small => FinetuneConfig {
                steps: 300,
                games: 128,
                beta: 0.1,
                ema_decay: 0.98,
                warmup_steps: 30,
                learning_rates: PeakLearningRates {
                    backbone: 3e-5,
                    final_block: 1e-4,
                    policy_head: 1e-4,
                    value_head: 3e-4,
                },
                ..paper
            },
        }
    }
}

impl FromStr for Preset {
    type Err = UnknownPreset;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|preset| preset.name() == name);
        found.ok_or_else(|| UnknownPreset { name: name.to_owned() })
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
