//! What changed, in words and tables.

use std::fmt::Write as _;

use evaluation::recovery::{
    ExclusiveGroup, ExclusiveRecovery, GatedCount, PositionChange, PositionGroup, PuzzleGroup,
    Recovery,
};

use crate::commands::evaluate::measuring::ReadSuite;

/// What was compared with what.
pub(super) fn head(names: &[String], suite: &ReadSuite) -> String {
    let mut text = format!(
        "suite {} (sha256 {}), {} puzzles, rule multi-solution\n",
        suite.suite.path().display(),
        suite.suite.sha256(),
        suite.puzzles
    );
    writeln!(text, "base {}; intervals are Wilson's, 95%", names[0]).expect("a string");
    text
}

/// All about one tuned network.
pub(super) fn recovery(name: &str, recovery: &Recovery) -> String {
    let mut text = String::new();
    write_recovery(&mut text, name, recovery).expect("a string");
    text
}

fn write_recovery(text: &mut String, name: &str, recovery: &Recovery) -> std::fmt::Result {
    writeln!(text, "{name}")?;
    writeln!(text, "\n{:<22}  {:>8}  {:>11}", "puzzles", "number", "mean rating")?;
    let puzzles = &recovery.puzzles;
    for (what, group) in [
        ("gained", &puzzles.gained),
        ("given back", &puzzles.lost),
        ("solved by both", &puzzles.kept),
        ("solved by neither", &puzzles.unsolved),
    ] {
        writeln!(text, "{what:<22}  {:>8}  {:>11}", group.count, rating(group))?;
    }
    writeln!(
        text,
        "\n{} positions, the base wrong in {}: {} recovered; {} given back of {}",
        recovery.positions,
        recovery.base_wrong(),
        recovery.recovered.count(),
        recovery.given_back.count(),
        recovery.positions - recovery.base_wrong()
    )?;
    write_bins(text, "recovered, by the base's probability of the solution", recovery)?;
    writeln!(text, "\nrecovered, by the base's rank of the solution")?;
    for (rank, count) in &recovery.by_rank {
        let more = if *rank == Recovery::DEEPEST_RANK { " or deeper" } else { "" };
        write_row(text, &format!("{rank}{more}"), *count)?;
    }
    writeln!(text, "\ngiven back, by the lead of the base's move over the second")?;
    for (start, end, count) in recovery.by_lead.rows() {
        write_row(text, &range(start, end), count)?;
    }
    write_medians(text, recovery)
}

fn write_bins(text: &mut String, title: &str, recovery: &Recovery) -> std::fmt::Result {
    writeln!(text, "\n{title}")?;
    for (start, end, count) in recovery.by_probability.rows() {
        write_row(text, &range(start, end), count)?;
    }
    Ok(())
}

fn write_medians(text: &mut String, recovery: &Recovery) -> std::fmt::Result {
    let [recovered, unrecovered, given_back] =
        [&recovery.recovered, &recovery.unrecovered, &recovery.given_back];
    writeln!(text, "\n{:<58}  {:>9}  {:>9}  {:>10}", "", "recovered", "not", "given back")?;
    let mut row = |what: &str, values: [Option<f64>; 3]| {
        let [one, two, three] = values.map(|value| {
            value.map_or("-".to_owned(), |value| {
                // Without a negative zero.
                format!("{:.3}", (value * 1000.0).round() / 1000.0 + 0.0)
            })
        });
        writeln!(text, "{what:<58}  {one:>9}  {two:>9}  {three:>10}")
    };
    let all = |of: &dyn Fn(&PositionGroup) -> Option<f64>| {
        [of(recovered), of(unrecovered), of(given_back)]
    };
    row("base's probability of the solution, geometric mean", all(&PositionGroup::retention))?;
    row(
        "lead of the base's move over the solution, median",
        all(&|group| group.median(PositionChange::gap)),
    )?;
    row(
        "probability moved to the solution, mean",
        all(&|group| group.mean(PositionChange::mass_moved)),
    )?;
    row(
        "probability moved to the solution, median",
        all(&|group| group.median(PositionChange::mass_moved)),
    )?;
    row(
        "solution second for the tuned network, share",
        all(&|group| group.share(|change| change.tuned_rank == 1)),
    )?;
    row("base's wins less losses, median", all(&|group| group.median(|change| change.base_q)))?;
    row(
        "tuned network's wins less losses, median",
        all(&|group| group.median(|change| change.tuned_q)),
    )
}

/// What two networks recover apart.
pub(super) fn exclusive(names: &[String], exclusive: &ExclusiveRecovery) -> String {
    let mut text = String::new();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) + 5;
    writeln!(
        text,
        "{:<width$}  {:>8}  {:>11}  {:>23}",
        "puzzles gained by", "number", "mean rating", "base's median p(solution)"
    )
    .expect("a string");
    let mut row = |what: &str, group: &PuzzleGroup, median: Option<f64>| {
        let median = median.map_or("-".to_owned(), |median| format!("{median:.3}"));
        writeln!(text, "{what:<width$}  {:>8}  {:>11}  {median:>25}", group.count, rating(group))
            .expect("a string");
    };
    row("both", &exclusive.shared, None);
    for (name, group) in names.iter().zip([&exclusive.first, &exclusive.second]) {
        let ExclusiveGroup { puzzles, .. } = group;
        row(&format!("only {name}"), puzzles, group.median_base_probability());
    }
    text
}

fn write_row(text: &mut String, what: &str, count: GatedCount) -> std::fmt::Result {
    let rate = count.rate().map_or("-".to_owned(), |rate| format!("{:.1}%", 100.0 * rate));
    let interval = count.interval();
    let interval = match count.total {
        0 => String::new(),
        _ => format!("{:.1}% - {:.1}%", 100.0 * interval.low, 100.0 * interval.high),
    };
    let line = format!(
        "{what:<14}  {:>7} of {:>7}  {rate:>6}  {interval:>15}",
        count.happened, count.total
    );
    writeln!(text, "{}", line.trim_end())
}

fn range(start: f64, end: f64) -> String {
    format!("{start:.2} - {end:.2}")
}

fn rating(group: &PuzzleGroup) -> String {
    group.mean_rating().map_or("-".to_owned(), |rating| format!("{rating:.0}"))
}
