//! Activation functions and their derivatives.

mod functions;
#[cfg(test)]
mod tests;

use super::InstructionSet;
use super::elementwise::{Combine, update};
use crate::simd::{Kernel, LANES, Lanes, Simd};
pub(super) use functions::Function;
pub(super) use functions::{Identity, Mish, Relu, ReluSquared, Selu, Sigmoid, Swish, Tanh};

/// A function applied to each number (LC0_FORMAT section 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Activation {
    /// `x`
    #[default]
    Identity,
    /// `max(x, 0)`
    Relu,
    /// `max(x, 0)^2`
    ReluSquared,
    /// `x tanh(ln(1 + e^x))`
    Mish,
    /// `x / (1 + e^-x)`
    Swish,
    /// `1 / (1 + e^-x)`
    Sigmoid,
    /// `tanh(x)`
    Tanh,
    /// `1.0507 x` where `x > 0`, else `1.0507 * 1.6733 (e^x - 1)`
    Selu,
}

impl Activation {
    /// All of them.
    pub const ALL: [Activation; 8] = [
        Activation::Identity,
        Activation::Relu,
        Activation::ReluSquared,
        Activation::Mish,
        Activation::Swish,
        Activation::Sigmoid,
        Activation::Tanh,
        Activation::Selu,
    ];
}

/// Runs an expression with `$function` standing for the [`Function`] of an activation.
macro_rules! with_function {
    ($activation:expr, $function:ident => $body:expr) => {{
        use crate::kernels::activation as functions;
        match $activation {
            functions::Activation::Identity => {
                type $function = functions::Identity;
                $body
            }
            functions::Activation::Relu => {
                type $function = functions::Relu;
                $body
            }
            functions::Activation::ReluSquared => {
                type $function = functions::ReluSquared;
                $body
            }
            functions::Activation::Mish => {
                type $function = functions::Mish;
                $body
            }
            functions::Activation::Swish => {
                type $function = functions::Swish;
                $body
            }
            functions::Activation::Sigmoid => {
                type $function = functions::Sigmoid;
                $body
            }
            functions::Activation::Tanh => {
                type $function = functions::Tanh;
                $body
            }
            functions::Activation::Selu => {
                type $function = functions::Selu;
                $body
            }
        }
    }};
}
pub(super) use with_function;

/// `x = activation(x)`
pub fn activate(set: InstructionSet, activation: Activation, x: &mut [f32]) {
    struct Activate<'a>(Activation, &'a mut [f32]);
    impl Kernel for Activate<'_> {
        type Output = ();

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            with_function!(self.0, F => {
                for x in self.1.chunks_mut(LANES) {
                    F::value(simd, simd.load_chunk(x, 0.0)).store_chunk(x);
                }
            });
        }
    }
    set.run(Activate(activation, x));
}

/// The backward pass: multiplies `gradient` by the derivative at the arguments `x` of the
/// activation.
///
/// # Panics
///
/// If the lengths differ.
pub fn activate_backward(
    set: InstructionSet,
    activation: Activation,
    x: &[f32],
    gradient: &mut [f32],
) {
    struct Derivative(Activation);
    impl Combine for Derivative {
        #[inline(always)]
        fn combine<S: Simd>(&self, simd: S, gradient: S::Lanes, x: S::Lanes) -> S::Lanes {
            with_function!(self.0, F => gradient * F::value_and_derivative(simd, x).1)
        }
    }
    update(set, Derivative(activation), gradient, x);
}
