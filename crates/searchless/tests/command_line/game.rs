//! A whole game of the engine against itself, as a GUI's match tool would play it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use chess::{Game, Rules};

use crate::support::{ATTENTION, CLASSICAL, Workspace};

/// An engine process and its pipes.
struct Player {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Player {
    fn start(workspace: &Workspace, network: &str, seed: u32) -> Player {
        let mut process = Command::new(assert_cmd::cargo::cargo_bin("searchless"))
            .current_dir(workspace.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut player = Player { process, input, output };
        player.say("uci");
        player.wait_for("uciok");
        player.say(&format!("setoption name WeightsFile value {network}"));
        player.say("setoption name Threads value 1");
        player.say("setoption name Temperature value 1");
        player.say(&format!("setoption name Seed value {seed}"));
        player.say("ucinewgame");
        player.say("isready");
        player.wait_for("readyok");
        player
    }

    fn say(&mut self, command: &str) {
        writeln!(self.input, "{command}").expect("the engine listens");
    }

    /// The rest of the next line that starts with `start`.
    fn wait_for(&mut self, start: &str) -> String {
        loop {
            let mut line = String::new();
            let length = self.output.read_line(&mut line).expect("the engine speaks");
            assert!(length > 0, "the engine ended before it said {start}");
            assert!(!line.starts_with("info string error"), "{line}");
            if let Some(rest) = line.strip_prefix(start) {
                return rest.trim().to_owned();
            }
        }
    }

    fn quit(mut self) {
        self.say("quit");
        assert!(self.process.wait().expect("the engine ends").success());
    }
}

/// The moves of a game, and why it ended.
fn play(workspace: &Workspace, start: Option<&str>) -> (Vec<String>, String) {
    let mut players =
        [Player::start(workspace, ATTENTION, 1), Player::start(workspace, CLASSICAL, 2)];
    let mut game = start.map_or_else(Game::new, |fen| Game::from_fen(fen).expect("a position"));
    let rules = Rules { ply_cap: Some(400) };
    let mut moves: Vec<String> = Vec::new();
    while game.ending(&rules).is_none() {
        let player = &mut players[moves.len() % 2];
        let start = start.map_or_else(|| "startpos".to_owned(), |fen| format!("fen {fen}"));
        player.say(&format!("position {start} moves {}", moves.join(" ")));
        player.say("go wtime 1000 btime 1000");
        let uci = player.wait_for("bestmove ");
        game.play_uci(&uci).expect("the engine plays by the rules");
        moves.push(uci);
    }
    players.into_iter().for_each(Player::quit);
    let ending = game.ending(&rules).expect("the loop has ended");
    (moves, ending.to_string())
}

#[test]
fn whole_games_by_the_rules() {
    let workspace = Workspace::new();
    // A rook each, so that castling, promotion and mate come about in random play.
    let endgame = "r3k3/1P5p/8/8/8/8/1p5P/4K2R w Kq - 0 1";
    for start in [None, Some(endgame)] {
        let (moves, ending) = play(&workspace, start);
        assert!(moves.len() > 1, "{ending}");
        // Seeded, a game can be played again.
        assert_eq!(play(&workspace, start), (moves, ending));
    }
}
