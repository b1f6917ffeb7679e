//! The paper's findings, and whether they hold here: each computed from the measurements alone.
//!
//! A finding that rests on estimates holds only where intervals part; where they overlap it is
//! undecided, and the sentence says that they cannot be told apart. Coverage is enumerated exactly,
//! so its orders are decided by the numbers themselves; they are still those of one run each.

mod beta;
mod collapse;
mod coverage;
mod dissociation;
mod gates;
mod retention;
mod sampled;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::documents::Documents;

/// Whether a finding of the paper holds in a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its name in links.
    pub slug: &'static str,
    /// What the paper claims.
    pub claim: &'static str,
    /// Whether it holds here.
    pub verdict: Verdict,
    /// Why, with the numbers.
    pub sentence: String,
    /// What the paper found.
    pub paper: &'static str,
}

/// Whether something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Holds,
    /// It does not.
    Fails,
    /// What was measured does not say.
    Undecided,
}

impl Finding {
    /// All, in the order in which the paper's abstract has them.
    pub fn all(documents: &Documents) -> Vec<Finding> {
        vec![
            coverage::finding(documents),
            collapse::finding(documents),
            retention::finding(documents),
            dissociation::finding(documents),
            gates::recovery(documents),
            gates::give_back(documents),
            beta::finding(documents),
            sampled::finding(documents),
        ]
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Verdict::Holds => "holds",
            Verdict::Fails => "fails",
            Verdict::Undecided => "undecided",
        })
    }
}

/// A verdict with its sentence.
type Judgement = (Verdict, String);

/// That something was not measured.
fn not_measured(what: &str) -> Judgement {
    (Verdict::Undecided, format!("Not measured: {what}."))
}

/// `a`, `a and b`, `a, b and c`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}
