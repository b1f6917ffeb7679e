//! A game that is over.

use std::fmt;
use std::io;

use chess::pgn::write_game;
use chess::{Color, Ending, Game, Outcome};

use crate::schedule::{Pairing, Schedule};

#[cfg(test)]
mod tests;

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Which of the schedule it is.
    pub pairing: Pairing,
    /// All of it.
    pub game: Game,
    /// Why it is over.
    pub end: GameEnd,
}

/// Why a game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// By a rule of chess, or the cap on its length.
    Rule(Ending),
    /// A player could not go on.
    Forfeit {
        /// Who loses by it.
        loser: Color,
        /// What happened.
        fault: Fault,
    },
}

/// What a player did that a game cannot go on after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// What happened, in words.
    pub words: String,
}

/// Kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// Its process ended or could not be started.
    Crash,
    /// It did not answer.
    Hang,
    /// It answered with what is no legal move.
    IllegalMove,
    /// Its clock ran out.
    Time,
}

/// Values of PGN's `Termination` tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Termination {
    /// By a rule of chess.
    Normal,
    /// By the cap on its length.
    Adjudication,
    /// A player crashed or hung.
    Abandoned,
    /// A player made an illegal move.
    RulesInfraction,
    /// A player's clock ran out.
    TimeForfeit,
}

impl Termination {
    /// All of them.
    pub const ALL: [Termination; 5] = [
        Termination::Normal,
        Termination::Adjudication,
        Termination::Abandoned,
        Termination::RulesInfraction,
        Termination::TimeForfeit,
    ];

    /// The tag's value.
    pub fn name(self) -> &'static str {
        match self {
            Termination::Normal => "normal",
            Termination::Adjudication => "adjudication",
            Termination::Abandoned => "abandoned",
            Termination::RulesInfraction => "rules infraction",
            Termination::TimeForfeit => "time forfeit",
        }
    }

    /// The termination of that name, in any case.
    pub fn by_name(name: &str) -> Option<Termination> {
        Termination::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(name))
    }
}

impl GameEnd {
    /// The result.
    pub fn outcome(&self) -> Outcome {
        match self {
            GameEnd::Rule(ending) => ending.outcome(),
            GameEnd::Forfeit { loser: Color::White, .. } => Outcome::BlackWins,
            GameEnd::Forfeit { loser: Color::Black, .. } => Outcome::WhiteWins,
        }
    }

    /// The value of PGN's tag.
    pub fn termination(&self) -> Termination {
        match self {
            GameEnd::Rule(Ending::PlyCap) => Termination::Adjudication,
            GameEnd::Rule(_) => Termination::Normal,
            GameEnd::Forfeit { fault, .. } => match fault.kind {
                FaultKind::Crash | FaultKind::Hang => Termination::Abandoned,
                FaultKind::IllegalMove => Termination::RulesInfraction,
                FaultKind::Time => Termination::TimeForfeit,
            },
        }
    }
}

/// As in the tag `EndedBy`.
impl fmt::Display for GameEnd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameEnd::Rule(ending) => write!(formatter, "{ending}"),
            GameEnd::Forfeit { loser, fault } => {
                let color = if loser.is_white() { "White" } else { "Black" };
                write!(formatter, "{color} forfeits: {}", fault.words)
            }
        }
    }
}

impl PlayedGame {
    /// Writes the game in PGN. Beside the seven tags it has `Termination`, `EndedBy` (the rule that
    /// ended it, or what a player did), `PlyCount` and `OpeningPlies`, the plies of the opening.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(
        &self,
        event: &str,
        names: &[&str],
        schedule: &Schedule,
        out: &mut impl io::Write,
    ) -> io::Result<()> {
        let (round, plies) = (schedule.round(&self.pairing), self.game.ply().to_string());
        let opening_plies = schedule.start(&self.pairing).ply().to_string();
        let reason = self.end.to_string();
        let tags = [
            ("Event", event),
            ("Round", &round),
            ("White", names[self.pairing.white.0]),
            ("Black", names[self.pairing.black.0]),
            ("Termination", self.end.termination().name()),
            ("EndedBy", &reason),
            ("PlyCount", &plies),
            ("OpeningPlies", &opening_plies),
        ];
        write_game(out, &tags, &self.game, Some(self.end.outcome()))
    }
}
