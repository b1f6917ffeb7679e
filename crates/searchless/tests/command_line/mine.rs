//! `searchless suite mine`: from games to puzzles that networks are scored on.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{ATTENTION, Workspace, without_sums};

/// An engine for the games below: it sees the mate that Black overlooks, and is told apart from
/// others by what it does elsewhere, `$trouble`.
const ENGINE: &str = r#"
answer() { first="$1"; second="$2"; }
while read word rest; do case "$word" in
    uci) echo "id name Oracle"; echo "option name MultiPV type spin default 1"; echo uciok;;
    isready) echo readyok;;
    position) case "$rest" in
        *startpos) answer "cp 20 nodes 9 pv e2e4" "cp 10 nodes 9 pv d2d4";;
        *e2e4) answer "cp 0 nodes 9 pv e7e5" "cp 0 nodes 9 pv e7e6";;
        *e7e5) answer "cp 0 nodes 9 pv g1f3" "cp 0 nodes 9 pv f1c4";;
        *f1c4) answer "cp 0 nodes 9 pv b8c6" "cp 0 nodes 9 pv g8f6"; TROUBLE;;
        *b8c6) answer "cp 0 nodes 9 pv g1f3" "cp 0 nodes 9 pv d1h5";;
        *d1h5) answer "cp 0 nodes 9 pv g7g6" "cp 0 nodes 9 pv d8e7";;
        *g8f6) answer "mate 1 nodes 64 pv h5f7" "cp 10 nodes 64 pv h5e5";;
        esac;;
    go) echo "info depth 1 multipv 1 score $first"; echo "info depth 1 multipv 2 score $second";
        echo "bestmove ${first##* }";;
    quit) exit;;
esac; done"#;

/// A mate overlooked, a game without a mistake, one that cannot be read, and the first again.
const GAMES: &str = "[Site \"https://games.example/7\"]\n\n\
    1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n1. e4 e5 *\n\n1. Ke2 *\n\n\
    1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    fs::write(workspace.path().join("games.pgn"), GAMES).expect("written");
    workspace
}

fn mine(workspace: &Workspace, trouble: &str, more: &[&str]) -> String {
    let engine = ENGINE.replace("TROUBLE", trouble);
    let base = ["suite", "mine", "--games", "games.pgn", "--engine", "sh", "--engine-argument"];
    let arguments = [&base[..], &["-c", "--engine-argument", &engine], more].concat();
    without_sums(&workspace.print(&arguments, ""))
}

#[test]
fn a_suite_is_mined_and_networks_are_scored_on_it() {
    let workspace = workspace();
    let printed = mine(&workspace, ":", &["--out", "own.csv"]);
    insta::assert_snapshot!("mine", printed);
    let read = |name: &str| fs::read_to_string(workspace.path().join(name)).expect("written");
    insta::assert_snapshot!("mine_suite", read("own.csv"));
    let manifest: Value = serde_json::from_str(&read("own.manifest.json")).expect("JSON");
    assert_eq!((&manifest["engine"]["name"], &manifest["puzzles"]), (&"Oracle".into(), &1.into()));
    let options = serde_json::json!([["Threads", "1"], ["Hash", "16"], ["MultiPV", "2"]]);
    assert_eq!(manifest["engine"]["options"], options);

    // What is there is not done again, and the number of engines does not matter.
    let suite = read("own.csv");
    let again = ["--out", "own.csv", "--force", "--engines", "3"];
    assert_eq!(mine(&workspace, ":", &again), printed);
    fs::remove_file(workspace.path().join("own.mining.jsonl")).expect("there was work");
    assert_eq!(mine(&workspace, ":", &again), printed);
    assert_eq!(read("own.csv"), suite);

    let puzzles = ["puzzles", ATTENTION, "--suite", "own.csv", "--json"];
    let score: Value = serde_json::from_str(&workspace.print(&puzzles, "")).expect("JSON");
    assert_eq!((&score["total"], &score["suite_sha256"]), (&1.into(), &manifest["sha256"]));
    let built = ["suite", "build", "--from", "own.csv", "--mate-depth", "1", "--out", "b.csv"];
    let built = workspace.print(&[&built[..], &["--require-history"]].concat(), "");
    assert!(built.starts_with("b.csv: 1 puzzle "), "{built}");
    let evaluate = ["evaluate", ATTENTION, "--suite", "own.csv", "--by", "mate-depth"];
    let evaluated = workspace.print(&evaluate, "");
    assert!(evaluated.contains("mate in 1"), "{evaluated}");
}

