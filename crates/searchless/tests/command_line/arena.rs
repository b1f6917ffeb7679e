//! `searchless arena`: matches, their files, and what is left of them after a kill.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{ATTENTION, Workspace};

/// Short games between two networks that know nothing, one of them drawing its moves.
fn arena<'a>(out: &'a str, games: &'a str) -> Vec<&'a str> {
    let players = ["--player", ATTENTION, "--player", "classical.pb.gz,play=adaptive,name=other"];
    let rest = ["--out", out, "--games", games, "--max-plies", "40", "--seed", "7"];
    [&["arena"][..], &players, &rest].concat()
}

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    fs::write(
        workspace.path().join("openings.epd"),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
         rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n",
    )
    .expect("written");
    workspace
}

/// The lines of a report that do not depend on the clock.
fn timeless(report: &str) -> String {
    report
        .lines()
        .filter(|line| !line.contains("games/s"))
        .fold(String::new(), |text, line| text + line + "\n")
}

fn games(workspace: &Workspace, out: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(workspace.path().join(out).join("games.pgn")).expect("games");
    text.split_inclusive("\n\n[Event")
        .map(|game| game.replace("[Event", "").trim().to_owned())
        .collect()
}

#[test]
fn a_match_is_played_rated_and_verified() {
    let workspace = workspace();
    let openings = ["--openings", "openings.epd"];
    let report = workspace.print(&[&arena("match", "8")[..], &openings].concat(), "");
    insta::assert_snapshot!("arena", timeless(&report));

    let verified =
        workspace.print(&["arena", "--verify", "match/games.pgn", "--max-plies", "40"], "");
    insta::assert_snapshot!("arena_verify", verified);

    // All games are there: nothing is played again, and the table is the same.
    let again = workspace.print(&["arena", "--resume", "match"], "");
    assert_eq!(again, timeless(&report).replace("\n\n\n", "\n\n"));
    let error = workspace.refuse(&arena("match", "8"));
    assert!(error.contains("already holds a match"), "{error}");
}

#[test]
fn results_do_not_depend_on_threads_or_on_what_is_played_beside() {
    let workspace = workspace();
    workspace.print(&arena("one", "6"), "");
    let few = ["--threads", "1", "--concurrency", "1"];
    workspace.print(&[&arena("two", "6")[..], &few].concat(), "");
    assert_eq!(games(&workspace, "one"), games(&workspace, "two"));
}

#[test]
fn a_killed_match_goes_on_to_the_same_table() {
    let workspace = workspace();
    let whole = workspace.print(&arena("whole", "40"), "");
    let mut kills = 0;
    let mut arguments = [&arena("killed", "40")[..], &["--concurrency", "2"]].concat();
    loop {
        let mut process = Command::new(assert_cmd::cargo::cargo_bin("searchless"))
            .current_dir(workspace.path())
            .args(&arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let path = workspace.path().join("killed/games.pgn");
        let length = || fs::metadata(&path).map_or(0, |file| file.len());
        let (before, begun) = (length(), Instant::now());
        // Killed a moment after it has written something, or at its end.
        let ended = loop {
            if let Some(status) = process.try_wait().expect("a process") {
                break Some(status);
            }
            if length() > before + 2000 || begun.elapsed() > Duration::from_secs(60) {
                break None;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        if let Some(status) = ended {
            assert!(status.success());
            break;
        }
        process.kill().expect("killed");
        process.wait().expect("ended");
        kills += 1;
        arguments = vec!["arena", "--resume", "killed", "--concurrency", "2"];
    }
    assert!(kills > 0, "the match was over before it could be killed");
    let table = workspace.print(&["arena", "--resume", "killed"], "");
    assert_eq!(table.replace("killed/", "whole/"), timeless(&whole).replace("\n\n\n", "\n\n"));
    assert_eq!(games(&workspace, "whole"), games(&workspace, "killed"));
}

#[test]
fn what_cannot_be_played_is_refused() {
    let workspace = workspace();
    let check = |arguments: &[&str], expected: &str| {
        let error = workspace.refuse(arguments);
        assert!(error.contains(expected), "{arguments:?}: {error}");
        assert!(!workspace.path().join("out").exists(), "{arguments:?}");
    };
    let two = ["arena", "--out", "out", "--player", ATTENTION, "--player"];
    let with = |player: &'static str| [&two[..], &[player]].concat();
    check(&["arena", "--out", "out", "--player", ATTENTION], "needs two players or more");
    check(&with(ATTENTION), "two players are called");
    check(&with("nowhere.pb.gz"), "nowhere.pb.gz");
    check(&with("classical.pb.gz,play=best"), "'best' is no way to choose moves");
    check(&with("classical.pb.gz,nodes=5"), "'nodes' is no setting here");
    check(&with("engine:stockfish"), "an engine needs one of nodes, depth, movetime and tc");
    check(&with("engine:stockfish,nodes=0"), "nodes=0: expected a number of at least 1");
    check(&with("engine:stockfish,tc=x"), "tc=x: expected seconds and increment");
    let odd = [&with("classical.pb.gz")[..], &["--games", "3"]].concat();
    check(&odd, "the number must be even");
    let books = [&with("classical.pb.gz")[..], &["--openings", "nowhere.epd"]].concat();
    check(&books, "nowhere.epd");
    // The counts are printed, and the exit code says that something is wrong.
    let output = workspace.run(&["arena", "--verify", "openings.epd"], "");
    assert_eq!(output.status.code(), Some(2));
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(printed.contains("are wrong"), "{printed}");
}

#[cfg(unix)]
#[test]
fn an_engine_in_another_process_plays() {
    let workspace = workspace();
    let binary = assert_cmd::cargo::cargo_bin("searchless");
    let network = workspace.path().join(ATTENTION);
    let engine = format!(
        "engine:{},name=process,nodes=1,arg=uci,arg=--network,arg={}",
        binary.display(),
        network.display()
    );
    let report = workspace.print(
        &[
            "arena",
            "--player",
            ATTENTION,
            "--player",
            &engine,
            "--out",
            "match",
            "--games",
            "2",
            "--max-plies",
            "30",
        ],
        "",
    );
    // The same network on both sides: what one game wins the other loses, or both are drawn.
    assert!(report.contains("50.0%"), "{report}");
    assert!(!report.contains("forfeited"), "{report}");
}
