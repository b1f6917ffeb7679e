//! Networks measured on puzzles, and the file of results.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use crate::support::{ATTENTION, CLASSICAL, SUITE, Workspace, without_sums};

const EVALUATE: [&str; 5] = ["evaluate", ATTENTION, CLASSICAL, "--suite", SUITE];
const LARGE: &str = "large.csv";
/// Puzzles of the large suite, all different: some 23 blocks.
const LARGE_PUZZLES: u64 = 6 * 8 * 60;

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&EVALUATE[..], more].concat()
}

fn json(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn write_large_suite(workspace: &Workspace) {
    let mut rows = "PuzzleId,FEN,Moves,Rating,Themes\n".to_owned();
    let rank = |piece: char, file: usize| {
        let empty = |count: usize| if count > 0 { count.to_string() } else { String::new() };
        format!("{}{piece}{}", empty(file), empty(7 - file))
    };
    for pawn in 0..6 {
        for knight in 0..8 {
            for clock in 0..60 {
                let (pawn_rank, knight_rank) = (rank('p', pawn), rank('N', knight));
                let solution = ["a1b1", "a1a2"][clock % 2];
                rows += &format!(
                    "{pawn}{knight}{clock},7k/{pawn_rank}/8/8/8/{knight_rank}/8/K7 b - - {clock} 1,\
                     h8g8 {solution},{},endgame\n",
                    800 + 10 * clock
                );
            }
        }
    }
    fs::write(workspace.path().join(LARGE), rows).expect("written");
}

fn start(workspace: &Workspace, arguments: &[&str]) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin("searchless"))
        .current_dir(workspace.path())
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

