//! The UCI engine through its pipes.

use crate::support::{ATTENTION, Workspace};

/// What the engine prints for `commands`, with the network loaded.
fn session(workspace: &Workspace, commands: &str) -> Vec<String> {
    let printed = workspace.print(&["uci", "--network", ATTENTION, "--threads", "2"], commands);
    printed.lines().map(str::to_owned).collect()
}

fn best_moves(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("bestmove ")).collect()
}

#[test]
fn a_session_as_it_is_printed() {
    let workspace = Workspace::new();
    let commands = "uci\nisready\nucinewgame\nposition startpos moves e2e4\ngo nodes 1\n\
                    setoption name UCI_ShowWDL value true\nsetoption name MultiPV value 3\n\
                    go movetime 100\nquit\n";
    insta::assert_snapshot!(session(&workspace, commands).join("\n"));
}

#[test]
fn a_pipe_without_arguments_is_a_gui() {
    let workspace = Workspace::new();
    let commands =
        format!("uci\nsetoption name WeightsFile value {ATTENTION}\nisready\ngo nodes 1\nquit\n");
    let printed = workspace.print(&[], &commands);
    assert!(printed.starts_with("id name Searchless"), "{printed}");
    assert!(printed.contains("\nreadyok\ninfo depth 1 "), "{printed}");
    assert!(printed.contains("\nbestmove "), "{printed}");
}

#[test]
fn every_form_of_go_is_answered_once() {
    let workspace = Workspace::new();
    let one = best_moves(&session(&workspace, "go\nquit\n"))[0].to_owned();
    for go in [
        "go nodes 1",
        "go depth 5",
        "go mate 2",
        "go movetime 10",
        "go wtime 1000 btime 1000 winc 10 binc 10 movestogo 40",
        "go unknown 3",
    ] {
        assert_eq!(best_moves(&session(&workspace, &format!("{go}\nquit\n"))), [&one], "{go}");
    }
}

#[test]
fn infinite_and_ponder_wait_for_the_gui() {
    let workspace = Workspace::new();
    let check = |commands: &str, expected: &[&str]| {
        let lines = session(&workspace, commands);
        let kinds: Vec<&str> = lines
            .iter()
            .map(|line| line.split(' ').next().unwrap_or_default())
            .filter(|kind| *kind != "info")
            .collect();
        assert_eq!(kinds, expected, "{commands:?}");
    };
    check("go infinite\nisready\nstop\nquit\n", &["readyok", "bestmove"]);
    check("go infinite\nponderhit\nisready\nquit\n", &["readyok"]);
    check("go ponder wtime 1 btime 1\nisready\nponderhit\nquit\n", &["readyok", "bestmove"]);
    check("go ponder\nisready\nstop\nstop\nquit\n", &["readyok", "bestmove"]);
    check("go infinite\ngo\nisready\nquit\n", &["bestmove", "bestmove", "readyok"]);
    check("stop\nponderhit\nisready\nquit\n", &["readyok"]);
}

#[test]
fn castling_is_printed_as_the_gui_reads_it() {
    let workspace = Workspace::new();
    let position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n";
    for searched in ["e1g1", "e1h1"] {
        let go = format!("{position}go searchmoves {searched}\n");
        assert_eq!(best_moves(&session(&workspace, &go)), ["e1g1"]);
        let chess960 = format!("setoption name UCI_Chess960 value true\n{go}");
        assert_eq!(best_moves(&session(&workspace, &chess960)), ["e1h1"]);
        // As input both are understood.
        let moved = format!("{} moves {searched} e8e7\ngo\n", position.trim_end());
        let lines = session(&workspace, &moved);
        assert!(!best_moves(&lines).contains(&"(none)"), "{lines:?}");
    }
}

#[test]
fn a_network_without_chess960_says_so_once() {
    let workspace = Workspace::new();
    let on = "setoption name UCI_Chess960 value true\n";
    let warnings = |printed: &str| {
        let said = |line: &&str| line.starts_with("info string the network's input format 1 ");
        printed.lines().filter(said).count()
    };
    let file = format!("setoption name WeightsFile value {ATTENTION}\n");
    let last = "isready\nisready\nquit\n";
    let check = |commands: &[&str], expected: usize| {
        assert_eq!(warnings(&workspace.print(&["uci"], &commands.concat())), expected);
    };
    check(&[&file, last], 0);
    check(&[on, &file, last], 1);
    check(&[&file, "isready\n", on, on, last], 1);
}

#[test]
fn nothing_to_play_is_said_so() {
    let workspace = Workspace::new();
    let check = |commands: &str, expected: &str| {
        let lines = session(&workspace, &format!("{commands}\ngo\nisready\n"));
        assert_eq!(best_moves(&lines), ["(none)"], "{commands}");
        assert!(lines.iter().any(|line| line.starts_with(expected)), "{lines:?}");
        assert_eq!(lines.last().map(String::as_str), Some("readyok"));
    };
    check("position startpos moves f2f3 e7e5 g2g4 d8h4", "info depth 0 score mate 0");
    check("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score cp 0");
    check("position fen nonsense", "info string error: FEN \"nonsense\"");
    check("position startpos moves e2e4 e2e4", "info string error: move \"e2e4\" at ply 2");
    check("position fen 4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "info string error: in 4k3");
    let missing = "info string error: nowhere.pb.gz: ";
    check("setoption name WeightsFile value nowhere.pb.gz", missing);
    let none = "info string error: no network; set the option WeightsFile";
    check("setoption name WeightsFile value <empty>", none);
}

#[test]
fn unknown_words_are_passed_over() {
    let workspace = Workspace::new();
    let lines = session(
        &workspace,
        "hello\n\ndebug on\nregister later\nsetoption name Hash value 1\nisready\n",
    );
    assert_eq!(lines, ["info string error: no option 'Hash'", "readyok"]);
}

#[test]
fn a_seed_is_a_game() {
    let workspace = Workspace::new();
    let moves = |seed: u32, threads: u32| {
        let commands = format!(
            "setoption name Temperature value 1\nsetoption name Threads value {threads}\n\
             setoption name Seed value {seed}\n{}",
            "go\n".repeat(12)
        );
        let lines = session(&workspace, &commands);
        best_moves(&lines).join(" ")
    };
    let first = moves(1, 1);
    assert_eq!(first, moves(1, 3));
    assert_ne!(first, moves(2, 1));
    // The generator runs on: not the same move twelve times.
    let mut distinct: Vec<&str> = first.split(' ').collect();
    distinct.sort_unstable();
    distinct.dedup();
    assert!(distinct.len() > 1, "{first}");
}

#[test]
fn a_negative_temperature_and_other_nonsense_change_nothing() {
    let workspace = Workspace::new();
    let plain = session(&workspace, "go\n");
    let commands = "setoption name Temperature value -1\nsetoption name MultiPV value 0\ngo\n";
    let lines = session(&workspace, commands);
    assert_eq!(lines[2..], plain);
    assert!(lines[..2].iter().all(|line| line.starts_with("info string error: option ")));
}
