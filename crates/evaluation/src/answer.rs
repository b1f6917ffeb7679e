//! What a network says of one solver's position of a puzzle.

#[cfg(test)]
mod tests;

use chess::Move;
use network::Evaluation;
use policy::{MovePolicy, PolicyError, Temperature};

use crate::{ByRule, SolverPosition};

/// What a network says of a position in which the solver is to move: all that the measures on
/// puzzles need, so that they can be computed again without the network.
///
/// Probabilities are those of the policy at temperature 1 over the legal moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Place of the marked move in the puzzle's line, counted from 0: even.
    pub ply: u32,
    /// The marked move in UCI notation.
    pub marked: String,
    /// The moves accepted under the multi-solution rule, in UCI notation, the marked one first.
    pub acceptable: Vec<String>,
    /// The most probable move in UCI notation; of several, the one of the lowest index.
    pub played: String,
    /// Whether `played` is accepted.
    pub accepted: ByRule<bool>,
    /// Natural logarithm of the probability of all accepted moves together,
    /// `log sum_{a in W} pi(a|s)`: at most 0 but for rounding, finite.
    pub log_mass: ByRule<f64>,
    /// Natural logarithm of the probability of the marked move: at most 0, finite.
    pub marked_log_probability: f64,
    /// Place of the marked move among the most probable ones, counted from 0.
    pub marked_rank: u32,
    /// Place of the most probable of the moves accepted under the multi-solution rule among all,
    /// counted from 0.
    pub accepted_rank: u32,
    /// Probability of `played`, in `(0, 1]`.
    pub played_probability: f64,
    /// Probability of the second most probable move; 0 where there is no other.
    pub runner_up_probability: f64,
    /// Probabilities of win, draw and loss that the value head states, from the solver's view.
    pub wdl: [f64; 3],
}

impl Answer {
    /// What `evaluation`, that of `position`'s game, says.
    ///
    /// # Errors
    ///
    /// Where a logit is not finite.
    pub fn new(position: &SolverPosition, evaluation: &Evaluation) -> Result<Answer, PolicyError> {
        let policy = evaluation.policy(Temperature::ONE)?;
        let argmax = policy.argmax();
        let played = evaluation.moves[argmax].1;
        let uci = |mv: Move| position.game.uci(mv);
        let place = |mv: Move| {
            let found = evaluation.moves.iter().position(|(_, legal)| *legal == mv);
            found.expect("accepted moves are legal")
        };
        let marked = place(position.marked);
        let rank = |mv: Move| {
            u32::try_from(policy.rank_of(place(mv))).expect("fewer than 2^32 legal moves")
        };
        let accepted = &position.accepted.multi_solution;
        Ok(Answer {
            ply: position.ply,
            marked: uci(position.marked),
            acceptable: position.accepted.multi_solution.iter().map(|&mv| uci(mv)).collect(),
            played: uci(played),
            accepted: ByRule::each(|rule| position.accepted[rule].contains(&played)),
            log_mass: ByRule::each(|rule| {
                log_mass(&policy, position.accepted[rule].iter().map(|&mv| place(mv)).collect())
            }),
            marked_log_probability: policy.log_probability(marked),
            marked_rank: rank(position.marked),
            accepted_rank: accepted
                .iter()
                .map(|&mv| rank(mv))
                .min()
                .expect("the marked move is accepted"),
            played_probability: policy.probability(argmax),
            runner_up_probability: policy
                .top(2)
                .get(1)
                .map_or(0.0, |&second| policy.probability(second)),
            wdl: evaluation.wdl().probabilities(),
        })
    }
}

/// `log sum_{a in places} pi(a)`, summed in the order of the moves' indices and relative to the
/// largest term, so that it stays finite where every term is below the smallest f64.
fn log_mass(policy: &MovePolicy, mut places: Vec<usize>) -> f64 {
    places.sort_unstable();
    let terms: Vec<f64> = places.into_iter().map(|place| policy.log_probability(place)).collect();
    if let [term] = terms[..] {
        return term;
    }
    let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + terms.iter().map(|term| (term - largest).exp()).sum::<f64>().ln()
}
