//! `searchless demo`: the main job, without a file and in minutes.

mod comparison;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::ensure;
use study::{Demonstration, Ending, StudyFiles};

use self::comparison::Comparison;
use super::carrying_out::{CONSEQUENCE, CarryingOut};
use super::program_runner::ProgramRunner;
use super::runs::{INTERRUPTED, quoted, stop_on_interrupt};

/// Where a demonstration is written that is not told where.
const OUT: &str = "searchless-demo";
/// Its seed, steps of each run, games side by side and games of each pair.
const USUAL: Demonstration = Demonstration { seed: 1, steps: 200, games: 64, match_games: 60 };

/// Shows the main job on the embedded network, in some minutes of a CPU.
///
/// The network plays itself and learns from it, once held to its own prior by the forward KL, and
/// once held by nothing. Both are compared with the network that they come from: puzzles and mates,
/// the probability of solutions, how many lines of play each still has, and games against each
/// other. Every step is a command that can be given by hand; commands.sh in the directory has them.
/// Interrupted at any moment, the same command goes on.
#[derive(Debug, clap::Args)]
pub(crate) struct DemoArguments {
    /// Directory for networks and measurements
    #[arg(long, value_name = "DIRECTORY", default_value = OUT)]
    out: PathBuf,
    /// Seed of the runs and of the match
    #[arg(long, value_name = "S", default_value_t = USUAL.seed)]
    seed: u64,
    /// Steps of each run
    #[arg(long, value_name = "N", default_value_t = USUAL.steps, value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,
    /// Games played side by side in each run
    #[arg(long, value_name = "N", default_value_t = USUAL.games, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Games of each pair in the match, an even number
    #[arg(long, value_name = "N", default_value_t = USUAL.match_games, value_parser = clap::value_parser!(u64).range(2..))]
    match_games: u64,
}

impl DemoArguments {
    /// Does what is not done yet, and prints the comparison.
    pub(crate) fn run(self, threads: NonZeroUsize, output: &mut impl Write) -> anyhow::Result<()> {
        ensure!(self.match_games.is_multiple_of(2), "--match-games: each opening is played twice");
        let demonstration = Demonstration {
            seed: self.seed,
            steps: self.steps,
            games: self.games,
            match_games: self.match_games,
        };
        let files = StudyFiles::new(&self.out);
        let steps = demonstration.steps();
        let begun = files.path("steps").exists();
        let out = self.out.display();
        ensure!(begun || files.is_new()?, "{out} is not empty and holds no demonstration");
        let lock = files.lock(|| eprintln!("waiting for a step of an earlier start to end"))?;
        files.write("commands.sh", demonstration.script().as_bytes())?;
        let stop = stop_on_interrupt(CONSEQUENCE)?;
        let mut runner = ProgramRunner::new(threads, &lock, &stop)?;
        let carrying_out = CarryingOut::new(&steps, &files)?;
        if let Some(to_do) = carrying_out.to_do() {
            eprintln!("in {out}: {to_do}");
        }
        let ending = carrying_out.run(&mut runner)?;
        if ending == Ending::Interrupted {
            writeln!(output, "to go on: {}", self.command())?;
            output.flush()?;
            std::process::exit(INTERRUPTED);
        }
        let comparison = Comparison::read(&demonstration, &files)?.to_string();
        files.write("comparison.txt", comparison.as_bytes())?;
        write!(output, "{comparison}")?;
        writeln!(
            output,
            "\nnetworks, games and measurements are in {out}; commands.sh repeats them"
        )?;
        Ok(())
    }

    /// The command that goes on.
    fn command(&self) -> String {
        let mut words = vec!["searchless demo".to_owned()];
        if self.out.as_os_str() != OUT {
            words.extend(["--out".to_owned(), quoted(&self.out)]);
        }
        let numbers = [
            ("--seed", self.seed, USUAL.seed),
            ("--steps", self.steps, USUAL.steps),
            ("--games", self.games, USUAL.games),
            ("--match-games", self.match_games, USUAL.match_games),
        ];
        for (name, value, usual) in numbers {
            if value != usual {
                words.push(format!("{name} {value}"));
            }
        }
        words.join(" ")
    }
}
