use study::{ArenaKind, SuiteRole, Variant};

use super::*;
use crate::documents::PairedDifference;

fn documents() -> Documents {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let directory = fixtures::write_study(folder.path()).expect("written");
    Documents::read(&directory).expect("a study")
}

fn table(documents: &Documents, slug: &str) -> Table {
    Table::all(documents).into_iter().find(|table| table.slug == slug).expect("a table")
}

#[test]
fn every_row_has_a_cell_for_each_column() {
    for documents in [documents(), { Documents { selection: None, ..documents() } }] {
        for table in Table::all(&documents) {
            for row in &table.rows {
                assert_eq!(row.stub.len(), table.stub.len(), "{}", table.slug);
                assert_eq!(row.here.len(), table.columns.len(), "{}", table.slug);
                let printed = if table.in_paper { table.columns.len() } else { 0 };
                assert_eq!(row.paper.len(), printed, "{}", table.slug);
            }
        }
    }
}

#[test]
fn table_1_joins_accuracy_strength_and_records() {
    let table = table(&documents(), "table-1");
    insta::assert_snapshot!(table.markdown());
}

#[test]
fn a_missing_measurement_is_no_number() {
    let mut documents = documents();
    documents.ratings.remove(&ArenaKind::Argmax);
    documents.evaluations.remove(&SuiteRole::Hard);
    let table = table(&documents, "table-1");
    assert_eq!(table.missing, ["evaluate-hard.jsonl", "rate-argmax.json"]);
    for row in &table.rows {
        assert_eq!(row.here[2], Cell::NotMeasured);
        assert_eq!(row.here[3], Cell::NotMeasured);
        assert!(row.here[1].is_measured());
    }
    assert!(table.html().contains("not measured"));
    assert!(!table.is_empty());
}

#[test]
fn records_fall_back_on_the_round_robin() {
    let mut documents = documents();
    let against = documents.ratings.remove(&ArenaKind::AgainstBase).expect("measured");
    let argmax = documents.ratings.get_mut(&ArenaKind::Argmax).expect("measured");
    argmax.direct = against.direct;
    let table = table(&documents, "table-1");
    assert!(table.caption.contains("within the round-robin"), "{}", table.caption);
    assert!(table.rows[1].here[4].is_measured());
}

#[test]
fn marks_need_an_interval_beyond_the_base() {
    let mut documents = documents();
    let check = |documents: &Documents, expected: Option<Against>| {
        let table = table(documents, "table-4");
        let Cell::Number(number) = &table.rows[4].here[0] else { panic!("a number") };
        assert_eq!(number.against_base, expected);
    };
    check(&documents, Some(Against::Above));
    let network = documents.arm(Variant::all()[7]).expect("an arm").network.clone();
    for (low, high, expected) in
        [(0.9, 1.2, None), (0.7, 0.9, Some(Against::Below)), (1.1, 1.2, Some(Against::Above))]
    {
        let lines = documents.evaluations.get_mut(&SuiteRole::Uniform).expect("measured");
        let line = lines.iter_mut().find(|line| std::path::Path::new(&line.network) == network);
        let measures = line.expect("a line").rules.get_mut("multi-solution").expect("a rule");
        let ratio = PairedDifference { value: Some(1.0), low: Some(low), high: Some(high) };
        measures.versus.as_mut().expect("compared").geometric_ratio = ratio;
        check(&documents, expected);
    }
}

#[test]
fn the_best_of_each_column_or_row_is_marked_once() {
    let best = |cells: Vec<&Cell>| {
        let marked =
            cells.iter().filter(|cell| matches!(cell, Cell::Number(number) if number.best));
        marked.count()
    };
    let four = table(&documents(), "table-4");
    for column in 0..four.columns.len() {
        assert_eq!(best(four.rows.iter().map(|row| &row.here[column]).collect()), 1);
    }
    let six = table(&documents(), "table-6");
    assert_eq!(six.columns, ["β = 10⁻⁴", "β = 10⁻³", "β = 10⁻²", "β = 10⁻¹", "β = 1"]);
    for row in &six.rows[..6] {
        assert_eq!(best(row.here.iter().collect()), 1, "{:?}", row.stub);
        assert!(matches!(&row.here[2], Cell::Number(number) if number.best), "{:?}", row.stub);
    }
    for row in &six.rows[6..] {
        assert!(row.here[0].is_measured() && row.here[1] == Cell::Blank);
    }
}

#[test]
fn a_mean_without_bound_is_shown_as_that() {
    let mut documents = documents();
    for line in documents.shape.iter_mut().flatten() {
        line.played.forward_kl.mean = None;
    }
    let table = table(&documents, "table-5");
    assert!(table.markdown().contains("| ∞ |"), "{}", table.markdown());
    assert!(table.csv().contains(",inf,"));
}

#[test]
fn names_are_escaped() {
    let table = Table {
        slug: "x",
        name: "X",
        title: "a|b".to_owned(),
        caption: "<c>".to_owned(),
        stub: vec!["s"],
        columns: vec!["<i>".to_owned()],
        rows: vec![Row {
            stub: vec!["<a> & \"b\"|".to_owned()],
            here: vec![Cell::Text("1\n2".to_owned())],
            paper: vec![],
        }],
        in_paper: false,
        missing: vec![],
    };
    assert!(table.html().contains("&lt;a&gt; &amp; &quot;b&quot;|"), "{}", table.html());
    assert!(table.markdown().contains("| &lt;a> &amp; \"b\"\\| | 1 2 |"), "{}", table.markdown());
    assert!(table.csv().contains("\"<a> & \"\"b\"\"|\",\"1\n2\""), "{}", table.csv());
}
