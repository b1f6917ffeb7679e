//! The command line of Searchless.
//!
//! Parses, calls, prints: what is computed and how is decided in the libraries below.

mod arguments;
mod commands;
mod device;
mod errors;
mod files;
mod loading;
mod progress;
mod uci;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anyhow::Context;
use arguments::ThreadArguments;
use clap::{CommandFactory, Parser};
use commands::Command;

/// Plays and measures chess networks that pick their move from one forward pass, and makes them
/// stronger.
///
/// Reads Lc0 network files. Without a command it prints this help on a terminal and speaks UCI on
/// a pipe, so that a chess GUI can start it as it is.
#[derive(Debug, Parser)]
#[command(name = "searchless", version)]
struct CommandLine {
    #[command(flatten)]
    threads: ThreadArguments,
    #[command(subcommand)]
    command: Option<Command>,
}

fn main() -> ExitCode {
    match run(CommandLine::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if errors::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", errors::one_line(&error));
            ExitCode::from(2)
        }
    }
}

fn run(command_line: CommandLine) -> anyhow::Result<()> {
    let threads = command_line.threads.count();
    let mut output = io::stdout().lock();
    match command_line.command {
        Some(command) => {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads.get())
                .build_global()
                .with_context(|| format!("starting {threads} threads"))?;
            command.run(threads, &mut output)?;
        }
        None if io::stdin().is_terminal() => {
            write!(output, "{}", CommandLine::command().render_long_help())?;
        }
        None => commands::uci::speak(threads, &mut output)?,
    }
    Ok(output.flush()?)
}
