//! What a demonstration has shown.

use std::fmt;

use anyhow::Context;
use report::documents::{
    CoverageLine, EvaluationLine, Measures, MetricsLine, PairedDifference, RatingsDocument,
    read_document, read_lines, read_metrics,
};
use study::{Demonstration, StudyFiles};

#[cfg(test)]
mod tests;

/// Steps at the end of a run over which the policy's entropy is averaged.
const LAST_STEPS: usize = 20;

/// The three networks side by side.
pub(super) struct Comparison {
    steps: u64,
    games: u64,
    seed: u64,
    rows: Vec<Row>,
}

/// A network.
struct Row {
    name: &'static str,
    puzzles: Measures,
    mates: Measures,
    /// Draws after which 95% of its own play has been seen; none above 10^15.
    draws_95: Option<u64>,
    /// Entropy of its policy in self-play at the end of the run, and KL(base || pi), in nats.
    played: Option<(f64, f64)>,
    /// Wins, draws and losses against the base, and Elo with half of the interval's width.
    against_base: Option<([u64; 3], (f64, f64))>,
}

impl Comparison {
    /// Reads what was measured.
    pub(super) fn read(
        demonstration: &Demonstration,
        files: &StudyFiles,
    ) -> anyhow::Result<Comparison> {
        let missing = |path: &std::path::Path| format!("{}: not there", path.display());
        let path = files.path(Demonstration::puzzles());
        let evaluations: Vec<EvaluationLine> =
            read_lines(&path)?.with_context(|| missing(&path))?;
        let path = files.path(Demonstration::coverage());
        let coverage: Vec<CoverageLine> = read_lines(&path)?.with_context(|| missing(&path))?;
        let path = files.path(Demonstration::ratings());
        let ratings: RatingsDocument = read_document(&path)?.with_context(|| missing(&path))?;
        let networks = demonstration.networks();
        let rows = networks.iter().enumerate().map(|(number, (name, network))| {
            let network = network.display().to_string();
            let mut found = evaluations.iter().filter(|line| line.network == network);
            let mut next = || {
                let measures = found.next().and_then(|line| line.measures().cloned());
                measures.with_context(|| format!("{network} was not measured"))
            };
            let (puzzles, mates) = (next()?, next()?);
            let covered = coverage.iter().find(|line| line.network == network);
            let covered = covered.with_context(|| format!("{network} was not measured"))?;
            let is_base = number == 0;
            let played =
                if is_base { None } else { played(&files.path(Demonstration::metrics(name)))? };
            let against_base = ratings.record(name, "base").zip(ratings.difference(name, "base"));
            let against_base =
                against_base.map(|(record, elo)| ([record.wins, record.draws, record.losses], elo));
            Ok(Row { name, puzzles, mates, draws_95: covered.draws_95, played, against_base })
        });
        Ok(Comparison {
            steps: demonstration.steps,
            games: demonstration.games,
            seed: demonstration.seed,
            rows: rows.collect::<anyhow::Result<_>>()?,
        })
    }
}

/// Entropy and KL(base || pi) at the end of a run.
fn played(path: &std::path::Path) -> anyhow::Result<Option<(f64, f64)>> {
    let lines: Vec<MetricsLine> = read_metrics(path)?.unwrap_or_default();
    let last = &lines[lines.len().saturating_sub(LAST_STEPS)..];
    let mean =
        |part: fn(&MetricsLine) -> f64| last.iter().map(part).sum::<f64>() / last.len() as f64;
    let means = || (mean(|line| line.policy.entropy), mean(|line| line.policy.forward_kl));
    Ok((!last.is_empty()).then(means))
}

impl fmt::Display for Comparison {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Comparison { steps, games, seed, rows } = self;
        writeln!(
            formatter,
            "{steps} steps of {games} games, seed {seed}; intervals of 95%; accuracies by the rule multi-solution\n"
        )?;
        writeln!(
            formatter,
            "{:<11} {:>20} {:>20} {:>9} {:>9} {:>8} {:>8}  {:>11} {:>14}",
            "network", "puzzles", "mates", "p*", "K95", "entropy", "KL", "vs base", "Elo"
        )?;
        for row in rows {
            let or = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            let played = |part: fn(&(f64, f64)) -> f64| {
                or(row.played.as_ref().map(|played| format!("{:.3}", part(played))))
            };
            writeln!(
                formatter,
                "{:<11} {:>20} {:>20} {:>9} {:>9} {:>8} {:>8}  {:>11} {:>14}",
                row.name,
                accuracy(&row.puzzles),
                accuracy(&row.mates),
                or(row.puzzles.geometric_mean.map(|mean| format!("{mean:.4}"))),
                row.draws_95.map_or_else(|| ">10^15".to_owned(), |draws| draws.to_string()),
                played(|played| played.0),
                played(|played| played.1),
                or(row.against_base.map(|([won, drawn, lost], _)| format!("{won}-{drawn}-{lost}"))),
                or(row.against_base.map(|(_, (elo, margin))| format!("{elo:+.0} ± {margin:.0}"))),
            )?;
        }
        writeln!(
            formatter,
            "\np*: geometric mean of the probability of drawing a puzzle's whole solution. K95: draws of four-ply
lines of play from the initial position after which 95% of the mass has been seen. entropy, KL:
of the policy in its last {LAST_STEPS} steps of self-play, and KL(base || policy), in nats. vs base: wins, draws and losses.\n"
        )?;
        for row in &rows[1..] {
            writeln!(formatter, "{}", row.sentence(&rows[0]))?;
        }
        Ok(())
    }
}

impl Row {
    /// What fine-tuning has changed, as far as it can be told.
    fn sentence(&self, base: &Row) -> String {
        let what = match self.name {
            "none" => "Held by nothing",
            _ => "Held to its prior by the forward KL",
        };
        let lines = match (base.draws_95, self.draws_95) {
            (Some(before), Some(after)) => {
                let share = 100.0 * after as f64 / before as f64;
                format!("keeps {share:.0}% of the base's {before} draws to cover its own play")
            }
            _ => "plays more lines than can be counted".to_owned(),
        };
        let against =
            |measures: &Measures, part: fn(&report::documents::Versus) -> PairedDifference| {
                measures.versus.as_ref().and_then(|versus| part(versus).known())
            };
        let puzzles = match against(&self.puzzles, |versus| versus.accuracy_difference) {
            Some((value, low, high)) => {
                let [value, low, high] = [value, low, high].map(|part| 100.0 * part);
                let told =
                    if low <= 0.0 && 0.0 <= high { ", which cannot be told from none" } else { "" };
                format!("a change of {value:+.1} points on puzzles ({low:+.1} to {high:+.1}){told}")
            }
            None => "no change on puzzles".to_owned(),
        };
        let solutions = match against(&self.puzzles, |versus| versus.geometric_ratio) {
            Some((value, low, high)) => {
                format!("solutions {value:.2} times as probable ({low:.2} to {high:.2})")
            }
            None => "solutions as probable as before".to_owned(),
        };
        format!("{what}, the network {lines}; {puzzles}; {solutions}.")
    }
}

fn accuracy(measures: &Measures) -> String {
    match measures.accuracy {
        None => "no puzzles".to_owned(),
        Some(accuracy) => {
            let [value, low, high] =
                [accuracy, measures.low, measures.high].map(|part| 100.0 * part);
            format!("{value:.1}% ({low:.1}-{high:.1})")
        }
    }
}
