//! How runs went.

use study::Variant;

use super::axis::Axis;
use super::panel::{Mark, Panel};
use super::{Content, Figure, LegendEntry};
use crate::documents::{Documents, MetricsLine};
use crate::ink::Pen;
use crate::names;

/// Points drawn of a curve.
const POINTS: usize = 150;
/// Windows of smoothing in a run.
const WINDOWS: usize = 40;

/// Policy entropy, both divergences from the base, and the advantage.
pub(super) fn policies(documents: &Documents) -> Figure {
    let panels = vec![
        panel(documents, "Policy entropy", "H(π), nats", &|line| Some(line.policy.entropy)),
        panel(documents, "Forward KL", "KL(base‖π), nats", &|line| Some(line.policy.forward_kl)),
        panel(documents, "Reverse KL", "KL(π‖base), nats", &|line| Some(line.policy.reverse_kl)),
        panel(documents, "Advantage", "Mean |A|", &|line| Some(line.advantage.mean_absolute)),
    ];
    figure(
        documents,
        panels,
        ("training-curves", "Training curves", "How the selected runs went"),
        "Means over each step's batch of self-play positions",
    )
}

/// Different openings among those of the last games.
pub(super) fn openings(documents: &Documents) -> Figure {
    let up = "Different, % of games";
    let percent = |share: Option<f64>| share.map(|share| 100.0 * share);
    let panels = vec![
        panel(documents, "After the first move", up, &|line| {
            percent(line.openings.first_move.diversity())
        }),
        panel(documents, "After four plies", up, &|line| {
            percent(line.openings.four_plies.diversity())
        }),
        panel(documents, "After eight plies", up, &|line| {
            percent(line.openings.eight_plies.diversity())
        }),
    ];
    figure(
        documents,
        panels,
        (
            "opening-diversity-curves",
            "Opening diversity over training",
            "Different openings among the games that self-play generated",
        ),
        "Different openings in proportion to the last games that got so far",
    )
}

fn figure(
    documents: &Documents,
    panels: Vec<Option<Panel>>,
    (slug, name, title): (&'static str, &'static str, &'static str),
    what: &str,
) -> Figure {
    let panels: Vec<Panel> = panels.into_iter().flatten().collect();
    let longest = documents.metrics.values().map(Vec::len).max().unwrap_or(0);
    let window = window(longest);
    let smoothed = if window > 1 {
        format!(", smoothed by a centred moving average of {window} steps")
    } else {
        String::new()
    };
    Figure {
        slug,
        name,
        title,
        caption: format!("{what}{smoothed}."),
        missing: if panels.is_empty() { vec!["metrics.jsonl of the runs"] } else { vec![] },
        content: Content::Panels {
            panels,
            legend: drawn(documents)
                .map(|variant| LegendEntry::line(names::variant(variant), Pen::of(variant)))
                .collect(),
        },
    }
}

fn drawn(documents: &Documents) -> impl Iterator<Item = Variant> + '_ {
    Variant::all().into_iter().filter(|variant| documents.metrics.contains_key(variant))
}

fn panel(
    documents: &Documents,
    title: &str,
    up: &str,
    of: &dyn Fn(&MetricsLine) -> Option<f64>,
) -> Option<Panel> {
    let mut marks = Vec::new();
    let (mut steps, mut values) = (vec![0.0], vec![0.0]);
    for variant in drawn(documents) {
        let lines = documents.metrics.get(&variant)?;
        let points: Vec<(f64, f64)> =
            lines.iter().filter_map(|line| Some((line.step as f64, of(line)?))).collect();
        let points = thinned(smoothed(&points, window(points.len())));
        if points.is_empty() {
            continue;
        }
        steps.extend(points.iter().map(|point| point.0));
        values.extend(points.iter().map(|point| point.1));
        marks.push(Mark::Line { points, pen: Pen::of(variant) });
    }
    if marks.is_empty() {
        return None;
    }
    Some(Panel::new(title, Axis::linear("Step", steps), Axis::linear(up, values), marks))
}

/// Steps over which a run of `steps` is smoothed, an odd number.
fn window(steps: usize) -> usize {
    (steps / WINDOWS) | 1
}

/// A centred moving average over `window` points, fewer at the ends.
pub(super) fn smoothed(points: &[(f64, f64)], window: usize) -> Vec<(f64, f64)> {
    let reach = window / 2;
    (0..points.len())
        .map(|place| {
            // As many on either side, so that the ends do not lag.
            let reach = reach.min(place).min(points.len() - 1 - place);
            let around = &points[place - reach..=place + reach];
            let sum: f64 = around.iter().map(|point| point.1).sum();
            (points[place].0, sum / around.len() as f64)
        })
        .collect()
}

/// Evenly chosen points, the first and the last among them.
pub(super) fn thinned(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    if points.len() <= POINTS {
        return points;
    }
    let last = points.len() - 1;
    (0..POINTS).map(|place| points[place * last / (POINTS - 1)]).collect()
}
