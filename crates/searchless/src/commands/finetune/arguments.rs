//! The settings of a run: a file, and what is said beside it.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use chess::HistoryFill;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use training::{
    BaseRecord, ExplorationTerm, FinetuneConfig, KEYS, Preset, SamplingTemperature, Settings,
};

use crate::commands::runs::{replace, scale};

/// The names of a setting's values: the one of the file of settings, another that is understood,
/// and the value.
type Names<T> = [(&'static str, Option<&'static str>, T)];

/// Names of the exploration terms.
const TERMS: &Names<ExplorationTerm> = &[
    ("forward_kl", Some("forward-kl"), ExplorationTerm::ForwardKl),
    ("reverse_kl", Some("reverse-kl"), ExplorationTerm::ReverseKl),
    ("entropy_bonus", Some("entropy"), ExplorationTerm::EntropyBonus),
    ("none", None, ExplorationTerm::None),
];

/// Names of the sampling temperatures.
const TEMPERATURES: &Names<SamplingTemperature> = &[
    ("one", Some("1"), SamplingTemperature::One),
    ("adaptive", None, SamplingTemperature::Adaptive),
];

/// The settings of a run. What is not given is as in --config, else as in the preset.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Training")]
pub(crate) struct SettingArguments {
    /// Settings as TOML, or the config.toml of a run to repeat it from the same network; options
    /// given here win over it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// What all settings are that nothing else sets: paper (its Table 2), release (its authors'
    /// trainer) or small (networks of few parameters) [default: that of the file, else paper]
    #[arg(long, value_name = "NAME", value_parser = presets())]
    preset: Option<Preset>,
    /// Set any key of the settings, as in optimiser.beta1=0.8; may be repeated, and loses to the
    /// options below. --help lists the keys, --print-config all values
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Games played in parallel, of each of which a step consumes one move
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Exploration term
    #[arg(long, value_name = "TERM", value_parser = names(TERMS))]
    term: Option<ExplorationTerm>,
    /// Weight of the exploration term
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    beta: Option<f64>,
    /// Sampling temperature: one (or 1), or adaptive, the entropy of the outcome in each position
    #[arg(long, value_name = "TAU", value_parser = names(TEMPERATURES))]
    tau: Option<SamplingTemperature>,
    /// Decay of the moving average of the weights
    #[arg(long, value_name = "ALPHA", allow_negative_numbers = true)]
    ema_decay: Option<f64>,
    /// Multiplies all four learning rates
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, allow_negative_numbers = true)]
    learning_rate_factor: f64,
    /// Steps of linear warm-up of the learning rates
    #[arg(long, value_name = "N")]
    warmup_steps: Option<u64>,
    /// Before the first step each game is played ahead by 0 to N full moves, drawn at random
    #[arg(long, value_name = "N")]
    warm_start_moves: Option<u32>,
    /// Seed of all randomness
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

impl SettingArguments {
    /// The settings of the run, unchecked, and the base network where a record names it;
    /// `history_fill` is one of the network's arguments.
    pub(crate) fn config(
        &self,
        history_fill: Option<HistoryFill>,
    ) -> anyhow::Result<(FinetuneConfig, Option<BaseRecord>)> {
        let settings = match &self.config {
            Some(path) => {
                let name = path.display();
                let text = fs::read_to_string(path).with_context(|| format!("reading {name}"))?;
                // First without the keys set here, so that what is wrong in the file is said to be.
                Settings::layered(Some(&text), self.preset, &[])
                    .with_context(|| name.to_string())?;
                Settings::layered(Some(&text), self.preset, &self.set)?
            }
            None => Settings::layered(None, self.preset, &self.set)?,
        };
        let (mut config, base) = match settings {
            Settings::Plain(config) => (config, None),
            Settings::Record(record) => (record.finetune, Some(record.base)),
        };
        replace(&mut config.games, self.games);
        replace(&mut config.exploration, self.term);
        replace(&mut config.beta, self.beta);
        replace(&mut config.temperature, self.tau);
        replace(&mut config.ema_decay, self.ema_decay);
        replace(&mut config.warmup_steps, self.warmup_steps);
        replace(&mut config.seed, self.seed);
        replace(&mut config.warm_start_moves, self.warm_start_moves);
        replace(&mut config.history_fill, history_fill);
        scale(&mut config.learning_rates, self.learning_rate_factor);
        Ok((config, base))
    }
}

fn names<T: Copy + Send + Sync + 'static>(
    table: &'static Names<T>,
) -> impl TypedValueParser<Value = T> {
    let possible = table.iter().map(|(name, other, _)| PossibleValue::new(*name).aliases(*other));
    PossibleValuesParser::new(possible).map(|given| {
        let found = table.iter().find(|(name, other, _)| *name == given || *other == Some(&given));
        found.expect("a possible value").2
    })
}

fn presets() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.map(Preset::name))
        .map(|name| name.parse().expect("a possible value"))
}

/// The keys that files and --set know, a line each.
pub(super) fn keys() -> String {
    let width = KEYS.iter().map(|key| key.path.len()).max().unwrap_or_default();
    let line = |key: &training::Key| format!("\n  {:width$}  {}", key.path, key.help);
    "Keys of --config and --set:".to_owned() + &KEYS.iter().map(line).collect::<String>()
}
