//! A loss over a few positions, and its differences along directions of parameters.

use chess::{Game, HistoryFill, Planes};
use network::{Architecture, OutputGradients, Outputs, TensorInfo};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use reference::forward;

/// First step of a difference, as a share of the tensor's root mean square.
const STEP: f64 = 1e-5;

/// Positions of real games, of both sides.
const GAMES: [&str; 3] = [
    // Morphy against the Duke of Brunswick and Count Isouard, Paris 1858, before move 14.
    "e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 \
     c3b5 c6b5 c4b5 b8d7 e1c1 a8d8 d1d7 d8d7",
    // Anderssen against Kieseritzky, London 1851, after White's move 14.
    "e2e4 e7e5 f2f4 e5f4 f1c4 d8h4 e1f1 b7b5 c4b5 g8f6 g1f3 h4h6 d2d3 f6h5 f3h4 h6g5 h4f5 c7c6 \
     g2g4 h5f6 h1g1 c6b5 h2h4 g5g6 h4h5 g6g5 d1f3 f6g8 c1f4",
    "e2e4 c7c5 g1f3",
];

pub(crate) fn positions(architecture: &Architecture) -> Vec<Planes> {
    let planes = |moves: &str| {
        let mut game = Game::new();
        for uci in moves.split_whitespace() {
            game.play_uci(uci).unwrap();
        }
        chess::encode(&game, architecture.input_format, HistoryFill::FenOnly).unwrap().planes
    };
    GAMES.map(planes).to_vec()
}

/// What is differentiated: the sum of all outputs, each times its coefficient.
pub(crate) struct Loss<'a> {
    pub(crate) architecture: &'a Architecture,
    pub(crate) planes: &'a [Planes],
    pub(crate) coefficients: &'a OutputGradients,
}

/// Random coefficients by which each head has a like share in the loss.
pub(crate) fn coefficients(outputs: &Outputs, generator: &mut ChaCha8Rng) -> OutputGradients {
    let mut coefficients = outputs.clone();
    let moves = outputs.policy_of(0).len() as f32;
    for value in &mut coefficients.policy {
        *value = generator.random_range(-1.0..1.0) / moves.sqrt();
    }
    for value in coefficients.value.iter_mut().chain(&mut coefficients.moves_left) {
        *value = generator.random_range(-1.0..1.0);
    }
    coefficients
}

impl Loss<'_> {
    fn at(&self, parameters: &[f64]) -> f64 {
        let position = |(index, planes): (usize, &Planes)| {
            let outputs = forward(self.architecture, parameters, planes);
            let width = outputs.value.len();
            let value = &self.coefficients.value[width * index..][..width];
            let plies = outputs
                .moves_left
                .map_or(0.0, |plies| f64::from(self.coefficients.moves_left[index]) * plies);
            dot(self.coefficients.policy_of(index), &outputs.policy)
                + dot(value, &outputs.value)
                + plies
        };
        self.planes.iter().enumerate().map(position).sum()
    }

    /// `(loss(p + step u) - loss(p - step u)) / (2 step)`, where `u` is `direction` in the
    /// elements of `tensor`, and 0 in all others.
    fn difference(
        &self,
        parameters: &mut [f64],
        tensor: &TensorInfo,
        direction: &[f64],
        step: f64,
    ) -> f64 {
        let kept = parameters[tensor.range()].to_vec();
        let mut moved = |step: f64| {
            let elements = &mut parameters[tensor.range()];
            for ((element, kept), direction) in elements.iter_mut().zip(&kept).zip(direction) {
                *element = kept + step * direction;
            }
            self.at(parameters)
        };
        let difference = (moved(step) - moved(-step)) / (2.0 * step);
        parameters[tensor.range()].copy_from_slice(&kept);
        difference
    }

    /// Compares the derivative along `direction` with `expected` and gives their distance.
    ///
    /// A difference whose step crosses a kink, such as ReLU's, is no derivative. It is known by
    /// a smaller step that gives another; then that one counts, and so on. Where two steps agree
    /// with each other but not with `expected`, `expected` is wrong.
    pub(crate) fn check(
        &self,
        parameters: &mut [f64],
        tensor: &TensorInfo,
        direction: &[f64],
        expected: f64,
        tolerance: f64,
    ) -> Result<f64, String> {
        let squares: f64 = parameters[tensor.range()].iter().map(|value| value * value).sum();
        let mut step = STEP * (squares / tensor.len() as f64).sqrt();
        let mut difference = self.difference(parameters, tensor, direction, step);
        for _ in 0..4 {
            let distance = (difference - expected).abs();
            if distance <= tolerance {
                return Ok(distance);
            }
            step /= 8.0;
            let finer = self.difference(parameters, tensor, direction, step);
            if (finer - difference).abs() <= 0.1 * tolerance {
                return Err(format!(
                    "gradient {expected:e}, difference {difference:e}, allowed {tolerance:.1e}"
                ));
            }
            difference = finer;
        }
        Err(format!("gradient {expected:e}, differences do not settle at {difference:e}"))
    }
}

pub(crate) fn dot(left: &[f32], right: &[f64]) -> f64 {
    assert_eq!(left.len(), right.len());
    left.iter().zip(right).map(|(&left, right)| f64::from(left) * right).sum()
}
