//! `searchless suite`: suites of puzzles.

mod build;
mod report;

use std::io::Write;

use build::BuildArguments;

/// Builds suites of puzzles, on which networks are measured.
#[derive(Debug, clap::Args)]
pub(crate) struct SuiteArguments {
    #[command(subcommand)]
    command: SuiteCommand,
}

#[derive(Debug, clap::Subcommand)]
enum SuiteCommand {
    Build(Box<BuildArguments>),
}

impl SuiteArguments {
    /// Does what is asked for.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        match self.command {
            SuiteCommand::Build(arguments) => arguments.run(output),
        }
    }
}
