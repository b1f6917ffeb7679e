//! Activation functions and their derivatives.

mod functions;

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
