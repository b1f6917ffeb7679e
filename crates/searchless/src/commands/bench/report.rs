//! What is printed, as text and as JSON.

use std::fmt;
use std::time::Duration;

use native::kernels::InstructionSet;
use serde::Serialize;

use super::measurement::Measurement;
use super::memory::Memory;

/// What reading a network and making it ready took.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct LoadReport {
    seconds: f64,
    parameters: usize,
    /// The parameters as single-precision numbers.
    weight_bytes: u64,
    /// Growth of the resident memory.
    grown_bytes: Option<u64>,
    #[serde(flatten)]
    memory: Memory,
}

impl LoadReport {
    /// The report of `parameters` loaded in `time`.
    pub(super) fn new(time: Duration, parameters: usize, before: Memory, after: Memory) -> Self {
        let grown = after.resident_bytes.zip(before.resident_bytes);
        Self {
            seconds: time.as_secs_f64(),
            parameters,
            weight_bytes: (parameters * size_of::<f32>()) as u64,
            grown_bytes: grown.map(|(after, before)| after.saturating_sub(before)),
            memory: after,
        }
    }
}

/// All that was measured.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Report {
    network: String,
    network_sha256: String,
    instruction_set: String,
    /// The processor's name, where the system tells.
    processor: Option<String>,
    load: LoadReport,
    measurements: Vec<Measurement>,
    signature: String,
}

impl Report {
    /// A report of measurements on this machine.
    pub(super) fn new(
        network: String,
        network_sha256: String,
        load: LoadReport,
        measurements: Vec<Measurement>,
        signature: String,
    ) -> Self {
        Self {
            network,
            network_sha256,
            instruction_set: InstructionSet::detect().to_string(),
            processor: processor(),
            load,
            measurements,
            signature,
        }
    }
}

/// Linux's name for the processor.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let load = &self.load;
        let processor = self.processor.as_deref().unwrap_or("unknown processor");
        writeln!(formatter, "network    {} (sha256 {})", self.network, self.network_sha256)?;
        writeln!(formatter, "processor  {processor}, {}", self.instruction_set)?;
        writeln!(
            formatter,
            "load       {:.3} s; {} parameters, {} of weights",
            load.seconds,
            load.parameters,
            megabytes(Some(load.weight_bytes))
        )?;
        writeln!(
            formatter,
            "memory     {} resident after loading, {} more than before it; {} at the most",
            megabytes(load.memory.resident_bytes),
            megabytes(load.grown_bytes),
            megabytes(load.memory.peak_resident_bytes)
        )?;
        writeln!(formatter, "\n{:>19}  positions per second           share of the time", "")?;
        writeln!(
            formatter,
            "threads batch rounds {:>9} {:>9} {:>9}   {:>7} {:>7} {:>7}",
            "mean", "median", "deviation", "encode", "forward", "decode"
        )?;
        for row in &self.measurements {
            writeln!(
                formatter,
                "{:>7} {:>5} {:>6} {:>9.1} {:>9.1} {:>9.1}   {:>6.2}% {:>6.2}% {:>6.2}%",
                row.threads,
                row.batch,
                row.rounds,
                row.mean,
                row.median,
                row.standard_deviation,
                100.0 * row.encode_share,
                100.0 * row.forward_share,
                100.0 * row.decode_share
            )?;
        }
        writeln!(formatter, "\nsignature  {}", self.signature)
    }
}

fn megabytes(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "unknown".to_owned(), |bytes| format!("{:.1} MB", bytes as f64 / 1e6))
}
