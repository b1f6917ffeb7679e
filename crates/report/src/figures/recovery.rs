//! Figure 8: recovery by the base's probability and rank, and give-back by its lead.

use std::path::Path;

use study::{Term, Variant};

use super::axis::Axis;
use super::panel::{Mark, Panel};
use super::{Content, Figure, LegendEntry};
use crate::documents::{Documents, RateBin, TunedRecovery};
use crate::ink::{Ink, Pen};
use crate::names;
use crate::numbers::count;

pub(super) fn figure(documents: &Documents) -> Figure {
    let tuned: &[TunedRecovery] =
        documents.recovery.as_ref().map_or(&[], |document| &document.tuned);
    let pens: Vec<Pen> =
        tuned.iter().enumerate().map(|(place, of)| pen(documents, of, place)).collect();
    let range = |bin: &RateBin| match bin.to {
        Some(to) if to < 1.0 => format!("{}–{}", bin.from, to),
        _ => format!("≥{}", bin.from),
    };
    let rank = |bin: &RateBin| match bin.to {
        Some(_) => format!("{}", bin.from),
        None => format!("≥{}", bin.from),
    };
    let panels = if tuned.is_empty() {
        Vec::new()
    } else {
        [
            panel(
                "Recovered, by the base's probability",
                "π_base of the solution",
                "Recovered, %",
                tuned,
                &pens,
                |of| &of.by_probability,
                range,
            ),
            panel(
                "Recovered, by the base's rank",
                "Rank of the solution",
                "Recovered, %",
                tuned,
                &pens,
                |of| &of.by_rank,
                rank,
            ),
            panel(
                "Given back, by the base's lead",
                "Lead of the base's move",
                "Given back, %",
                tuned,
                &pens,
                |of| &of.by_lead,
                range,
            ),
        ]
        .into_iter()
        .flatten()
        .collect()
    };
    let legend = tuned
        .iter()
        .zip(&pens)
        .map(|(of, pen)| LegendEntry::bar(names::network(documents, &of.network), pen.ink))
        .collect();
    Figure {
        slug: "figure-08",
        name: "Figure 8",
        title: "What is recovered of the base's failures, and what is given back",
        caption: caption(documents, tuned),
        missing: if panels.is_empty() { vec!["recovery.json"] } else { vec![] },
        content: Content::Panels { panels, legend },
    }
}

fn caption(documents: &Documents, tuned: &[TunedRecovery]) -> String {
    let mut text =
        "Positions under the multi-solution rule, with Wilson 95% intervals; above each \
                    pair of bars the number of positions."
            .to_owned();
    for of in tuned {
        text += &format!(
            " {}: {} of the base's {} wrong positions recovered, {} given back; {} puzzles gained, {} \
             given back.",
            names::network(documents, &of.network),
            count(of.recovered.count),
            count(of.base_wrong),
            count(of.given_back.count),
            count(of.puzzles.gained.count),
            count(of.puzzles.given_back.count)
        );
        if let (Some(recovered), Some(other)) = (of.recovered.retention, of.unrecovered.retention) {
            text += &format!(
                " The base's probability of the solution is {recovered:.2} at recovered positions and \
                 {other:.2} at those that stay wrong (geometric means)."
            );
        }
    }
    if let Some(exclusive) = documents.recovery.as_ref().and_then(|found| found.exclusive.as_ref())
    {
        let alone: Vec<String> = exclusive
            .alone
            .iter()
            .map(|of| {
                format!("{} {} alone", names::network(documents, &of.network), count(of.count))
            })
            .collect();
        text +=
            &format!(" Both gain {} puzzles, {}.", count(exclusive.shared.count), alone.join(", "));
    }
    text
}

/// The pen of a tuned network: its variant's, else by its place.
pub(super) fn pen(documents: &Documents, of: &TunedRecovery, place: usize) -> Pen {
    let arms = documents.selection.iter().flat_map(|selection| &selection.arms);
    let found = arms.into_iter().find(|arm| arm.network == Path::new(&of.network));
    match found.map(|arm| arm.variant) {
        Some(variant) if variant != Variant::Base => Pen::of(variant),
        _ if place == 0 => Pen::solid(Ink::Term(Term::ForwardKl)),
        _ => Pen::solid(Ink::Term(Term::ReverseKl)),
    }
}

fn panel(
    title: &str,
    along: &str,
    up: &str,
    tuned: &[TunedRecovery],
    pens: &[Pen],
    bins: impl Fn(&TunedRecovery) -> &Vec<RateBin>,
    name: impl Fn(&RateBin) -> String,
) -> Option<Panel> {
    // Ranks that did not occur have no bin, so that names are collected over the networks.
    let mut all: Vec<&RateBin> = Vec::new();
    for bin in tuned.iter().flat_map(&bins) {
        if !all.iter().any(|found| found.from == bin.from) {
            all.push(bin);
        }
    }
    all.sort_by(|one, other| one.from.total_cmp(&other.from));
    if all.is_empty() {
        return None;
    }
    let names: Vec<String> = all.iter().map(|bin| name(bin)).collect();
    let mut marks = Vec::new();
    let mut bounds = vec![0.0];
    let width = 0.76 / tuned.len() as f64;
    for (number, (of, pen)) in tuned.iter().zip(pens).enumerate() {
        for bin in bins(of).iter().filter(|bin| bin.total > 0) {
            let Some(place) = all.iter().position(|found| found.from == bin.from) else { continue };
            let from = place as f64 - 0.38 + width * number as f64;
            bounds.push(100.0 * bin.high);
            marks.push(Mark::Bar {
                from,
                to: from + 0.94 * width,
                height: 100.0 * bin.happened as f64 / bin.total as f64,
                interval: Some((100.0 * bin.low, 100.0 * bin.high)),
                ink: pen.ink,
            });
        }
    }
    let highest = bounds.iter().copied().fold(0.0, f64::max).max(1e-3);
    bounds.push(1.12 * highest);
    let y = Axis::linear(up, bounds);
    for (place, bin) in all.iter().enumerate() {
        // The base is the same for all, and so is the number of its positions.
        let over = tuned
            .iter()
            .flat_map(&bins)
            .filter(|found| found.from == bin.from && found.total > 0)
            .map(|found| 100.0 * found.high)
            .fold(0.0, f64::max);
        let text = count(bin.total);
        marks.push(Mark::Note { at: (place as f64, over + 0.01 * (y.high - y.low)), text });
    }
    Some(Panel::new(title, Axis::categories(along, &names), y, marks).sized(440, 310))
}
