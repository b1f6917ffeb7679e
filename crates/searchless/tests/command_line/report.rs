//! `searchless report`: the report of a study; and that it reads what the commands print.

use std::fs;
use std::path::Path;

use report::documents::{
    CalibrationLine, CoverageLine, DirectionsDocument, EvaluationLine, GameLine, RatingsDocument,
    RecoveryDocument, ShapeLine, read_curves, read_document, read_lines, read_metrics,
};

use crate::support::{ATTENTION, CLASSICAL, SUITE, Workspace};

#[test]
fn findings_are_printed_and_files_written() {
    let workspace = Workspace::new();
    fixtures::write_study(&workspace.path().join("study")).expect("written");
    let printed = workspace.print(&["report", "study"], "");
    insta::assert_snapshot!(printed);
    let report = workspace.path().join("study/report");
    let page = fs::read_to_string(report.join("index.html")).expect("a page");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    let table = fs::read_to_string(report.join("tables/table-4.md")).expect("a table");
    insta::assert_snapshot!(table);
    for file in ["tables/table-1.csv", "figures/figure-05.svg", "figures/figure-09a.svg"] {
        assert!(report.join(file).is_file(), "{file}");
    }
    // Elsewhere, and once more over what is there.
    for _ in 0..2 {
        let printed = workspace.print(&["report", "study", "--out", "out/deep"], "");
        assert!(printed.ends_with("out/deep/index.html\n"), "{printed}");
    }
    let copy = fs::read_to_string(workspace.path().join("out/deep/index.html")).expect("a page");
    assert!(page == copy, "the same measurements give the same page");
}

#[test]
fn what_is_missing_is_said_and_what_is_damaged_refused() {
    let workspace = Workspace::new();
    let error = workspace.refuse(&["report", "nowhere"]);
    assert!(error.contains("study.json"), "{error}");
    let study = workspace.path().join("study");
    let directory = fixtures::write_study(&study).expect("written");
    fs::remove_file(directory.shape()).expect("removed");
    let printed = workspace.print(&["report", "study"], "");
    assert!(printed.contains("\nnot measured: shape.json\n"), "{printed}");
    fs::write(directory.shape(), "{}\n").expect("written");
    let error = workspace.refuse(&["report", "study"]);
    assert!(error.contains("shape.json: line 1: missing field `network`"), "{error}");
}

/// Writes what a command prints to a file, as `searchless reproduce` does.
fn print_to(workspace: &Workspace, name: &str, arguments: &[&str]) -> std::path::PathBuf {
    let path = workspace.path().join(name);
    fs::write(&path, workspace.print(arguments, "")).expect("written");
    path
}

fn lines<T: serde::de::DeserializeOwned>(path: &Path) -> Vec<T> {
    read_lines(path).expect("what the command prints").expect("a file")
}

#[test]
fn what_commands_print_is_read() {
    let workspace = Workspace::new();
    let print = |name: &str, arguments: &[&str]| print_to(&workspace, name, arguments);
    let both = [ATTENTION, CLASSICAL];

    let by = ["--by", "rating", "--by", "mate-depth", "--rule", "multi-solution", "--json"];
    let evaluate = [&["evaluate"], &both[..], &["--suite", SUITE], &by].concat();
    let evaluations: Vec<EvaluationLine> = lines(&print("evaluate.jsonl", &evaluate));
    assert_eq!(evaluations.len(), 2);
    assert_eq!(evaluations[1].network, CLASSICAL);
    assert_eq!(evaluations[1].reference.as_deref(), Some(ATTENTION));
    assert!(evaluations[1].measures().expect("the rule").versus.is_some());
    assert!(evaluations[0].group("mate-depth", "mate in 1").is_some());
    assert!(evaluations[0].group("rating", "800-999").is_some());

    let coverage = [
        &["coverage"],
        &both[..],
        &["--depth", "1", "--samples", "0", "--json", "--csv", "coverage.csv"],
    ]
    .concat();
    let covered: Vec<CoverageLine> = lines(&print("coverage.json", &coverage));
    assert_eq!((covered.len(), covered[0].sequences), (4, 20));
    let curves = read_curves(&workspace.path().join("coverage.csv")).expect("curves");
    assert!(curves.expect("a file").iter().any(|sample| sample.network == CLASSICAL));

    let shape = ["shape", ATTENTION, CLASSICAL, "--games", "2", "--plies", "6", "--json"];
    let shapes: Vec<ShapeLine> = lines(&print("shape.json", &shape));
    assert_eq!((shapes.len(), shapes[0].games), (4, 2));

    let arguments = ["inspect", ATTENTION, "--moves", "e2e4", "e7e5", "g1f3"];
    let each = print("game.jsonl", &[&arguments[..], &["--each-ply", "--json"]].concat());
    let game: Vec<GameLine> = lines(&each);
    assert_eq!(game.iter().map(|line| line.ply).collect::<Vec<_>>(), [0, 1, 2, 3]);
    let played: Vec<_> = game.iter().map(|line| line.played.as_deref()).collect();
    assert_eq!(played, [None, Some("e4"), Some("e5"), Some("Nf3")]);
    assert_eq!(game[1].side_to_move, "black");
    for line in &game {
        let tempered: f64 = line.moves.iter().map(|mv| mv.tempered).sum();
        assert!((tempered - 1.0).abs() < 1e-9, "{tempered}");
        let entropy: f64 = line.moves.iter().map(|mv| -mv.raw * mv.raw.ln()).sum();
        assert!((entropy - line.entropy_raw.expect("legal moves")).abs() < 1e-9);
        assert!(line.moves.is_sorted_by(|one, other| one.raw >= other.raw));
    }

    let mate = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    let successors = ["inspect", ATTENTION, "--fen", mate, "--successors", "--json"];
    let directions: DirectionsDocument = read_document(&print("directions.json", &successors))
        .expect("what the command prints")
        .expect("a file");
    let mated = directions.moves.iter().find(|mv| mv.san == "Ra8#").expect("a legal move");
    assert!((mated.value - 1.0).abs() < 1e-12, "a mate is a win");
    let sum: f64 = directions.moves.iter().map(|mv| mv.probability).sum();
    assert!((sum - 1.0).abs() < 1e-9 && (0.0..=1.0).contains(&directions.value));

    let recovery = ["recovery", ATTENTION, CLASSICAL, ATTENTION, "--suite", SUITE, "--json"];
    let printed = print("recovery.json", &[&recovery[..], &["--engine-time", "0.01"]].concat());
    let document: RecoveryDocument =
        read_document(&printed).expect("what the command prints").expect("a file");
    assert_eq!((document.base.as_str(), document.tuned.len()), (ATTENTION, 2));
    assert_eq!(document.tuned[1].recovered.count, 0, "the base recovers nothing of itself");
    assert_eq!(document.tuned[0].by_probability.len(), 4);
    assert!(document.exclusive.is_some());
}

