use super::*;

fn row(values: [&str; 2], solved: Option<u64>, term: Option<ExplorationTerm>) -> Row {
    let recent = RecentMetrics {
        steps: 300,
        entropy: 1.5,
        forward_kl: 0.25,
        reverse_kl: 0.125,
        mean_absolute_advantage: 0.0625,
        opening_entropy: 4.0,
    };
    Row {
        name: values.join("-"),
        values: values.map(str::to_owned).to_vec(),
        state: if term.is_some() { "300" } else { "-" }.to_owned(),
        recent: term.map(|_| recent),
        score: solved.map(|solved| Score { solved, total: 1_000, ..Score::default() }),
        group: term.map(|term| (term, SamplingTemperature::One)),
    }
}

fn table() -> Table {
    let [forward, none] = [ExplorationTerm::ForwardKl, ExplorationTerm::None].map(Some);
    Table {
        keys: vec!["exploration".to_owned(), "opening_book.file".to_owned()],
        rows: vec![
            row(["base", ""], Some(900), None),
            row(["forward_kl", "a,b"], Some(500), forward),
            row(["forward_kl", "b"], Some(600), forward),
            row(["forward_kl", "c"], Some(600), forward),
            row(["forward_kl", "d"], None, forward),
            row(["none", "-"], Some(700), none),
        ],
        is_scored: true,
    }
}

#[test]
fn the_best_of_each_term_and_temperature_is_marked() {
    let table = table();
    let best: Vec<usize> = (0..6).filter(|&number| table.is_best(number)).collect();
    // The base is no candidate, of equals the first is taken, and one alone is not the best.
    assert_eq!(best, [2]);
}

#[test]
fn a_table_is_printed_in_three_forms() {
    insta::assert_snapshot!("plain", table().plain());
    insta::assert_snapshot!("markdown", table().markdown());
    insta::assert_snapshot!("csv", table().csv());
    let unscored = Table { is_scored: false, ..table() };
    assert!(!unscored.plain().contains("accuracy"));
}
