//! Engines that play, each in a thread of its own.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use chess::{Game, Move};
use uci_engine::{EngineCommand, EngineError, EngineProblem, SearchLimit, UciEngine};

use crate::record::{Fault, FaultKind};
use crate::schedule::{GameNumber, PlayerIndex};

/// One process of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Seat(usize);

/// A position to be answered.
struct Question {
    number: GameNumber,
    /// Whether it is the first of its game.
    is_new: bool,
    game: Game,
    limit: SearchLimit,
    patience: Duration,
}

/// What became of a question.
pub(crate) struct Answer {
    /// Its game.
    pub(crate) number: GameNumber,
    /// The move and the time that it took, or what the engine did instead.
    pub(crate) played: Result<(Move, Duration), Fault>,
}

/// Processes of all engines of a tournament, and which of them are free.
pub(crate) struct EnginePool {
    questions: Vec<Sender<Question>>,
    players: Vec<PlayerIndex>,
    free: Vec<Seat>,
    answers: Receiver<Answer>,
}

impl EnginePool {
    /// Starts `processes` of each engine.
    ///
    /// # Errors
    ///
    /// Where one cannot be started.
    pub(crate) fn start<'scope>(
        engines: &[(PlayerIndex, &EngineCommand)],
        processes: NonZeroUsize,
        scope: &'scope Scope<'scope, '_>,
    ) -> Result<EnginePool, EngineError> {
        let (answer, answers) = channel();
        let (mut questions, mut players) = (Vec::new(), Vec::new());
        for &(player, command) in engines {
            for _ in 0..processes.get() {
                let engine = UciEngine::start(command)?;
                let (sender, receiver) = channel();
                let (command, answer) = (command.clone(), answer.clone());
                let _: ScopedJoinHandle<'_, ()> =
                    scope.spawn(move || serve(&command, Some(engine), &receiver, &answer));
                questions.push(sender);
                players.push(player);
            }
        }
        // The last first, so that the first are taken first.
        let free = (0..questions.len()).rev().map(Seat).collect();
        Ok(EnginePool { questions, players, free, answers })
    }

    /// A free process of each of `players`, which are taken together or not at all.
    pub(crate) fn take(&mut self, players: &[PlayerIndex]) -> Option<Vec<Seat>> {
        let mut places = Vec::with_capacity(players.len());
        for player in players {
            let place = (0..self.free.len()).rev().find(|place| {
                self.players[self.free[*place].0] == *player && !places.contains(place)
            })?;
            places.push(place);
        }
        let seats = places.iter().map(|&place| self.free[place]).collect();
        places.sort_unstable();
        for &place in places.iter().rev() {
            self.free.remove(place);
        }
        Some(seats)
    }

    /// Whether any process is free.
    pub(crate) fn has_free(&self) -> bool {
        !self.free.is_empty()
    }

    /// Gives a process back.
    pub(crate) fn give_back(&mut self, seat: Seat) {
        self.free.push(seat);
    }

    /// Asks a process.
    pub(crate) fn ask(
        &self,
        seat: Seat,
        number: GameNumber,
        is_new: bool,
        game: &Game,
        limit: SearchLimit,
        patience: Duration,
    ) {
        let question = Question { number, is_new, game: game.clone(), limit, patience };
        self.questions[seat.0].send(question).expect("a seat's thread listens until it is dropped");
    }

    /// The next answer, if one comes within `patience`.
    pub(crate) fn answer(&self, patience: Duration) -> Option<Answer> {
        self.answers.recv_timeout(patience).ok()
    }
}

/// Answers questions. An engine that has failed is started again for the next.
fn serve(
    command: &EngineCommand,
    mut engine: Option<UciEngine>,
    questions: &Receiver<Question>,
    answers: &Sender<Answer>,
) {
    while let Ok(question) = questions.recv() {
        let played = answer(command, &mut engine, &question);
        if played.is_err() {
            engine = None;
        }
        let played = played.map_err(|error| fault(&error));
        if answers.send(Answer { number: question.number, played }).is_err() {
            return;
        }
    }
}

fn answer(
    command: &EngineCommand,
    engine: &mut Option<UciEngine>,
    question: &Question,
) -> Result<(Move, Duration), EngineError> {
    let engine = match engine {
        Some(engine) => engine,
        None => engine.insert(UciEngine::start(command)?),
    };
    if question.is_new {
        engine.new_game()?;
    }
    let begun = Instant::now();
    let search = engine.search(&question.game, question.limit, question.patience)?;
    Ok((search.best, begun.elapsed()))
}

fn fault(error: &EngineError) -> Fault {
    let kind = match error.problem {
        EngineProblem::Silent { .. } | EngineProblem::Flood { .. } => FaultKind::Hang,
        EngineProblem::IllegalMove { .. } => FaultKind::IllegalMove,
        EngineProblem::Start(_)
        | EngineProblem::Ended { .. }
        | EngineProblem::UnknownOption { .. }
        | EngineProblem::OptionText { .. } => FaultKind::Crash,
    };
    Fault { kind, words: error.to_string() }
}
