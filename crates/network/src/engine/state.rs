//! What an engine needs to go on training.

use super::EngineError;
use crate::tensor::Layout;

/// Everything that an engine needs to go on training bit for bit: flat vectors of the
/// [`Layout`]'s length, and the number of updates so far.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingState {
    /// Trained parameters, theta.
    pub parameters: Vec<f32>,
    /// Exponential moving average of the parameters.
    pub average: Vec<f32>,
    /// AdamW's average of the gradient.
    pub first_moment: Vec<f32>,
    /// AdamW's average of the squared gradient.
    pub second_moment: Vec<f32>,
    /// Updates so far.
    pub updates: u64,
}

/// Names one vector of a [`TrainingState`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateVector {
    /// See [`TrainingState::parameters`].
    Parameters,
    /// See [`TrainingState::average`].
    Average,
    /// See [`TrainingState::first_moment`].
    FirstMoment,
    /// See [`TrainingState::second_moment`].
    SecondMoment,
}

impl StateVector {
    /// All four, in the order of their declaration.
    pub const ALL: [Self; 4] =
        [Self::Parameters, Self::Average, Self::FirstMoment, Self::SecondMoment];

    /// Name in files and errors.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parameters => "parameters",
            Self::Average => "average",
            Self::FirstMoment => "first_moment",
            Self::SecondMoment => "second_moment",
        }
    }
}

impl TrainingState {
    /// One of the vectors.
    pub fn vector(&self, vector: StateVector) -> &[f32] {
        match vector {
            StateVector::Parameters => &self.parameters,
            StateVector::Average => &self.average,
            StateVector::FirstMoment => &self.first_moment,
            StateVector::SecondMoment => &self.second_moment,
        }
    }

    /// Sees that this is a state of a network of that layout.
    ///
    /// # Errors
    ///
    /// [`EngineError::Shape`] where a vector is not of the layout's length, and
    /// [`EngineError::NonFinite`] for the first element that is not finite.
    pub fn check(&self, layout: &Layout) -> Result<(), EngineError> {
        for vector in StateVector::ALL {
            let values = self.vector(vector);
            let (what, found, expected) = (vector.name(), values.len(), layout.len());
            if found != expected {
                return Err(EngineError::Shape { what, found, expected });
            }
            layout.check_finite(values)?;
        }
        Ok(())
    }
}

impl Layout {
    /// Sees that all elements of a flat vector of this layout are finite.
    ///
    /// # Errors
    ///
    /// [`EngineError::NonFinite`] for the first that is not.
    pub fn check_finite(&self, flat: &[f32]) -> Result<(), EngineError> {
        let Some(place) = flat.iter().position(|value| !value.is_finite()) else { return Ok(()) };
        let tensor = self.tensor_at(place).expect("an index of the layout");
        let index = place - tensor.range().start;
        Err(EngineError::NonFinite { tensor: tensor.name.clone(), index, value: flat[place] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::{FileOrder, Group, Source};

    fn layout() -> Layout {
        let mut layout = Layout::default();
        for (name, shape) in [("a", vec![2, 2]), ("b", vec![3])] {
            let source = Source::Layer(name.to_owned());
            layout.push(name.to_owned(), shape, Group::Backbone, FileOrder::Same, source);
        }
        layout
    }

    fn state() -> TrainingState {
        let vector = || vec![0.5; 7];
        TrainingState {
            parameters: vector(),
            average: vector(),
            first_moment: vector(),
            second_moment: vector(),
            updates: 3,
        }
    }

    #[test]
    fn a_state_of_the_layout_is_accepted() {
        assert_eq!(state().check(&layout()), Ok(()));
    }

    #[test]
    fn every_vector_is_checked() {
        let vectors: [fn(&mut TrainingState) -> &mut Vec<f32>; 4] = [
            |state| &mut state.parameters,
            |state| &mut state.average,
            |state| &mut state.first_moment,
            |state| &mut state.second_moment,
        ];
        for (vector, name) in vectors.into_iter().zip(StateVector::ALL.map(StateVector::name)) {
            let mut short = state();
            vector(&mut short).pop();
            let expected = EngineError::Shape { what: name, found: 6, expected: 7 };
            assert_eq!(short.check(&layout()), Err(expected));
            let mut long = state();
            vector(&mut long).push(0.0);
            let expected = EngineError::Shape { what: name, found: 8, expected: 7 };
            assert_eq!(long.check(&layout()), Err(expected));
            for (place, tensor, index) in [(3, "a", 3), (4, "b", 0)] {
                let mut infinite = state();
                vector(&mut infinite)[place] = f32::NEG_INFINITY;
                let tensor = tensor.to_owned();
                let value = f32::NEG_INFINITY;
                let expected = EngineError::NonFinite { tensor, index, value };
                assert_eq!(infinite.check(&layout()), Err(expected));
                vector(&mut infinite)[place] = f32::NAN;
                assert!(matches!(infinite.check(&layout()), Err(EngineError::NonFinite { .. })));
            }
        }
    }
}
