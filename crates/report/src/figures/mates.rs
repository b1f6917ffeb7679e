//! Figure 1: accuracy by mate depth.

use study::{SelfPlayTemperature, SuiteRole, Term, Variant};

use super::axis::Axis;
use super::panel::{Mark, Panel};
use super::{Content, Figure, LegendEntry};
use crate::documents::Documents;
use crate::ink::Pen;
use crate::names;
use crate::tables::mate;

/// The networks that are drawn: the base and the arms of adaptive temperature.
pub(super) fn adaptive_arms() -> Vec<Variant> {
    let temperature = SelfPlayTemperature::Adaptive;
    let arms = Term::ALL.into_iter().map(|term| Variant::SelfPlay { term, temperature });
    [Variant::Base].into_iter().chain(arms).collect()
}

pub(super) fn figure(documents: &Documents) -> Figure {
    let drawn: Vec<Variant> = adaptive_arms()
        .into_iter()
        .filter(|&variant| documents.evaluation_of(SuiteRole::Mates, variant).is_some())
        .collect();
    let mut marks = Vec::new();
    let mut bounds = vec![100.0];
    for (number, &variant) in drawn.iter().enumerate() {
        let line = documents.evaluation_of(SuiteRole::Mates, variant);
        // Side by side, so that intervals do not cover each other.
        let shift = 0.14 * (number as f64 - (drawn.len() - 1) as f64 / 2.0);
        for depth in 1..=5 {
            let Some(measures) = mate(line, depth) else { continue };
            let Some(accuracy) = measures.accuracy else { continue };
            let interval = (100.0 * measures.low, 100.0 * measures.high);
            bounds.extend([interval.0, interval.1]);
            marks.push(Mark::Dot {
                at: ((depth - 1) as f64 + shift, 100.0 * accuracy),
                across: Some(interval),
                along: None,
                pen: Pen::of(variant),
            });
        }
    }
    let depths: Vec<String> = (1..=5).map(|depth| depth.to_string()).collect();
    let panels = if marks.is_empty() {
        Vec::new()
    } else {
        let x = Axis::categories("Mate in N", &depths);
        let y = Axis::linear("Solved, %", bounds);
        vec![Panel::new("", x, y, marks).sized(500, 320)]
    };
    let legend = drawn
        .iter()
        .map(|&variant| LegendEntry::dot(names::variant(variant), Pen::of(variant)))
        .collect();
    Figure {
        slug: "figure-01",
        name: "Figure 1",
        title: "Forced mates solved from one forward pass",
        caption:
            "Accuracy by mate depth of the base and of the arms with adaptive temperature, with \
                  Wilson 95% intervals."
                .to_owned(),
        missing: if panels.is_empty() { vec!["evaluate-mates.jsonl"] } else { vec![] },
        content: Content::Panels { panels, legend },
    }
}
