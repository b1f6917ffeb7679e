//! One step of self-play fine-tuning: sample, play, label, learn, average.

use std::sync::Arc;

use chess::{Color, Game, MoveIndex, Outcome, Planes};
use network::{AdamW, Engine, EngineError, LearningRates, Outputs, TrainableEngine};
use policy::{MovePolicy, PolicyError, Temperature, ValueLogits, Wdl, adaptive_temperature};
use rayon::prelude::*;

use crate::behaviour::Decision;
use crate::beta::DriftAverage;
use crate::config::{FinetuneConfig, SamplingTemperature};
use crate::error::TrainingError;
use crate::materials::Materials;
use crate::metrics::{StepMetrics, Stopwatch, Timing};
use crate::objective::{LossTerms, Objective, Transition, advantage};
use crate::openings::Openings;
use crate::references::References;
use crate::self_play::{GamePool, LiveGame, PoolRules, Successor};
use crate::start::{self, Start};

mod gradients;
mod snapshot;
mod summary;
#[cfg(test)]
mod tests;
mod warm_start;

pub(crate) use snapshot::TrainerSnapshot;

/// A network being fine-tuned, and the games that it plays against itself.
///
/// Three networks take part: theta is trained, the average (ema) of theta labels, and the base,
/// which theta started from, never changes.
pub struct Trainer {
    config: FinetuneConfig,
    theta: Box<dyn TrainableEngine>,
    base: Arc<dyn Engine>,
    references: References,
    games: GamePool,
    openings: Openings,
    steps: u64,
    /// How far the policy has been from the base.
    drift: DriftAverage,
}

/// A position s: what the networks say of it, and the move drawn there.
struct State {
    /// Places of the legal moves among the policy outputs.
    indices: Vec<MoveIndex>,
    /// `pi_base(.|s)`.
    base: MovePolicy,
    /// The exploration term's prior.
    prior: MovePolicy,
    /// `WDL_base(s)`.
    base_value: ValueLogits,
    /// `WDL_theta(s)`.
    value: ValueLogits,
    /// `pi_theta(.|s)`, tau, a and rho.
    decision: Decision,
}

