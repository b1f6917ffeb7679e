//! What is recorded of every step.

use std::time::{Duration, Instant};

use chess::{Ending, Outcome};
use serde::{Deserialize, Serialize};

use crate::openings::OpeningMetrics;
use crate::self_play::FinishedGame;

#[cfg(test)]
mod tests;

/// What is recorded of a step, in whatever kind of run: numbers by their names.
pub(crate) trait StepRecord: Serialize {
    /// The step, counted from 1.
    fn step(&self) -> u64;
}

/// One step. Means are over the batch; logarithms are natural.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepMetrics {
    /// Counted from 1.
    pub step: u64,
    /// Fraction of the peak learning rates that was used.
    pub warmup_factor: f64,
    /// The loss, before the step's update.
    pub loss: LossMetrics,
    /// The advantage A.
    pub advantage: AdvantageMetrics,
    /// The importance weight rho.
    pub importance: ImportanceMetrics,
    /// The trained policy and its distance from the base.
    pub policy: PolicyMetrics,
    /// The sampling temperature tau.
    pub temperature: Spread,
    /// Games that ended in this step, and those under way.
    pub games: GameMetrics,
    /// How different the openings are that have been played since the first step.
    pub openings: OpeningMetrics,
    /// Where the time went; all else is the same whenever a run is repeated.
    pub timing: Timing,
}

/// Parts of the loss, each as it is and as it enters the total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LossMetrics {
    /// What is minimised: the sum of the policy gradient's and the three weighted parts.
    pub total: f64,
    /// `-rho A ln pi(a|s)`.
    pub policy_gradient: f64,
    /// The exploration term R.
    pub exploration: f64,
    /// `beta R`.
    pub exploration_weighted: f64,
    /// Beta at this step.
    pub beta: f64,
    /// The average of `KL(pi_base||pi)` over the steps before, from which a schedule by drift
    /// takes beta; 0 before the first.
    pub drift: f64,
    /// The cross-entropy of the target and the value head.
    pub value: f64,
    /// `c_v` times the cross-entropy, weighted by rho unless the settings say otherwise.
    pub value_weighted: f64,
    /// The anchor V: a divergence of the value head from the base's, in nats.
    pub value_anchor: f64,
    /// `c_v w V`.
    pub value_anchor_weighted: f64,
}

/// The advantage `A = v(target) - v_theta(s)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AdvantageMetrics {
    /// Mean of A, in [-1, 1].
    pub mean: f64,
    /// Mean of |A|, in [0, 1].
    pub mean_absolute: f64,
}

/// The importance weight `rho = min(1, pi/mu)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ImportanceMetrics {
    /// Mean of rho, in [0, 1].
    pub mean: f64,
    /// Fraction of the batch in which pi/mu exceeds 1 and was cut off.
    pub capped: f64,
}

/// The trained policy pi.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PolicyMetrics {
    /// Entropy of pi in nats.
    pub entropy: f64,
    /// `KL(pi_base||pi)` in nats.
    pub forward_kl: f64,
    /// `KL(pi||pi_base)` in nats.
    pub reverse_kl: f64,
    /// Largest difference in the probability of a legal move between the pass that is sampled
    /// from and trained on, and a second pass of the same weights that only evaluates, over the
    /// step's first 8 positions: rounding at most, as long as the engine's two passes agree.
    pub largest_sampling_gap: f64,
}

/// A distribution over the batch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Smallest value.
    pub minimum: f64,
    /// 10% quantile.
    pub quantile_10: f64,
    /// 25% quantile.
    pub quantile_25: f64,
    /// Median.
    pub median: f64,
    /// 75% quantile.
    pub quantile_75: f64,
    /// 90% quantile.
    pub quantile_90: f64,
    /// Largest value.
    pub maximum: f64,
    /// Mean.
    pub mean: f64,
}

/// Self-play games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GameMetrics {
    /// Games that ended in this step.
    pub finished: u64,
    /// Of these, won by White.
    pub white_wins: u64,
    /// Won by Black.
    pub black_wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Cut off without a result.
    pub cut_off: u64,
    /// Ended by mate.
    pub checkmate: u64,
    /// Ended by stalemate.
    pub stalemate: u64,
    /// Ended because neither side can mate.
    pub insufficient_material: u64,
    /// Ended by the third occurrence of a position.
    pub threefold_repetition: u64,
    /// Ended by a hundred plies without capture or pawn move.
    pub fifty_move_rule: u64,
    /// Ended by the cap on the game's length.
    pub ply_cap: u64,
    /// Mean length in plies of the games that ended, with the moves of their openings; absent
    /// where none did.
    pub mean_plies: Option<f64>,
    /// Mean number of plies played so far in the games under way.
    pub mean_plies_under_way: f64,
}

