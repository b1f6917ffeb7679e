/// An activation function as Lc0 defines it (LC0_FORMAT section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activation {
    /// `x`
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
    /// `1.05070098 x` for positive `x`, else `1.05070098 * 1.67326324 (e^x - 1)`
    Selu,
    /// `e^x / sum e^x` over all outputs of the layer
    Softmax,
}

impl std::fmt::Display for Activation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Identity => "none",
            Self::Relu => "relu",
            Self::ReluSquared => "relu^2",
            Self::Mish => "mish",
            Self::Swish => "swish",
            Self::Sigmoid => "sigmoid",
            Self::Tanh => "tanh",
            Self::Selu => "selu",
            Self::Softmax => "softmax",
        })
    }
}
