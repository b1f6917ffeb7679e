//! Results as tables.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use evaluation::{Comparison, PairedEstimate, Ranks, Rule, Tally};

use super::EvaluateArguments;
use super::results::{BreakdownResults, Measures, SuiteResults};
use crate::arguments::history_fill_name;
use crate::commands::puzzles::skipped_rows;

/// All that is said of one suite.
pub(super) fn text(results: &SuiteResults<'_>, arguments: &EvaluateArguments) -> String {
    let EvaluateArguments { heads, device, measures, .. } = arguments;
    let suite = &results.suite.suite;
    let mut text = format!("suite {} (sha256 {})\n", suite.path().display(), suite.sha256());
    let mut line = |words: String| writeln!(text, "{words}").expect("a string");
    line(format!(
        "{} puzzles, {} positions of the solver",
        results.suite.puzzles, results.positions
    ));
    line(format!(
        "heads {} and {}, history fill {}, computed on {device}; answers in {}",
        heads.policy_head,
        heads.value_head,
        history_fill_name(heads.fill()),
        arguments.results.display()
    ));
    line("intervals are 95%, Wilson's for accuracies".to_owned());
    let several = results.networks.len() > 1;
    if several {
        line(format!(
            "differences and ratios are with {}, puzzle by puzzle; their intervals are the bootstrap's \
             over puzzles ({} resamples, seed {}), p is McNemar's",
            results.networks[0].network.name, measures.bootstrap, measures.seed
        ));
    }
    line(String::new());
    text += &accuracies(results, several);
    writeln!(text, "\nsolution probability, rule {}", measures.rule).expect("a string");
    text += &probabilities(results, measures.rule, several);
    text += "\npositions by the rank of the most probable accepted move\n";
    text += &ranks(results);
    for breakdown in &results.breakdowns {
        writeln!(text, "\nby {}, rule {}", breakdown.name, measures.rule).expect("a string");
        text += &groups(results, breakdown, several);
    }
    if results.unproved > 0 {
        let unproved = results.unproved;
        writeln!(
            text,
            "\npuzzles of mate that were not proved within {} nodes a position: {unproved}; where \
             the proof is missing only the marked move counts",
            Rule::NODE_BUDGET
        )
        .expect("a string");
    }
    text + &skipped_rows(&results.suite.skipped)
}

fn accuracies(results: &SuiteResults<'_>, several: bool) -> String {
    let mut head = vec!["network", "rule", "solved / total", "accuracy", "interval"];
    if several {
        head.extend(["difference", "interval", "gained", "lost", "p"]);
    }
    let mut rows = vec![owned(&head)];
    for network in &results.networks {
        for rule in Rule::ALL {
            let Measures { tally, comparison } = &network.measures[rule];
            let mut row = vec![network.network.name.clone(), rule.to_string()];
            row.extend(accuracy(tally));
            if several {
                row.extend(difference(comparison.as_ref()));
                row.extend(match comparison {
                    Some(Comparison { gained, lost, p_value, .. }) => {
                        [gained.to_string(), lost.to_string(), p(*p_value)]
                    }
                    None => Default::default(),
                });
            }
            rows.push(row);
        }
    }
    aligned(&rows, 2)
}

fn probabilities(results: &SuiteResults<'_>, rule: Rule, several: bool) -> String {
    let mut head = vec!["network", "geometric mean"];
    head.extend(if several { &["ratio", "interval"][..] } else { &[] });
    head.push("arithmetic mean");
    head.extend(if several { &["ratio", "interval"][..] } else { &[] });
    let mut rows = vec![owned(&head)];
    for network in &results.networks {
        let Measures { tally, comparison } = &network.measures[rule];
        let mut row = vec![network.network.name.clone(), mean(tally.geometric_mean())];
        if several {
            row.extend(ratio(comparison.as_ref().map(|comparison| comparison.geometric_ratio)));
        }
        row.push(mean(tally.arithmetic_mean()));
        if several {
            row.extend(ratio(comparison.as_ref().map(|comparison| comparison.arithmetic_ratio)));
        }
        rows.push(row);
    }
    aligned(&rows, 1)
}

fn ranks(results: &SuiteResults<'_>) -> String {
    let mut rows = vec![owned(&["network", "first", "second", "third", "fourth", "beyond"])];
    for network in &results.networks {
        let mut row = vec![network.network.name.clone()];
        match network.ranks.shares() {
            Some(shares) => row.extend(shares.map(percent)),
            None => row.extend([(); Ranks::GROUPS].map(|()| unknown())),
        }
        rows.push(row);
    }
    aligned(&rows, 1)
}

fn groups(results: &SuiteResults<'_>, breakdown: &BreakdownResults, several: bool) -> String {
    let mut head = vec![breakdown.name, "network", "solved / total", "accuracy", "interval"];
    head.extend(if several { &["difference", "interval"][..] } else { &[] });
    head.push("geometric mean");
    head.extend(if several { &["ratio", "interval"][..] } else { &[] });
    let mut rows = vec![owned(&head)];
    for (group, of_networks) in &breakdown.groups {
        for (network, Measures { tally, comparison }) in results.networks.iter().zip(of_networks) {
            let mut row = vec![group.to_string(), network.network.name.clone()];
            row.extend(accuracy(tally));
            if several {
                row.extend(difference(comparison.as_ref()));
            }
            row.push(mean(tally.geometric_mean()));
            if several {
                let of = |comparison: &Comparison| comparison.geometric_ratio;
                row.extend(ratio(comparison.as_ref().map(of)));
            }
            rows.push(row);
        }
    }
    aligned(&rows, 2)
}

/// Solved and total, accuracy, its interval.
fn accuracy(tally: &Tally) -> [String; 3] {
    let interval = tally.interval();
    [
        format!("{} / {}", tally.solved(), tally.total()),
        tally.accuracy().map_or_else(unknown, percent),
        format!("{} - {}", percent(interval.low), percent(interval.high)),
    ]
}

/// The difference of the accuracy in percentage points, and its interval; nothing for the network
/// that the others are compared with.
fn difference(comparison: Option<&Comparison>) -> [String; 2] {
    let points = |difference: f64| format!("{:+.2}", 100.0 * difference);
    estimate(comparison.map(|comparison| comparison.accuracy_difference), points, " to ")
}

fn ratio(ratio: Option<PairedEstimate>) -> [String; 2] {
    estimate(ratio, |ratio| format!("{ratio:.4}"), " - ")
}

fn estimate(
    estimate: Option<PairedEstimate>,
    text: impl Fn(f64) -> String,
    between: &str,
) -> [String; 2] {
    let Some(PairedEstimate { value, interval }) = estimate else { return Default::default() };
    let value = if value.is_finite() { text(value) } else { unknown() };
    let interval = interval
        .map_or_else(unknown, |interval| text(interval.low) + between + &text(interval.high));
    [value, interval]
}

/// Small means keep their digits.
fn mean(mean: Option<f64>) -> String {
    mean.map_or_else(unknown, |mean| {
        if mean < 1e-3 { format!("{mean:.2e}") } else { format!("{mean:.4}") }
    })
}

fn p(p: f64) -> String {
    if p < 1e-3 { format!("{p:.1e}") } else { format!("{p:.3}") }
}

fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

fn unknown() -> String {
    "-".to_owned()
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Rows of equally many texts, as columns: the first `left` to the left, the others to the right.
fn aligned(rows: &[Vec<String>], left: usize) -> String {
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (text, &width))| {
            if column < left { format!("{text:<width$}") } else { format!("{text:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}
