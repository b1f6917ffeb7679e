//! The temperature of a softmax.

use crate::PolicyError;

/// What logits are divided by before the softmax: a finite number of at least 0.
///
/// Zero stands for the limit from above: all probability on the largest logit, shared evenly where
/// several are equally large.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Temperature(f64);

impl Temperature {
    /// The limit of temperatures above zero: argmax, with ties shared evenly.
    pub const ZERO: Temperature = Temperature(0.0);
    /// The network's own distribution ("raw" policy).
    pub const ONE: Temperature = Temperature(1.0);

    /// A temperature from a number.
    ///
    /// # Errors
    ///
    /// [`PolicyError::InvalidTemperature`] if `value` is negative, NaN or infinite.
    pub fn new(value: f64) -> Result<Temperature, PolicyError> {
        if value.is_finite() && value >= 0.0 {
            // `abs` turns -0.0, which passes the comparison, into 0.0.
            Ok(Temperature(value.abs()))
        } else {
            Err(PolicyError::InvalidTemperature { value })
        }
    }

    /// The number, at least 0.
    pub fn get(self) -> f64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_exactly_the_finite_numbers_from_zero_up() {
        for good in [0.0, f64::MIN_POSITIVE, 0.5, 1.0, 1.359, f64::MAX] {
            assert_eq!(Temperature::new(good).map(Temperature::get), Ok(good));
        }
        for bad in [-1e-300, -1.0, f64::INFINITY, f64::NEG_INFINITY] {
            let expected = Err(PolicyError::InvalidTemperature { value: bad });
            assert_eq!(Temperature::new(bad), expected);
        }
        assert!(Temperature::new(f64::NAN).is_err());
    }

    #[test]
    fn negative_zero_is_zero() {
        assert!(Temperature::new(-0.0).is_ok_and(|zero| zero.get().is_sign_positive()));
    }
}
