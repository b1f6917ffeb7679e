//! Table 4: solution probability.

use study::{SuiteRole, Variant};

use super::table3::mate;
use super::{Against, Cell, Number, Row, Table, build};
use crate::documents::{Documents, EvaluationLine, Measures};
use crate::paper::{TABLE4, Table4Row};

pub(super) fn table(documents: &Documents) -> Table {
    let missing = [
        (SuiteRole::Uniform, "evaluate-uniform.jsonl"),
        (SuiteRole::Hard, "evaluate-hard.jsonl"),
        (SuiteRole::Mates, "evaluate-mates.jsonl"),
    ];
    let missing = missing
        .into_iter()
        .filter(|(role, _)| !documents.evaluations.contains_key(role))
        .map(|(_, file)| file)
        .collect();
    let mut rows: Vec<Row> = TABLE4.iter().map(|printed| row(documents, printed)).collect();
    build::mark_best_of_columns(&mut rows);
    Table {
        slug: "table-4",
        name: "Table 4",
        title: "Solution probability".to_owned(),
        caption: "Geometric mean of the probability of drawing the whole solution, of the arms \
                  trained with adaptive temperature; in parentheses the arithmetic mean, for the \
                  hard suite. Bold is the best of a column. ▲ and ▼ mark what lies above or below \
                  the base by more than the 95% interval of the paired ratio, which Figure 6 draws; \
                  what has no mark cannot be told apart from the base."
            .to_owned(),
        stub: vec!["Model"],
        columns: ["All", "≥2400"]
            .map(str::to_owned)
            .into_iter()
            .chain((1..=5).map(|depth| format!("Mate in {depth}")))
            .collect(),
        rows,
        in_paper: true,
        missing,
    }
}

fn row(documents: &Documents, printed: &Table4Row) -> Row {
    let variant = printed.variant;
    let whole = |role| documents.evaluation_of(role, variant).and_then(EvaluationLine::measures);
    let mates = documents.evaluation_of(SuiteRole::Mates, variant);
    let mut here = vec![
        geometric(whole(SuiteRole::Uniform), variant, false),
        geometric(whole(SuiteRole::Hard), variant, true),
    ];
    here.extend((1..=5).map(|depth| geometric(mate(mates, depth), variant, false)));
    let mut paper = vec![
        Cell::Text(printed.all.to_string()),
        Cell::Text(format!("{} ({})", printed.hard, printed.hard_arithmetic)),
    ];
    paper.extend(printed.mates.iter().map(|mate| Cell::Text(mate.to_string())));
    Row { stub: vec![build::stub(variant)[0].clone()], here, paper }
}

fn geometric(measures: Option<&Measures>, variant: Variant, with_arithmetic: bool) -> Cell {
    let number = measures.and_then(|measures| {
        let mut number = Number::new(measures.geometric_mean?, 3);
        if with_arithmetic {
            number.aside = measures.arithmetic_mean;
        }
        let ratio = measures.versus.as_ref().and_then(|versus| versus.geometric_ratio.known());
        if variant != Variant::Base
            && let Some((_, low, high)) = ratio
        {
            number.against_base = match (low > 1.0, high < 1.0) {
                (true, _) => Some(Against::Above),
                (_, true) => Some(Against::Below),
                _ => None,
            };
        }
        Some(number)
    });
    Cell::number(number)
}
