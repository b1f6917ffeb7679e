//! What came of mining, in words.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use evaluation::suite::build::manifest_path;
use evaluation::suite::mine::{MineCounts, MineManifest};

use super::super::report::{excluded, history_file, puzzles};

/// What was written, what was come upon, and what was left out.
pub(super) fn report(path: &Path, manifest: &MineManifest) -> String {
    let mut text = format!(
        "{}: {} (sha256 {})\nmanifest {}\nengine {}, {} nodes a position\n\n",
        path.display(),
        puzzles(manifest.puzzles),
        manifest.sha256,
        manifest_path(path).display(),
        manifest.engine.name,
        manifest.settings.nodes,
    );
    if manifest.count.is_some_and(|count| manifest.puzzles < count) {
        text.insert_str(text.len() - 1, "fewer than asked for: all games were mined\n");
    }
    text += &counts(&manifest.counts);
    text += &table("theme", &manifest.themes, String::clone);
    text += &table("difficulty", &manifest.difficulty, |low| format!("{low}-{}", low + 199));
    for file in &manifest.games {
        text.push('\n');
        text += &history_file(file);
    }
    for suite in &manifest.excluded {
        text.push('\n');
        text += &excluded(suite);
    }
    text
}

/// What was come upon.
pub(super) fn counts(counts: &MineCounts) -> String {
    let MineCounts { games, positions, candidates, nodes, .. } = counts;
    let mut text = format!("games       {games}\npositions   {positions}\n");
    for (reason, count) in &counts.unseen {
        writeln!(text, "  {count:>8}  {reason}").expect("a string");
    }
    writeln!(text, "nodes       {nodes}\ncandidates  {candidates}").expect("a string");
    for (reason, count) in &counts.rejected {
        writeln!(text, "  {count:>8}  {reason}").expect("a string");
    }
    text
}

fn table<K: Ord>(head: &str, rows: &BTreeMap<K, u64>, name: impl Fn(&K) -> String) -> String {
    let mut text = format!("\n{head:<16}  {:>8}\n", "puzzles");
    for (key, count) in rows {
        writeln!(text, "{:<16}  {count:>8}", name(key)).expect("a string");
    }
    text
}