/// Puzzles answered in all measurements; 0 while there is no file. Opened for writing, because a
/// transaction that was cut off has to be taken back.
fn answered(results: &Path) -> u64 {
    let open = || -> rusqlite::Result<u64> {
        let connection = Connection::open_with_flags(results, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.busy_timeout(Duration::from_secs(10))?;
        connection.query_row("SELECT sum(puzzles) FROM measurement", [], |row| row.get(0))
    };
    open().unwrap_or_default()
}

/// Waits until more than `than` puzzles are answered.
fn wait_for_more(process: &mut Child, results: &Path, than: u64) {
    let started = Instant::now();
    while answered(results) <= than {
        assert!(process.try_wait().expect("a process").is_none(), "it ended by itself");
        assert!(started.elapsed() < Duration::from_secs(120), "no answer in two minutes");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// All answers, as text.
fn dump(results: &Path) -> Vec<String> {
    let connection = Connection::open(results).expect("a file");
    let sound: String =
        connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a word");
    assert_eq!(sound, "ok");
    let mut statement = connection
        .prepare(
            "SELECT format('%s %s %d %d %s %s %d%d%d %!.17g %!.17g %!.17g %!.17g %d %d %!.17g %!.17g %!.17g',
                 network, id, puzzle, ply, acceptable, played, strict, immediate_mate,
                 multi_solution, log_p_strict, log_p_immediate_mate, log_p_multi_solution,
                 log_p_marked, marked_rank, accepted_rank, p_played, p_runner_up, win)
             FROM answers ORDER BY network, puzzle, ply",
        )
        .expect("our tables");
    let rows = statement.query_map([], |row| row.get(0)).expect("rows");
    rows.map(|row| row.expect("text")).collect()
}

#[test]
fn tables() {
    let workspace = Workspace::new();
    let by = ["--by", "rating", "--by", "theme", "--by", "mate-depth", "--bootstrap", "200"];
    let printed = workspace.print(&with(&by), "");
    insta::assert_snapshot!(without_sums(&printed));
    // The second time nothing is computed, and nothing is written.
    let results = workspace.path().join("results.sqlite");
    let before = fs::read(&results).expect("a file");
    assert_eq!(workspace.print(&with(&by), ""), printed);
    assert!(fs::read(&results).expect("a file") == before);
    let alone = ["evaluate", CLASSICAL, "--suite", SUITE, "--limit", "2", "--rule", "strict"];
    insta::assert_snapshot!("one_network", without_sums(&workspace.print(&alone, "")));
}

#[test]
fn lines_of_json() {
    let workspace = Workspace::new();
    let by = ["--by", "theme", "--least", "2", "--bootstrap", "200", "--json"];
    let printed = workspace.print(&with(&by), "");
    insta::assert_snapshot!(without_sums(&printed));
    let other = ["--results", "other.sqlite", "--threads", "3"];
    assert_eq!(workspace.print(&[&with(&by)[..], &other].concat(), ""), printed);
    // The accuracy is that of the command that keeps nothing.
    for rule in ["strict", "immediate-mate", "multi-solution"] {
        let puzzles = ["puzzles", ATTENTION, CLASSICAL, "--suite", SUITE, "--json", "--rule", rule];
        let lines = json(&workspace.print(&puzzles, ""));
        for (line, measured) in lines.iter().zip(json(&printed)) {
            for field in ["total", "solved", "accuracy", "low", "high"] {
                assert_eq!(line[field], measured["rules"][rule][field], "{rule} {field}");
            }
        }
    }
}

#[test]
fn more_puzzles_and_more_suites_go_on_with_what_is_there() {
    let workspace = Workspace::new();
    let results = workspace.path().join("results.sqlite");
    let whole = workspace.print(&with(&["--results", "whole.sqlite", "--json"]), "");
    workspace.print(&with(&["--limit", "1"]), "");
    assert_eq!(answered(&results), 2);
    workspace.print(&with(&["--limit", "2"]), "");
    assert_eq!(answered(&results), 4);
    assert_eq!(workspace.print(&with(&["--json"]), ""), whole);
    assert_eq!(answered(&results), 6);
    assert_eq!(dump(&results), dump(&workspace.path().join("whole.sqlite")));

    // The first puzzles alone are still known.
    let first = json(&workspace.print(&with(&["--limit", "1", "--json"]), ""));
    assert_eq!((&first[0]["puzzles"], &first[0]["positions"]), (&1.into(), &1.into()));

    write_large_suite(&workspace);
    let both = with(&["--suite", LARGE, "--limit", "40", "--json"]);
    let lines = json(&workspace.print(&both, ""));
    let suites: Vec<&Value> = lines.iter().map(|line| &line["suite"]).collect();
    assert_eq!(suites, [SUITE, SUITE, LARGE, LARGE]);
    assert_eq!(answered(&results), 6 + 80);
    // Heads and fills are measurements of their own.
    workspace.print(&with(&["--history-fill", "no"]), "");
    assert_eq!(answered(&results), 6 + 80 + 6);
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let workspace = Workspace::new();
    let path = |name: &str| workspace.path().join(name);
    let suite = fs::read_to_string(path(SUITE)).expect("a suite");
    fs::write(path("cut.csv"), &suite[..suite.len() - 20]).expect("written");
    fs::write(path("text.sqlite"), suite.repeat(20)).expect("written");
    let check = |arguments: &[&str], start: &str, rest: &str| {
        let error = workspace.refuse(arguments);
        assert!(error.starts_with(&format!("error: {start}")), "{error}");
        assert!(error.contains(rest), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    };
    check(&with(&["--results", "text.sqlite"]), "text.sqlite: is not an SQLite file", "--results");
    check(&with(&["--results", "no/results.sqlite"]), "no/results.sqlite: ", "unable to open");
    let cut = ["evaluate", ATTENTION, "--suite", "cut.csv"];
    check(&cut, "cut.csv, line 6: ", "--lenient scores what can be read");
    assert!(!path("results.sqlite").exists());
    check(&["evaluate", "none.pb.gz", "--suite", SUITE], "none.pb.gz: ", "No such file");
    let lenient = workspace.print(&[&cut[..], &["--lenient"]].concat(), "");
    assert!(lenient.contains("1: cut-off file (line 6;"), "{lenient}");
    let error = workspace.refuse(&with(&["--by", "colour"]));
    assert!(error.contains("rating, theme, mate-depth"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_measurement_killed_at_any_instant_goes_on() {
    let workspace = Workspace::new();
    write_large_suite(&workspace);
    let evaluate = |results| {
        [
            "evaluate",
            ATTENTION,
            "--suite",
            LARGE,
            "--json",
            "--bootstrap",
            "50",
            "--results",
            results,
        ]
    };
    let whole = workspace.print(&evaluate("whole.sqlite"), "");
    let results = workspace.path().join("killed.sqlite");
    let mut kills = 0;
    let killed = loop {
        let before = answered(&results);
        let mut process = start(&workspace, &evaluate("killed.sqlite"));
        if kills < 8 {
            wait_for_more(&mut process, &results, before);
            process.kill().expect("a process of ours");
        }
        let output = process.wait_with_output().expect("it ends");
        let done = answered(&results);
        if output.status.success() {
            break String::from_utf8(output.stdout).expect("text");
        }
        assert_eq!(output.status.code(), None, "{}", String::from_utf8_lossy(&output.stderr));
        assert!(before < done && done.is_multiple_of(128), "{before} to {done}");
        assert_eq!(dump(&results).len() as u64, done);
        kills += 1;
    };
    assert_eq!(killed, whole);
    assert_eq!(answered(&results), LARGE_PUZZLES);
    assert_eq!(dump(&results), dump(&workspace.path().join("whole.sqlite")));
    assert!(kills >= 4, "{kills} kills");
}

#[cfg(unix)]
#[test]
fn an_interrupted_measurement_says_how_to_go_on() {
    let workspace = Workspace::new();
    write_large_suite(&workspace);
    let results = workspace.path().join("results.sqlite");
    let evaluate = ["evaluate", ATTENTION, "--suite", LARGE, "--by", "rating"];
    let mut process = start(&workspace, &evaluate);
    wait_for_more(&mut process, &results, 0);
    let id = process.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    let output = process.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).expect("text");
    let done = answered(&results);
    assert!(0 < done && done < LARGE_PUZZLES, "{printed}");
    let command = "to go on: searchless evaluate attention.pb.gz --suite large.csv --results \
                   results.sqlite --rule multi-solution --by rating --least 1 --bootstrap 2000 \
                   --seed 1\n";
    assert_eq!(printed, format!("stopped after {done} of 2880 puzzles of {ATTENTION}\n{command}"));

    let words: Vec<&str> = command.trim().split(' ').skip(4).collect();
    let output = workspace.run(&words, "");
    let errors = String::from_utf8(output.stderr).expect("text");
    assert!(errors.contains(&format!("going on after {done} puzzles")), "{errors}");
    assert_eq!(answered(&results), LARGE_PUZZLES);
    let printed = String::from_utf8(output.stdout).expect("text");
    assert_eq!(workspace.print(&words, ""), printed);
}
