//! The ranges of all values.

use std::fmt;

use super::{ConfigError, FinetuneConfig, OptimiserConstants, PeakLearningRates, keys};

impl FinetuneConfig {
    /// Checks every value's range.
    ///
    /// # Errors
    ///
    /// [`ConfigError::OutOfRange`] for the first value outside its range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        within("seed", self.seed, i64::try_from(self.seed).is_ok())?;
        within("steps", self.steps, self.steps >= 1)?;
        within("games", self.games, (1..=65_536).contains(&self.games))?;
        within("beta", self.beta, at_least_zero(self.beta))?;
        within("base_weight", self.base_weight, at_least_zero(self.base_weight))?;
        within("ply_cap", self.ply_cap, (1..=10_000).contains(&self.ply_cap))?;
        for (key, value) in
            [("value_coefficient", self.value_coefficient), ("value_anchor", self.value_anchor)]
        {
            within(key, value, at_least_zero(value))?;
        }
        within("ema_decay", self.ema_decay, is_decay(self.ema_decay))?;
        within("warm_start_moves", self.warm_start_moves, self.warm_start_moves <= 1_000)?;
        self.validate_tables()
    }

    fn validate_tables(&self) -> Result<(), ConfigError> {
        let Self { beta_schedule: schedule, learning_rates: rates, optimiser, .. } = self;
        let final_beta = schedule.final_beta;
        within("beta_schedule.final_beta", final_beta, at_least_zero(final_beta))?;
        let target = schedule.drift_target;
        within("beta_schedule.drift_target", target, target > 0.0 && target.is_finite())?;
        let decay = schedule.drift_decay;
        within("beta_schedule.drift_decay", decay, (0.0..1.0).contains(&decay))?;
        rates.validate()?;
        optimiser.validate()?;
        self.saving.validate()?;
        if let Some(book) = &self.opening_book {
            within("opening_book.file", quoted(&book.file), !book.file.is_empty())?;
            sum("opening_book.sha256", book.sha256.as_deref())?;
        }
        let mut weights = self.base_weight;
        for reference in &self.references {
            within("references.file", quoted(&reference.file), !reference.file.is_empty())?;
            within("references.weight", reference.weight, at_least_zero(reference.weight))?;
            let head = reference.policy_head.parse::<network::PolicyHeadName>();
            within("references.policy_head", quoted(&reference.policy_head), head.is_ok())?;
            sum("references.sha256", reference.sha256.as_deref())?;
            weights += reference.weight;
        }
        if !self.references.is_empty() && weights == 0.0 {
            let expected = "above 0 where all references have weight 0";
            let value = self.base_weight.to_string();
            return Err(ConfigError::OutOfRange { key: "base_weight", value, expected });
        }
        Ok(())
    }
}

impl PeakLearningRates {
    /// As [`FinetuneConfig::validate`].
    pub(crate) fn validate(&self) -> Result<(), ConfigError> {
        for (key, rate) in [
            ("learning_rates.backbone", self.backbone),
            ("learning_rates.final_block", self.final_block),
            ("learning_rates.policy_head", self.policy_head),
            ("learning_rates.value_head", self.value_head),
        ] {
            within(key, rate, (0.0..=1.0).contains(&rate))?;
        }
        Ok(())
    }
}

impl OptimiserConstants {
    /// As [`FinetuneConfig::validate`].
    pub(crate) fn validate(&self) -> Result<(), ConfigError> {
        within("optimiser.beta1", self.beta1, is_decay(self.beta1))?;
        within("optimiser.beta2", self.beta2, is_decay(self.beta2))?;
        let epsilon = self.epsilon;
        within("optimiser.epsilon", epsilon, epsilon as f32 > 0.0 && epsilon <= 1.0)
    }
}

/// A SHA-256, where one is given.
fn sum(key: &'static str, given: Option<&str>) -> Result<(), ConfigError> {
    let Some(given) = given else { return Ok(()) };
    let valid = given.len() == 64 && given.bytes().all(|byte| byte.is_ascii_hexdigit());
    within(key, quoted(given), valid)
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// False for NaN, as all of these.
pub(crate) fn is_decay(value: f64) -> bool {
    value >= 0.0 && (value as f32) < 1.0
}

pub(crate) fn at_least_zero(value: f64) -> bool {
    value >= 0.0 && value.is_finite()
}

pub(super) fn within(
    key: &'static str,
    value: impl fmt::Display,
    valid: bool,
) -> Result<(), ConfigError> {
    if valid {
        return Ok(());
    }
    let expected = keys::find(key).map_or("another value", |key| key.expected);
    Err(ConfigError::OutOfRange { key, value: value.to_string(), expected })
}
