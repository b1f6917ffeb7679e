//! Results as JSON.

use std::collections::BTreeMap;
use std::io::Write;

use evaluation::{PairedEstimate, Ranks, Rule};
use serde::Serialize;

use super::EvaluateArguments;
use super::results::{Measures, SuiteResults};
use crate::arguments::history_fill_name;

/// A network on a suite.
#[derive(Debug, Serialize)]
struct Line<'a> {
    suite: String,
    suite_sha256: &'a str,
    network: &'a str,
    network_sha256: &'a str,
    policy_head: &'static str,
    value_head: &'static str,
    history_fill: &'static str,
    device: String,
    puzzles: u64,
    positions: u64,
    unproved: u64,
    skipped: BTreeMap<&'static str, u64>,
    /// What `versus` compares with; null for the first network.
    reference: Option<&'a str>,
    bootstrap: u32,
    seed: u64,
    rules: BTreeMap<&'static str, MeasuresLine>,
    /// Positions by the rank of the most probable accepted move: 1, 2, 3, 4, 5 and beyond.
    ranks: [u64; Ranks::GROUPS],
    /// The rule of the groups.
    rule: &'static str,
    by: BTreeMap<&'static str, Vec<GroupLine>>,
}

#[derive(Debug, Serialize)]
struct GroupLine {
    group: String,
    #[serde(flatten)]
    measures: MeasuresLine,
}

#[derive(Debug, Serialize)]
struct MeasuresLine {
    total: u64,
    solved: u64,
    /// Null where there are no puzzles; so for the means.
    accuracy: Option<f64>,
    low: f64,
    high: f64,
    geometric_mean: Option<f64>,
    arithmetic_mean: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    versus: Option<ComparisonLine>,
}

#[derive(Debug, Serialize)]
struct ComparisonLine {
    gained: u64,
    lost: u64,
    p_value: f64,
    accuracy_difference: EstimateLine,
    geometric_ratio: EstimateLine,
    arithmetic_ratio: EstimateLine,
}

/// Null is what is not a number.
#[derive(Debug, Serialize)]
struct EstimateLine {
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

/// Prints a line for each network.
pub(super) fn print(
    results: &SuiteResults<'_>,
    arguments: &EvaluateArguments,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let EvaluateArguments { heads, device, measures, .. } = arguments;
    let suite = &results.suite.suite;
    for (number, network) in results.networks.iter().enumerate() {
        let group = |(group, of_networks): &(evaluation::Group, Vec<Measures>)| GroupLine {
            group: group.to_string(),
            measures: line(&of_networks[number]),
        };
        let line = Line {
            suite: suite.path().display().to_string(),
            suite_sha256: suite.sha256(),
            network: &network.network.name,
            network_sha256: &network.network.sha256,
            policy_head: heads.policy_head.name(),
            value_head: heads.value_head.name(),
            history_fill: history_fill_name(heads.fill()),
            device: device.to_string(),
            puzzles: results.suite.puzzles,
            positions: results.positions,
            unproved: results.unproved,
            skipped: results
                .suite
                .skipped
                .by_reason()
                .iter()
                .map(|(reason, rows)| (*reason, rows.count))
                .collect(),
            reference: (number > 0).then(|| results.networks[0].network.name.as_str()),
            bootstrap: measures.bootstrap.get(),
            seed: measures.seed,
            rules: Rule::ALL
                .into_iter()
                .map(|rule| (rule.name(), line(&network.measures[rule])))
                .collect(),
            ranks: network.ranks.counts(),
            rule: measures.rule.name(),
            by: results
                .breakdowns
                .iter()
                .map(|breakdown| (breakdown.name, breakdown.groups.iter().map(group).collect()))
                .collect(),
        };
        writeln!(output, "{}", serde_json::to_string(&line)?)?;
    }
    Ok(())
}

fn line(measures: &Measures) -> MeasuresLine {
    let Measures { tally, comparison } = measures;
    let interval = tally.interval();
    MeasuresLine {
        total: tally.total(),
        solved: tally.solved(),
        accuracy: tally.accuracy(),
        low: interval.low,
        high: interval.high,
        geometric_mean: tally.geometric_mean(),
        arithmetic_mean: tally.arithmetic_mean(),
        versus: comparison.as_ref().map(|comparison| ComparisonLine {
            gained: comparison.gained,
            lost: comparison.lost,
            p_value: comparison.p_value,
            accuracy_difference: estimate(comparison.accuracy_difference),
            geometric_ratio: estimate(comparison.geometric_ratio),
            arithmetic_ratio: estimate(comparison.arithmetic_ratio),
        }),
    }
}

fn estimate(estimate: PairedEstimate) -> EstimateLine {
    let PairedEstimate { value, interval } = estimate;
    EstimateLine {
        value: Some(value).filter(|value| value.is_finite()),
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
    }
}
