//! Building suites.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::support::{ATTENTION, Workspace, without_sums};

const HEADER: &str =
    "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags\n";
/// After 1. e4 e5 2. Bc4 Nc6 3. Qh5.
const SCHOLAR: &str = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";

fn row(id: &str, fen: &str, moves: &str, rating: &str, themes: &str, url: &str) -> String {
    format!("{id},{fen},{moves},{rating},75,90,100,{themes},{url},\n")
}

/// Mates in one and two, a puzzle without mate, and every kind of row that is no puzzle.
fn lichess() -> String {
    let two = "8/7k/8/8/8/8/1R6/R5K1 b - - 0 1";
    let king = "7k/8/8/8/8/8/8/K7 b - - 0 1";
    let rows = [
        row("one", SCHOLAR, "g8f6 h5f7", "600", "mate mateIn1", "https://lichess.org/AAAAAAAA#6"),
        row("two", two, "h7h8 b2b7 h8g8 a1a8", "1200", "mate mateIn2", ""),
        row("quiet", king, "h8g8 a1b1", "1900", "quiet", "https://lichess.org/BBBBBBBB/black#9"),
        row("again", king, "h8g8 a1a2", "1900", "quiet", ""),
        "few,fields\n".to_owned(),
        row("illegal", king, "h8g8 a1c1", "1900", "", ""),
        row("one-move", king, "h8g8", "1900", "", ""),
        row("odd", king, "h8g8 a1b1 g8g7", "1900", "", ""),
        row("fen", "7k/8/8", "h8g8 a1b1", "1900", "", ""),
        row("rated", king, "h8g8 a1b1", "high", "", ""),
        row("", king, "h8g8 a1b1", "1900", "", ""),
        row("\"quote", king, "h8g8 a1b1", "1900", "", ""),
        row(
            "\"quoted, id\"",
            "8/8/8/8/8/k7/4p3/6K1 w - - 0 1",
            "g1g2 e2e1n g2f1 e1c2",
            "1500",
            "",
            "",
        ),
    ];
    format!("\u{feff}{HEADER}{}cut,7k/8", rows.concat()).replace('\n', "\r\n")
}

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let write = |name: &str, text: &str| {
        fs::write(workspace.path().join(name), text).expect("written");
    };
    write("lichess.csv", &lichess());
    write(
        "tests.epd",
        "8/1p6/p5R1/k7/Prpp4/K7/1NP5/8 w - - am Rd6; bm Rb6 Rg5+; id \"WAC.274\";\n\
         7k/8/8/8/8/8/8/K7 w - - am Kb2;\n7k/8/8/8/8/8/8/K7 w - - id \"none\";\n",
    );
    write(
        "games.pgn",
        "[Site \"https://lichess.org/AAAAAAAA\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n\
         [Site \"https://lichess.org/BBBBBBBB\"]\n\n1. d4 d5 1/2-1/2\n\n[Site \"?\"]\n\n1. e4 *\n",
    );
    write("histories.jsonl", "{\"id\": \"two\", \"moves\": \"e2e4\"}\n{\"id\": 3}\n");
    workspace
}

