//! Figure 6: retention by mate depth and by rating.

use study::{SelfPlayTemperature, SuiteRole, Term, Variant};

use super::axis::Axis;
use super::panel::{Mark, Panel};
use super::{Content, Figure, LegendEntry};
use crate::documents::{Documents, EvaluationLine, Measures};
use crate::ink::{Ink, Pen};
use crate::names;
use crate::tables::mate;

const TERMS: [Term; 2] = [Term::ReverseKl, Term::ForwardKl];

/// A network's gain over the base in nats at a place: value, beginning and end of the interval.
type Gain = (f64, (f64, f64, f64));

pub(super) fn figure(documents: &Documents) -> Figure {
    let by_depth = |line: &EvaluationLine| -> Vec<Gain> {
        (1..=5)
            .filter_map(|depth| Some(((depth - 1) as f64, gain(mate(Some(line), depth)?)?)))
            .collect()
    };
    let by_rating = |line: &EvaluationLine| -> Vec<Gain> {
        let groups = line.groups("rating").unwrap_or_default();
        groups
            .iter()
            .filter_map(|group| {
                let (low, high) = group.group.split_once('-')?;
                let (low, high): (f64, f64) = (low.parse().ok()?, high.parse().ok()?);
                Some((f64::midpoint(low, high + 1.0), gain(&group.measures)?))
            })
            .collect()
    };
    let depths: Vec<String> = (1..=5).map(|depth| depth.to_string()).collect();
    let mut panels = Vec::new();
    let mut missing = Vec::new();
    let mates = curves(documents, SuiteRole::Mates, by_depth);
    if mates.iter().any(|(_, points)| !points.is_empty()) {
        let axis = Axis::categories("Mate in N", &depths);
        panels.push(panel("By mate depth", axis, &mates, 0.06));
    } else {
        missing.push("evaluate-mates.jsonl with --by mate-depth");
    }
    let ratings = curves(documents, SuiteRole::Uniform, by_rating);
    if ratings.iter().any(|(_, points)| !points.is_empty()) {
        let places = ratings.iter().flat_map(|(_, points)| points.iter().map(|point| point.0));
        let ends: Vec<f64> = places.flat_map(|place| [place - 100.0, place + 100.0]).collect();
        let axis = Axis::linear("Puzzle rating", ends);
        panels.push(panel("By puzzle rating", axis, &ratings, 16.0));
    } else {
        missing.push("evaluate-uniform.jsonl with --by rating");
    }
    let legend = TERMS
        .into_iter()
        .map(|term| LegendEntry::dot(names::variant(adaptive(term)), Pen::of(adaptive(term))))
        .collect();
    Figure {
        slug: "figure-06",
        name: "Figure 6",
        title: "Solution probability against the base",
        caption: "Natural logarithm of the ratio of geometric-mean solution probabilities, the \
                  network's to the base's; above zero the network keeps more of the solutions. \
                  Paired bootstrap 95% intervals."
            .to_owned(),
        missing,
        content: Content::Panels { panels, legend },
    }
}

fn adaptive(term: Term) -> Variant {
    Variant::SelfPlay { term, temperature: SelfPlayTemperature::Adaptive }
}

fn curves(
    documents: &Documents,
    role: SuiteRole,
    of: impl Fn(&EvaluationLine) -> Vec<Gain>,
) -> Vec<(Variant, Vec<Gain>)> {
    TERMS
        .into_iter()
        .filter_map(|term| {
            let variant = adaptive(term);
            Some((variant, of(documents.evaluation_of(role, variant)?)))
        })
        .collect()
}

fn panel(title: &str, x: Axis, curves: &[(Variant, Vec<Gain>)], shift: f64) -> Panel {
    let mut bounds = vec![0.0];
    let mut marks = vec![Mark::Rule { height: 0.0, pen: Pen::solid(Ink::Base) }];
    for (number, (variant, points)) in curves.iter().enumerate() {
        let pen = Pen::of(*variant);
        let aside = if number == 0 { -shift } else { shift };
        let line = points.iter().map(|(place, (value, ..))| (place + aside, *value)).collect();
        marks.push(Mark::Line { points: line, pen });
        for &(place, (value, low, high)) in points {
            bounds.extend([low, high]);
            let at = (place + aside, value);
            marks.push(Mark::Dot { at, across: Some((low, high)), along: None, pen });
        }
    }
    Panel::new(title, x, Axis::linear("Gain over the base, nats", bounds), marks)
}

fn gain(measures: &Measures) -> Option<(f64, f64, f64)> {
    let (value, low, high) = measures.versus.as_ref()?.geometric_ratio.known()?;
    // A ratio of zero has no logarithm that could be drawn.
    let all_positive = value > 0.0 && low > 0.0 && high > 0.0;
    all_positive.then(|| (value.ln(), low.ln(), high.ln()))
}