#[test]
fn an_engine_that_crashes_costs_a_position() {
    let workspace = workspace();
    let printed = mine(&workspace, "exit 3", &["--out", "own.csv.zst", "--engines", "1"]);
    assert!(printed.starts_with("own.csv.zst: 1 puzzle "), "{printed}");
    assert!(printed.contains("       1  the engine ended\n"), "{printed}");
    assert!(printed.ends_with("restarts of engines: 2"), "{printed}");
}

#[test]
fn what_cannot_be_mined_is_refused() {
    let workspace = workspace();
    let check = |arguments: &[&str], expected: &str| {
        let base = ["suite", "mine", "--games", "games.pgn", "--out", "own.csv"];
        let error = workspace.refuse(&[&base[..], arguments].concat());
        assert!(error.contains(expected), "{arguments:?}: {error}");
        assert!(!workspace.path().join("own.csv").exists());
    };
    check(&[], "--engine");
    check(&["--engine", "/nowhere/engine"], "cannot be started");
    check(&["--engine", "sh", "--winning", "0.4"], "winning is 0.4, expected above 0.5");
    check(&["--engine", "sh", "--nodes", "0"], "nodes is 0, expected 1 or more");
    check(&["--engine", "sh", "--count", "0"], "--count");
    check(&["--engine", "sh", "--patience", "0"], "'0' is no time above 0");
    check(&["--engine", "sh", "--option", "Hash"], "expected NAME=VALUE");
    let engine = ENGINE.replace("TROUBLE", ":");
    let script = ["--engine", "sh", "--engine-argument", "-c", "--engine-argument", &engine];
    check(&[&script[..], &["--exclude", "nowhere.csv"]].concat(), "nowhere.csv");
    check(&[&script[..], &["--strict"]].concat(), "games.pgn, line 7: ");
    let tactics = [&script[..], &["--kind", "tactics"]].concat();
    check(&tactics, "no puzzle was found in 2 games, 1 candidates: 1 a mate");
    check(&script, "was begun with settings.kind \"tactics\", and not \"both\"");

    fs::remove_file(workspace.path().join("own.mining.jsonl")).expect("there was work");
    mine(&workspace, ":", &["--out", "own.csv"]);
    let base = ["suite", "mine", "--games", "games.pgn", "--engine", "sh", "--out"];
    let error = workspace.refuse(&[&base[..], &["own.csv"]].concat());
    assert_eq!(error, "error: own.csv: exists; --force replaces it\n");
    let error = workspace.refuse(&[&base[..], &["games.pgn", "--force"]].concat());
    assert!(error.contains("games.pgn: is read to mine the suite"), "{error}");
}

/// Blunders that Stockfish punishes: a queen given away, and short mates.
const REAL_GAMES: &str = "\
    1. e4 d6 2. Qg4 Bxg4 0-1\n\n\
    1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n\n\
    1. f3 e5 2. g4 Qh4# 0-1\n\n\
    1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n\
    1. e4 c5 2. Nf3 Nc6 3. d4 cxd4 4. Nxd4 e5 5. Nf5 d5 *\n\n\
    1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Nbd7 5. cxd5 exd5 6. Nxd5 Nxd5 7. Bxd8 Bb4+ 0-1\n";

#[test]
fn stockfish_mines_real_puzzles() {
    let known = Path::new("/usr/games/stockfish");
    let engine = if known.exists() { known } else { Path::new("stockfish") };
    if std::process::Command::new(engine).stdin(std::process::Stdio::null()).output().is_err() {
        println!("SKIPPED: there is no Stockfish");
        return;
    }
    let workspace = workspace();
    fs::write(workspace.path().join("real.pgn"), REAL_GAMES).expect("written");
    let engine = engine.to_str().expect("text");
    let arguments = ["suite", "mine", "--games", "real.pgn", "--engine", engine, "--nodes"];
    let more = ["20000", "--look-nodes", "500", "--out", "real.csv", "--engines", "2"];
    workspace.print(&[&arguments[..], &more].concat(), "");
    let suite = fs::read_to_string(workspace.path().join("real.csv")).expect("a suite");
    // The mates do not depend on the engine's version.
    for (moves, theme) in [
        (",g2g4 d8h4,", "mateIn1"),
        (",g8f6 h5f7,", "mateIn1"),
        (",g4d1 c4f7 e8e7 c3d5,", "mateIn2"),
    ] {
        let row = suite.lines().find(|row| row.contains(moves));
        assert!(row.is_some_and(|row| row.contains(theme)), "{moves}: {suite}");
    }
    assert!(suite.contains(",d1g4 c8g4,"), "{suite}");
    // The same bytes again.
    let again = ["20000", "--look-nodes", "500", "--out", "again.csv", "--engines", "1"];
    workspace.print(&[&arguments[..], &again].concat(), "");
    assert_eq!(fs::read_to_string(workspace.path().join("again.csv")).expect("a suite"), suite);
}
