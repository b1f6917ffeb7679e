//! Scores as a table.

use std::fmt::Write as _;

use evaluation::{Rule, Score, SkippedRows, Suite};

/// A network's score.
pub(crate) struct Row {
    /// The network as the user named it.
    pub(crate) network: String,
    /// Its score.
    pub(crate) score: Score,
    /// How long the scoring took.
    pub(crate) seconds: f64,
}

/// The scores of several networks on one suite, and what was skipped.
pub(crate) fn table(suite: &Suite, rule: Rule, rows: &[Row]) -> String {
    let mut text = format!(
        "suite {} (sha256 {})\nrule {rule}: {}; intervals are Wilson's, 95%\n\n",
        suite.path().display(),
        suite.sha256(),
        rule.description()
    );
    let width = rows.iter().map(|row| row.network.chars().count()).chain([7]).max().unwrap_or(7);
    writeln!(
        text,
        "{:<width$}  {:>15}  {:>8}  {:>17}  {:>9}",
        "network", "solved / total", "accuracy", "interval", "puzzles/s"
    )
    .expect("a string");
    for row in rows {
        let Score { solved, total, .. } = row.score;
        let accuracy = row
            .score
            .accuracy()
            .map_or_else(|| "-".to_owned(), |accuracy| format!("{:.2}%", 100.0 * accuracy));
        let interval = row.score.interval();
        let interval = format!("{:.2}% - {:.2}%", 100.0 * interval.low, 100.0 * interval.high);
        writeln!(
            text,
            "{:<width$}  {:>15}  {accuracy:>8}  {interval:>17}  {:>9.1}",
            row.network,
            format!("{solved} / {total}"),
            total as f64 / row.seconds.max(f64::MIN_POSITIVE)
        )
        .expect("a string");
    }
    // Every network was shown the same rows.
    if let Some(unproved) = rows.first().map(|row| row.score.unproved).filter(|&count| count > 0) {
        writeln!(
            text,
            "\npuzzles of which a mate was not proved, so that the marked move counts there: {unproved}"
        )
        .expect("a string");
    }
    let skipped = rows.first().map(|row| skipped_rows(&row.score.skipped));
    text + &skipped.unwrap_or_default()
}

/// How many rows were skipped, and why; nothing where none was.
pub(crate) fn skipped_rows(skipped: &SkippedRows) -> String {
    if skipped.count() == 0 {
        return String::new();
    }
    let mut text = format!("\nrows skipped because they are no puzzles: {}\n", skipped.count());
    for (reason, rows) in skipped.by_reason() {
        let lines: Vec<String> = rows.first_lines.iter().map(u64::to_string).collect();
        let more = if rows.count > rows.first_lines.len() as u64 { ", ..." } else { "" };
        let (count, lines) = (rows.count, lines.join(", "));
        writeln!(text, "  {count}: {reason} (line {lines}{more}; {})", rows.example)
            .expect("a string");
    }
    text
}
