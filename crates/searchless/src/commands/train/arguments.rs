//! The settings of a run: a file, and what is said beside it.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};
use chess::HistoryFill;
use training::BaseRecord;
use training::supervised::{SupervisedConfig, SupervisedSettings, TrainingData};

use crate::commands::runs::{replace, scale};

/// What to learn from.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Data")]
pub(super) struct DataArguments {
    /// Puzzles as Lichess writes them (CSV, plain or compressed): learn the solver's moves
    #[arg(long, value_name = "FILE", num_args = 1..)]
    puzzles: Option<Vec<PathBuf>>,
    /// Puzzle files whose puzzles, known by their ids, are passed over: what the network will be
    /// measured with
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "chunks")]
    exclude: Option<Vec<PathBuf>>,
    /// Lc0's training data, version 6: chunks (.gz), archives of them (.tar), or folders of both;
    /// learn the search's visits and the outcome
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with = "puzzles")]
    chunks: Option<Vec<PathBuf>>,
    /// The part of the value's target that is the game's result, 0 to 1; the rest is the value of
    /// the search's best move [default: 0]
    #[arg(long, value_name = "R", conflicts_with_all = ["puzzles", "exclude"], allow_negative_numbers = true)]
    result_ratio: Option<f64>,
}

impl DataArguments {
    /// The files given, in place of those of a file of settings.
    fn given(&self) -> Option<TrainingData> {
        if let Some(files) = self.puzzles.clone() {
            let exclude = self.exclude.clone().unwrap_or_default();
            return Some(TrainingData::Puzzles { files, exclude });
        }
        let result_ratio = self.result_ratio.unwrap_or_default();
        self.chunks.clone().map(|files| TrainingData::Chunks { files, result_ratio })
    }

    /// Changes what is given of the files that a file of settings names.
    fn apply(&self, data: &mut TrainingData) -> anyhow::Result<()> {
        match data {
            TrainingData::Puzzles { exclude, .. } => {
                if self.result_ratio.is_some() {
                    bail!("--result-ratio is for --chunks, the settings name puzzles");
                }
                if let Some(given) = &self.exclude {
                    exclude.clone_from(given);
                }
            }
            TrainingData::Chunks { result_ratio, .. } => {
                if self.exclude.is_some() {
                    bail!("--exclude is for --puzzles, the settings name chunks");
                }
                replace(result_ratio, self.result_ratio);
            }
        }
        Ok(())
    }
}

/// The settings of a run. What is not given is as in --config, else the default.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Training")]
pub(super) struct SettingArguments {
    /// Settings as TOML, or the config.toml of a run to repeat it from the same network; options
    /// given here win over it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Samples of a step [default: 1024]
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
    /// Multiplies all four learning rates
    #[arg(
        long,
        alias = "learning-rate-scale",
        value_name = "FACTOR",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    learning_rate_factor: f64,
    /// Steps of linear warm-up of the learning rates [default: 200]
    #[arg(long, value_name = "N")]
    warmup_steps: Option<u64>,
    /// The part of the learning rates that is left at the last step, to which they fall along a
    /// cosine; 1 keeps them constant [default: 1]
    #[arg(long, value_name = "PART", allow_negative_numbers = true)]
    final_rate: Option<f64>,
    /// Weight of the value loss, for samples that have a value [default: 0.2]
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    value_coefficient: Option<f64>,
    /// Decay of the moving average of the weights [default: 0.995]
    #[arg(long, value_name = "ALPHA", allow_negative_numbers = true)]
    ema_decay: Option<f64>,
    /// Samples in the buffer out of which those of a step are drawn; each takes about 2 kB
    /// [default: 65536]
    #[arg(long, value_name = "N")]
    shuffle_buffer: Option<usize>,
    /// See every second sample, by chance, in a mirror where nobody may castle any more
    #[arg(long)]
    mirror: bool,
    /// Seed of the order of the samples [default: 0]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

impl SettingArguments {
    /// The settings of the run, unchecked, and the base network where a record names it;
    /// `history_fill` is one of the network's arguments.
    pub(super) fn config(
        &self,
        data: &DataArguments,
        history_fill: Option<HistoryFill>,
    ) -> anyhow::Result<(SupervisedConfig, Option<BaseRecord>)> {
        let given = data.given();
        let (mut config, base) = match (&self.config, given) {
            (Some(path), given) => {
                let name = path.display();
                let text = fs::read_to_string(path).with_context(|| format!("reading {name}"))?;
                let settings = SupervisedSettings::from_toml(&text, given.as_ref());
                match settings.with_context(|| name.to_string())? {
                    SupervisedSettings::Plain(config) => (config, None),
                    SupervisedSettings::Record(record) => (record.train, Some(record.base)),
                }
            }
            (None, Some(data)) => (SupervisedConfig::new(data), None),
            (None, None) => bail!("nothing to learn from: give --puzzles, --chunks or --config"),
        };
        data.apply(&mut config.data)?;
        replace(&mut config.batch, self.batch);
        replace(&mut config.warmup_steps, self.warmup_steps);
        replace(&mut config.final_rate, self.final_rate);
        replace(&mut config.value_coefficient, self.value_coefficient);
        replace(&mut config.ema_decay, self.ema_decay);
        replace(&mut config.shuffle_buffer, self.shuffle_buffer);
        config.mirror |= self.mirror;
        replace(&mut config.seed, self.seed);
        replace(&mut config.history_fill, history_fill);
        scale(&mut config.learning_rates, self.learning_rate_factor);
        Ok((config, base))
    }
}
