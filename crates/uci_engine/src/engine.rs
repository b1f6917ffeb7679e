//! A running engine.

use std::time::Duration;

use chess::Game;

use crate::command::EngineCommand;
use crate::error::{EngineError, EngineProblem};
use crate::information::Information;
use crate::process::Process;
use crate::search::{Search, SearchLimit};

/// An engine that has been started and set up. Dropped, it is ended.
#[derive(Debug)]
pub struct UciEngine {
    process: Process,
    program: String,
    name: String,
    patience: Duration,
}

impl UciEngine {
    /// Starts the engine, sets its options and waits until it is ready.
    ///
    /// # Errors
    ///
    /// Where it cannot be started, does not speak UCI, or does not know an option.
    pub fn start(command: &EngineCommand) -> Result<UciEngine, EngineError> {
        let program = command.name();
        start(command, &program).map_err(|problem| problem.of(&program))
    }

    /// The name by which it introduced itself, else that of its program.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tells it that the next position is of another game, and waits until it is ready.
    ///
    /// # Errors
    ///
    /// Where it does not answer.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        let patience = self.patience;
        let told =
            self.process.write("ucinewgame").and_then(|()| ready(&mut self.process, patience));
        told.map_err(|problem| problem.of(&self.program))
    }

    /// Lets it search the current position of `game`, which has a legal move. It has `patience`
    /// to answer, which should be well over what `limit` takes.
    ///
    /// # Errors
    ///
    /// Where it ends, keeps silent, or answers with what is no legal move. It should not be asked
    /// again then: an answer may still come, and be taken for that to the next question.
    pub fn search(
        &mut self,
        game: &Game,
        limit: SearchLimit,
        patience: Duration,
    ) -> Result<Search, EngineError> {
        self.searched(game, limit, patience).map_err(|problem| problem.of(&self.program))
    }

    fn searched(
        &mut self,
        game: &Game,
        limit: SearchLimit,
        patience: Duration,
    ) -> Result<Search, EngineProblem> {
        self.process.write(&position(game))?;
        self.process.write(&limit.go())?;
        let mut information = Information::default();
        let answer = self.process.await_answer("bestmove", patience, |line| {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "info" => information.read(rest, game),
                "bestmove" => {
                    return Some(rest.split_ascii_whitespace().next().unwrap_or("").to_owned());
                }
                _ => {}
            }
            None
        })?;
        let best = game
            .parse_uci(&answer)
            .map_err(|_| EngineProblem::IllegalMove { answer, fen: game.fen() })?;
        let settled = information.settled(best);
        let (variations, nodes) = information.finish();
        Ok(Search { best, variations, nodes, settled })
    }
}

fn start(command: &EngineCommand, program: &str) -> Result<UciEngine, EngineProblem> {
    let mut process = Process::start(command)?;
    process.write("uci")?;
    let (mut name, mut offered) = (program.to_owned(), Vec::new());
    process.await_answer("uciok", command.patience, |line| {
        if let Some(said) = line.strip_prefix("id name ") {
            said.trim().clone_into(&mut name);
        } else if let Some(option) = line.strip_prefix("option name ") {
            let end = option.find(" type ").unwrap_or(option.len());
            offered.push(option[..end].to_owned());
        }
        (line == "uciok").then_some(())
    })?;
    let offers = |option: &str| offered.iter().any(|known| known.eq_ignore_ascii_case(option));
    if let Some((option, _)) = command.options.iter().find(|(option, _)| !offers(option)) {
        return Err(EngineProblem::UnknownOption { option: option.clone(), offered });
    }
    let preferences = command.preferences.iter().filter(|(option, _)| offers(option));
    for (option, value) in preferences.chain(&command.options) {
        if [option, value].iter().any(|text| text.contains(['\n', '\r'])) {
            return Err(EngineProblem::OptionText { option: option.clone() });
        }
        process.write(&format!("setoption name {option} value {value}"))?;
    }
    ready(&mut process, command.patience)?;
    Ok(UciEngine { process, program: program.to_owned(), name, patience: command.patience })
}

fn ready(process: &mut Process, patience: Duration) -> Result<(), EngineProblem> {
    process.write("isready")?;
    process.await_answer("readyok", patience, |line| (line == "readyok").then_some(()))
}

/// The command that shows the engine a game with its history.
fn position(game: &Game) -> String {
    let start = game.start_fen();
    let mut command = if start == Game::new().start_fen() {
        "position startpos".to_owned()
    } else {
        format!("position fen {start}")
    };
    if !game.moves().is_empty() {
        command += " moves";
    }
    for &played in game.moves() {
        command.push(' ');
        command += &game.uci(played);
    }
    command
}
