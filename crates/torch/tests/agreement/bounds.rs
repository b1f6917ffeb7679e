//! How far two engines may be apart.

use network::{Architecture, Outputs};

/// Each output is within `bound` times the largest output of its kind.
pub(crate) fn assert_outputs(context: &str, outputs: &Outputs, expected: &Outputs, bound: f64) {
    for (kind, outputs, expected) in [
        ("policy", &outputs.policy, &expected.policy),
        ("value", &outputs.value, &expected.value),
        ("moves left", &outputs.moves_left, &expected.moves_left),
    ] {
        assert_eq!(outputs.len(), expected.len(), "{context}: {kind}");
        let scale = expected.iter().fold(0.0_f32, |scale, value| scale.max(value.abs()));
        for (index, (output, wanted)) in outputs.iter().zip(expected).enumerate() {
            let distance = f64::from((output - wanted).abs());
            let near = distance <= bound * f64::from(scale);
            assert!(near, "{context}: {kind} {index} is {output}, expected {wanted}");
        }
    }
}

pub(crate) fn norm(values: impl IntoIterator<Item = f32>) -> f64 {
    values.into_iter().map(|value| f64::from(value).powi(2)).sum::<f64>().sqrt()
}

/// The gradient of each tensor is within `bound` times its norm.
pub(crate) fn assert_gradients(
    context: &str,
    architecture: &Architecture,
    gradient: &[f32],
    expected: &[f32],
    bound: f64,
) {
    let tensors = architecture.layout.tensors();
    for tensor in tensors {
        let (found, wanted) = (&gradient[tensor.range()], &expected[tensor.range()]);
        // A key's bias adds the same to all scores of a query, which no softmax sees: its gradient
        // is rounding errors, to be small beside that of the query's bias.
        let twin = tensor.name.strip_suffix("mha.k_b").map(|path| format!("{path}mha.q_b"));
        let of = tensors.iter().find(|other| Some(&other.name) == twin.as_ref());
        let size = norm(expected[of.unwrap_or(tensor).range()].iter().copied());
        let distance = norm(found.iter().zip(wanted).map(|(found, wanted)| found - wanted));
        let share = distance / size;
        let near = distance <= bound * size;
        assert!(near, "{context}: gradient of {} is off by {share:.1e}", tensor.name);
    }
}

/// All outputs have the same bits; of others only the first is named.
pub(crate) fn assert_bits(context: &str, outputs: &Outputs, expected: &Outputs) {
    for (kind, outputs, expected) in [
        ("policy", &outputs.policy, &expected.policy),
        ("value", &outputs.value, &expected.value),
        ("moves left", &outputs.moves_left, &expected.moves_left),
    ] {
        let context = format!("{context}: {kind}");
        assert_same(&context, outputs, expected);
    }
}

/// All numbers have the same bits; of others only the first is named.
pub(crate) fn assert_same(context: &str, found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len(), "{context}");
    for (index, (found, wanted)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found.to_bits(), wanted.to_bits(), "{context} {index}: {found}, {wanted}");
    }
}
