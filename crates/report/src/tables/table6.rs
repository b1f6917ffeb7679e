//! Table 6: selection of the coefficient.

use study::{SuiteRole, Term, Variant};

use super::{Cell, Row, Table, build};
use crate::documents::{Documents, EvaluationLine};
use crate::numbers::coefficient;
use crate::paper::{TABLE6, TABLE6_BASE, TABLE6_BETAS, TABLE6_UNREGULARISED};

pub(super) fn table(documents: &Documents) -> Table {
    let betas = betas(documents);
    let mut rows: Vec<Row> = TABLE6
        .iter()
        .map(|printed| {
            let mut row = Row {
                stub: build::stub(printed.variant),
                here: betas
                    .iter()
                    .map(|&beta| cell(documents, printed.variant, Some(beta)))
                    .collect(),
                paper: betas
                    .iter()
                    .map(|&beta| {
                        let place = TABLE6_BETAS.iter().position(|&printed| same(printed, beta));
                        place.map_or(Cell::Blank, |place| {
                            Cell::Text(printed.accuracy[place].to_string())
                        })
                    })
                    .collect(),
            };
            build::mark_best_of_row(&mut row);
            row
        })
        .collect();
    // References without a coefficient stand in the first column.
    let reference = |stub: Vec<String>, here: Cell, printed: String| {
        let padded = |first: Cell| {
            let mut cells = vec![Cell::Blank; betas.len()];
            cells[0] = first;
            cells
        };
        Row { stub, here: padded(here), paper: padded(Cell::Text(printed)) }
    };
    rows.push(reference(
        vec!["Frozen base".to_owned(), "for reference".to_owned()],
        base(documents),
        TABLE6_BASE.to_string(),
    ));
    rows.extend(TABLE6_UNREGULARISED.iter().map(|&(temperature, printed)| {
        let variant = Variant::SelfPlay { term: Term::None, temperature };
        let [term, temperature] = &build::stub(variant)[..] else { unreachable!("two headings") };
        reference(
            vec![term.clone(), format!("{temperature}, for reference")],
            cell(documents, variant, None),
            printed.to_string(),
        )
    }));
    let measured = documents.evaluations.contains_key(&SuiteRole::Selection);
    Table {
        slug: "table-6",
        name: "Table 6",
        title: "Selection of the coefficient".to_owned(),
        caption:
            "Percent of the selection suite solved, by exploration term, self-play temperature \
                  and coefficient β, multi-solution scoring; below each its Wilson 95% interval. \
                  Bold is the best of a row, the model carried into Table 1. The last rows have no \
                  coefficient."
                .to_owned(),
        stub: vec!["Exploration term", "Self-play τ"],
        columns: betas.iter().map(|&beta| format!("β = {}", coefficient(beta))).collect(),
        rows,
        in_paper: true,
        missing: if measured { Vec::new() } else { vec!["evaluate-selection.jsonl"] },
    }
}

/// The coefficients of the paper's table and those that several arms of the study try, ascending.
/// What one arm alone tries is for the resolution of Figure 5 and plays no part in selection.
fn betas(documents: &Documents) -> Vec<f64> {
    let cells = &documents.study.cells;
    let arms = |beta: f64| {
        cells.iter().filter(|cell| cell.beta.is_some_and(|found| same(found, beta))).count()
    };
    let mut betas: Vec<f64> = cells
        .iter()
        .filter_map(|cell| cell.beta)
        .filter(|&beta| beta.is_finite() && beta > 0.0 && arms(beta) > 1)
        .chain(TABLE6_BETAS)
        .collect();
    betas.sort_unstable_by(f64::total_cmp);
    betas.dedup_by(|one, other| same(*one, *other));
    betas
}

fn cell(documents: &Documents, variant: Variant, beta: Option<f64>) -> Cell {
    let found = documents.study.cells.iter().find(|cell| {
        cell.variant == variant
            && match (cell.beta, beta) {
                (Some(found), Some(beta)) => same(found, beta),
                (_, None) => true,
                (None, Some(_)) => false,
            }
    });
    // A coefficient that the study does not try is not missing.
    let Some(found) = found else { return Cell::Blank };
    let line = documents.evaluation(SuiteRole::Selection, &found.network);
    build::accuracy(line.and_then(EvaluationLine::measures))
}

fn base(documents: &Documents) -> Cell {
    // Before anything is selected, the base is the network that the others are compared with.
    let line = documents.evaluation_of(SuiteRole::Selection, Variant::Base).or_else(|| {
        let lines = documents.evaluations.get(&SuiteRole::Selection)?;
        lines.first().filter(|line| line.reference.is_none())
    });
    build::accuracy(line.and_then(EvaluationLine::measures))
}

/// Whether two coefficients are the same but for rounding.
pub(crate) fn same(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
}
