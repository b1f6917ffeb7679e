//! The commands, a file each.

mod bench;
mod calibration;
mod coverage;
mod finetune;
mod inspect;
mod new_network;
mod puzzles;
mod runs;
mod sampling;
mod shape;
mod sweep;
mod train;
pub(crate) mod uci;

use std::io::Write;
use std::num::NonZeroUsize;

use bench::BenchArguments;
use calibration::CalibrationArguments;
use coverage::CoverageArguments;
use finetune::FinetuneArguments;
use inspect::InspectArguments;
use new_network::NewNetworkArguments;
use policy::Temperature;
use puzzles::PuzzlesArguments;
use shape::ShapeArguments;
use sweep::SweepArguments;
use train::TrainArguments;
use uci::UciArguments;

/// What to do.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Inspect(InspectArguments),
    Puzzles(PuzzlesArguments),
    Coverage(CoverageArguments),
    Shape(ShapeArguments),
    Calibration(CalibrationArguments),
    Uci(UciArguments),
    Finetune(Box<FinetuneArguments>),
    Sweep(Box<SweepArguments>),
    Train(Box<TrainArguments>),
    NewNetwork(NewNetworkArguments),
    Bench(BenchArguments),
}

impl Command {
    /// Does it, and prints the results to `output`.
    pub(crate) fn run(self, threads: NonZeroUsize, output: &mut impl Write) -> anyhow::Result<()> {
        match self {
            Command::Inspect(arguments) => arguments.run(output),
            Command::Puzzles(arguments) => arguments.run(output),
            Command::Coverage(arguments) => arguments.run(output),
            Command::Shape(arguments) => arguments.run(output),
            Command::Calibration(arguments) => arguments.run(output),
            Command::Uci(arguments) => arguments.run(threads, output),
            Command::Finetune(arguments) => arguments.run(output),
            Command::Sweep(arguments) => arguments.run(threads, output),
            Command::Train(arguments) => arguments.run(output),
            Command::NewNetwork(arguments) => arguments.run(output),
            Command::Bench(arguments) => arguments.run(output),
        }
    }
}

/// A temperature as an argument.
fn temperature(text: &str) -> Result<Temperature, String> {
    let number: f64 = text.parse().map_err(|_| format!("'{text}' is not a number"))?;
    Temperature::new(number).map_err(|error| error.to_string())
}
