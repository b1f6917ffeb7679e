//! `searchless bench`: how fast a network is, what it needs, and exactly what it computes.

mod measurement;
mod memory;
mod report;

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use native::NativeEngine;
use network::{Engine, Evaluator, Network, Signature};

use self::measurement::measure;
use self::memory::Memory;
use self::report::{LoadReport, Report};
use crate::arguments::{HeadArguments, NetworkArgument};
use crate::files::read_network;
use crate::progress::Progress;

/// Measures a network: its speed by batch and threads, its memory, and a signature of its outputs.
///
/// The positions are always the same: they come from games of random moves. A round goes from the
/// games to the legal moves' probabilities. The signature is SHA-256 over the bits of the outputs
/// on 64 of these positions; it does not depend on batch, threads or processor, so two builds with
/// one signature compute the same.
#[derive(Debug, clap::Args)]
pub(crate) struct BenchArguments {
    #[command(flatten)]
    network: NetworkArgument,
    /// Positions evaluated together, one measurement for each number
    #[arg(long, value_name = "N,..", default_value = "1,8,64,256", value_delimiter = ',')]
    batch: Vec<NonZeroUsize>,
    /// Seconds a measurement takes; at least three rounds are timed whatever they take
    #[arg(long, value_name = "S", default_value = "2", value_parser = seconds)]
    seconds: Duration,
    /// Print JSON
    #[arg(long)]
    json: bool,
    // Of the same name as the number of threads that all other commands take, and instead of it.
    /// Threads that compute, one measurement for each number [default: 1 and one per core]
    #[arg(long, value_name = "N,..", value_delimiter = ',', help_heading = "Computation")]
    threads: Vec<NonZeroUsize>,
    #[command(flatten)]
    heads: HeadArguments,
}

impl BenchArguments {
    /// Measures and prints.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        let before = Memory::now();
        let start = Instant::now();
        let file = read_network(&self.network.network)?;
        let network = Network::load(&file, self.heads.selection())?;
        let (name, sha256) = (file.name().to_owned(), file.sha256().to_owned());
        drop(file);
        let parameters = network.parameters.len();
        let engine: Arc<dyn Engine> = Arc::new(NativeEngine::new(network));
        let load = LoadReport::new(start.elapsed(), parameters, before, Memory::now());

        let threads = self.thread_counts();
        let total = (threads.len() * self.batch.len()) as u64;
        let mut progress = Progress::new("bench", "measurements", Some(total));
        let evaluator = Evaluator::new(Arc::clone(&engine), self.heads.fill());
        let mut measurements = Vec::new();
        for &threads in &threads {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads.get())
                .build()
                .with_context(|| format!("starting {threads} threads"))?;
            for &batch in &self.batch {
                let work = || measure(&evaluator, self.heads.fill(), batch.get(), self.seconds);
                let timings = pool.install(work)?;
                measurements.push(timings.summary(threads, batch));
                progress.report(measurements.len() as u64, "");
            }
        }
        drop(progress);
        let signature = Signature::of(&*engine)?.to_string();
        let report = Report::new(name, sha256, load, measurements, signature);
        if self.json {
            writeln!(output, "{}", serde_json::to_string(&report)?)?;
        } else {
            write!(output, "{report}")?;
        }
        Ok(())
    }

    /// The numbers given, else 1 and the machine's cores.
    fn thread_counts(&self) -> Vec<NonZeroUsize> {
        if !self.threads.is_empty() {
            return self.threads.clone();
        }
        let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let mut counts = vec![NonZeroUsize::MIN, cores];
        counts.dedup();
        counts
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| format!("'{text}' is not a number"))?;
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}
