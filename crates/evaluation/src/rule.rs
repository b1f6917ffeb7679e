//! Which moves solve a position of a puzzle.

use std::fmt;
use std::str::FromStr;

use chess::{Chess, Game, Move, Position};

/// Which moves are accepted where a puzzle marks one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The marked move.
    Strict,
    /// The marked move, or any move that mates at once: a puzzle that marks one of several mates
    /// in one does not mean that the others are wrong.
    #[default]
    ImmediateMate,
}

/// A name that no rule has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no rule; expected strict or immediate-mate")]
pub struct UnknownRule(String);

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 2] = [Rule::Strict, Rule::ImmediateMate];

    /// The name by which people choose it and reports name it.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Strict => "strict",
            Rule::ImmediateMate => "immediate-mate",
        }
    }

    /// What it accepts, in words.
    pub fn description(self) -> &'static str {
        match self {
            Rule::Strict => "the marked move only",
            Rule::ImmediateMate => "the marked move, or any move that mates at once",
        }
    }

    /// Whether `mv`, a legal move in the current position of `game`, is accepted where `marked`
    /// is the marked move.
    pub fn accepts(self, game: &Game, marked: Move, mv: Move) -> bool {
        mv == marked
            || match self {
                Rule::Strict => false,
                Rule::ImmediateMate => mates(game.position(), mv),
            }
    }

    /// All accepted moves where `marked` is the marked move, that one first.
    pub fn accepted(self, game: &Game, marked: Move) -> Vec<Move> {
        let mut others: Vec<Move> = game.legal_moves().into_iter().collect();
        others.retain(|&mv| mv != marked && self.accepts(game, marked, mv));
        std::iter::once(marked).chain(others).collect()
    }
}

fn mates(position: &Chess, mv: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after.is_checkmate()
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Rule, UnknownRule> {
        let found = Rule::ALL.into_iter().find(|rule| rule.name() == name);
        found.ok_or_else(|| UnknownRule(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for rule in Rule::ALL {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        let error = "lenient".parse::<Rule>().expect_err("no such rule");
        assert_eq!(error.to_string(), "'lenient' is no rule; expected strict or immediate-mate");
    }

    #[test]
    fn accepted_moves() {
        let check = |fen: &str, marked: &str, rule: Rule, expected: &[&str]| {
            let game = Game::from_fen(fen).expect("a position");
            let marked = game.parse_uci(marked).expect("a legal move");
            let mut accepted: Vec<String> =
                rule.accepted(&game, marked).into_iter().map(|mv| game.uci(mv)).collect();
            assert_eq!(accepted[0], game.uci(marked), "{fen}");
            accepted.sort();
            assert_eq!(accepted, expected, "{fen} {rule}");
        };
        // Either rook mates on the eighth rank; the a-file rook may also take on a7.
        let two_mates = "6k1/p4ppp/8/8/8/8/8/RR4K1 w - - 0 1";
        check(two_mates, "b1b8", Rule::Strict, &["b1b8"]);
        check(two_mates, "b1b8", Rule::ImmediateMate, &["b1b8"]);
        check(two_mates, "a1a7", Rule::ImmediateMate, &["a1a7", "b1b8"]);
        // Queen or rook promotion mates, by either capture or advance; a knight does not.
        let promotion = "6k1/1P3ppp/8/8/8/8/8/6K1 w - - 0 1";
        check(promotion, "b7b8q", Rule::Strict, &["b7b8q"]);
        check(promotion, "b7b8q", Rule::ImmediateMate, &["b7b8q", "b7b8r"]);
        // Castling, as the king's move, is a move like others.
        let castling = "5k2/4ppp1/8/8/8/8/4P1PP/4K2R w K - 0 1";
        check(castling, "e1g1", Rule::ImmediateMate, &["e1g1"]);
    }
}
