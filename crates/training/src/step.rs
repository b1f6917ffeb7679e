//! One step of self-play fine-tuning: sample, play, label, learn, average.

use std::sync::Arc;

use chess::{Color, Game, MoveIndex, Outcome};
use network::{
    AdamW, Engine, EngineError, LearningRates, OutputGradients, Outputs, TrainableEngine, ValueKind,
};
use policy::{MovePolicy, PolicyError, Temperature, ValueLogits, Wdl, adaptive_temperature};
use rayon::prelude::*;

use crate::behaviour::Decision;
use crate::config::{FinetuneConfig, SamplingTemperature};
use crate::error::TrainingError;
use crate::metrics::{StepMetrics, Stopwatch, Timing};
use crate::objective::{LossTerms, Objective, Transition, advantage};
use crate::openings::Openings;
use crate::self_play::{GamePool, LiveGame, Successor};

mod snapshot;
mod summary;
#[cfg(test)]
mod tests;
mod warm_start;

pub(crate) use snapshot::{InvalidSnapshot, TrainerSnapshot};

/// A network being fine-tuned, and the games that it plays against itself.
///
/// Three networks take part: theta is trained, the average (ema) of theta labels, and the base,
/// which theta started from, never changes.
pub struct Trainer {
    config: FinetuneConfig,
    objective: Objective,
    theta: Box<dyn TrainableEngine>,
    base: Arc<dyn Engine>,
    games: GamePool,
    openings: Openings,
    steps: u64,
}

/// A position s: what the networks say of it, and the move drawn there.
struct State {
    /// Places of the legal moves among the policy outputs.
    indices: Vec<MoveIndex>,
    /// `pi_base(.|s)`.
    base: MovePolicy,
    /// `WDL_theta(s)`.
    value: ValueLogits,
    /// `pi_theta(.|s)`, tau, a and rho.
    decision: Decision,
}

impl Trainer {
    /// Games at the initial position, before their warm start.
    ///
    /// # Errors
    ///
    /// Where a setting is out of range, or the two networks read positions differently.
    pub fn new(
        config: FinetuneConfig,
        theta: Box<dyn TrainableEngine>,
        base: Arc<dyn Engine>,
    ) -> Result<Self, TrainingError> {
        config.validate()?;
        let format = theta.architecture().input_format;
        let base_format = base.architecture().input_format;
        if base_format != format {
            return Err(TrainingError::InputFormats { theta: format.id(), base: base_format.id() });
        }
        let games = GamePool::new(&config, format)
            .map_err(|source| TrainingError::Encoding { step: 0, source })?;
        let objective = config.objective();
        Ok(Self { config, objective, theta, base, games, openings: Openings::new(), steps: 0 })
    }

    /// Steps made so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The network that is trained, with its average.
    pub fn engine(&self) -> &dyn TrainableEngine {
        self.theta.as_ref()
    }

    /// One move in each game and one update from all of them (paper, Section 2.3). The warm start
    /// is played first where that has not been done.
    ///
    /// # Errors
    ///
    /// At the first number that is not finite, before it reaches the weights; a trainer that has
    /// failed cannot go on.
    pub fn step(&mut self) -> Result<StepMetrics, TrainingError> {
        while self.play_warm_start_ply()? {}
        let step = self.steps + 1;
        let mut stopwatch = Stopwatch::start();

        // Evaluate the positions s. theta does not change before the update, so that this one
        // pass serves sampling and learning: the policy sampled from is the policy trained.
        let planes = self.games.planes();
        let theta = self.theta.forward(&planes);
        let base = self.base.evaluate(&planes);
        let average = match self.config.temperature {
            SamplingTemperature::One => None,
            SamplingTemperature::Adaptive => Some(self.theta.evaluate_average(&planes)),
        };
        let sampling_gap = self.sampling_gap(step, &theta)?;
        let forward = stopwatch.lap();

        // Sample: a ~ mu(.|s) = softmax(z_theta(s) / tau(s)), rho = min(1, pi_theta / mu)
        // (Equation (6); Appendix E, "Truncated importance sampling").
        let states = self.sample(step, &theta, &base, average.as_ref())?;

        // Play: s -> s'.
        let actions: Vec<usize> = states.iter().map(|state| state.decision.action).collect();
        let successors =
            self.games.play(&actions).map_err(|source| TrainingError::Encoding { step, source })?;
        self.observe_openings(&successors);
        let play = stopwatch.lap();

        // Label: target = flip(WDL_ema(s')), or the result where s' ends the game, and
        // A = v(target) - v_theta(s) (Equation (4)).
        let targets = self.label(step, &successors)?;
        let transitions: Vec<Transition> =
            states.iter().zip(targets).map(|(state, target)| state.transition(target)).collect();
        let label = stopwatch.lap();

        // Learn: L = mean of -rho A ln pi(a|s) + beta R(s) + c_v rho CE(target, WDL(s))
        // (Section 2.3, "Overall objective"), one AdamW step, rates by group.
        let terms: Vec<LossTerms> =
            transitions.iter().map(|transition| self.objective.terms(transition)).collect();
        let gradients = self.gradients(&states, &transitions, theta.value_kind);
        self.check(step, &successors, &states, &terms, &gradients)?;
        let stopped = |source: EngineError| TrainingError::Engine { step, source };
        self.theta.backward(&gradients).map_err(stopped)?;
        let warmup_factor = self.config.warmup_factor(step);
        let rates = LearningRates::from(self.config.learning_rates).scaled(warmup_factor);
        self.theta.update(&AdamW::from(self.config.optimiser), &rates).map_err(stopped)?;

        // Average: ema <- alpha ema + (1 - alpha) theta.
        self.theta.average(self.config.ema_decay);
        let backward = stopwatch.lap();

        self.steps = step;
        let positions_per_second = stopwatch.rate(states.len());
        let timing = Timing { forward, play, label, backward, positions_per_second };
        Ok(self.summarise(
            warmup_factor,
            &states,
            &transitions,
            &terms,
            &successors,
            sampling_gap,
            timing,
        ))
    }

