//! Calibration of value heads.

use std::path::Path;

use study::Variant;

use super::axis::Axis;
use super::mates::adaptive_arms;
use super::panel::{Mark, Panel};
use super::{Content, Figure, LegendEntry};
use crate::documents::{CalibrationLine, Documents};
use crate::ink::{Ink, Pen};
use crate::names;

pub(super) fn figure(documents: &Documents) -> Figure {
    let line = |variant: Variant| -> Option<&CalibrationLine> {
        let network = &documents.arm(variant)?.network;
        let lines = documents.calibration.iter().flatten();
        lines.into_iter().find(|line| Path::new(&line.network) == network)
    };
    let base = line(Variant::Base);
    let panels = adaptive_arms()
        .into_iter()
        .chain([Variant::PuzzleTuned])
        .filter_map(|variant| Some(panel(variant, line(variant)?, base)))
        .collect::<Vec<_>>();
    let legend = vec![
        LegendEntry::line("As predicted", Pen::solid(Ink::Grid)),
        LegendEntry::line("Frozen base, for comparison", Pen::solid(Ink::Base)),
    ];
    Figure {
        slug: "calibration",
        name: "Calibration",
        title: "Predicted against observed scores",
        caption: "Positions of the study's games by the expected score of the side to move: what the \
                  value head predicts against how the games ended, with 95% intervals over games. On \
                  the diagonal predictions are right on average."
            .to_owned(),
        missing: if panels.is_empty() { vec!["calibration.jsonl"] } else { vec![] },
        content: Content::Panels { panels, legend },
    }
}

fn panel(variant: Variant, line: &CalibrationLine, base: Option<&CalibrationLine>) -> Panel {
    let points = |line: &CalibrationLine| -> Vec<(f64, f64)> {
        line.bins.iter().filter_map(|bin| Some((bin.predicted?, bin.observed?))).collect()
    };
    let mut marks =
        vec![Mark::Line { points: vec![(0.0, 0.0), (1.0, 1.0)], pen: Pen::solid(Ink::Grid) }];
    if let Some(base) = base.filter(|_| variant != Variant::Base) {
        marks.push(Mark::Line { points: points(base), pen: Pen::solid(Ink::Base) });
    }
    let pen = Pen::of(variant);
    for bin in &line.bins {
        let (Some(predicted), Some(observed)) = (bin.predicted, bin.observed) else { continue };
        let across = bin.low.zip(bin.high);
        marks.push(Mark::Dot { at: (predicted, observed), across, along: None, pen });
    }
    let x = Axis::between("Predicted score", 0.0, 1.0);
    let y = Axis::between("Observed score", 0.0, 1.0);
    Panel::new(names::variant(variant), x, y, marks).sized(380, 320)
}
