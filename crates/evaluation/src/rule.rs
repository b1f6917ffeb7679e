//! Which moves solve a position of a puzzle.

use std::fmt;
use std::str::FromStr;

/// Which moves are accepted where a puzzle marks one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The marked move.
    Strict,
    /// The marked move, or any move that mates at once: a puzzle that marks one of several mates
    /// in one does not mean that the others are wrong.
    #[default]
    ImmediateMate,
    /// The marked move, or, where the marked line is a forced mate, any move that mates as fast:
    /// proved by a search for mate within a budget of nodes. Where the budget does not suffice,
    /// the marked move; such puzzles are counted.
    MultiSolution,
}

/// A name that no rule has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no rule; expected strict, immediate-mate or multi-solution")]
pub struct UnknownRule(String);

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 3] = [Rule::Strict, Rule::ImmediateMate, Rule::MultiSolution];

    /// The name by which people choose it and reports name it.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Strict => "strict",
            Rule::ImmediateMate => "immediate-mate",
            Rule::MultiSolution => "multi-solution",
        }
    }

    /// What it accepts, in words.
    pub fn description(self) -> &'static str {
        match self {
            Rule::Strict => "the marked move only",
            Rule::ImmediateMate => "the marked move, or any move that mates at once",
            Rule::MultiSolution => "the marked move, or any move that keeps an equally short mate",
        }
    }
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
        assert_eq!(
            error.to_string(),
            "'lenient' is no rule; expected strict, immediate-mate or multi-solution"
        );
    }
}
