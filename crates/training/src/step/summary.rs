//! What is said of a step: its metrics, and where it went wrong.

use chess::{Game, MoveIndex, Planes};
use network::{OutputGradients, Outputs};
use policy::{MovePolicy, Temperature};

use super::{State, Trainer, non_finite};
use crate::error::TrainingError;
use crate::metrics::{
    AdvantageMetrics, GameMetrics, ImportanceMetrics, LossMetrics, PolicyMetrics, Spread,
    StepMetrics, Timing,
};
use crate::objective::{LossTerms, Transition};
use crate::self_play::Successor;

/// Positions of a step that are evaluated a second time: enough to see an engine whose passes
/// differ, and little beside the step.
const PROBED: usize = 8;

impl Trainer {
    /// Counts the openings of the games in which a move has just been played.
    pub(super) fn observe_openings(&mut self, successors: &[Successor]) {
        for (successor, live) in successors.iter().zip(self.games.games()) {
            self.openings.observe(played(successor, &live.game));
        }
    }

    /// The largest `|pi'(a|s) - pi(a|s)|` of the first positions, where `pi` is what the pass
    /// `trained` says and `pi'` what the trained network says when asked to evaluate only.
    pub(super) fn sampling_gap(&self, step: u64, trained: &Outputs) -> Result<f64, TrainingError> {
        let games = self.games.games();
        let games = &games[..games.len().min(PROBED)];
        let planes: Vec<Planes> = games.iter().map(|live| live.position.planes.clone()).collect();
        let evaluated = self.theta.evaluate(&planes);
        let mut largest = 0.0_f64;
        for (row, live) in games.iter().enumerate() {
            let probabilities = |outputs, term| {
                MovePolicy::from_logits(&live.logits(outputs, row), Temperature::ONE)
                    .map(|policy| policy.probabilities())
                    .map_err(non_finite(step, term, &live.game))
            };
            let trained = probabilities(trained, "trained network's policy")?;
            let evaluated = probabilities(&evaluated, "trained network's evaluated policy")?;
            let gaps = trained.iter().zip(&evaluated).map(|(pi, other)| (pi - other).abs());
            largest = gaps.fold(largest, f64::max);
        }
        Ok(largest)
    }

    /// Refuses a step in which a part of the loss or of its gradient is not finite.
    pub(super) fn check(
        &self,
        step: u64,
        successors: &[Successor],
        states: &[State],
        terms: &[LossTerms],
        gradients: &OutputGradients,
    ) -> Result<(), TrainingError> {
        let width = gradients.value_kind.width();
        for (row, (state, terms)) in states.iter().zip(terms).enumerate() {
            let policy = &gradients.policy[row * MoveIndex::COUNT..];
            let policy = state.indices.iter().map(|index| policy[index.get()]);
            let value = gradients.value[row * width..][..width].iter().copied();
            let values = terms.named().into_iter().chain(
                policy
                    .map(|gradient| ("gradient of the policy logits", f64::from(gradient)))
                    .chain(value.map(|gradient| ("gradient of the value logits", gradient.into()))),
            );
            for (term, value) in values {
                if !value.is_finite() {
                    let game = played(&successors[row], &self.games.games()[row].game);
                    let fen = before_last_move(game).fen();
                    return Err(TrainingError::NonFiniteLoss { step, term, fen, value });
                }
            }
        }
        Ok(())
    }

    /// The metrics of the step that has just been made.
    #[expect(clippy::too_many_arguments, reason = "what a step knows at its end")]
    pub(super) fn summarise(
        &self,
        warmup_factor: f64,
        states: &[State],
        transitions: &[Transition],
        terms: &[LossTerms],
        successors: &[Successor],
        largest_sampling_gap: f64,
        timing: Timing,
    ) -> StepMetrics {
        let mean_terms = LossTerms {
            policy_gradient: mean(terms, |terms| terms.policy_gradient),
            exploration: mean(terms, |terms| terms.exploration),
            value: mean(terms, |terms| terms.value),
            weighted_value: mean(terms, |terms| terms.weighted_value),
        };
        let objective = &self.objective;
        let finished = successors.iter().filter_map(|successor| match successor {
            Successor::Live(_) => None,
            Successor::Ended(finished) => Some(finished.as_ref()),
        });
        let under_way = self.games.games().iter().map(|live| live.game.ply());
        StepMetrics {
            step: self.steps,
            warmup_factor,
            loss: LossMetrics {
                total: objective.total(&mean_terms),
                policy_gradient: mean_terms.policy_gradient,
                exploration: mean_terms.exploration,
                exploration_weighted: objective.beta * mean_terms.exploration,
                value: mean_terms.value,
                value_weighted: objective.value_coefficient * mean_terms.weighted_value,
            },
            advantage: AdvantageMetrics {
                mean: mean(transitions, |transition| transition.advantage),
                mean_absolute: mean(transitions, |transition| transition.advantage.abs()),
            },
            importance: ImportanceMetrics {
                mean: mean(states, |state| state.decision.rho),
                capped: mean(states, |state| f64::from(u8::from(state.decision.capped))),
            },
            policy: PolicyMetrics {
                entropy: mean(states, |state| state.decision.policy.entropy()),
                forward_kl: mean(states, |state| {
                    policy::forward_kl(&state.base, &state.decision.policy)
                }),
                reverse_kl: mean(states, |state| {
                    policy::reverse_kl(&state.base, &state.decision.policy)
                }),
                largest_sampling_gap,
            },
            temperature: Spread::of(
                states.iter().map(|state| state.decision.temperature.get()).collect(),
            ),
            games: GameMetrics::of(finished, under_way),
            openings: self.openings.metrics(),
            timing,
        }
    }
}

/// The game in which a move has just been played: the one that ended, or the one that goes on.
fn played<'a>(successor: &'a Successor, live: &'a Game) -> &'a Game {
    match successor {
        Successor::Live(_) => live,
        Successor::Ended(finished) => &finished.game,
    }
}

/// The game without its last move. Self-play games begin at the initial position.
fn before_last_move(game: &Game) -> Game {
    let mut before = Game::new();
    let moves = game.moves();
    for &played in &moves[..moves.len().saturating_sub(1)] {
        before.play(played).expect("a move of a game is legal there");
    }
    before
}

fn mean<T>(records: &[T], value: impl Fn(&T) -> f64) -> f64 {
    records.iter().map(value).sum::<f64>() / records.len() as f64
}
