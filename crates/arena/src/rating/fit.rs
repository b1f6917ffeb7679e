//! The most probable ratings and parameters, by minorisation-maximisation.
//!
//! With strengths `g = 10^(Elo / 400)`, `w = 10^(advantage / 400)` and `d = 10^(draw / 400)`, the
//! model's probabilities for White of strength `g` against Black of strength `h` are
//!
//! - P(White wins) = w g / (w g + d h),
//! - P(Black wins) = h / (d w g + h),
//! - P(draw) = (d^2 - 1) w g h / ((w g + d h) (d w g + h)).
//!
//! So the log-likelihood is a sum of logarithms of strengths and parameters, less logarithms of the
//! two denominators. Each of the latter is bounded from above by its tangent at the present values
//! (`ln x <= ln y + x / y - 1`), which makes a function below the likelihood that touches it there
//! and of which the maximum has a closed form: no step makes the results less probable (R. Coulom's
//! program; D. Hunter, "MM algorithms for generalized Bradley-Terry models", 2004).

use super::error::RatingError;
use super::model::Model;
use super::pool::Pool;
use super::settings::{Parameter, Settings};

/// Iterations until a fit is given up.
const MOST_ITERATIONS: usize = 200_000;

/// The most probable ratings.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    /// By player, in Elo before scaling; their mean is 0.
    pub(super) elos: Vec<f64>,
    pub(super) model: Model,
}

/// Strengths and parameters.
struct State {
    strengths: Vec<f64>,
    advantage: f64,
    draw: f64,
}

/// Maximises the likelihood of the pool's results.
pub(super) fn fit(pool: &Pool, settings: &Settings) -> Result<Fit, RatingError> {
    let start = |parameter| match parameter {
        Parameter::Fixed(elo) => 10f64.powf(elo / 400.0),
        Parameter::Fitted => 1.0,
    };
    let mut state = State {
        strengths: vec![1.0; pool.names.len()],
        advantage: start(settings.advantage),
        draw: start(settings.draw),
    };
    let mut change = f64::INFINITY;
    for _ in 0..MOST_ITERATIONS {
        change = state.update_strengths(pool);
        if settings.advantage == Parameter::Fitted {
            let new = state.best_advantage(pool);
            change = change.max((new - state.advantage).abs());
            state.advantage = new;
        }
        if settings.draw == Parameter::Fitted {
            let new = state.best_draw(pool);
            change = change.max((new - state.draw).abs());
            state.draw = new;
        }
        if change < settings.tolerance || !change.is_finite() {
            break;
        }
    }
    let elo = |strength: f64| 400.0 * strength.log10();
    let mut elos: Vec<f64> = state.strengths.iter().copied().map(elo).collect();
    let mean = elos.iter().sum::<f64>() / elos.len() as f64;
    elos.iter_mut().for_each(|elo| *elo -= mean);
    let value = |parameter, fitted: f64| match parameter {
        Parameter::Fixed(fixed) => fixed,
        Parameter::Fitted => elo(fitted),
    };
    let model = Model {
        advantage: value(settings.advantage, state.advantage),
        draw: value(settings.draw, state.draw),
    };
    let finite = elos.iter().chain([&model.advantage, &model.draw]).all(|elo| elo.is_finite());
    if !finite || change.is_nan() || change >= settings.tolerance {
        return Err(RatingError::NotConverged { iterations: MOST_ITERATIONS, change });
    }
    Ok(Fit { elos, model })
}

impl State {
    /// One step for each player, last one first, each with the new strengths of those before it;
    /// the largest change, as |a - b| / (a + b).
    fn update_strengths(&mut self, pool: &Pool) -> f64 {
        let (w, d) = (self.advantage, self.draw);
        let mut largest = 0.0f64;
        for player in (0..pool.names.len()).rev() {
            let own = self.strengths[player];
            let (mut numerator, mut denominator) = (0.0, 0.0);
            for opponent in &pool.opponents[player] {
                let other = self.strengths[opponent.player];
                let (white, black) = (opponent.white, opponent.black);
                // What a side is at least: White does not lose, White does not win, ...
                let (white_holds, black_holds) =
                    (white.white_wins + white.draws, white.black_wins + white.draws);
                let (other_holds, own_holds) =
                    (black.white_wins + black.draws, black.black_wins + black.draws);
                numerator += white_holds + own_holds;
                denominator += white_holds * w / (w * own + d * other)
                    + black_holds * d * w / (d * w * own + other)
                    + other_holds * d / (w * other + d * own)
                    + own_holds / (d * w * other + own);
            }
            let new = numerator / denominator;
            let change = (new - own).abs() / (new + own);
            largest = if change.is_nan() { f64::NAN } else { largest.max(change) };
            self.strengths[player] = new;
        }
        largest
    }

    /// The advantage at which the bounding function is largest.
    fn best_advantage(&self, pool: &Pool) -> f64 {
        let (w, d) = (self.advantage, self.draw);
        let (mut numerator, mut denominator) = (0.0, 0.0);
        for (player, opponents) in pool.opponents.iter().enumerate().rev() {
            let own = self.strengths[player];
            for opponent in opponents {
                let (other, white) = (self.strengths[opponent.player], opponent.white);
                numerator += white.white_wins + white.draws;
                denominator += (white.white_wins + white.draws) * own / (w * own + d * other)
                    + (white.black_wins + white.draws) * d * own / (d * w * own + other);
            }
        }
        numerator / denominator
    }

    /// The draw parameter at which the bounding function is largest: the root above 1 of
    /// `d^2 - 2 c d - 1`, from `2 d N / (d^2 - 1) = D` with the number of draws N and `c = N / D`.
    fn best_draw(&self, pool: &Pool) -> f64 {
        let (w, d) = (self.advantage, self.draw);
        let (mut numerator, mut denominator) = (0.0, 0.0);
        for (player, opponents) in pool.opponents.iter().enumerate().rev() {
            let own = self.strengths[player];
            for opponent in opponents {
                let (other, white) = (self.strengths[opponent.player], opponent.white);
                numerator += white.draws;
                denominator += (white.white_wins + white.draws) * other / (w * own + d * other)
                    + (white.black_wins + white.draws) * w * own / (d * w * own + other);
            }
        }
        let c = numerator / denominator;
        c + (c * c + 1.0).sqrt()
    }
}
