//! Figures 7 and 10: trajectory coverage.

use study::Variant;

use super::axis::Axis;
use super::panel::{Mark, Panel};
use super::{Content, Figure, LegendEntry};
use crate::documents::{Configuration, Documents, RAW};
use crate::ink::{Ink, Pen};
use crate::names;
use crate::numbers::count;

/// Figure 7: from the initial position.
pub(super) fn initial(documents: &Documents) -> Figure {
    let positions: Vec<&str> = positions(documents, |position| position == names::INITIAL);
    let (panels, legend) = drawn(documents, &positions, (500, 340));
    let draws: Vec<String> = documents
        .configurations()
        .into_iter()
        .filter_map(|at| {
            let line = documents.coverage_of(at, names::INITIAL)?;
            let draws = line.draws_95.map_or_else(|| "over 10¹⁵".to_owned(), count);
            Some(format!("{} {draws}", names::configuration(at)))
        })
        .collect();
    let told = if draws.is_empty() {
        String::new()
    } else {
        format!(" Draws until 95% are covered: {}.", draws.join("; "))
    };
    Figure {
        slug: "figure-07",
        name: "Figure 7",
        title: "Trajectory coverage from the initial position",
        caption: format!(
            "Expected probability mass of the distinct sequences among K draws, by the policy of each \
             network's self-play. All sequences are enumerated, so that the curves are exact.{told}"
        ),
        missing: if panels.is_empty() { vec!["coverage.csv and coverage.json"] } else { vec![] },
        content: Content::Panels { panels, legend },
    }
}

/// Figure 10: from opening tabiyas.
pub(super) fn tabiyas(documents: &Documents) -> Figure {
    let positions: Vec<&str> = positions(documents, |position| position != names::INITIAL);
    let (panels, legend) = drawn(documents, &positions, (440, 320));
    Figure {
        slug: "figure-10",
        name: "Figure 10",
        title: "Trajectory coverage from opening tabiyas",
        caption: "As Figure 7, from positions with their moves as history.".to_owned(),
        missing: if panels.is_empty() { vec!["coverage.csv at the tabiyas"] } else { vec![] },
        content: Content::Panels { panels, legend },
    }
}

fn positions(documents: &Documents, wanted: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for sample in documents.curves.iter().flatten() {
        if wanted(&sample.position) && !names.contains(&sample.position.as_str()) {
            names.push(&sample.position);
        }
    }
    names
}

/// The base is solid through μ, as the adaptive arms are, and dashed raw.
fn pen(at: Configuration<'_>) -> Pen {
    match at.arm.variant {
        Variant::Base if at.sampling == RAW => Pen::dashed(Ink::Base),
        variant => Pen::of(variant),
    }
}

fn drawn(
    documents: &Documents,
    positions: &[&str],
    (width, height): (u32, u32),
) -> (Vec<Panel>, Vec<LegendEntry>) {
    let configurations = documents.configurations();
    let mut legend: Vec<LegendEntry> = Vec::new();
    let mut panels = Vec::new();
    for position in positions {
        let mut marks = vec![Mark::Rule { height: 95.0, pen: Pen::solid(Ink::Grid) }];
        let mut draws = vec![1.0];
        for &at in &configurations {
            let points: Vec<(f64, f64)> = documents
                .curve_of(at, position)
                .into_iter()
                .map(|(draws, coverage)| (draws, 100.0 * coverage))
                .collect();
            // Beyond the first point that rounds to everything a curve says nothing.
            let full = points.iter().position(|point| point.1 > 99.9).unwrap_or(points.len());
            draws.extend(points.iter().take(full + 1).map(|point| point.0));
            if points.is_empty() {
                continue;
            }
            marks.push(Mark::Line { points, pen: pen(at) });
            let entry = LegendEntry::line(names::configuration(at), pen(at));
            if !legend.contains(&entry) {
                legend.push(entry);
            }
        }
        if marks.len() == 1 {
            continue;
        }
        let x = Axis::logarithmic("Draws K", draws);
        let end = 10f64.powf(x.high);
        for mark in &mut marks {
            if let Mark::Line { points, .. } = mark {
                points.retain(|point| point.0 <= end);
                // Curves that are full before the end go on to it.
                if let Some(&(last, height)) = points.last()
                    && last < end
                    && height > 99.9
                {
                    points.push((end, height));
                }
            }
        }
        let y = Axis::between("Mass covered, %", 0.0, 100.0);
        // A single one stands under the figure's own title.
        let title = if positions.len() > 1 { names::position(position) } else { String::new() };
        panels.push(Panel::new(title, x, y, marks).sized(width, height));
    }
    (panels, legend)
}
