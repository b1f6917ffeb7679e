//! Table 1: puzzle accuracy and searchless playing strength.

use study::{ArenaKind, SuiteRole, Variant};

use super::{Cell, Number, Row, Table, build};
use crate::documents::{DirectRecord, Documents, EvaluationLine};
use crate::numbers::{coefficient, likelihood};
use crate::paper::{TABLE1, Table1Row};

pub(super) fn table(documents: &Documents) -> Table {
    let mut missing = Vec::new();
    for (role, file) in
        [(SuiteRole::Uniform, "evaluate-uniform.jsonl"), (SuiteRole::Hard, "evaluate-hard.jsonl")]
    {
        if !documents.evaluations.contains_key(&role) {
            missing.push(file);
        }
    }
    if !documents.ratings.contains_key(&ArenaKind::Argmax) {
        missing.push("rate-argmax.json");
    }
    if direct(documents).is_none() {
        missing.push("rate-against-base.json");
    }
    let games = direct(documents).map_or("", |kind| match kind {
        ArenaKind::AgainstBase => " Records are of the match of everyone against the base.",
        _ => " Records are the games against the base within the round-robin.",
    });
    Table {
        slug: "table-1",
        name: "Table 1",
        title: "Puzzle accuracy and searchless playing strength".to_owned(),
        caption: format!(
            "Moves by argmax, multi-solution scoring; below each accuracy its Wilson 95% interval. \
             Elo is the difference to the base in the closed round-robin with the 95% interval of \
             that difference; the paper's base row alone is absolute. LOS: likelihood that the \
             network is stronger than the base, from the direct record.{games}"
        ),
        stub: vec!["Exploration term", "Self-play τ"],
        columns: ["β", "Acc, %", "Acc ≥2400, %", "Elo", "W–D–L", "LOS"].map(str::to_owned).into(),
        rows: TABLE1.iter().map(|printed| row(documents, printed)).collect(),
        in_paper: true,
        missing,
    }
}

/// The match that has records against the base.
fn direct(documents: &Documents) -> Option<ArenaKind> {
    [ArenaKind::AgainstBase, ArenaKind::Argmax]
        .into_iter()
        .find(|kind| documents.ratings.get(kind).is_some_and(|ratings| !ratings.direct.is_empty()))
}

fn row(documents: &Documents, printed: &Table1Row) -> Row {
    let Table1Row { variant, beta, .. } = *printed;
    let arm = documents.arm(variant);
    let accuracy = |role| {
        let line = documents.evaluation_of(role, variant);
        build::accuracy(line.and_then(EvaluationLine::measures))
    };
    let here_beta = match variant {
        Variant::SelfPlay { term: study::Term::None, .. }
        | Variant::Base
        | Variant::PuzzleTuned => Cell::Blank,
        Variant::SelfPlay { .. } => Cell::text(arm.and_then(|arm| arm.beta).map(coefficient)),
    };
    let elo = |(elo, margin)| Number::new(elo, 1).signed().within(elo - margin, elo + margin);
    let record = direct(documents).and_then(|kind| {
        documents.ratings.get(&kind)?.record(&variant.key(), &Variant::Base.key())
    });
    let (here_elo, here_record, here_los) = if variant == Variant::Base {
        let rated = documents.ratings.get(&ArenaKind::Argmax);
        let zero = rated.map(|_| Number::new(0.0, 1));
        (Cell::number(zero), Cell::Blank, Cell::Blank)
    } else {
        (
            Cell::number(documents.elo(ArenaKind::Argmax, variant).map(elo)),
            Cell::text(record.as_ref().map(games)),
            Cell::text(record.as_ref().map(|record| likelihood(record.los))),
        )
    };
    Row {
        stub: build::stub(variant),
        here: vec![
            here_beta,
            accuracy(SuiteRole::Uniform),
            accuracy(SuiteRole::Hard),
            here_elo,
            here_record,
            here_los,
        ],
        paper: vec![
            beta.map_or(Cell::Blank, |beta| Cell::Text(coefficient(beta))),
            Cell::Text(printed.accuracy.to_string()),
            Cell::Text(printed.hard.to_string()),
            Cell::Text(printed.elo.to_string()),
            printed.record.map_or(Cell::Blank, |[w, d, l]| Cell::Text(format!("{w}–{d}–{l}"))),
            printed.los.map_or(Cell::Blank, |los| Cell::Text(los.to_owned())),
        ],
    }
}

fn games(record: &DirectRecord) -> String {
    format!("{}–{}–{}", record.wins, record.draws, record.losses)
}
