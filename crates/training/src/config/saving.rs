//! When a run is saved.

use serde::{Deserialize, Serialize};

use super::ConfigError;
use super::validate::within;

/// When checkpoints and networks are written. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SavingConfig {
    /// Steps between two checkpoints, and plies in the warm start, at least 1. One is also written
    /// when the warm start, the run or an interrupted step ends (50).
    pub checkpoint_every: u64,
    /// Checkpoints to keep, the newest ones; in 1..=1,000,000 (2).
    pub keep_checkpoints: usize,
    /// Steps between two networks for lc0; 0 writes one at the end only (0).
    pub network_every: u64,
}

impl Default for SavingConfig {
    fn default() -> Self {
        Self { checkpoint_every: 50, keep_checkpoints: 2, network_every: 0 }
    }
}

impl SavingConfig {
    pub(crate) fn validate(&self) -> Result<(), ConfigError> {
        let (every, keep) = (self.checkpoint_every, self.keep_checkpoints);
        // TOML has no larger integers.
        let step = |count: u64| i64::try_from(count).is_ok();
        within("saving.checkpoint_every", every, every >= 1 && step(every))?;
        within("saving.keep_checkpoints", keep, (1..=1_000_000).contains(&keep))?;
        within("saving.network_every", self.network_every, step(self.network_every))
    }

    /// Whether a checkpoint is due after `count` steps or plies.
    pub(crate) fn is_checkpoint_due(&self, count: u64) -> bool {
        count.is_multiple_of(self.checkpoint_every)
    }

    /// Whether a network is due after `step` steps.
    pub(crate) fn is_network_due(&self, step: u64) -> bool {
        self.network_every > 0 && step.is_multiple_of(self.network_every)
    }
}
