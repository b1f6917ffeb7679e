//! Opening diversity of the games that self-play generated, which the paper could not report.

use study::Variant;

use super::{Cell, Number, Row, Table, build};
use crate::documents::{Documents, MetricsLine, OpeningWindow};

pub(super) fn table(documents: &Documents) -> Table {
    let variants =
        Variant::all().into_iter().filter(|variant| matches!(variant, Variant::SelfPlay { .. }));
    let rows = variants.map(|variant| {
        let last = documents.metrics.get(&variant).and_then(|lines| lines.last());
        let window = |of: fn(&MetricsLine) -> OpeningWindow| last.map(of);
        let windows = [
            window(|line| line.openings.first_move),
            window(|line| line.openings.four_plies),
            window(|line| line.openings.eight_plies),
        ];
        let mut here = vec![Cell::number(last.map(|line| Number::new(line.step as f64, 0)))];
        for found in windows {
            here.push(Cell::text(
                found.map(|window| format!("{} of {}", window.distinct, window.games)),
            ));
            here.push(Cell::number(found.map(|window| Number::new(window.entropy, 2))));
        }
        Row { stub: build::stub(variant), here, paper: Vec::new() }
    });
    Table {
        slug: "opening-diversity",
        name: "Opening diversity",
        title: "Openings of the games that self-play generated".to_owned(),
        caption:
            "At the end of each run: different openings among the last games that got so far, \
                  and the entropy of their frequencies in nats, after the first move, four and \
                  eight plies. The paper measures the policy's distribution after training and \
                  names the openings of the generated games as what it did not measure."
                .to_owned(),
        stub: vec!["Exploration term", "Self-play τ"],
        columns: ["Step", "1 ply", "H, 1 ply", "4 plies", "H, 4 plies", "8 plies", "H, 8 plies"]
            .map(str::to_owned)
            .into(),
        rows: rows.collect(),
        in_paper: false,
        missing: if documents.metrics.is_empty() {
            vec!["metrics.jsonl of the runs"]
        } else {
            vec![]
        },
    }
}
