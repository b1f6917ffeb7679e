//! A game that is being read.

use shakmaty::{Chess, Move, Position};

use super::error::PgnProblem;
use super::{PgnGame, movetext, tag};
use crate::ending::Outcome;
use crate::game::Game;

/// What is wrong, and the line.
pub(super) type Fault = (u64, PgnProblem);

/// A game of which something has been read.
#[derive(Default)]
pub(super) struct Started {
    pub(super) line: u64,
    pub(super) tags: Vec<(String, String)>,
    pub(super) start: Chess,
    pub(super) position: Chess,
    pub(super) moves: Vec<Move>,
    /// Its movetext has begun, so that a tag belongs to the next game.
    pub(super) in_moves: bool,
    /// Variations that are not closed yet, and where the outermost of them began.
    pub(super) variations: u64,
    pub(super) outermost: u64,
    /// The marker at its end.
    pub(super) termination: Option<Option<Outcome>>,
    /// The first problem. What follows is passed over.
    pub(super) fault: Option<Fault>,
}

impl Started {
    pub(super) fn fail(&mut self, line: u64, problem: PgnProblem) {
        self.fault.get_or_insert((line, problem));
    }

    /// Whether the tag with which `rest` begins is another game's.
    pub(super) fn ends_before(&self, rest: &str, after_blank: bool) -> bool {
        let is_again = |name: &str| self.tags.iter().any(|(known, _)| known == name);
        // Games may have neither moves nor a marker.
        self.in_moves
            || tag::read(rest)
                .is_ok_and(|(name, ..)| (after_blank || name == "Event") && is_again(name))
    }

    pub(super) fn open_variation(&mut self, line: u64) {
        self.in_moves = true;
        if self.variations == 0 {
            self.outermost = line;
        }
        self.variations += 1;
    }

    pub(super) fn close_variation(&mut self, line: u64) {
        self.in_moves = true;
        match self.variations.checked_sub(1) {
            Some(left) => self.variations = left,
            None => self.fail(line, PgnProblem::NoVariation),
        }
    }

    pub(super) fn play(&mut self, word: &str, most_plies: usize) -> Result<(), PgnProblem> {
        let Some(played) = movetext::played(word, &self.position)? else { return Ok(()) };
        if self.moves.len() == most_plies {
            return Err(PgnProblem::TooManyMoves { limit: most_plies });
        }
        self.position.play_unchecked(played);
        self.moves.push(played);
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<PgnGame, Fault> {
        if self.variations > 0 {
            self.fail(self.outermost, PgnProblem::OpenVariation);
        }
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let tagged = || tag::find(&self.tags, "Result").and_then(movetext::result);
        Ok(PgnGame {
            line: self.line,
            result: self.termination.unwrap_or_else(tagged),
            terminated: self.termination.is_some(),
            tags: self.tags,
            start: Game::from_position(self.start),
            moves: self.moves,
        })
    }
}
