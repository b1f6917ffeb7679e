//! The settings of a run: a file, and what is said beside it.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use chess::HistoryFill;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use training::{ExplorationTerm, FinetuneConfig, SamplingTemperature};

/// Names of the exploration terms.
const TERMS: [(&str, ExplorationTerm); 4] = [
    ("forward-kl", ExplorationTerm::ForwardKl),
    ("reverse-kl", ExplorationTerm::ReverseKl),
    ("entropy", ExplorationTerm::EntropyBonus),
    ("none", ExplorationTerm::None),
];

/// Names of the sampling temperatures.
const TEMPERATURES: [(&str, SamplingTemperature); 2] =
    [("one", SamplingTemperature::One), ("adaptive", SamplingTemperature::Adaptive)];

/// The settings of a run. What is not given is as in --config, else as in the paper's Table 2.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Training")]
pub(crate) struct SettingArguments {
    /// Settings as TOML; options given here win over it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Optimiser steps [default: 2000]
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// Games played in parallel, of each of which a step consumes one move [default: 1024]
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Exploration term [default: forward-kl]
    #[arg(long, value_name = "TERM", value_parser = names(&TERMS))]
    term: Option<ExplorationTerm>,
    /// Weight of the exploration term [default: 0.01]
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    beta: Option<f64>,
    /// Sampling temperature: 1, or the entropy of the outcome in each position [default: adaptive]
    #[arg(long, value_name = "TAU", value_parser = names(&TEMPERATURES))]
    tau: Option<SamplingTemperature>,
    /// Multiplies all four learning rates
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, allow_negative_numbers = true)]
    learning_rate_factor: f64,
    /// Steps of linear warm-up of the learning rates [default: 200]
    #[arg(long, value_name = "N")]
    warmup_steps: Option<u64>,
    /// Before the first step each game is played ahead by 0 to N full moves, drawn at random
    /// [default: 60]
    #[arg(long, value_name = "N")]
    warm_start_moves: Option<u32>,
    /// Seed of all randomness [default: 0]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

impl SettingArguments {
    /// The settings of the run, checked; `history_fill` is one of the network's arguments.
    pub(crate) fn config(
        &self,
        history_fill: Option<HistoryFill>,
    ) -> anyhow::Result<FinetuneConfig> {
        let mut config = match &self.config {
            Some(path) => {
                let name = path.display();
                let text = fs::read_to_string(path).with_context(|| format!("reading {name}"))?;
                FinetuneConfig::from_toml(&text).with_context(|| name.to_string())?
            }
            None => FinetuneConfig::default(),
        };
        replace(&mut config.steps, self.steps);
        replace(&mut config.games, self.games);
        replace(&mut config.exploration, self.term);
        replace(&mut config.beta, self.beta);
        replace(&mut config.temperature, self.tau);
        replace(&mut config.warmup_steps, self.warmup_steps);
        replace(&mut config.seed, self.seed);
        replace(&mut config.warm_start_moves, self.warm_start_moves);
        replace(&mut config.history_fill, history_fill);
        let rates = &mut config.learning_rates;
        for rate in [
            &mut rates.backbone,
            &mut rates.final_block,
            &mut rates.policy_head,
            &mut rates.value_head,
        ] {
            *rate *= self.learning_rate_factor;
        }
        config.validate()?;
        Ok(config)
    }
}

fn replace<T: Copy>(setting: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *setting = given;
    }
}

fn names<T: Copy + Send + Sync + 'static>(
    table: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(table.iter().map(|(name, _)| *name)).map(|given| {
        let found = table.iter().find(|(name, _)| *name == given);
        found.expect("a possible value").1
    })
}