/// Seconds spent in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Timing {
    /// Networks on the current positions.
    pub forward: f64,
    /// Sampling, playing and encoding.
    pub play: f64,
    /// The average's network on the successors.
    pub label: f64,
    /// Loss, backward pass, update and averaging.
    pub backward: f64,
    /// Of all of the step, what was spent outside the networks' engines: sampling, playing,
    /// encoding, loss, and the metrics themselves.
    pub outside_engine: f64,
    /// Positions trained on per second of the whole step.
    pub positions_per_second: f64,
}

impl StepRecord for StepMetrics {
    fn step(&self) -> u64 {
        self.step
    }
}

impl Spread {
    /// The distribution of `values`; quantiles are the nearest values from below.
    ///
    /// # Panics
    ///
    /// Without values, or with NaN among them.
    pub(crate) fn of(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(|a, b| a.partial_cmp(b).expect("no value is NaN"));
        let last = values.len() - 1;
        let at = |percent: usize| values[last * percent / 100];
        Self {
            minimum: at(0),
            quantile_10: at(10),
            quantile_25: at(25),
            median: at(50),
            quantile_75: at(75),
            quantile_90: at(90),
            maximum: at(100),
            mean: values.iter().sum::<f64>() / values.len() as f64,
        }
    }
}

impl GameMetrics {
    /// Counts the games that ended; those under way have `plies_under_way` plies each.
    pub(crate) fn of<'a>(
        finished: impl Iterator<Item = &'a FinishedGame>,
        plies_under_way: impl ExactSizeIterator<Item = u32>,
    ) -> Self {
        let mut metrics = Self::default();
        let mut plies = 0;
        for finished in finished {
            metrics.count(finished);
            plies += u64::from(finished.game.ply());
        }
        metrics.mean_plies = (metrics.finished > 0).then(|| plies as f64 / metrics.finished as f64);
        let games = plies_under_way.len() as f64;
        metrics.mean_plies_under_way = plies_under_way.map(f64::from).sum::<f64>() / games;
        metrics
    }

    fn count(&mut self, finished: &FinishedGame) {
        self.finished += 1;
        *match finished.outcome {
            Some(Outcome::WhiteWins) => &mut self.white_wins,
            Some(Outcome::BlackWins) => &mut self.black_wins,
            Some(Outcome::Draw) => &mut self.draws,
            None => &mut self.cut_off,
        } += 1;
        *match finished.ending {
            Ending::Checkmate { .. } => &mut self.checkmate,
            Ending::Stalemate => &mut self.stalemate,
            Ending::InsufficientMaterial => &mut self.insufficient_material,
            Ending::ThreefoldRepetition => &mut self.threefold_repetition,
            Ending::FiftyMoveRule => &mut self.fifty_move_rule,
            Ending::PlyCap => &mut self.ply_cap,
        } += 1;
    }
}

/// Measures the phases of a step one after another, and apart from them the engines.
pub(crate) struct Stopwatch {
    started: Instant,
    lap: Instant,
    engine: Duration,
}

impl Stopwatch {
    /// Starts the first phase.
    pub(crate) fn start() -> Self {
        let now = Instant::now();
        Self { started: now, lap: now, engine: Duration::ZERO }
    }

    /// Seconds since the last phase ended.
    pub(crate) fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let seconds = now.duration_since(self.lap).as_secs_f64();
        self.lap = now;
        seconds
    }

    /// Does what an engine does, as part of the phase under way.
    pub(crate) fn engine<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let result = work();
        self.engine += started.elapsed();
        result
    }

    /// Seconds since the start in which no engine worked.
    pub(crate) fn outside_engine(&self) -> f64 {
        self.started.elapsed().saturating_sub(self.engine).as_secs_f64()
    }

    /// `count` per second since the start.
    pub(crate) fn rate(&self, count: usize) -> f64 {
        // A clock that has not moved yet must not make the rate infinite.
        let elapsed = self.started.elapsed().max(Duration::from_nanos(1));
        count as f64 / elapsed.as_secs_f64()
    }
}
