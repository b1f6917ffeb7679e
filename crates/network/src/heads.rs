//! Choice among the heads of a multi-head file.

use std::fmt;
use std::str::FromStr;

/// A policy head by lc0's name for it (LC0_FORMAT section 5, end).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PolicyHeadName {
    /// lc0's default, and the only one of single-head files.
    #[default]
    Vanilla,
    /// Trained to overrate moves whose value is uncertain.
    Optimistic,
    /// Trained on flattened targets.
    Soft,
    /// Predicts a human's or another engine's move.
    Opponent,
}

/// A value head by lc0's name for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ValueHeadName {
    /// Trained on results of games; lc0's default, and the only one of single-head files.
    #[default]
    Winner,
    /// Trained on the search's value.
    Q,
    /// Trained on short-term values.
    ShortTerm,
}

/// Which heads of a file to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct HeadSelection {
    /// Policy head.
    pub policy: PolicyHeadName,
    /// Value head.
    pub value: ValueHeadName,
}

/// A name that no head has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{given}' is no head; expected one of {expected}")]
pub struct UnknownHead {
    given: String,
    expected: &'static str,
}

impl PolicyHeadName {
    /// All names.
    pub const ALL: [Self; 4] = [Self::Vanilla, Self::Optimistic, Self::Soft, Self::Opponent];

    /// lc0's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vanilla => "vanilla",
            Self::Optimistic => "optimistic",
            Self::Soft => "soft",
            Self::Opponent => "opponent",
        }
    }

    /// Path of the head's message in a multi-head file.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Vanilla => "policy_heads.vanilla.",
            Self::Optimistic => "policy_heads.optimistic_st.",
            Self::Soft => "policy_heads.soft.",
            Self::Opponent => "policy_heads.opponent.",
        }
    }
}

impl ValueHeadName {
    /// All names.
    pub const ALL: [Self; 3] = [Self::Winner, Self::Q, Self::ShortTerm];

    /// lc0's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Winner => "winner",
            Self::Q => "q",
            Self::ShortTerm => "st",
        }
    }

    /// Path of the head's message in a multi-head file.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Winner => "value_heads.winner.",
            Self::Q => "value_heads.q.",
            Self::ShortTerm => "value_heads.st.",
        }
    }
}

impl fmt::Display for PolicyHeadName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl fmt::Display for ValueHeadName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for PolicyHeadName {
    type Err = UnknownHead;

    fn from_str(given: &str) -> Result<Self, UnknownHead> {
        let expected = "vanilla, optimistic, soft, opponent";
        let found = Self::ALL.into_iter().find(|head| head.name() == given);
        found.ok_or_else(|| UnknownHead { given: given.into(), expected })
    }
}

impl FromStr for ValueHeadName {
    type Err = UnknownHead;

    fn from_str(given: &str) -> Result<Self, UnknownHead> {
        let found = Self::ALL.into_iter().find(|head| head.name() == given);
        found.ok_or_else(|| UnknownHead { given: given.into(), expected: "winner, q, st" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for head in PolicyHeadName::ALL {
            assert_eq!(head.name().parse(), Ok(head));
        }
        for head in ValueHeadName::ALL {
            assert_eq!(head.name().parse(), Ok(head));
        }
        assert!("winner".parse::<PolicyHeadName>().is_err());
        assert!("vanilla".parse::<ValueHeadName>().is_err());
    }
}
