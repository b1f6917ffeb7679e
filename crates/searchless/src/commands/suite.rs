//! `searchless suite`: suites of puzzles.

mod build;
mod mine;
mod report;

use std::io::Write;
use std::num::NonZeroUsize;

use build::BuildArguments;
use mine::MineArguments;

/// Builds and mines suites of puzzles, on which networks are measured.
#[derive(Debug, clap::Args)]
pub(crate) struct SuiteArguments {
    #[command(subcommand)]
    command: SuiteCommand,
}

#[derive(Debug, clap::Subcommand)]
enum SuiteCommand {
    Build(Box<BuildArguments>),
    Mine(Box<MineArguments>),
}

impl SuiteArguments {
    /// Does what is asked for.
    pub(crate) fn run(self, threads: NonZeroUsize, output: &mut impl Write) -> anyhow::Result<()> {
        match self.command {
            SuiteCommand::Build(arguments) => arguments.run(output),
            SuiteCommand::Mine(arguments) => arguments.run(threads, output),
        }
    }
}
