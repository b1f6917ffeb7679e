//! Games of a file, played again to see whether they ended as they say.

use chess::pgn::{PgnError, PgnGame, PgnReader};
use chess::{Color, Game, Outcome, Rules};

use crate::record::Termination;

#[cfg(test)]
mod tests;

/// What came of playing games again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// Games whose end is that of the rules.
    pub confirmed: u64,
    /// Games that end by a word of the match: forfeits, whose cause no game shows.
    pub claimed: u64,
    /// Games that are wrong, with the line of each.
    pub wrong: Vec<Discrepancy>,
}

/// A game that did not end as it says, or cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discrepancy {
    /// The line of the game, or of what cannot be read.
    pub line: u64,
    /// What is wrong.
    pub problem: String,
}

impl Verification {
    /// Games looked at.
    pub fn games(&self) -> u64 {
        self.confirmed + self.claimed + self.wrong.len() as u64
    }
}

/// Plays all games again.
///
/// A game is confirmed where it goes on until a rule ends it and no further, and its result is that
/// rule's. One that ends earlier must say so by its `Termination`.
///
/// # Errors
///
/// Where the file cannot be read on; games that cannot be read are counted as wrong.
pub fn verify(games: PgnReader, rules: &Rules) -> Result<Verification, PgnError> {
    let mut verification = Verification::default();
    for game in games {
        let (line, checked) = match game {
            Ok(game) => (game.line, check(&game, rules)),
            Err(error @ (PgnError::Open { .. } | PgnError::Read { .. })) => return Err(error),
            Err(PgnError::Game { line, problem, .. }) => (line, Err(problem.to_string())),
        };
        match checked {
            Ok(Verdict::Confirmed) => verification.confirmed += 1,
            Ok(Verdict::Claimed) => verification.claimed += 1,
            Err(problem) => verification.wrong.push(Discrepancy { line, problem }),
        }
    }
    Ok(verification)
}

enum Verdict {
    Confirmed,
    Claimed,
}

fn check(game: &PgnGame, rules: &Rules) -> Result<Verdict, String> {
    let Some(result) = game.result else { return Err("has no result".to_owned()) };
    if !game.terminated {
        return Err("was cut off".to_owned());
    }
    let mut played = game.start.clone();
    for (ply, &mv) in (1..).zip(&game.moves) {
        // The opening may hold what would end a game, such as a repetition.
        if let Some(ending) = played.ending(rules).filter(|_| ply > opening_plies(game)) {
            return Err(format!("goes on at ply {ply}, after {ending}"));
        }
        played.play(mv).expect("a game's moves are legal");
    }
    let termination = game.tag("Termination").and_then(Termination::by_name);
    match (played.ending(rules), termination) {
        (Some(ending), _) if ending.outcome() == result => Ok(Verdict::Confirmed),
        (Some(ending), _) => Err(format!("says {result}, but {ending}")),
        (None, Some(Termination::Normal | Termination::Adjudication) | None) => {
            Err(format!("says {result}, but no rule has ended it"))
        }
        (None, Some(termination)) => forfeit(&played, result, termination),
    }
}

/// A forfeit is lost by the side to move.
fn forfeit(game: &Game, result: Outcome, termination: Termination) -> Result<Verdict, String> {
    let expected = match game.turn() {
        Color::White => Outcome::BlackWins,
        Color::Black => Outcome::WhiteWins,
    };
    if result == expected {
        Ok(Verdict::Claimed)
    } else {
        Err(format!("says {result} by {}, though {} is to move", termination.name(), game.turn()))
    }
}

fn opening_plies(game: &PgnGame) -> usize {
    game.tag("OpeningPlies").and_then(|plies| plies.parse().ok()).unwrap_or(0)
}
