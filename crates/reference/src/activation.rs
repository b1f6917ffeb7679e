//! Activation functions (LC0_FORMAT section 4).

use network::Activation;

const SELU_SCALE: f64 = 1.050_700_98;
const SELU_ALPHA: f64 = 1.673_263_24;

/// Applies `activation` to all outputs of a layer.
pub(crate) fn activate(activation: Activation, outputs: &[f64]) -> Vec<f64> {
    let each = |f: fn(f64) -> f64| outputs.iter().map(|&x| f(x)).collect();
    match activation {
        Activation::Identity => outputs.to_vec(),
        Activation::Relu => each(|x| x.max(0.0)),
        Activation::ReluSquared => each(|x| x.max(0.0).powi(2)),
        Activation::Mish => each(|x| x * x.exp().ln_1p().tanh()),
        Activation::Swish => each(|x| x * sigmoid(x)),
        Activation::Sigmoid => each(sigmoid),
        Activation::Tanh => each(f64::tanh),
        Activation::Selu => each(|x| {
            let scaled = if x > 0.0 { x } else { SELU_ALPHA * x.exp_m1() };
            SELU_SCALE * scaled
        }),
        Activation::Softmax => softmax(outputs),
    }
}

pub(crate) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

pub(crate) fn softmax(logits: &[f64]) -> Vec<f64> {
    // The largest exponent becomes 0, which changes no quotient and overflows nowhere.
    let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let exponentials: Vec<f64> = logits.iter().map(|x| (x - largest).exp()).collect();
    let sum: f64 = exponentials.iter().sum();
    exponentials.iter().map(|x| x / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(activation: Activation, inputs: &[f64], expected: &[f64]) {
        let outputs = activate(activation, inputs);
        assert_eq!(outputs.len(), expected.len());
        for (input, (output, expected)) in inputs.iter().zip(outputs.iter().zip(expected)) {
            assert!((output - expected).abs() < 1e-9, "{activation} of {input} is {output}");
        }
    }

    /// Values worked out from the definitions with twelve digits.
    #[test]
    fn values_are_those_of_the_definitions() {
        let inputs = [-1.0, 0.0, 2.0];
        check(Activation::Identity, &inputs, &inputs);
        check(Activation::Relu, &inputs, &[0.0, 0.0, 2.0]);
        check(Activation::ReluSquared, &inputs, &[0.0, 0.0, 4.0]);
        check(Activation::Sigmoid, &inputs, &[0.268941421370, 0.5, 0.880797077978]);
        check(Activation::Swish, &inputs, &[-0.268941421370, 0.0, 1.761594155956]);
        check(Activation::Tanh, &inputs, &[-0.761594155956, 0.0, 0.964027580076]);
        check(Activation::Mish, &inputs, &[-0.303401461374, 0.0, 1.943958959534]);
        check(Activation::Selu, &inputs, &[-1.111330728469, 0.0, 2.101401960000]);
        check(Activation::Softmax, &inputs, &[0.042010066134, 0.114195199385, 0.843794734481]);
    }

    #[test]
    fn large_inputs_do_not_overflow() {
        check(Activation::Mish, &[-1000.0, 1000.0], &[0.0, 1000.0]);
        check(Activation::Swish, &[-1000.0, 1000.0], &[0.0, 1000.0]);
        check(Activation::Softmax, &[-1000.0, 1000.0], &[0.0, 1.0]);
    }
}