#[test]
fn games_and_their_ratings_are_read() {
    let workspace = Workspace::new();
    let game = |white: &str, black: &str, result: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n\
             1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 {result}\n\n"
        )
    };
    let games = [
        game("base", "none-one", "1-0"),
        game("none-one", "base", "1/2-1/2"),
        game("base", "forward_kl-one", "0-1"),
        game("forward_kl-one", "none-one", "1-0"),
    ];
    fs::write(workspace.path().join("games.pgn"), games.concat()).expect("written");
    let rate = ["rate", "games.pgn", "--anchor", "base=0", "--versus", "base", "--json"];
    let ratings: RatingsDocument = read_document(&print_to(&workspace, "rate.json", &rate))
        .expect("what the command prints")
        .expect("a file");
    assert_eq!(ratings.games, 4);
    assert!(ratings.difference("forward_kl-one", "base").expect("both play").0 > 0.0);
    let record = ratings.record("none-one", "base").expect("they met");
    assert_eq!((record.wins, record.draws, record.losses), (0, 1, 1));

    let calibration = ["calibration", ATTENTION, "--games", "games.pgn", "--skip", "2", "--json"];
    let lines: Vec<CalibrationLine> =
        lines(&print_to(&workspace, "calibration.jsonl", &calibration));
    assert_eq!((lines.len(), lines[0].games), (1, 4));
}

#[test]
fn metrics_of_a_run_are_read() {
    let workspace = Workspace::new();
    let arguments =
        ["finetune", "--network", ATTENTION, "--out", "run", "--steps", "3", "--games", "4"];
    workspace.print(&arguments, "");
    let metrics = read_metrics(&workspace.path().join("run/metrics.jsonl"));
    let metrics = metrics.expect("what a run records").expect("a file");
    assert_eq!(metrics.iter().map(|line| line.step).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(metrics.iter().all(|line| line.policy.entropy > 0.0));
}

#[test]
fn recovered_boards_are_in_json() {
    let workspace = Workspace::new();
    let puzzles = super::recovery::one_for_each_move();
    fs::write(workspace.path().join("moves.csv"), puzzles).expect("written");
    let arguments = [
        "recovery",
        CLASSICAL,
        ATTENTION,
        "--suite",
        "moves.csv",
        "--json",
        "--engine-time",
        "0.01",
    ];
    let path = print_to(&workspace, "recovery.json", &arguments);
    let document: RecoveryDocument = read_document(&path).expect("printed").expect("a file");
    let [board] = &document.boards[..] else { panic!("one board: {:?}", document.boards) };
    assert_eq!(board.network, ATTENTION);
    assert_eq!(board.last_move.as_deref(), Some("e2e4"));
    assert!(board.candidates.iter().any(|candidate| candidate.solves));
    for candidate in &board.candidates {
        assert_eq!(candidate.networks.len(), 2);
        assert!(candidate.networks.iter().all(|opinion| (0.0..=1.0).contains(&opinion.value)));
    }
    assert!(document.exclusive.is_none());
}
