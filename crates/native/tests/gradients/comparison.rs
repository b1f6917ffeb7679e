//! What the engine gives, compared with what the reference gives.

use network::{Architecture, Outputs, TensorInfo};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use reference::forward;

use crate::loss::{Loss, dot};

/// Largest distance of an output, as a share of the largest output of its kind.
const OUTPUT: f64 = 2e-5;

/// Largest distance of a derivative, as a share of the size that it would have if the gradient
/// were spread evenly: the gradient's norm for a direction of signs, the norm over the root of
/// the element count for an element.
const GRADIENT: f64 = 5e-5;

/// Compares each kind of output with the reference; gives the largest distance.
pub(crate) fn check_outputs(outputs: &Outputs, loss: &Loss<'_>, parameters: &[f64]) -> f64 {
    let (mut policy, mut value, mut moves_left) = (vec![], vec![], vec![]);
    for planes in loss.planes {
        let outputs = forward(loss.architecture, parameters, planes);
        policy.extend(outputs.policy);
        value.extend(outputs.value);
        moves_left.extend(outputs.moves_left);
    }
    let kinds = [
        ("policy", &outputs.policy, policy),
        ("value", &outputs.value, value),
        ("moves left", &outputs.moves_left, moves_left),
    ];
    let mut worst = 0.0_f64;
    for (kind, native, reference) in kinds {
        assert_eq!(native.len(), reference.len(), "{kind}");
        let scale = reference.iter().fold(0.0_f64, |scale, value| scale.max(value.abs()));
        for (index, (&native, reference)) in native.iter().zip(reference).enumerate() {
            let distance = (f64::from(native) - reference).abs() / scale;
            assert!(distance <= OUTPUT, "{kind} {index}: {native}, reference {reference}");
            worst = worst.max(distance);
        }
    }
    worst
}

pub(crate) fn norm(values: &[f32]) -> f64 {
    values.iter().map(|&value| f64::from(value).powi(2)).sum::<f64>().sqrt()
}

/// Norm that rounding errors in the gradient of `tensor` are measured by.
fn gradient_size(
    architecture: &Architecture,
    gradient: &[f32],
    tensor: &TensorInfo,
) -> Result<f64, String> {
    let own = norm(&gradient[tensor.range()]);
    let Some(attention) = tensor.name.strip_suffix("mha.k_b") else {
        return if own > 0.0 { Ok(own) } else { Err("the gradient is 0".to_owned()) };
    };
    // A key's bias adds the same to all scores of a query, which no softmax sees. The gradient
    // is 0, and what rounding leaves of it must be small beside that of the query's bias.
    let twin = format!("{attention}mha.q_b");
    let query = architecture.layout.tensors().iter().find(|tensor| tensor.name == twin);
    let size = norm(&gradient[query.expect("queries have a bias where keys do").range()]);
    if own <= GRADIENT * size { Ok(size) } else { Err(format!("{own:e} is not 0")) }
}

/// Compares the gradient of one tensor with differences; gives the largest distance as a share of
/// what [`GRADIENT`] is a share of.
///
/// # Errors
///
/// Says what about the gradient is wrong.
pub(crate) fn check_tensor(
    loss: &Loss<'_>,
    parameters: &mut [f64],
    gradient: &[f32],
    tensor: &TensorInfo,
    generator: &mut ChaCha8Rng,
) -> Result<f64, String> {
    let named = |error| format!("{} {:?}: {error}", tensor.name, tensor.shape);
    let elements = &gradient[tensor.range()];
    let count = elements.len();
    let size = gradient_size(loss.architecture, gradient, tensor).map_err(named)?;
    let mut worst = 0.0_f64;
    let mut probe = |what: &str, direction: &[f64], size: f64| {
        let expected = dot(elements, direction);
        let distance = loss
            .check(parameters, tensor, direction, expected, GRADIENT * size)
            .map_err(|error| named(format!("{what}: {error}")))?;
        worst = worst.max(distance / size);
        Ok::<(), String>(())
    };
    // A wrong factor shows most along the gradient's own signs.
    let signs: Vec<f64> = elements.iter().map(|value| f64::from(value.signum())).collect();
    probe("along its signs", &signs, dot(elements, &signs).max(size))?;
    // A wrong term shows along a random direction with its own norm.
    for _ in 0..2 {
        let sign = |_| if generator.random::<bool>() { 1.0 } else { -1.0 };
        probe("along random signs", &(0..count).map(sign).collect::<Vec<f64>>(), size)?;
    }
    let largest = (0..count).max_by(|&a, &b| elements[a].abs().total_cmp(&elements[b].abs()));
    for index in [largest.expect("no tensor is empty"), generator.random_range(0..count)] {
        let mut direction = vec![0.0; count];
        direction[index] = 1.0;
        let even = size / (count as f64).sqrt();
        let size = even.max(f64::from(elements[index].abs()));
        probe(&format!("element {index}"), &direction, size)?;
    }
    Ok(worst)
}
