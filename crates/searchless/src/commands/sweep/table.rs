//! A sweep as a table: for a terminal, as Markdown and as CSV.

use evaluation::Score;
use training::sweep::RecentMetrics;
use training::{ExplorationTerm, SamplingTemperature};

/// The base, and a row for each cell.
pub(super) struct Table {
    /// Keys of the grid.
    pub(super) keys: Vec<String>,
    /// The base first.
    pub(super) rows: Vec<Row>,
    /// Whether networks are scored.
    pub(super) is_scored: bool,
}

/// A network.
pub(super) struct Row {
    /// Name of the cell's directory.
    pub(super) name: String,
    /// Values of the keys of the grid.
    pub(super) values: Vec<String>,
    /// How far the run is, in words or steps.
    pub(super) state: String,
    /// What its last steps were like.
    pub(super) recent: Option<RecentMetrics>,
    /// How many puzzles the network solves.
    pub(super) score: Option<Score>,
    /// Term and temperature of a cell; among those that share them one is the best.
    pub(super) group: Option<(ExplorationTerm, SamplingTemperature)>,
}

/// Columns after those of the grid, and after these the ones of the score.
const METRICS: [&str; 6] =
    ["steps", "entropy", "KL(base||pi)", "KL(pi||base)", "mean |A|", "openings"];
const SCORES: [&str; 3] = ["solved / total", "accuracy", "interval"];

impl Table {
    /// For a terminal: a star stands by the best row of each term and temperature.
    pub(super) fn plain(&self) -> String {
        let head: Vec<String> = self.head();
        let body: Vec<Vec<String>> = self.rows.iter().map(|row| self.texts(row)).collect();
        let width = |column: usize| {
            let texts = body.iter().chain([&head]).map(|row| row[column].chars().count());
            texts.max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..head.len()).map(width).collect();
        let line = |row: &[String], mark: &str| {
            let texts = row.iter().zip(&widths).enumerate().map(|(column, (text, width))| {
                // Words on the left, numbers on the right.
                if column < self.keys.len() {
                    format!("{text:<width$}")
                } else {
                    format!("{text:>width$}")
                }
            });
            let line = texts.collect::<Vec<_>>().join("  ") + mark;
            line.trim_end().to_owned() + "\n"
        };
        let mut text = line(&head, "");
        for (number, row) in body.iter().enumerate() {
            text += &line(row, if self.is_best(number) { "  *" } else { "" });
        }
        text
    }

    /// As Markdown: the best accuracy of each term and temperature is bold, as in the paper's
    /// Table 6.
    pub(super) fn markdown(&self) -> String {
        let line = |row: &[String]| {
            let cells: Vec<String> = row.iter().map(|text| text.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let head = self.head();
        let rules =
            (0..head.len()).map(|column| if column < self.keys.len() { "---" } else { "---:" });
        let mut text = line(&head) + &format!("| {} |\n", rules.collect::<Vec<_>>().join(" | "));
        for (number, row) in self.rows.iter().enumerate() {
            let mut texts = self.texts(row);
            if self.is_best(number) {
                let accuracy = self.keys.len() + METRICS.len() + 1;
                texts[accuracy] = format!("**{}**", texts[accuracy]);
            }
            text += &line(&texts);
        }
        text
    }

    /// As CSV, with all digits; what is not known is empty.
    pub(super) fn csv(&self) -> String {
        let line = |fields: Vec<String>| {
            let quoted = fields.iter().map(|field| match field.contains([',', '"', '\n', '\r']) {
                true => format!("\"{}\"", field.replace('"', "\"\"")),
                false => field.clone(),
            });
            quoted.collect::<Vec<_>>().join(",") + "\n"
        };
        let names = [
            "state",
            "steps",
            "entropy",
            "forward_kl",
            "reverse_kl",
            "mean_absolute_advantage",
            "opening_entropy",
            "solved",
            "total",
            "accuracy",
            "low",
            "high",
            "best",
        ];
        let head = ["cell"].into_iter().chain(self.keys.iter().map(String::as_str)).chain(names);
        let mut text = line(head.map(str::to_owned).collect());
        for (number, row) in self.rows.iter().enumerate() {
            let mut fields = vec![row.name.clone()];
            fields.extend(row.values.iter().cloned());
            fields.push(row.state.clone());
            fields.extend(row.recent.map_or_else(
                || vec![String::new(); METRICS.len()],
                |recent| {
                    let steps = recent.steps.to_string();
                    let means = means(&recent).map(|mean| mean.to_string());
                    [steps].into_iter().chain(means).collect()
                },
            ));
            fields.extend(row.score.as_ref().map_or_else(
                || vec![String::new(); 5],
                |score| {
                    let interval = score.interval();
                    let accuracy = score.accuracy().map(|value| value.to_string());
                    vec![
                        score.solved.to_string(),
                        score.total.to_string(),
                        accuracy.unwrap_or_default(),
                        interval.low.to_string(),
                        interval.high.to_string(),
                    ]
                },
            ));
            fields.push(self.is_best(number).to_string());
            text += &line(fields);
        }
        text
    }

    fn head(&self) -> Vec<String> {
        let scores: &[&str] = if self.is_scored { &SCORES } else { &[] };
        let rest = METRICS.iter().chain(scores).map(|name| (*name).to_owned());
        self.keys.iter().cloned().chain(rest).collect()
    }

    fn texts(&self, row: &Row) -> Vec<String> {
        let unknown = || "-".to_owned();
        let mut texts = row.values.clone();
        texts.push(row.state.clone());
        match &row.recent {
            Some(recent) => texts.extend(means(recent).map(|mean| format!("{mean:.4}"))),
            None => texts.extend((1..METRICS.len()).map(|_| unknown())),
        }
        if self.is_scored {
            match &row.score {
                Some(score) => {
                    let interval = score.interval();
                    let accuracy = score.accuracy();
                    texts.push(format!("{} / {}", score.solved, score.total));
                    texts.push(accuracy.map_or_else(unknown, percent));
                    texts.push(format!("{} - {}", percent(interval.low), percent(interval.high)));
                }
                None => texts.extend(SCORES.map(|_| unknown())),
            }
        }
        texts
    }

    /// Whether a row solves the most puzzles among several of its term and temperature; of equals
    /// the first.
    fn is_best(&self, number: usize) -> bool {
        let solved = |row: &Row| row.score.as_ref().map(|score| score.solved);
        let row = &self.rows[number];
        let (Some(group), Some(mine)) = (row.group, solved(row)) else { return false };
        let mut rivals = self.rows.iter().enumerate().filter_map(|(other, row)| {
            (row.group == Some(group) && other != number).then(|| Some((other, solved(row)?)))?
        });
        let mut has_rival = false;
        rivals.all(|(other, solved)| {
            has_rival = true;
            mine > solved || mine == solved && number < other
        }) && has_rival
    }
}

fn means(recent: &RecentMetrics) -> [f64; 5] {
    let RecentMetrics { entropy, forward_kl, reverse_kl, .. } = *recent;
    [entropy, forward_kl, reverse_kl, recent.mean_absolute_advantage, recent.opening_entropy]
}

fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

#[cfg(test)]
mod tests;
