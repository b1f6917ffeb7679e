//! What was measured, as JSON, as CSV and as a table.

use std::fmt::Write as _;
use std::num::NonZeroU32;

use evaluation::coverage::{CoveragePoint, MOST_DRAWS, REPLICATES, SampledCoverage, Sequences};
use evaluation::{Estimate, Sampling};
use serde::Serialize;

use super::start::Start;

/// The share of the mass that draws are to cover and sets are to hold.
const SHARE: f64 = 0.95;
/// Numbers of draws of which a table tells the coverage.
const SHOWN_DRAWS: [u64; 5] = [1, 10, 100, 1_000, 10_000];
/// Points of a curve in each decade.
const PER_DECADE: u32 = 10;

/// A network's coverage at one position by one distribution.
#[derive(Debug, Serialize)]
pub(super) struct CoverageRow {
    network: String,
    network_sha256: String,
    position: String,
    fen: String,
    /// Plies before the position that the network knows.
    history: u32,
    depth: u32,
    sampling: &'static str,
    sequences: u64,
    ended_early: u64,
    positions: u64,
    /// In nats.
    entropy: f64,
    /// Null where it is more than 10^15.
    draws_95: Option<u64>,
    smallest_set_95: u64,
    coverage: Vec<Point>,
    likeliest: Likeliest,
    /// Null where nothing was drawn.
    sampled: Option<SampledLine>,
    #[serde(skip)]
    curve: Vec<CoveragePoint>,
}

#[derive(Debug, Serialize)]
struct Point {
    draws: u64,
    coverage: f64,
}

/// A most probable sequence.
#[derive(Debug, Serialize)]
struct Likeliest {
    moves: Vec<String>,
    probability: f64,
}

/// Estimates beside what the enumeration says.
#[derive(Debug, Serialize)]
struct SampledLine {
    seed: u64,
    replicates: u64,
    /// Of each replicate.
    draws: u64,
    coverage: Compared,
    entropy: Compared,
}

#[derive(Debug, Serialize)]
struct Compared {
    mean: f64,
    standard_error: f64,
    exact: f64,
}

impl CoverageRow {
    /// What was measured of a network, given by name and SHA-256.
    pub(super) fn new(
        (network, network_sha256): (&str, &str),
        start: &Start,
        depth: NonZeroU32,
        sampling: Sampling,
        sequences: &Sequences,
        sampled: Option<(u64, SampledCoverage)>,
    ) -> Self {
        let distribution = sequences.distribution(sampling);
        let game = start.game();
        let point = |draws| Point { draws, coverage: distribution.coverage(draws) };
        let compared =
            |Estimate { mean, standard_error }, exact| Compared { mean, standard_error, exact };
        let sampled = sampled.map(|(seed, found)| SampledLine {
            seed,
            replicates: REPLICATES,
            draws: found.draws,
            coverage: compared(found.coverage, distribution.coverage(found.draws)),
            entropy: compared(found.entropy, distribution.entropy()),
        });
        Self {
            network: network.to_owned(),
            network_sha256: network_sha256.to_owned(),
            position: start.name().to_owned(),
            fen: game.fen(),
            history: game.ply(),
            depth: depth.get(),
            sampling: sampling.name(),
            sequences: sequences.count.sequences,
            ended_early: sequences.count.ended_early,
            positions: sequences.count.positions,
            entropy: distribution.entropy(),
            draws_95: distribution.draws_to_cover(SHARE),
            smallest_set_95: distribution.smallest_set(SHARE),
            coverage: SHOWN_DRAWS.map(point).into(),
            likeliest: Likeliest {
                moves: distribution.likeliest().iter().map(|&mv| game.uci(mv)).collect(),
                probability: distribution.largest_probability(),
            },
            sampled,
            curve: distribution.curve(PER_DECADE),
        }
    }
}

/// The curves, a point a line.
pub(super) fn csv(rows: &[CoverageRow]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["network", "position", "depth", "sampling", "draws", "coverage"])?;
    for row in rows {
        for point in &row.curve {
            writer.write_record([
                row.network.as_str(),
                &row.position,
                &row.depth.to_string(),
                row.sampling,
                &point.draws.to_string(),
                &point.coverage.to_string(),
            ])?;
        }
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// One table for each position.
pub(super) fn table(rows: &[CoverageRow]) -> String {
    let mut positions: Vec<&str> = Vec::new();
    for row in rows {
        if !positions.contains(&row.position.as_str()) {
            positions.push(&row.position);
        }
    }
    let tables = positions.into_iter().map(|position| {
        let rows: Vec<_> = rows.iter().filter(|row| row.position == position).collect();
        position_table(&rows)
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// The rows of one position, at least one.
fn position_table(rows: &[&CoverageRow]) -> String {
    let first = rows[0];
    let mut text = format!(
        "from {} ({} before it)\n{} of {}, {} because the game ends; {}\n\n",
        first.position,
        plural(first.history.into(), "move"),
        plural(first.sequences, "sequence"),
        plural(first.depth.into(), "move"),
        if first.ended_early == 0 {
            "none shorter".to_owned()
        } else {
            format!("{} of them shorter", first.ended_early)
        },
        plural(first.positions, "position"),
    );
    let width = rows.iter().map(|row| row.network.chars().count()).chain([7]).max().unwrap_or(7);
    let shown: String = SHOWN_DRAWS.iter().map(|draws| format!("  {:>8}", omega(*draws))).collect();
    let drawn = first.sampled.as_ref().map_or_else(String::new, |sampled| {
        format!("  {:>17}  {:>15}", format!("drawn {}", omega(sampled.draws)), "drawn entropy")
    });
    line(
        &mut text,
        &format!(
            "{:<width$}  {:<8}  {:>7}  {:>12}  {:>10}{shown}{drawn}  most probable",
            "network", "policy", "entropy", "K95", "set95"
        ),
    );
    for row in rows {
        let shown: String =
            row.coverage.iter().map(|point| format!("  {:>8.4}", point.coverage)).collect();
        let drawn = row.sampled.as_ref().map_or_else(String::new, |sampled| {
            format!(
                "  {:>17}  {:>15}",
                estimate(&sampled.coverage, 4),
                estimate(&sampled.entropy, 3)
            )
        });
        let draws =
            row.draws_95.map_or_else(|| format!(">{:e}", MOST_DRAWS as f64), |k| k.to_string());
        line(
            &mut text,
            &format!(
                "{:<width$}  {:<8}  {:>7.3}  {draws:>12}  {:>10}{shown}{drawn}  {:.2}% {}",
                row.network,
                row.sampling,
                row.entropy,
                row.smallest_set_95,
                100.0 * row.likeliest.probability,
                row.likeliest.moves.join(" ")
            ),
        );
    }
    text
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string");
}

fn omega(draws: u64) -> String {
    format!("Ω({draws})")
}

fn estimate(compared: &Compared, digits: usize) -> String {
    format!("{:.digits$} ± {:.digits$}", compared.mean, compared.standard_error)
}

fn plural(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
