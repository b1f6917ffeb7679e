//! What is said of a step: its metrics, and where it went wrong.

use chess::MoveIndex;
use network::{OutputGradients, Outputs};
use policy::{MovePolicy, Temperature};

use super::{State, Trainer, non_finite};
use crate::error::TrainingError;
use crate::metrics::{
    AdvantageMetrics, GameMetrics, ImportanceMetrics, LossMetrics, PolicyMetrics, Spread,
    StepMetrics, Timing,
};
use crate::objective::{LossTerms, Objective, Transition};
use crate::self_play::Successor;

/// Positions of a step that are evaluated a second time: enough to see an engine whose passes
/// differ, and little beside the step.
pub(super) const PROBED: usize = 8;

impl Trainer {
    /// Counts the openings of the games in which a move has just been played.
    pub(super) fn observe_openings(&mut self, successors: &[Successor]) {
        for (successor, live) in successors.iter().zip(self.games.games()) {
            match successor.finished() {
                None => self.openings.observe(&live.game, live.opening_plies),
                Some(finished) => self.openings.observe(&finished.game, finished.opening_plies),
            }
        }
    }

    /// The largest `|pi'(a|s) - pi(a|s)|` of the first positions, where `pi` is what the pass
    /// `trained` says and `pi'` what the trained network says when asked to evaluate only.
    pub(super) fn sampling_gap(
        &self,
        step: u64,
        trained: &Outputs,
        evaluated: &Outputs,
    ) -> Result<f64, TrainingError> {
        let mut largest = 0.0_f64;
        for (row, live) in self.games.games().iter().take(PROBED).enumerate() {
            let probabilities = |outputs, term| {
                MovePolicy::from_logits(&live.logits(outputs, row), Temperature::ONE)
                    .map(|policy| policy.probabilities())
                    .map_err(non_finite(step, term, &live.game))
            };
            let trained = probabilities(trained, "trained network's policy")?;
            let evaluated = probabilities(evaluated, "trained network's evaluated policy")?;
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
                    let live = &self.games.games()[row].game;
                    let game = successors[row].finished().map_or(live, |finished| &finished.game);
                    let fen = game.up_to(game.ply() - 1).fen();
                    return Err(TrainingError::NonFiniteLoss { step, term, fen, value });
                }
            }
        }
        Ok(())
    }

    /// The metrics of the step that has just been made, but for its timing.
    #[expect(clippy::too_many_arguments, reason = "what a step knows at its end")]
    pub(super) fn summarise(
        &self,
        warmup_factor: f64,
        objective: &Objective,
        states: &[State],
        transitions: &[Transition],
        terms: &[LossTerms],
        successors: &[Successor],
        largest_sampling_gap: f64,
    ) -> StepMetrics {
        let mean_terms = LossTerms {
            policy_gradient: mean(terms, |terms| terms.policy_gradient),
            exploration: mean(terms, |terms| terms.exploration),
            value: mean(terms, |terms| terms.value),
            weighted_value: mean(terms, |terms| terms.weighted_value),
            value_anchor: mean(terms, |terms| terms.value_anchor),
        };
        let finished = successors.iter().filter_map(Successor::finished);
        let under_way = self.games.games().iter().map(|live| live.game.ply());
        StepMetrics {
            step: self.steps,
            warmup_factor,
            loss: LossMetrics {
                total: objective.total(&mean_terms),
                policy_gradient: mean_terms.policy_gradient,
                exploration: mean_terms.exploration,
                exploration_weighted: objective.beta * mean_terms.exploration,
                beta: objective.beta,
                drift: self.drift.mean().unwrap_or(0.0),
                value: mean_terms.value,
                value_weighted: objective.value_coefficient * mean_terms.weighted_value,
                value_anchor: mean_terms.value_anchor,
                value_anchor_weighted: objective.value_coefficient
                    * objective.value_anchor
                    * mean_terms.value_anchor,
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
            timing: Timing::default(),
        }
    }
}

fn mean<T>(records: &[T], value: impl Fn(&T) -> f64) -> f64 {
    records.iter().map(value).sum::<f64>() / records.len() as f64
}
