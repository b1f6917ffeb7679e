//! From the gradients of single transitions to that of the batch's outputs.

use chess::MoveIndex;
use network::{OutputGradients, ValueKind};

use super::State;
use crate::objective::{Objective, Transition};

/// Gradient of the batch's mean loss with respect to the outputs of theta.
pub(super) fn of_outputs(
    objective: &Objective,
    states: &[State],
    transitions: &[Transition],
    kind: ValueKind,
) -> OutputGradients {
    let scale = 1.0 / states.len() as f64;
    let mut gradients = OutputGradients::zeros(states.len(), kind, false);
    let rows = gradients.policy.chunks_exact_mut(MoveIndex::COUNT);
    let rows = rows.zip(gradients.value.chunks_exact_mut(kind.width()));
    for ((state, transition), (policy_row, value_row)) in states.iter().zip(transitions).zip(rows) {
        let mut policy = vec![0.0; state.indices.len()];
        let mut value = vec![0.0; value_row.len()];
        objective.accumulate_gradient(transition, scale, &mut policy, &mut value);
        scatter(&state.indices, &policy, policy_row);
        value_row.iter_mut().zip(value).for_each(|(out, value)| *out = value as f32);
    }
    gradients
}

/// Puts each legal move's gradient where the network has the move; all others have none.
pub(super) fn scatter(indices: &[MoveIndex], gradient: &[f64], row: &mut [f32]) {
    for (index, gradient) in indices.iter().zip(gradient) {
        row[index.get()] = *gradient as f32;
    }
}
