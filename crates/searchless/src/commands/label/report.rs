//! What labels are like, in words.

use std::io::{self, Write};

use training::label::{LabelCounts, PositionCounts};

/// What was found in the files.
pub(super) fn report(counts: &PositionCounts, total: u64, done: u64) -> String {
    let mut text = format!("{total} positions to label, {done} of them done");
    if counts.duplicates > 0 {
        text += &format!("; {} stood in the files before", counts.duplicates);
    }
    if counts.excluded > 0 {
        text += &format!("; {} are excluded", counts.excluded);
    }
    for (reason, (count, example)) in &counts.skipped {
        text += &format!("; {count} {reason}, the first: {example}");
    }
    text
}

/// How wide the labels are, in a few words.
pub(super) fn spread(counts: &LabelCounts) -> String {
    let Some(entropy) = counts.mean(counts.entropy) else { return String::new() };
    let mut text = format!("entropy {entropy:.3}");
    if counts.skipped_positions() > 0 {
        text += &format!(", {} without a label", counts.skipped_positions());
    }
    text
}

/// All that is known of the labels.
pub(super) fn write(counts: &LabelCounts, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "labelled    {} positions", counts.labelled)?;
    for (reason, count) in &counts.skipped {
        writeln!(output, "no label    {count}: {reason}")?;
    }
    if counts.restarts > 0 {
        writeln!(output, "restarts    {} of engines", counts.restarts)?;
    }
    let mut mean = |sum: f64, text: &dyn Fn(f64) -> String| match counts.mean(sum) {
        Some(mean) => writeln!(output, "{}", text(mean)),
        None => Ok(()),
    };
    mean(counts.nodes as f64, &|mean| format!("search      {mean:.0} nodes a position"))?;
    mean(counts.entropy, &|mean| format!("policy      entropy {mean:.3} nats"))?;
    mean(counts.best, &|mean| format!("best move   probability {mean:.3}"))?;
    mean(counts.alive as f64, &|mean| format!("moves       {mean:.2} with a hundredth or more"))?;
    mean(counts.score, &|mean| format!("value       expected score {mean:.3} for the mover"))?;
    mean(counts.outcome_entropy, &|mean| format!("outcome     entropy {mean:.3} nats"))
}
