//! Figure 5: the error by the forward KL's coefficient.

use std::path::Path;

use study::{Arm, SelfPlayTemperature, Term, Variant};

use super::axis::Axis;
use super::panel::{Mark, Panel};
use super::{Content, Figure, LegendEntry};
use crate::documents::{Documents, Measures};
use crate::ink::{Ink, Pen};

/// The forward KL with adaptive temperature at all coefficients, and the limits.
pub(crate) struct BetaPoints<'a> {
    pub(crate) base: Option<&'a Measures>,
    pub(crate) unregularised: Option<&'a Measures>,
    /// Ascending.
    pub(crate) betas: Vec<(f64, &'a Measures)>,
}

/// The curve's points.
pub(crate) fn beta_points(documents: &Documents) -> BetaPoints<'_> {
    let adaptive = |term| Variant::SelfPlay { term, temperature: SelfPlayTemperature::Adaptive };
    let arms = documents.selection.iter().flat_map(|selection| &selection.arms);
    let known: Vec<&Arm> = documents.study.cells.iter().chain(arms).collect();
    let mut points = BetaPoints { base: None, unregularised: None, betas: Vec::new() };
    for line in documents.beta_curve.iter().flatten() {
        let Some(measures) = line.measures() else { continue };
        let arm = known.iter().find(|arm| Path::new(&line.network) == arm.network);
        match arm.map(|arm| (arm.variant, arm.beta)) {
            Some((Variant::Base, _)) => points.base = Some(measures),
            Some((variant, _)) if variant == adaptive(Term::None) => {
                points.unregularised = Some(measures);
            }
            Some((variant, Some(beta))) if variant == adaptive(Term::ForwardKl) && beta > 0.0 => {
                points.betas.push((beta, measures));
            }
            // The base stands first, before it is known by a selection.
            None if line.reference.is_none() => points.base = Some(measures),
            _ => {}
        }
    }
    points.betas.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    points
}

/// Error in percent, with the interval's beginning and end.
fn error(measures: &Measures) -> Option<(f64, f64, f64)> {
    let accuracy = measures.accuracy?;
    Some((100.0 - 100.0 * accuracy, 100.0 - 100.0 * measures.high, 100.0 - 100.0 * measures.low))
}

pub(super) fn figure(documents: &Documents) -> Figure {
    let points = beta_points(documents);
    let errors: Vec<(f64, (f64, f64, f64))> = points
        .betas
        .iter()
        .filter_map(|(beta, measures)| Some((*beta, error(measures)?)))
        .collect();
    let mut bounds: Vec<f64> =
        errors.iter().flat_map(|(_, (_, low, high))| [*low, *high]).collect();
    let mut marks = Vec::new();
    let mut legend = Vec::new();
    let x =
        Axis::logarithmic("Coefficient β of the forward KL", errors.iter().map(|point| point.0));
    let ends = [10f64.powf(x.low), 10f64.powf(x.high)];
    for (measures, label, ink) in [
        (points.base, "Frozen base", Ink::Base),
        (points.unregularised, "No regulariser, adaptive", Ink::Term(Term::None)),
    ] {
        let Some((value, low, high)) = measures.and_then(error) else { continue };
        bounds.extend([low, high]);
        marks.push(Mark::Band { points: ends.map(|end| (end, low, high)).into(), ink });
        marks.push(Mark::Rule { height: value, pen: Pen::solid(ink) });
        legend.push(LegendEntry::line(label, Pen::solid(ink)));
    }
    let pen = Pen::solid(Ink::Term(Term::ForwardKl));
    let line = errors.iter().map(|(beta, (value, ..))| (*beta, *value)).collect();
    marks.push(Mark::Line { points: line, pen });
    marks.extend(errors.iter().map(|&(beta, (value, low, high))| Mark::Dot {
        at: (beta, value),
        across: Some((low, high)),
        along: None,
        pen,
    }));
    legend.push(LegendEntry::dot("Forward KL, adaptive", pen));
    let panels = if errors.is_empty() {
        Vec::new()
    } else {
        let y = Axis::linear("Unsolved, % of the uniform suite", bounds);
        vec![Panel::new("", x, y, marks).sized(500, 320)]
    };
    Figure {
        slug: "figure-05",
        name: "Figure 5",
        title: "Error by the coefficient of the forward KL",
        caption: "Forward KL with adaptive temperature, between its two limits: the run without a \
                  regulariser (β → 0) and the base (β → ∞). Bars and bands are Wilson 95% intervals."
            .to_owned(),
        missing: if panels.is_empty() { vec!["beta-curve.jsonl"] } else { vec![] },
        content: Content::Panels { panels, legend },
    }
}
