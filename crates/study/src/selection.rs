//! Which network stands for each variant.

use std::collections::HashMap;

use serde::Deserialize;

use crate::arm::{Arm, Variant};
use crate::description::Selection;
use crate::step::SelectionRule;

#[cfg(test)]
mod tests;

/// The rule of scoring by which coefficients are chosen (paper, Table 6).
const RULE: &str = "multi-solution";

/// No network could be chosen.
#[derive(Debug, thiserror::Error)]
pub enum SelectionError {
    /// A line of the scores is none.
    #[error("the scores, line {line}: {source}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A candidate has no score.
    #[error("there is no score of {network} under the rule multi-solution")]
    NoScore {
        /// Its file.
        network: String,
    },
}

/// A choice.
#[derive(Debug)]
pub(crate) struct Chosen {
    /// As the study records it, with the networks where they are copied to.
    pub(crate) selection: Selection,
    /// The candidates that were chosen, in the same order, with the networks where they are.
    pub(crate) chosen: Vec<Arm>,
}

/// What is read of a network's line of `searchless evaluate --json`.
#[derive(Debug, Deserialize)]
struct Line {
    network: String,
    rules: HashMap<String, Measures>,
}

#[derive(Debug, Deserialize)]
struct Measures {
    solved: u64,
}

/// Chooses for each variant the candidate that solves the most puzzles; of equals that with the
/// smaller coefficient. `scores` are the lines of the file that the rule names.
pub(crate) fn select(rule: &SelectionRule, scores: Option<&str>) -> Result<Chosen, SelectionError> {
    let mut solved: HashMap<String, u64> = HashMap::new();
    for (number, text) in scores.unwrap_or_default().lines().enumerate() {
        let line: Line = serde_json::from_str(text)
            .map_err(|source| SelectionError::Line { line: number + 1, source })?;
        if let Some(measures) = line.rules.get(RULE) {
            solved.insert(line.network, measures.solved);
        }
    }
    let mut result = Chosen { selection: Selection { arms: Vec::new() }, chosen: Vec::new() };
    for candidates in &rule.variants {
        let mut best: Option<(u64, &Arm)> = None;
        for arm in &candidates.arms {
            let network = arm.network.display().to_string();
            let score = match candidates.arms.as_slice() {
                // Nothing is to be chosen, and the control is in no sweep.
                [_] => 0,
                _ => *solved.get(&network).ok_or(SelectionError::NoScore { network })?,
            };
            let is_better = best.is_none_or(|(most, chosen)| {
                score > most || score == most && arm.beta < chosen.beta
            });
            if is_better {
                best = Some((score, arm));
            }
        }
        let Some((_, arm)) = best else { continue };
        let mut named = arm.clone();
        if arm.variant != Variant::Base {
            named.name = arm.variant.key();
        }
        if let Some(place) = &candidates.copy_to {
            named.network.clone_from(place);
        }
        result.selection.arms.push(named);
        result.chosen.push(arm.clone());
    }
    Ok(result)
}
