//! One step of supervised training.

use std::ops::Range;
use std::sync::OnceLock;
use std::time::Instant;

use chess::MoveIndex;
use network::{
    AdamW, EngineError, LearningRates, OutputGradients, Outputs, TrainableEngine, TrainingState,
};
use policy::{MovePolicy, PolicyError, Temperature, forward_kl, gradient};
use serde::{Deserialize, Serialize};

use super::config::SupervisedConfig;
use super::sample::Sample;
use crate::checkpoint::InvalidSnapshot;
use crate::metrics::StepRecord;

#[cfg(test)]
mod tests;

/// A network that learns from samples, and the average of its weights.
pub struct SupervisedTrainer {
    config: SupervisedConfig,
    theta: Box<dyn TrainableEngine>,
    steps: u64,
}

/// What is recorded of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SupervisedMetrics {
    /// The step, counted from 1.
    pub step: u64,
    /// Fraction of the peak learning rates.
    pub rate_factor: f64,
    /// `policy + c_v value`.
    pub loss: f64,
    /// Mean cross-entropy of the policy with its target, in nats.
    pub policy: f64,
    /// Mean KL divergence of the policy from its target: `policy` less the target's own entropy.
    pub policy_kl: f64,
    /// Mean cross-entropy of the value with its target, in nats, over the batch; a sample without
    /// one counts as 0.
    pub value: f64,
    /// Fraction of samples in which the policy's first move is the target's.
    pub accuracy: f64,
    /// Mean entropy of the policy, in nats.
    pub entropy: f64,
    /// Samples learnt from in a second.
    pub positions_per_second: f64,
}

impl StepRecord for SupervisedMetrics {
    fn step(&self) -> u64 {
        self.step
    }
}

/// Why a step could not be made. The weights are those of the last good step.
#[derive(Debug, thiserror::Error)]
pub enum SupervisedError {
    /// A network's output that is not a finite number.
    #[error("step {step}: the {term} of sample {sample} of the batch: {source}")]
    NonFiniteOutput {
        /// Step, counted from 1.
        step: u64,
        /// Which output.
        term: &'static str,
        /// Place in the batch.
        sample: usize,
        /// Which number it is.
        source: PolicyError,
    },
    /// The engine refuses the step: a gradient of the parameters is not finite.
    #[error("step {step}: {source}")]
    Engine {
        /// Step, counted from 1.
        step: u64,
        /// Which tensor, which value.
        source: EngineError,
    },
}

/// What one sample adds to the metrics.
struct SampleLoss {
    policy: f64,
    policy_kl: f64,
    value: f64,
    correct: bool,
    entropy: f64,
}

