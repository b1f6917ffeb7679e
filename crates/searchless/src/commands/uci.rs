//! `searchless uci`: plays in a chess GUI.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use policy::Temperature;

use crate::arguments::HeadArguments;
use crate::device::DeviceArguments;
use crate::uci::{Engine, Options};

/// Plays in a chess GUI, over UCI on the standard input and output.
///
/// Every `go` is answered with one forward pass, whatever its limits; `go infinite` and `go
/// ponder` wait for the GUI before the move is printed. The score is lc0's centipawn formula, 90
/// tan(1.5637541897 (W - L)).
#[derive(Debug, clap::Args)]
pub(crate) struct UciArguments {
    /// Lc0 network file to load before the first command; else the option WeightsFile names one,
    /// which is the embedded one at first
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Sampling temperature: 0 plays the most probable move, 1 samples from the raw policy
    #[arg(long, value_name = "T", default_value = "0", value_parser = super::temperature, allow_negative_numbers = true)]
    temperature: Temperature,
    /// Seed of sampling
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u32,
    #[command(flatten)]
    heads: HeadArguments,
    #[command(flatten)]
    device: DeviceArguments,
}

impl UciArguments {
    /// Speaks UCI until the GUI is done.
    pub(crate) fn run(self, threads: NonZeroUsize, output: &mut impl Write) -> anyhow::Result<()> {
        let preload = self.network.is_some();
        let defaults = Options::new(threads);
        let options = Options {
            weights_file: self.network.or(defaults.weights_file.clone()),
            temperature: self.temperature,
            seed: self.seed.into(),
            heads: self.heads.selection(),
            history_fill: self.heads.fill(),
            device: self.device,
            ..defaults
        };
        let mut engine = Engine::new(output, options)?;
        if preload {
            engine.load()?;
        }
        Ok(engine.run(io::stdin().lock())?)
    }
}

/// Speaks UCI with the default options.
pub(crate) fn speak(threads: NonZeroUsize, output: &mut impl Write) -> anyhow::Result<()> {
    Ok(Engine::new(output, Options::new(threads))?.run(io::stdin().lock())?)
}