fn manifest(workspace: &Workspace, name: &str) -> Value {
    let text = fs::read_to_string(workspace.path().join(name)).expect("a manifest");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_suite_and_its_manifest() {
    let workspace = workspace();
    let arguments = [
        "suite",
        "build",
        "--from",
        "lichess.csv",
        "tests.epd",
        "--games",
        "games.pgn",
        "--histories",
        "histories.jsonl",
        "--out",
        "suite.csv",
    ];
    insta::assert_snapshot!("suite_built", without_sums(&workspace.print(&arguments, "")));
    let suite = fs::read_to_string(workspace.path().join("suite.csv")).expect("a suite");
    insta::assert_snapshot!("suite_file", suite);
    let text = fs::read_to_string(workspace.path().join("suite.manifest.json")).expect("written");
    insta::assert_snapshot!("suite_manifest", without_sums(&text));

    // Any number of threads writes the same, and so does a suite built from a suite.
    for (from, threads) in [("lichess.csv", "1"), ("lichess.csv", "3")] {
        let again = [
            "--threads",
            threads,
            "suite",
            "build",
            "--from",
            from,
            "--out",
            "again.csv.gz",
            "--force",
        ];
        workspace.print(&again, "");
    }
    let copy = ["suite", "build", "--from", "suite.csv", "--out", "copy.csv"];
    workspace.print(&copy, "");
    assert_eq!(fs::read_to_string(workspace.path().join("copy.csv")).expect("a suite"), suite);
}

#[test]
fn networks_are_scored_on_built_suites() {
    let workspace = workspace();
    workspace.print(&["suite", "build", "--from", "lichess.csv", "--out", "s.csv.zst"], "");
    let score =
        ["puzzles", ATTENTION, "--suite", "s.csv.zst", "--json", "--rule", "multi-solution"];
    let score: Value = serde_json::from_str(&workspace.print(&score, "")).expect("JSON");
    assert_eq!((&score["total"], &score["unproved"]), (&4.into(), &0.into()));
    assert_eq!(score["rule"], "multi-solution");
    let sum = &manifest(&workspace, "s.manifest.json")["sha256"];
    assert_eq!(&score["suite_sha256"], sum);
}

#[test]
fn draws_from_strata() {
    let workspace = workspace();
    let build = |more: &[&str]| {
        let base = [
            "suite",
            "build",
            "--from",
            "lichess.csv",
            "--out",
            "s.csv",
            "--force",
            "--no-acceptable",
        ];
        without_sums(&workspace.print(&[&base[..], more].concat(), ""))
    };
    insta::assert_snapshot!(
        "suite_strata",
        build(&["--count", "1", "--stratify", "rating", "--rating-bin", "1000"])
    );
    let themes = build(&["--count", "1", "--stratify", "theme", "--theme", "mate", "quiet"]);
    assert!(themes.starts_with("s.csv: 2 puzzles "), "{themes}");
    let few = build(&["--count", "9", "--seed", "3"]);
    assert!(few.contains("fewer than the 9 asked for: all were taken"), "{few}");
    let one = build(&["--mate-depth", "2"]);
    assert!(one.starts_with("s.csv: 1 puzzle "), "{one}");
    let some = build(&["--rating", "1000..", "--exclude", "tests.epd"]);
    assert!(some.contains("1  excluded") || some.contains("other rating"), "{some}");
}

#[test]
fn what_cannot_be_built_is_an_error() {
    let workspace = workspace();
    let folder = workspace.path();
    let whole = fs::read(folder.join("lichess.csv")).expect("there");
    fs::write(folder.join("empty.csv"), "").expect("written");
    fs::write(folder.join("other.csv"), "Name,Value\n").expect("written");
    fs::write(folder.join("head.csv"), HEADER).expect("written");
    fs::write(folder.join("cut.csv.gz"), [&[0x1f, 0x8b, 8, 0], &whole[..20]].concat())
        .expect("written");
    let check = |arguments: &[&str], start: &str, rest: &str| {
        let base = ["suite", "build", "--out", "s.csv"];
        let error = workspace.refuse(&[&base[..], arguments].concat());
        assert!(error.starts_with(&format!("error: {start}")), "{error}");
        assert!(error.contains(rest), "{error}");
        assert!(!folder.join("s.csv").exists() && !folder.join("s.manifest.json").exists());
    };
    check(&["--from", "nowhere.csv"], "nowhere.csv: ", "No such file");
    check(&["--from", "empty.csv"], "empty.csv: is empty", "names of the columns");
    check(&["--from", "other.csv"], "other.csv, line 1: ", "PuzzleId");
    check(&["--from", "cut.csv.gz"], "cut.csv.gz, line 1: ", "cut off");
    check(&["--from", "head.csv"], "no puzzle is left of 0 rows", "");
    let strict = ["--from", "lichess.csv", "--strict"];
    check(&strict, "lichess.csv, line 6: expected 10 fields, found 2", "");
    let tests = ["--from", "tests.epd", "--strict"];
    check(&tests, "tests.epd, line 3: ", "neither the operation bm (best move) nor am");
    let none = ["--from", "lichess.csv", "--theme", "nonsense"];
    check(&none, "no puzzle is left of 14 rows: ", "5 other themes");
    let exclude = ["--from", "lichess.csv", "--exclude", "other.csv"];
    check(&exclude, "other.csv, line 1: ", "PuzzleId");
    let games = ["--from", "lichess.csv", "--games", "nowhere.pgn"];
    check(&games, "nowhere.pgn: ", "No such file");
    let histories = ["--from", "tests.epd", "--strict", "--histories", "histories.jsonl"];
    check(&histories, "histories.jsonl, line 2: expected {\"id\":", "line 1 column");
    check(&["--from", "lichess.csv", "--rating", "9..1"], "invalid value", "both ends included");
    check(&["--from", "lichess.csv", "--count", "0"], "invalid value", "--count");
    check(&["--from", "lichess.csv", "--stratify", "theme"], "the following required", "--count");
    check(&[], "the following required", "--from");

    let build = ["suite", "build", "--from", "lichess.csv", "--out"];
    workspace.print(&[&build[..], &["s.csv"]].concat(), "");
    let error = workspace.refuse(&[&build[..], &["s.csv"]].concat());
    assert_eq!(error, "error: s.csv: exists; --force replaces it\n");
    let error = workspace.refuse(&[&build[..], &["lichess.csv", "--force"]].concat());
    assert!(error.starts_with("error: lichess.csv: is read to build the suite"), "{error}");
    let built = fs::read(folder.join("s.csv")).expect("a suite");
    workspace.refuse(&[&build[..], &["s.csv", "--force", "--strict"]].concat());
    assert_eq!(fs::read(folder.join("s.csv")).expect("still there"), built);
}

fn reference(file: &str) -> Option<PathBuf> {
    fixtures::reference(file)
}

#[test]
fn suites_from_real_files() {
    let Some(mates) = reference("puzzles/lichess_mate_in_1_to_5.csv.zst") else { return };
    let Some(tests) = reference("positions/wac.epd") else { return };
    let Some(others) = reference("puzzles/kagi_puzzles_1000.csv") else { return };
    let workspace = Workspace::new();
    let build = |from: &PathBuf, more: &[&str]| {
        let base = ["suite", "build", "--force", "--strict", "--out", "s.csv.zst", "--from"];
        let from = from.to_str().expect("text");
        workspace.print(&[&base[..], &[from], more].concat(), "");
        manifest(&workspace, "s.manifest.json")
    };
    let few = ["--count", "200", "--seed", "1", "--node-budget", "20000"];
    let suite = build(&mates, &few);
    assert_eq!(suite["puzzles"], 200);
    assert_eq!(suite["sources"][0]["rows"], 23_024);
    let acceptable = &suite["acceptable"];
    let number = |value: &Value| value.as_u64().expect("a number");
    let of_kind = |kind: &str| acceptable["puzzles"][kind].as_u64().unwrap_or(0);
    // All end in mate.
    assert_eq!(of_kind("proved") + of_kind("unproved"), 200);
    assert!(of_kind("proved") >= 120, "{acceptable}");
    assert!(number(&acceptable["moves"]) > number(&acceptable["positions"]), "{acceptable}");
    // The same bytes, whatever the threads.
    let again = build(&mates, &[&few[..], &["--threads", "1"]].concat());
    assert_eq!(again["sha256"], suite["sha256"]);

    let suite = build(&tests, &[]);
    assert_eq!((&suite["puzzles"], &suite["sources"][0]["format"]), (&300.into(), &"epd".into()));
    assert_eq!(suite["acceptable"]["puzzles"]["given"], 300);

    let suite = build(&others, &["--node-budget", "20000"]);
    assert_eq!(suite["sources"][0]["rows"], 1000);
    let dropped = suite["sources"][0]["dropped"].as_object().expect("an object");
    assert!(dropped.keys().all(|reason| reason.starts_with("duplicate")), "{dropped:?}");
}
