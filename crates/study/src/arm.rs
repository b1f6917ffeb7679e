//! What was fine-tuned, and how.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What keeps the policy exploring (paper, Section 3.1), in the order of the paper's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Term {
    /// No regulariser.
    None,
    /// The entropy bonus.
    EntropyBonus,
    /// The reverse KL, `KL(pi_theta || pi_base)`.
    ReverseKl,
    /// The forward KL, `KL(pi_base || pi_theta)`.
    ForwardKl,
}

impl Term {
    /// All, in the order of the paper's tables.
    pub const ALL: [Self; 4] = [Self::None, Self::EntropyBonus, Self::ReverseKl, Self::ForwardKl];

    /// Its name in settings and file names.
    pub fn key(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::EntropyBonus => "entropy_bonus",
            Self::ReverseKl => "reverse_kl",
            Self::ForwardKl => "forward_kl",
        }
    }

    /// Its name in tables.
    pub fn title(self) -> &'static str {
        match self {
            Self::None => "No regulariser",
            Self::EntropyBonus => "Entropy bonus",
            Self::ReverseKl => "Reverse KL",
            Self::ForwardKl => "Forward KL",
        }
    }
}

/// The temperature at which moves of self-play were sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SelfPlayTemperature {
    /// That of the value head's uncertainty (paper, Equation (6)).
    Adaptive,
    /// Always 1.
    One,
}

impl SelfPlayTemperature {
    /// Both, in the order of the paper's tables.
    pub const ALL: [Self; 2] = [Self::Adaptive, Self::One];

    /// Its name in settings and file names.
    pub fn key(self) -> &'static str {
        match self {
            Self::Adaptive => "adaptive",
            Self::One => "one",
        }
    }
}

/// One of the ways in which the base was, or was not, fine-tuned: a row of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Variant {
    /// Not at all.
    Base,
    /// By self-play.
    SelfPlay {
        /// With this exploration term.
        term: Term,
        /// And this sampling temperature.
        temperature: SelfPlayTemperature,
    },
    /// Supervised, on puzzle solutions (paper, Section 3.6).
    PuzzleTuned,
}

impl Variant {
    /// All ten, in the order of the paper's Table 1.
    pub fn all() -> Vec<Self> {
        let self_play = Term::ALL.into_iter().flat_map(|term| {
            SelfPlayTemperature::ALL.map(|temperature| Self::SelfPlay { term, temperature })
        });
        [Self::Base].into_iter().chain(self_play).chain([Self::PuzzleTuned]).collect()
    }

    /// Its name in file names and as a player in matches: `base`, `forward_kl-adaptive`,
    /// `puzzle_tuned`.
    pub fn key(self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Base => formatter.write_str("base"),
            Self::SelfPlay { term, temperature } => {
                write!(formatter, "{}-{}", term.key(), temperature.key())
            }
            Self::PuzzleTuned => formatter.write_str("puzzle_tuned"),
        }
    }
}

/// A network of the study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arm {
    /// Unique in the study: the variant's key where one network stands for a variant, a name of a
    /// cell of the sweep (`forward_kl-adaptive-beta=0.01`) where there are several.
    pub name: String,
    /// How it was made.
    pub variant: Variant,
    /// The coefficient of the exploration term; none where there is no term.
    pub beta: Option<f64>,
    /// Its file, relative to the study's directory. Measurements name networks by this path.
    pub network: PathBuf,
    /// The run that made it, relative to the study's directory; none for the base.
    pub run: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_have_names_of_their_own() {
        let keys: Vec<String> = Variant::all().into_iter().map(Variant::key).collect();
        assert_eq!(
            keys,
            [
                "base",
                "none-adaptive",
                "none-one",
                "entropy_bonus-adaptive",
                "entropy_bonus-one",
                "reverse_kl-adaptive",
                "reverse_kl-one",
                "forward_kl-adaptive",
                "forward_kl-one",
                "puzzle_tuned"
            ]
        );
    }

    #[test]
    fn variants_read_what_they_wrote() {
        for variant in Variant::all() {
            let text = serde_json::to_string(&variant).unwrap();
            assert_eq!(serde_json::from_str::<Variant>(&text).unwrap(), variant, "{text}");
        }
    }
}
