//! Ratings as text.

use std::fmt::Write as _;

use super::report::{DirectReport, Estimate, Report};

/// The report as a person reads it.
pub(super) fn text(report: &Report, los: bool, differences: bool) -> String {
    let mut text = String::new();
    write_text(&mut text, report, los, differences).expect("a string");
    text
}

fn write_text(
    text: &mut String,
    report: &Report,
    los: bool,
    differences: bool,
) -> std::fmt::Result {
    writeln!(text, "{}", report.scale)?;
    writeln!(
        text,
        "{} players, {} games from {}",
        report.players.len(),
        report.games,
        report.files.join(", ")
    )?;
    writeln!(
        text,
        "advantage of the first move {:.1}, draw parameter {:.1} ({}); intervals of {}% by the {} \
         method, against the pool's mean\n",
        report.advantage,
        report.drawelo,
        if report.fitted { "fitted" } else { "given" },
        percent(report.confidence),
        report.intervals
    )?;
    write_players(text, report)?;
    if los {
        write_superiorities(text, report)?;
    }
    if differences {
        write_differences(text, report)?;
    }
    report.direct.iter().try_for_each(|direct| write_direct(text, direct))?;
    write_sprt(text, report)?;
    write_skipped(text, report)
}

/// The width of the column of names.
fn width(report: &Report) -> usize {
    report.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0).max(4)
}

fn write_players(text: &mut String, report: &Report) -> std::fmt::Result {
    let width = width(report);
    writeln!(text, "Rank {:<width$}   Elo    +    - games score oppo. draws", "Name")?;
    for (rank, player) in (1..).zip(&report.players) {
        writeln!(
            text,
            "{rank:4} {:<width$} {:5.0} {:4.0} {:4.0} {:5} {:4.0}% {:5.0} {:4.0}%",
            player.name,
            whole(player.elo),
            whole(player.plus),
            whole(player.minus),
            player.games,
            whole(100.0 * player.score),
            whole(player.oppo),
            whole(100.0 * player.draws)
        )?;
    }
    Ok(())
}

fn write_superiorities(text: &mut String, report: &Report) -> std::fmt::Result {
    let width = width(report);
    writeln!(text, "\nlikelihood that the row is stronger than the column, in percent")?;
    write!(text, "     {:<width$}", "")?;
    (1..=report.players.len()).try_for_each(|rank| write!(text, "{rank:>6}"))?;
    writeln!(text)?;
    for (index, (player, row)) in report.players.iter().zip(&report.los).enumerate() {
        write!(text, "{:4} {:<width$}", index + 1, player.name)?;
        for value in row {
            match value {
                Some(value) => write!(text, "{:6.1}", 100.0 * value)?,
                None => write!(text, "{:>6}", "")?,
            }
        }
        // No spaces at the end of the last line.
        text.truncate(text.trim_end().len());
        writeln!(text)?;
    }
    Ok(())
}

fn write_differences(text: &mut String, report: &Report) -> std::fmt::Result {
    let width = width(report);
    writeln!(
        text,
        "\ndifferences in BayesElo, with {}% intervals of the difference, and likelihood of \
         superiority",
        percent(report.confidence)
    )?;
    for difference in &report.differences {
        writeln!(
            text,
            "{:<width$} - {:<width$} {:+8.1} +- {:5.1}  {:5.1}%",
            difference.player,
            difference.opponent,
            difference.elo,
            difference.margin,
            100.0 * difference.los
        )?;
    }
    Ok(())
}

fn write_direct(text: &mut String, direct: &DirectReport) -> std::fmt::Result {
    writeln!(
        text,
        "\n{} against {}: {}-{}-{} (wins, draws, losses), score {:.2}%",
        direct.player,
        direct.opponent,
        direct.wins,
        direct.draws,
        direct.losses,
        100.0 * direct.score
    )?;
    writeln!(
        text,
        "  by games: logistic Elo {}, likelihood of superiority {:.2}%",
        estimate(direct.logistic_elo),
        100.0 * direct.los
    )?;
    let Some(pairs) = &direct.pairs else { return Ok(()) };
    let los = pairs.los.map_or("-".to_owned(), |los| format!("{:.2}%", 100.0 * los));
    writeln!(
        text,
        "  by pairs: logistic Elo {}, normalised Elo {}, likelihood of superiority {los}",
        estimate(pairs.logistic_elo),
        estimate(pairs.normalised_elo)
    )?;
    let [lost, worse, even, better, won] = pairs.pentanomial;
    writeln!(
        text,
        "  pairs by points 0, 1/2, 1, 3/2, 2: {lost}, {worse}, {even}, {better}, {won}; games \
         without a partner: {}",
        pairs.unpaired_games
    )
}

fn write_sprt(text: &mut String, report: &Report) -> std::fmt::Result {
    let Some(sprt) = &report.sprt else { return Ok(()) };
    let llr = sprt.llr.map_or("-".to_owned(), |llr| format!("{llr:.2}"));
    writeln!(
        text,
        "  SPRT in normalised Elo, H0: {}, H1: {}: log-likelihood ratio {llr} ({:.2}, {:.2}), {}",
        sprt.normalised_elo0, sprt.normalised_elo1, sprt.lower, sprt.upper, sprt.verdict
    )
}

fn write_skipped(text: &mut String, report: &Report) -> std::fmt::Result {
    let total: u64 = report.skipped.iter().map(|skipped| skipped.count).sum();
    if total == 0 {
        return Ok(());
    }
    writeln!(text, "\ngames that were not rated: {total}")?;
    for skipped in &report.skipped {
        let more = if skipped.count > skipped.first.len() as u64 { ", ..." } else { "" };
        let example = skipped.example.as_ref().map_or(String::new(), |text| format!("; {text}"));
        writeln!(
            text,
            "  {} {} ({}{more}{example})",
            skipped.count,
            skipped.reason,
            skipped.first.join(", ")
        )?;
    }
    Ok(())
}

fn estimate(estimate: Option<Estimate>) -> String {
    estimate.map_or("-".to_owned(), |Estimate { elo, low, high }| {
        format!("{elo:+.1} [{low:+.1}, {high:+.1}]")
    })
}

/// Rounded as BayesElo does, without a negative zero.
fn whole(number: f64) -> f64 {
    number.round() + 0.0
}

fn percent(fraction: f64) -> f64 {
    (fraction * 1e8).round() / 1e6
}
