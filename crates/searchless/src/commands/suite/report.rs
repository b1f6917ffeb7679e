//! What came of building a suite, in words.

use std::fmt::Write as _;
use std::path::Path;

use evaluation::suite::SkippedRows;
use evaluation::suite::build::{
    ExclusionReport, HistoryFile, Manifest, Origin, SourceReport, StratumReport, manifest_path,
};

/// What was written and what was left out.
pub(super) fn report(path: &Path, manifest: &Manifest) -> String {
    let mut parts = vec![
        format!(
            "{}: {} (sha256 {})\nmanifest {}\n",
            path.display(),
            puzzles(manifest.puzzles),
            manifest.sha256,
            manifest_path(path).display()
        ),
        format!(
            "acceptable moves: {}\nhistories: {}\n{}",
            acceptable(manifest),
            histories(manifest),
            fewer(manifest)
        ),
    ];
    if !manifest.strata.is_empty() {
        parts.push(strata(&manifest.strata));
    }
    parts.extend(manifest.sources.iter().map(source_report));
    parts.extend(manifest.excluded.iter().map(excluded));
    parts.extend(manifest.history_files.iter().map(history_file));
    parts.join("\n")
}

/// A word where a draw found too little to draw from.
fn fewer(manifest: &Manifest) -> String {
    match manifest.sample {
        Some(sample) if manifest.strata.is_empty() && manifest.puzzles < sample.count => {
            format!("fewer than the {} asked for: all were taken\n", sample.count)
        }
        _ => String::new(),
    }
}

fn strata(strata: &[StratumReport]) -> String {
    let mut text = format!("{:<24}  {:>10}  {:>8}\n", "stratum", "eligible", "drawn");
    for StratumReport { name, eligible, drawn } in strata {
        writeln!(text, "{name:<24}  {eligible:>10}  {drawn:>8}").expect("a string");
    }
    text
}

/// A number of puzzles.
pub(super) fn puzzles(count: u64) -> String {
    if count == 1 { "1 puzzle".to_owned() } else { format!("{count} puzzles") }
}

fn acceptable(manifest: &Manifest) -> String {
    let report = &manifest.acceptable;
    if report.puzzles.is_empty() {
        return "none computed".to_owned();
    }
    let mut kinds: Vec<String> =
        report.puzzles.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let known: u64 = report.puzzles.values().sum();
    if known < manifest.puzzles {
        kinds.push(format!("{} without", manifest.puzzles - known));
    }
    let budget = report.node_budget.map(|nodes| format!("; at most {nodes} nodes a position"));
    format!(
        "{} ({} in {} positions, several in {}{})",
        kinds.join(", "),
        report.moves,
        report.positions,
        report.positions_with_several,
        budget.unwrap_or_default()
    )
}

fn histories(manifest: &Manifest) -> String {
    let name = |origin: &Origin| match origin {
        Origin::None => "without",
        Origin::Row => "in their rows",
        Origin::PgnColumn => "from the column PGN",
        Origin::SideFile => "from --histories",
        Origin::Games => "from --games",
    };
    let parts = manifest.histories.iter();
    let parts: Vec<String> =
        parts.map(|(origin, count)| format!("{count} {}", name(origin))).collect();
    parts.join(", ")
}

/// What is left out because a suite has it.
pub(super) fn excluded(excluded: &ExclusionReport) -> String {
    let head = format!("{}: {} to exclude\n", excluded.path, puzzles(excluded.puzzles));
    head + &rows("no puzzles", &excluded.malformed)
}

fn source_report(source: &SourceReport) -> String {
    let mut text = format!("{}: {} of {} rows kept\n", source.path, source.kept, source.rows);
    text += &rows("no puzzles", &source.malformed);
    text += &rows("left out", &source.dropped);
    text += &rows("histories that do not fit", &source.history_mismatches);
    text
}

/// What was read of a file of games.
pub(super) fn history_file(file: &HistoryFile) -> String {
    let HistoryFile { path, read, kept, skipped, .. } = file;
    format!("{path}: {kept} of {read} games kept\n{}", rows("not usable", skipped))
}

/// Counts by reason, with the lines of the first.
fn rows(what: &str, skipped: &SkippedRows) -> String {
    if skipped.count() == 0 {
        return String::new();
    }
    let mut text = format!("  {what}: {}\n", skipped.count());
    for (reason, rows) in skipped.by_reason() {
        let lines: Vec<String> = rows.first_lines.iter().map(u64::to_string).collect();
        let more = if rows.count > lines.len() as u64 { ", ..." } else { "" };
        let place = match &lines[..] {
            [] => String::new(),
            lines => format!(" (line {}{more}; {})", lines.join(", "), rows.example),
        };
        writeln!(text, "  {:>8}  {reason}{place}", rows.count).expect("a string");
    }
    text
}