    /// Draws one move in each game.
    fn sample(
        &mut self,
        step: u64,
        theta: &Outputs,
        base: &Outputs,
        average: Option<&Outputs>,
    ) -> Result<Vec<State>, TrainingError> {
        let games = self.games.games_mut().par_iter_mut().enumerate();
        let states = games.map(|(row, live)| {
            let at = |term| non_finite(step, term, &live.game);
            let value = theta.value_of(row).map_err(at("trained network's value"))?;
            let temperature = match average {
                None => Temperature::ONE,
                Some(average) => {
                    let value = average.value_of(row).map_err(at("average's value"))?;
                    adaptive_temperature(&value.outcome())
                }
            };
            let base = MovePolicy::from_logits(&live.logits(base, row), Temperature::ONE)
                .map_err(at("base's policy"))?;
            let indices = live.position.moves.iter().map(|(index, _)| *index).collect();
            let logits = live.logits(theta, row);
            let decision = Decision::sample(&logits, temperature, &mut live.generator)
                .map_err(non_finite(step, "trained network's policy", &live.game))?;
            Ok(State { indices, base, value, decision })
        });
        first_error(states.collect())
    }

    /// The outcome that each move promises, from the view of the one who made it.
    fn label(&self, step: u64, successors: &[Successor]) -> Result<Vec<Wdl>, TrainingError> {
        let live = successors.iter().filter_map(|successor| match successor {
            Successor::Live(planes) => Some((**planes).clone()),
            Successor::Ended(_) => None,
        });
        let average = self.theta.evaluate_average(&live.collect::<Vec<_>>());
        let mut rows = 0..;
        let label = |(successor, live): (&Successor, &LiveGame)| match successor {
            Successor::Live(_) => {
                let row = rows.next().expect("rows without end");
                let value = average.value_of(row);
                let value = value.map_err(non_finite(step, "average's value", &live.game))?;
                Ok(value.outcome().flip())
            }
            Successor::Ended(finished) => {
                Ok(outcome_for(!finished.game.turn(), finished.ending.outcome()))
            }
        };
        successors.iter().zip(self.games.games()).map(label).collect()
    }

    /// Gradient of the batch's mean loss with respect to the outputs of theta.
    fn gradients(
        &self,
        states: &[State],
        transitions: &[Transition],
        kind: ValueKind,
    ) -> OutputGradients {
        let scale = 1.0 / states.len() as f64;
        let mut gradients = OutputGradients::zeros(states.len(), kind, false);
        let rows = gradients.policy.chunks_exact_mut(MoveIndex::COUNT);
        let rows = rows.zip(gradients.value.chunks_exact_mut(kind.width()));
        for ((state, transition), (policy_row, value_row)) in
            states.iter().zip(transitions).zip(rows)
        {
            let mut policy = vec![0.0; state.indices.len()];
            let mut value = vec![0.0; value_row.len()];
            self.objective.accumulate_gradient(transition, scale, &mut policy, &mut value);
            scatter(&state.indices, &policy, policy_row);
            value_row.iter_mut().zip(value).for_each(|(out, value)| *out = value as f32);
        }
        gradients
    }
}

impl State {
    fn transition(&self, target: Wdl) -> Transition {
        Transition {
            policy: self.decision.policy.clone(),
            base: self.base.clone(),
            value: self.value,
            action: self.decision.action,
            rho: self.decision.rho,
            target,
            advantage: advantage(&target, &self.value),
        }
    }
}

/// Puts each legal move's gradient where the network has the move; all others have none.
fn scatter(indices: &[MoveIndex], gradient: &[f64], row: &mut [f32]) {
    for (index, gradient) in indices.iter().zip(gradient) {
        row[index.get()] = *gradient as f32;
    }
}

/// A game's result in the eyes of `player`.
fn outcome_for(player: Color, outcome: Outcome) -> Wdl {
    match outcome.winner() {
        None => Wdl::DRAW,
        Some(winner) if winner == player => Wdl::WIN,
        Some(_) => Wdl::LOSS,
    }
}

/// Says where an output is not finite.
fn non_finite<'a>(
    step: u64,
    term: &'static str,
    game: &'a Game,
) -> impl Fn(PolicyError) -> TrainingError + 'a {
    move |source| TrainingError::NonFiniteOutput { step, term, fen: game.fen(), source }
}

/// All values, or the first error in the order of the games, whichever thread met one first.
fn first_error<T>(results: Vec<Result<T, TrainingError>>) -> Result<Vec<T>, TrainingError> {
    results.into_iter().collect()
}
