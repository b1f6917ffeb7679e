//! Engines that are shell scripts: good ones, and every bad one.

use std::time::Duration;

use chess::Game;

use crate::{
    EngineCommand, EngineError, EngineProblem, PersistentEngine, Score, SearchLimit, UciEngine,
};

/// For engines that keep silent.
const SHORT: Duration = Duration::from_millis(300);

/// For engines that answer, however busy the machine is.
const LONG: Duration = Duration::from_secs(60);

/// An engine that answers to `go` with `answer`, lines of a shell script.
fn engine(answer: &str) -> EngineCommand {
    let script = format!(
        r#"while read word rest; do case "$word" in
            uci) echo "id name Scripted 1"; echo "option name MultiPV type spin default 1"; echo uciok;;
            isready) echo readyok;;
            position) position="$rest";;
            go) {answer};;
            quit) exit;;
        esac; done"#
    );
    shell(&script)
}

fn shell(script: &str) -> EngineCommand {
    let mut command = EngineCommand::new("sh");
    command.arguments = vec!["-c".to_owned(), script.to_owned()];
    command.patience = LONG;
    command
}

fn started(command: &EngineCommand) -> UciEngine {
    UciEngine::start(command).expect("the script starts")
}

fn search(answer: &str) -> Result<crate::Search, EngineError> {
    started(&engine(answer)).search(&Game::new(), SearchLimit::Nodes(1), LONG)
}

#[test]
fn an_engine_is_asked() {
    let command = engine("echo info depth 2 score cp 13 nodes 5 pv e2e4; echo bestmove e2e4");
    let command = command.with_option("multipv", 3).with_preference("Hash", 4);
    let mut engine = started(&command);
    assert_eq!(engine.name(), "Scripted 1");
    engine.new_game().expect("it is ready");
    let game = Game::new();
    let found = engine.search(&game, SearchLimit::Depth(2), LONG).expect("an answer");
    assert_eq!(game.uci(found.best), "e2e4");
    assert_eq!((found.nodes, found.settled), (Some(5), Some(5)));
    assert_eq!(found.variations[0].score, Score::Centipawns(13));
}

#[test]
fn it_sees_the_history() {
    let check = |fen: Option<&str>, moves: &[&str], expected: &str| {
        let mut game = fen.map_or_else(Game::new, |fen| Game::from_fen(fen).expect("a position"));
        moves.iter().for_each(|uci| game.play_uci(uci).expect("a legal move"));
        let legal = game.uci(game.legal_moves()[0]);
        // The position comes back as an illegal move.
        let answer = r#"echo bestmove "$(echo $position | tr ' ' _)""#;
        let error = started(&engine(answer))
            .search(&game, SearchLimit::Nodes(1), LONG)
            .expect_err("no move");
        let EngineProblem::IllegalMove { answer, .. } = error.problem else {
            panic!("{error}, though {legal} is legal")
        };
        assert_eq!(answer.replace('_', " "), expected);
    };
    check(None, &[], "startpos");
    check(None, &["e2e4", "e7e5"], "startpos moves e2e4 e7e5");
    check(Some("8/8/8/8/8/k7/8/K6R w - - 3 9"), &[], "fen 8/8/8/8/8/k7/8/K6R w - - 3 9");
}

#[test]
fn bad_answers_are_errors() {
    let check = |answer: &str, expected: &str| {
        assert_eq!(search(answer).expect_err(answer).to_string(), expected, "{answer}");
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for answer in ["e2e5", "(none)", "0000", "", "xyzzy"] {
        let expected =
            format!("engine sh: played \"{answer}\", which is no legal move in \"{start}\"");
        check(&format!("echo 'bestmove {answer}'"), &expected);
    }
    check("exit 7", "engine sh: ended (exit status: 7)");
    check("kill -9 $$", "engine sh: ended (signal: 9 (SIGKILL))");
    check(
        "echo info depth 1; exit",
        "engine sh: ended (exit status: 0); its last line was \"info depth 1\"",
    );
}

#[test]
fn silence_is_an_error() {
    let error = started(&engine("exec sleep 100"))
        .search(&Game::new(), SearchLimit::Nodes(1), SHORT)
        .expect_err("no answer");
    assert_eq!(error.to_string(), "engine sh: no bestmove within 0.3 s");
    let mut silent = shell("exec sleep 100");
    silent.patience = SHORT;
    let error = UciEngine::start(&silent).expect_err("no answer");
    assert_eq!(error.to_string(), "engine sh: no uciok within 0.3 s");
}

#[test]
fn what_is_no_engine_is_said() {
    let check = |command: EngineCommand, expected: &str| {
        let error = UciEngine::start(&command).expect_err("not started").to_string();
        assert!(error.starts_with(expected), "{error}");
    };
    check(EngineCommand::new("/nowhere/engine"), "engine engine: cannot be started: ");
    check(shell("exit 1"), "engine sh: ended (exit status: 1)");
    check(
        engine("").with_option("Hash", 16),
        "engine sh: has no option \"Hash\"; it offers MultiPV",
    );
    check(
        engine("").with_option("MultiPV", "1\nquit"),
        "engine sh: option \"MultiPV\" has a line break",
    );
}

#[test]
fn a_line_without_end_is_no_danger() {
    // 200 kB without a line break, then the answer.
    let answer = "head -c 200000 /dev/zero | tr '\\0' a; echo; echo bestmove e2e4";
    search(answer).expect("an answer");
}

#[test]
fn an_engine_that_fails_is_started_again() {
    let folder = std::env::temp_dir();
    // Fails at every position but the second time that it is asked the first one.
    let once = "if [ $tries = 2 ]; then echo bestmove e2e4; else exit 1; fi";
    let marks = folder.join(format!("searchless-persistent-{}", std::process::id()));
    let count = format!("echo >> {0}; tries=$(wc -l < {0})", marks.display());
    let mut engine = PersistentEngine::start(engine(&format!("{count}; {once}"))).expect("started");
    let game = Game::new();
    let mut ask = || engine.search(&game, SearchLimit::Nodes(1), LONG);
    let found = ask().expect("restarted").expect("the second answer is good");
    assert_eq!(game.uci(found.best), "e2e4");
    for _ in 1..20 {
        let error = ask().expect("restarted").expect_err("no answer");
        assert_eq!(error.problem.kind(), "the engine ended");
    }
    assert_eq!(ask().expect_err("broken").to_string(), "engine sh: ended (exit status: 1)");
    // One after the first position, two after each of 19, and one before the last attempt.
    assert_eq!(engine.restarts(), 1 + 2 * 19 + 1);
    std::fs::remove_file(marks).expect("removed");
}
