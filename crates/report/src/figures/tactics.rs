//! Accuracy against strength.

use study::{ArenaKind, SuiteRole, Variant};

use super::axis::Axis;
use super::panel::{Mark, Panel};
use super::{Content, Figure, LegendEntry};
use crate::documents::Documents;
use crate::ink::{Ink, Pen};
use crate::names;

pub(super) fn figure(documents: &Documents) -> Figure {
    let mut marks = Vec::new();
    let mut legend = Vec::new();
    let (mut across, mut up) = (vec![0.0], vec![0.0]);
    for variant in Variant::all() {
        let gain = || {
            let line = documents.evaluation_of(SuiteRole::Uniform, variant)?;
            line.measures()?.versus.as_ref()?.accuracy_difference.known()
        };
        let (Some((value, low, high)), Some((elo, margin))) =
            (gain(), documents.elo(ArenaKind::Argmax, variant))
        else {
            continue;
        };
        let [value, low, high] = [value, low, high].map(|fraction| 100.0 * fraction);
        across.extend([low, high]);
        up.extend([elo - margin, elo + margin]);
        marks.push(Mark::Dot {
            at: (value, elo),
            across: Some((elo - margin, elo + margin)),
            along: Some((low, high)),
            pen: Pen::of(variant),
        });
        legend.push(LegendEntry::dot(names::variant(variant), Pen::of(variant)));
    }
    let panels = if marks.is_empty() {
        Vec::new()
    } else {
        let x = Axis::linear("Accuracy gained on the uniform suite, points", across);
        let zero = vec![(0.0, f64::NEG_INFINITY), (0.0, f64::INFINITY)];
        marks.insert(0, Mark::Line { points: zero, pen: Pen::solid(Ink::Base) });
        marks.insert(0, Mark::Rule { height: 0.0, pen: Pen::solid(Ink::Base) });
        let y = Axis::linear("Elo over the base", up);
        vec![Panel::new("", x, y, marks).sized(500, 350)]
    };
    Figure {
        slug: "tactics-and-strength",
        name: "Tactics and strength",
        title: "Accuracy gained against Elo gained",
        caption: "Each network against the base, which is at the crossing of the grey lines, with the \
                  95% intervals of both differences. Coupled, the points would rise from left to right."
            .to_owned(),
        missing: if panels.is_empty() {
            vec!["evaluate-uniform.jsonl and rate-argmax.json"]
        } else {
            vec![]
        },
        content: Content::Panels { panels, legend },
    }
}
