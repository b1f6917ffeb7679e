//! `searchless coverage`: how concentrated networks' own play is.

mod report;
mod start;

use std::io::Write;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use evaluation::coverage::{self, REPLICATES};
use network::Evaluator;
use training::sweep::write_whole;

use self::report::{CoverageRow, csv, table};
use self::start::Start;
use super::sampling::SamplingArguments;
use crate::arguments::HeadArguments;
use crate::device::DeviceArguments;
use crate::loading::load_evaluator;
use crate::progress::Progress;

/// Measures trajectory coverage: how concentrated networks' own play is.
///
/// All sequences of N moves from a position are enumerated with the probability that the network
/// draws them. Ω(K), the expected probability mass of the distinct sequences among K draws, then
/// has a closed form; K95 is the number of draws at which it reaches 95%, and set95 the size of the
/// smallest set of sequences that holds 95%. Entropies are in nats. A sequence is shorter where the
/// game ends: by mate, stalemate, insufficient material, the third occurrence of a position, or a
/// hundred plies without capture or pawn move.
#[derive(Debug, clap::Args)]
pub(crate) struct CoverageArguments {
    /// Lc0 network files (.pb.gz, .pb, or `embedded`)
    #[arg(value_name = "NETWORK", required = true)]
    networks: Vec<PathBuf>,
    /// Print one line of JSON for each network, position and distribution
    #[arg(long)]
    json: bool,
    /// Position to start from, may be given several times: initial, an opening's name (ruy-lopez,
    /// najdorf-english-attack, qgd-tartakower), which has its moves as history, or a FEN
    /// [default: initial]
    #[arg(long, value_name = "NAME|FEN", value_parser = Start::parse)]
    from: Vec<Start>,
    /// Moves to play from there, in UCI notation; they become the history
    #[arg(long, value_name = "MOVE", num_args = 1.., value_delimiter = ' ')]
    moves: Vec<String>,
    /// Moves of a sequence
    #[arg(long, value_name = "N", default_value = "4", value_parser = depth)]
    depth: NonZeroU32,
    /// Write the curves of Ω(K), ten points a decade, to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    sampling: SamplingArguments,
    /// Sequences to draw as a check of the enumeration, in 50 groups; 0 for no check
    #[arg(long, value_name = "N", default_value = "5000", value_parser = samples, help_heading = "Sampling")]
    samples: u32,
    /// Seed of the draws
    #[arg(long, value_name = "S", default_value = "0", help_heading = "Sampling")]
    seed: u64,
    #[command(flatten)]
    heads: HeadArguments,
    #[command(flatten)]
    device: DeviceArguments,
}

impl CoverageArguments {
    /// Measures each network at each position and prints the results.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        let starts = self.starts()?;
        // Before any network is loaded, so that a depth that is too large costs no time.
        let counts = starts
            .iter()
            .map(|start| coverage::count(start.game(), self.depth))
            .collect::<Result<Vec<_>, _>>()?;
        let mut rows = Vec::new();
        for path in &self.networks {
            let network =
                load_evaluator(path, self.heads.selection(), self.heads.fill(), self.device)?;
            for (start, count) in starts.iter().zip(&counts) {
                let measured = self
                    .measure(path, &network.sha256, &network.evaluator, start, count.positions)
                    .with_context(|| format!("{} from {}", path.display(), start.name()))?;
                if self.json {
                    for row in &measured {
                        writeln!(output, "{}", serde_json::to_string(row)?)?;
                    }
                    // A reader sees each position when it is done.
                    output.flush()?;
                }
                rows.extend(measured);
            }
        }
        if let Some(path) = &self.csv {
            write_whole(path, &csv(&rows)?).with_context(|| path.display().to_string())?;
        }
        if !self.json {
            write!(output, "{}", table(&rows))?;
        }
        Ok(())
    }

    fn starts(&self) -> anyhow::Result<Vec<Start>> {
        let mut starts = match self.from.as_slice() {
            [] => vec![Start::initial()],
            given => given.to_vec(),
        };
        ensure!(
            self.moves.is_empty() || starts.len() == 1,
            "--moves is played from one position, but there are {} --from",
            starts.len()
        );
        for start in &mut starts {
            start.play(&self.moves)?;
        }
        Ok(starts)
    }

    /// One network at one position, by each of the chosen distributions.
    fn measure(
        &self,
        path: &Path,
        sha256: &str,
        evaluator: &Evaluator,
        start: &Start,
        positions: u64,
    ) -> anyhow::Result<Vec<CoverageRow>> {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let what = format!("{name} from {}", start.name());
        let mut progress = Progress::new(&what, "positions", Some(positions));
        let observe = |done| progress.report(done, "");
        let sequences = coverage::enumerate(evaluator, start.game(), self.depth, observe)?;
        let draws = NonZeroU32::new(self.samples / REPLICATES as u32);
        let mut rows = Vec::new();
        for &sampling in self.sampling.chosen() {
            let sampled = draws
                .map(|draws| {
                    coverage::sample(
                        evaluator,
                        start.game(),
                        self.depth,
                        sampling,
                        draws,
                        self.seed,
                    )
                })
                .transpose()?;
            rows.push(CoverageRow::new(
                (&path.display().to_string(), sha256),
                start,
                self.depth,
                sampling,
                &sequences,
                sampled.map(|sampled| (self.seed, sampled)),
            ));
        }
        Ok(rows)
    }
}

/// Deeper trees have too many sequences from nearly every position, and each move is a call deeper.
const DEEPEST: u32 = 100;

fn depth(text: &str) -> Result<NonZeroU32, String> {
    let number: Option<NonZeroU32> = text.parse().ok();
    number
        .filter(|depth| depth.get() <= DEEPEST)
        .ok_or_else(|| format!("expected a whole number from 1 to {DEEPEST}"))
}

/// Draws that fit into memory with ease.
const MOST_SAMPLES: u32 = 1_000_000;

fn samples(text: &str) -> Result<u32, String> {
    let number: Option<u32> = text.parse().ok();
    number
        .filter(|&samples| samples == 0 || (REPLICATES as u32..=MOST_SAMPLES).contains(&samples))
        .ok_or_else(|| format!("expected 0 or a whole number from {REPLICATES} to {MOST_SAMPLES}"))
}