impl Trainer {
    /// [`Trainer::with_materials`] for settings that name neither book nor references.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn new(
        config: FinetuneConfig,
        theta: Box<dyn TrainableEngine>,
        base: Arc<dyn Engine>,
    ) -> Result<Self, TrainingError> {
        Self::with_materials(config, theta, base, &Materials::default())
    }

    /// Games at their start, before their warm start.
    ///
    /// # Errors
    ///
    /// Where a setting is out of range, the networks read positions differently, the materials are
    /// not those of the settings, or no game can begin at an opening of the book.
    pub fn with_materials(
        config: FinetuneConfig,
        theta: Box<dyn TrainableEngine>,
        base: Arc<dyn Engine>,
        materials: &Materials,
    ) -> Result<Self, TrainingError> {
        config.validate()?;
        let format = theta.architecture().input_format;
        let base_format = base.architecture().input_format;
        if base_format != format {
            return Err(TrainingError::InputFormats { theta: format.id(), base: base_format.id() });
        }
        let references = References::new(&config, materials, base.as_ref())?;
        let rules = PoolRules::new(&config, Start::new(&config, materials)?, format);
        start::check(&rules)?;
        let games = GamePool::new(&config, rules)
            .map_err(|source| TrainingError::Encoding { step: 0, source })?;
        let (openings, drift) = (Openings::new(), DriftAverage::default());
        Ok(Self { config, theta, base, references, games, openings, steps: 0, drift })
    }

    /// Steps made so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The network that is trained, with its average.
    pub fn engine(&self) -> &dyn TrainableEngine {
        self.theta.as_ref()
    }

    /// The games that are played.
    #[cfg(test)]
    pub(crate) fn games(&self) -> &GamePool {
        &self.games
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
        let theta = stopwatch.engine(|| self.theta.forward(&planes));
        let base = stopwatch.engine(|| self.base.evaluate(&planes));
        let references = stopwatch.engine(|| self.references.evaluate(&planes));
        let average = self.config.needs_average_for_temperature();
        let average = average.then(|| stopwatch.engine(|| self.theta.evaluate_average(&planes)));
        let probed = &planes[..planes.len().min(summary::PROBED)];
        let evaluated = stopwatch.engine(|| self.theta.evaluate(probed));
        let sampling_gap = self.sampling_gap(step, &theta, &evaluated)?;
        let forward = stopwatch.lap();

        // Sample: a ~ mu(.|s) = softmax(z_theta(s) / tau(s)), rho = min(1, pi_theta / mu)
        // (Equation (6); Appendix E, "Truncated importance sampling").
        let states = self.sample(step, &theta, &base, &references, average.as_ref())?;

        // Play: s -> s'.
        let actions: Vec<usize> = states.iter().map(|state| state.decision.action).collect();
        let successors =
            self.games.play(&actions).map_err(|source| TrainingError::Encoding { step, source })?;
        self.observe_openings(&successors);
        let play = stopwatch.lap();

        // Label: target = flip(WDL_ema(s')), or the result where s' ends the game, and
        // A = v(target) - v_theta(s) (Equation (4)).
        let planes: Vec<Planes> =
            successors.iter().filter_map(Successor::planes).cloned().collect();
        let average = stopwatch.engine(|| self.theta.evaluate_average(&planes));
        let targets = self.label(step, &successors, &average)?;
        let transitions: Vec<Transition> =
            states.iter().zip(targets).map(|(state, target)| state.transition(target)).collect();
        let label = stopwatch.lap();

        // Learn: L = mean of -rho A ln pi(a|s) + beta R(s) + c_v (rho CE(target, WDL(s)) + w V(s))
        // (Section 2.3, "Overall objective"), one AdamW step, rates by group.
        let objective = self.objective(step);
        let terms: Vec<LossTerms> =
            transitions.iter().map(|transition| objective.terms(transition)).collect();
        let gradients = gradients::of_outputs(&objective, &states, &transitions, theta.value_kind);
        self.check(step, &successors, &states, &terms, &gradients)?;
        let warmup_factor = self.config.warmup_factor(step);
        let rates = LearningRates::from(self.config.learning_rates).scaled(warmup_factor);
        let stopped = |source: EngineError| TrainingError::Engine { step, source };
        stopwatch.engine(|| {
            self.theta.backward(&gradients).map_err(stopped)?;
            self.theta.update(&AdamW::from(self.config.optimiser), &rates).map_err(stopped)?;
            // Average: ema <- alpha ema + (1 - alpha) theta.
            self.theta.average(self.config.ema_decay);
            Ok::<(), TrainingError>(())
        })?;
        let backward = stopwatch.lap();

        self.steps = step;
        let mut metrics = self.summarise(
            warmup_factor,
            &objective,
            &states,
            &transitions,
            &terms,
            &successors,
            sampling_gap,
        );
        self.drift.observe(metrics.policy.forward_kl, self.config.beta_schedule.drift_decay);
        let (outside_engine, rate) = (stopwatch.outside_engine(), stopwatch.rate(states.len()));
        let positions_per_second = rate;
        metrics.timing =
            Timing { forward, play, label, backward, outside_engine, positions_per_second };
        Ok(metrics)
    }

    /// The loss of a step, with the beta that its schedule has there.
    fn objective(&self, step: u64) -> Objective {
        let FinetuneConfig { beta, steps, beta_schedule, .. } = &self.config;
        let beta = beta_schedule.at(*beta, step, *steps, &self.drift);
        Objective { beta, ..self.config.objective() }
    }

    /// Draws one move in each game.
    fn sample(
        &mut self,
        step: u64,
        theta: &Outputs,
        base: &Outputs,
        evaluated_references: &[Outputs],
        average: Option<&Outputs>,
    ) -> Result<Vec<State>, TrainingError> {
        let (tau, references) = (self.config.temperature, &self.references);
        let games = self.games.games_mut().par_iter_mut().enumerate();
        let states = games.map(|(row, live)| {
            let at = |term| non_finite(step, term, &live.game);
            let value = theta.value_of(row).map_err(at("trained network's value"))?;
            let temperature = match (tau, average) {
                (SamplingTemperature::One, _) => Temperature::ONE,
                (SamplingTemperature::Adaptive, None) => adaptive_temperature(&value.outcome()),
                (SamplingTemperature::Adaptive, Some(average)) => {
                    let value = average.value_of(row).map_err(at("average's value"))?;
                    adaptive_temperature(&value.outcome())
                }
            };
            let base_value = base.value_of(row).map_err(at("base's value"))?;
            let base = MovePolicy::from_logits(&live.logits(base, row), Temperature::ONE)
                .map_err(at("base's policy"))?;
            let prior = references.prior(&base, evaluated_references, row, live);
            let prior = prior.map_err(at("references' policy"))?;
            let indices = live.position.moves.iter().map(|(index, _)| *index).collect();
            let logits = live.logits(theta, row);
            let decision = Decision::sample(&logits, temperature, &mut live.generator)
                .map_err(non_finite(step, "trained network's policy", &live.game))?;
            Ok(State { indices, base, prior, base_value, value, decision })
        });
        first_error(states.collect())
    }

    /// The outcome that each move promises, from the view of the one who made it; `average` is the
    /// moving average's view of the successors that have planes.
    fn label(
        &self,
        step: u64,
        successors: &[Successor],
        average: &Outputs,
    ) -> Result<Vec<Wdl>, TrainingError> {
        let mut rows = 0..;
        let label = |(successor, live): (&Successor, &LiveGame)| {
            let finished = successor.finished();
            let game = finished.map_or(&live.game, |finished| &finished.game);
            match finished.and_then(|finished| finished.outcome) {
                Some(outcome) => Ok(outcome_for(!game.turn(), outcome)),
                None => {
                    let row = rows.next().expect("rows without end");
                    let value = average.value_of(row);
                    let value = value.map_err(non_finite(step, "average's value", game))?;
                    Ok(value.outcome().flip())
                }
            }
        };
        successors.iter().zip(self.games.games()).map(label).collect()
    }
}

impl State {
    fn transition(&self, target: Wdl) -> Transition {
        Transition {
            policy: self.decision.policy.clone(),
            prior: self.prior.clone(),
            value: self.value,
            base_value: self.base_value,
            action: self.decision.action,
            rho: self.decision.rho,
            target,
            advantage: advantage(&target, &self.value),
        }
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
