//! Table 3: accuracy by forced-mate depth.

use study::SuiteRole;

use super::{Cell, Row, Table, build};
use crate::documents::{Documents, EvaluationLine, Measures};
use crate::paper::TABLE3;

/// What was measured of the mates in `depth`.
pub(crate) fn mate(line: Option<&EvaluationLine>, depth: usize) -> Option<&Measures> {
    line?.group("mate-depth", &format!("mate in {depth}"))
}

pub(super) fn table(documents: &Documents) -> Table {
    let row = |printed: &crate::paper::Table3Row| {
        let line = documents.evaluation_of(SuiteRole::Mates, printed.variant);
        Row {
            stub: build::stub(printed.variant),
            here: (1..=5).map(|depth| build::accuracy(mate(line, depth))).collect(),
            paper: printed.mates.iter().map(|mate| Cell::Text(mate.to_string())).collect(),
        }
    };
    let measured = documents.evaluations.contains_key(&SuiteRole::Mates);
    Table {
        slug: "table-3",
        name: "Table 3",
        title: "Accuracy by forced-mate depth".to_owned(),
        caption: "Percent of positions with a forced mate in N that are solved: the argmax keeps \
                  the mate at every move. Below each accuracy its Wilson 95% interval."
            .to_owned(),
        stub: vec!["Exploration term", "Self-play τ"],
        columns: (1..=5).map(|depth| format!("Mate in {depth}, %")).collect(),
        rows: TABLE3.iter().map(row).collect(),
        in_paper: true,
        missing: if measured { Vec::new() } else { vec!["evaluate-mates.jsonl"] },
    }
}
