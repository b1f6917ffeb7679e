//! `searchless new-network`: a network of random weights.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use lc0::NetworkFile;
use lc0::proto::Net;
use lc0::random::{Preset, Specification, parameter_count, random_network, untrained_network};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Writes a network of random weights: the start of training from nothing, or a subject of
/// measurements.
///
/// The same preset and seed give the same network. lc0 loads it.
#[derive(Debug, clap::Args)]
pub(crate) struct NewNetworkArguments {
    /// Print the presets, their numbers of weights and sizes of files, and do nothing else
    #[arg(long, exclusive = true)]
    list: bool,
    /// Architecture
    #[arg(long, value_name = "NAME", required_unless_present = "list", value_parser = presets())]
    preset: Option<Preset>,
    /// Seed of the weights
    #[arg(long, value_name = "S", default_value = "0")]
    seed: u64,
    /// Make it the start of training: biases 0, scales and gates 1, smaller matrices
    #[arg(long)]
    untrained: bool,
    /// File to write; compressed where its name ends in .gz
    #[arg(long, value_name = "FILE", required_unless_present = "list")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
}

impl NewNetworkArguments {
    /// Writes the network, or lists the presets.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        let (Some(preset), Some(path)) = (self.preset, &self.out) else {
            return list(output);
        };
        let name = path.display().to_string();
        let exists = path.try_exists().with_context(|| name.clone())?;
        anyhow::ensure!(self.force || !exists, "{name}: exists; --force replaces it");
        let mut generator = ChaCha8Rng::seed_from_u64(self.seed);
        let make: fn(&Specification, &mut ChaCha8Rng) -> Net =
            if self.untrained { untrained_network } else { random_network };
        let net = make(&preset.specification(), &mut generator);
        NetworkFile::new(&name, net)?.write(path)?;
        let weights = parameter_count(&preset.specification());
        let bytes = std::fs::metadata(path).with_context(|| name.clone())?.len();
        writeln!(
            output,
            "{name}: {}, seed {}, {weights} weights, {bytes} bytes",
            preset.name(),
            self.seed
        )?;
        Ok(())
    }
}

fn list(output: &mut impl Write) -> anyhow::Result<()> {
    writeln!(output, "{:<18} {:>11} {:>9}  structure", "preset", "weights", "file")?;
    for preset in Preset::ALL {
        let weights = parameter_count(&preset.specification());
        // LINEAR16 takes two bytes a weight, and random bytes do not compress.
        let megabytes = 2.0 * weights as f64 / 1e6;
        let (name, what) = (preset.name(), preset.description());
        writeln!(output, "{name:<18} {weights:>11} {megabytes:>6.1} MB  {what}")?;
    }
    Ok(())
}

fn presets() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.map(Preset::name))
        .map(|name| Preset::by_name(&name).expect("a possible value"))
}