/// What is wrong with the outputs of one sample.
type Fault = (&'static str, PolicyError);

impl SupervisedTrainer {
    /// Starts with `theta`, its average equal to it.
    pub fn new(config: SupervisedConfig, theta: Box<dyn TrainableEngine>) -> Self {
        Self { config, theta, steps: 0 }
    }

    /// Steps made so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The network that is trained, with its average.
    pub fn engine(&self) -> &dyn TrainableEngine {
        self.theta.as_ref()
    }

    /// Goes on after `steps` from the network's `state` at that time.
    ///
    /// # Errors
    ///
    /// Where the state is not one of such a network; the trainer must not be used then.
    pub(crate) fn restore(
        &mut self,
        steps: u64,
        state: &TrainingState,
    ) -> Result<(), InvalidSnapshot> {
        if state.updates != steps {
            let problem = format!("{} updates of {steps} steps", state.updates);
            return Err(InvalidSnapshot(problem));
        }
        self.theta.restore(state).map_err(|error| InvalidSnapshot(error.to_string()))?;
        self.steps = steps;
        Ok(())
    }

    /// Learns from `samples`, at least one.
    ///
    /// # Errors
    ///
    /// At the first number that is not finite, before it reaches the weights.
    pub fn step(&mut self, samples: &[Sample]) -> Result<SupervisedMetrics, SupervisedError> {
        let (step, start) = (self.steps + 1, Instant::now());
        let planes: Vec<_> = samples.iter().map(|sample| sample.planes.clone()).collect();
        let coefficient = self.config.value_coefficient;
        let scale = 1.0 / samples.len() as f64;

        // L = mean of CE(t, pi(.|s)) + c_v CE(w, WDL(s)).
        let losses: Vec<OnceLock<Result<SampleLoss, Fault>>> =
            samples.iter().map(|_| OnceLock::new()).collect();
        let loss = |range: Range<usize>, outputs: &Outputs| {
            let kind = outputs.value_kind;
            let mut gradients = OutputGradients::zeros(range.len(), kind, false);
            for (row, place) in range.enumerate() {
                let sample = &samples[place];
                let loss = sample.accumulate(outputs, row, coefficient, scale, &mut gradients);
                // Each place is asked for once.
                let _ = losses[place].set(loss);
            }
            gradients
        };
        let differentiated = self.theta.differentiate(&planes, &loss).map(drop);
        let losses = losses.into_iter().enumerate().map(|(sample, loss)| {
            let loss = loss.into_inner().expect("the engine asks for every position");
            loss.map_err(|(term, source)| SupervisedError::NonFiniteOutput {
                step,
                term,
                sample,
                source,
            })
        });
        let losses = losses.collect::<Result<Vec<_>, _>>()?;
        let stopped = |source| SupervisedError::Engine { step, source };
        differentiated.map_err(stopped)?;

        let rate_factor = self.config.rate_factor(step);
        let rates = LearningRates::from(self.config.learning_rates).scaled(rate_factor);
        self.theta.update(&AdamW::from(self.config.optimiser), &rates).map_err(stopped)?;
        self.theta.average(self.config.ema_decay);
        self.steps = step;

        let mean = |part: fn(&SampleLoss) -> f64| losses.iter().map(part).sum::<f64>() * scale;
        let (policy, value) = (mean(|loss| loss.policy), mean(|loss| loss.value));
        Ok(SupervisedMetrics {
            step,
            rate_factor,
            loss: policy + coefficient * value,
            policy,
            policy_kl: mean(|loss| loss.policy_kl),
            value,
            accuracy: mean(|loss| f64::from(u8::from(loss.correct))),
            entropy: mean(|loss| loss.entropy),
            positions_per_second: samples.len() as f64 / start.elapsed().as_secs_f64(),
        })
    }
}

impl Sample {
    /// The loss of row `row`, whose gradient times `scale` is written to `gradients`.
    fn accumulate(
        &self,
        outputs: &Outputs,
        row: usize,
        value_coefficient: f64,
        scale: f64,
        gradients: &mut OutputGradients,
    ) -> Result<SampleLoss, Fault> {
        let logits = outputs.policy_of(row);
        let logits: Vec<f32> = self.moves.iter().map(|index| logits[index.get()]).collect();
        let policy = MovePolicy::from_logits(&logits, Temperature::ONE)
            .map_err(|source| ("policy", source))?;
        let value = outputs.value_of(row).map_err(|source| ("value", source))?;

        // The target's entropy is a constant: CE and KL have the same gradient.
        let mut gradient = vec![0.0; self.moves.len()];
        gradient::forward_kl(&self.policy, &policy, scale, &mut gradient);
        let target_row = &mut gradients.policy[row * MoveIndex::COUNT..][..MoveIndex::COUNT];
        for (index, gradient) in self.moves.iter().zip(gradient) {
            target_row[index.get()] = gradient as f32;
        }
        let mut value_loss = 0.0;
        if let Some(target) = &self.value {
            let width = gradients.value_kind.width();
            let mut gradient = vec![0.0; width];
            let coefficient = value_coefficient * scale;
            value.accumulate_cross_entropy_gradient(target, coefficient, &mut gradient);
            let row = gradients.value[row * width..].iter_mut();
            row.zip(gradient).for_each(|(out, gradient)| *out = gradient as f32);
            value_loss = value.cross_entropy(target);
        }

        let policy_kl = forward_kl(&self.policy, &policy);
        Ok(SampleLoss {
            policy: policy_kl + self.policy.entropy(),
            policy_kl,
            value: value_loss,
            correct: policy.argmax() == self.policy.argmax(),
            entropy: policy.entropy(),
        })
    }
}
