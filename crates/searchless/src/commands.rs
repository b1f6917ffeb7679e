//! The commands, a file each.

mod arena;
mod bench;
mod calibration;
mod carrying_out;
mod coverage;
mod demo;
mod embedded;
mod evaluate;
mod finetune;
mod inspect;
mod label;
mod new_network;
mod openings;
mod program_runner;
mod puzzles;
mod rate;
mod recovery;
mod report;
mod reproduce;
mod runs;
mod sampling;
mod shape;
mod suite;
mod sweep;
mod train;
pub(crate) mod uci;

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::Duration;

use arena::ArenaArguments;
use bench::BenchArguments;
use calibration::CalibrationArguments;
use coverage::CoverageArguments;
use demo::DemoArguments;
use embedded::EmbeddedArguments;
use evaluate::EvaluateArguments;
use finetune::FinetuneArguments;
use inspect::InspectArguments;
use label::LabelArguments;
use new_network::NewNetworkArguments;
use openings::OpeningsArguments;
use policy::Temperature;
use puzzles::PuzzlesArguments;
use rate::RateArguments;
use recovery::RecoveryArguments;
use report::ReportArguments;
use reproduce::ReproduceArguments;
use shape::ShapeArguments;
use suite::SuiteArguments;
use sweep::SweepArguments;
use train::TrainArguments;
use uci::UciArguments;

/// What to do.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Demo(DemoArguments),
    Inspect(InspectArguments),
    Puzzles(PuzzlesArguments),
    Suite(SuiteArguments),
    Evaluate(Box<EvaluateArguments>),
    Coverage(CoverageArguments),
    Shape(ShapeArguments),
    Recovery(Box<RecoveryArguments>),
    Report(ReportArguments),
    Calibration(CalibrationArguments),
    Arena(Box<ArenaArguments>),
    Rate(RateArguments),
    Uci(UciArguments),
    Reproduce(Box<ReproduceArguments>),
    Finetune(Box<FinetuneArguments>),
    Sweep(Box<SweepArguments>),
    Train(Box<TrainArguments>),
    Label(LabelArguments),
    NewNetwork(NewNetworkArguments),
    Openings(OpeningsArguments),
    Bench(BenchArguments),
    Embedded(EmbeddedArguments),
}

impl Command {
    /// Does it, and prints the results to `output`.
    pub(crate) fn run(self, threads: NonZeroUsize, output: &mut impl Write) -> anyhow::Result<()> {
        match self {
            Command::Demo(arguments) => arguments.run(threads, output),
            Command::Inspect(arguments) => arguments.run(output),
            Command::Puzzles(arguments) => arguments.run(output),
            Command::Rate(arguments) => arguments.run(output),
            Command::Arena(arguments) => arguments.run(threads, output),
            Command::Suite(arguments) => arguments.run(threads, output),
            Command::Coverage(arguments) => arguments.run(output),
            Command::Shape(arguments) => arguments.run(output),
            Command::Recovery(arguments) => arguments.run(output),
            Command::Report(arguments) => arguments.run(output),
            Command::Evaluate(arguments) => arguments.run(output),
            Command::Calibration(arguments) => arguments.run(output),
            Command::Uci(arguments) => arguments.run(threads, output),
            Command::Reproduce(arguments) => arguments.run(threads, output),
            Command::Finetune(arguments) => arguments.run(output),
            Command::Sweep(arguments) => arguments.run(threads, output),
            Command::Train(arguments) => arguments.run(output),
            Command::Label(arguments) => arguments.run(threads, output),
            Command::NewNetwork(arguments) => arguments.run(output),
            Command::Openings(arguments) => arguments.run(output),
            Command::Bench(arguments) => arguments.run(output),
            Command::Embedded(arguments) => arguments.run(output),
        }
    }
}

/// `NAME=VALUE`, of which the value may be empty.
fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

/// A time in seconds as an argument, above 0.
fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| format!("'{text}' is no time above 0"))
}

/// A temperature as an argument.
fn temperature(text: &str) -> Result<Temperature, String> {
    let number: f64 = text.parse().map_err(|_| format!("'{text}' is not a number"))?;
    Temperature::new(number).map_err(|error| error.to_string())
}
