//! Where the numbers of a layer come from.

use super::PLANES;
use crate::layer::encode;
use crate::proto::{Encoding, Layer};
use rand::{Rng, RngExt};

/// Plane of the half-move clock, which format 1 feeds as a raw count of up to 99.
const CLOCK_PLANE: usize = 109;

/// How the numbers of a layer are distributed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fill {
    /// Uniform in `centre ± spread`.
    Uniform { centre: f32, spread: f32 },
    /// Weights of `inputs` numbers of unit size: standard deviation `gain / sqrt(inputs)`, so that
    /// the output has standard deviation `gain`.
    Matrix { inputs: usize, gain: f32 },
    /// Weights `[out][inputs][kernel]` whose first inputs are the 112 planes, about `active` of
    /// which are 1 under the kernel. The clock's are smaller by its largest value, as trainers
    /// that divide it fold the factor in.
    Planes { inputs: usize, kernel: usize, active: usize },
}

impl Fill {
    /// Biases.
    pub(super) const BIAS: Self = Self::Uniform { centre: 0.0, spread: 0.2 };
    /// Scales of normalisations.
    pub(super) const SCALE: Self = Self::Uniform { centre: 1.0, spread: 0.3 };
    /// Batch variances.
    pub(super) const VARIANCE: Self = Self::Uniform { centre: 1.0, spread: 0.5 };
}

pub(super) trait Source {
    /// A layer of `count` numbers.
    fn layer(&mut self, count: usize, fill: Fill) -> Option<Layer>;

    /// Weights `[outputs][inputs]`.
    fn matrix(&mut self, outputs: usize, inputs: usize, gain: f32) -> Option<Layer> {
        self.layer(outputs * inputs, Fill::Matrix { inputs, gain })
    }

    /// Biases, or shifts of a normalisation.
    fn biases(&mut self, count: usize) -> Option<Layer> {
        self.layer(count, Fill::BIAS)
    }

    /// Scales of a normalisation.
    fn scales(&mut self, count: usize) -> Option<Layer> {
        self.layer(count, Fill::SCALE)
    }
}

/// Numbers from a generator.
pub(super) struct Random<'r, R> {
    generator: &'r mut R,
}

impl<'r, R: Rng> Random<'r, R> {
    pub(super) fn new(generator: &'r mut R) -> Self {
        Self { generator }
    }

    fn uniform(&mut self, count: usize, centre: f32, spread: f32) -> Vec<f32> {
        let mut number = || centre + spread * (2.0 * self.generator.random::<f32>() - 1.0);
        (0..count).map(|_| number()).collect()
    }
}

/// Half the width of the uniform distribution of standard deviation 1.
const UNIT: f32 = 1.732_050_8;

impl<R: Rng> Source for Random<'_, R> {
    fn layer(&mut self, count: usize, fill: Fill) -> Option<Layer> {
        assert!(count > 0, "every size of an architecture is at least 1");
        let values = match fill {
            Fill::Uniform { centre, spread } => self.uniform(count, centre, spread),
            Fill::Matrix { inputs, gain } => {
                self.uniform(count, 0.0, UNIT * gain / (inputs as f32).sqrt())
            }
            Fill::Planes { inputs, kernel, active } => {
                let mut values = self.uniform(count, 0.0, UNIT / (active as f32).sqrt());
                for (index, value) in values.iter_mut().enumerate() {
                    if index / kernel % inputs == CLOCK_PLANE {
                        *value /= 99.0;
                    }
                }
                debug_assert!(inputs >= PLANES);
                values
            }
        };
        Some(encode(&values, Encoding::Linear16).expect("numbers of moderate size"))
    }
}

/// Numbers from a generator where training has to begin: matrices draw theirs, at a gain of 1 at the
/// most, and what is added or scales begins at its neutral value, so that no head starts with a
/// preference.
pub(super) struct Untrained<'r, R>(Random<'r, R>);

impl<'r, R: Rng> Untrained<'r, R> {
    pub(super) fn new(generator: &'r mut R) -> Self {
        Self(Random::new(generator))
    }
}

impl<R: Rng> Source for Untrained<'_, R> {
    fn layer(&mut self, count: usize, fill: Fill) -> Option<Layer> {
        let fill = match fill {
            Fill::Uniform { centre, .. } => Fill::Uniform { centre, spread: 0.0 },
            Fill::Matrix { inputs, gain } => Fill::Matrix { inputs, gain: gain.min(1.0) },
            planes @ Fill::Planes { .. } => planes,
        };
        self.0.layer(count, fill)
    }
}

/// No numbers; their count is kept, also as each layer's shape.
#[derive(Default)]
pub(super) struct Counting {
    pub(super) elements: u64,
}

impl Source for Counting {
    fn layer(&mut self, count: usize, _: Fill) -> Option<Layer> {
        assert!(count > 0, "every size of an architecture is at least 1");
        self.elements += count as u64;
        let dims = vec![u32::try_from(count).expect("layers have fewer than 2^32 numbers")];
        Some(Layer { dims, ..Layer::default() })
    }
}
