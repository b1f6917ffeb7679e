//! Calibration of the value heads.

use study::Variant;

use std::path::Path;

use super::{Cell, Number, Row, Table, build};
use crate::documents::Documents;

pub(super) fn table(documents: &Documents) -> Table {
    let rows = Variant::all().into_iter().map(|variant| {
        let line = documents.arm(variant).and_then(|arm| {
            let lines = documents.calibration.iter().flatten();
            lines.into_iter().find(|line| Path::new(&line.network) == arm.network)
        });
        let error = line.map(|line| {
            let error = line.calibration_error;
            Number::new(error.value, 4).within(error.low, error.high)
        });
        let here = vec![
            Cell::number(line.map(|line| build::mean(line.brier_wdl, 4))),
            Cell::number(line.map(|line| build::mean(line.log_loss, 4))),
            Cell::number(line.map(|line| build::mean(line.bias, 4).signed())),
            Cell::number(error),
        ];
        Row { stub: build::stub(variant), here, paper: Vec::new() }
    });
    let games = documents.calibration.iter().flatten().next().map_or(String::new(), |line| {
        format!(
            " {} positions of {} games.",
            crate::numbers::count(line.positions),
            crate::numbers::count(line.games)
        )
    });
    Table {
        slug: "calibration",
        name: "Calibration",
        title: "Calibration of the value heads".to_owned(),
        caption: format!(
            "How well win, draw and loss are foretold in the games of the study; lower is better, \
             bias is the predicted less the observed score. Intervals are 95% over games.{games}"
        ),
        stub: vec!["Exploration term", "Self-play τ"],
        columns: ["Brier score", "Log loss, nats", "Bias", "Calibration error"]
            .map(str::to_owned)
            .into(),
        rows: rows.collect(),
        in_paper: false,
        missing: if documents.calibration.is_some() { vec![] } else { vec!["calibration.jsonl"] },
    }
}
