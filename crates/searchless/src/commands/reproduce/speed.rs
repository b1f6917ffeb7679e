//! How fast the base is, for estimates.

use std::path::Path;
use std::time::{Duration, Instant};

use chess::HistoryFill;
use network::{HeadSelection, sample_games};

use crate::device::DeviceArguments;
use crate::loading::load_evaluator;

/// Positions that are evaluated together.
const BATCH: usize = 64;
/// How long it is measured.
const TIME: Duration = Duration::from_secs(2);

/// Positions that the network at `path` evaluates in a second.
pub(super) fn measure(path: &Path, device: DeviceArguments) -> anyhow::Result<f64> {
    let heads = HeadSelection::default();
    let network = load_evaluator(path, heads, HistoryFill::default(), device)?;
    let games = sample_games(BATCH);
    let games: Vec<_> = games.iter().collect();
    // Fills caches and buffers.
    network.evaluator.evaluate(&games)?;
    let start = Instant::now();
    let mut positions = 0;
    while start.elapsed() < TIME {
        positions += network.evaluator.evaluate(&games)?.len();
    }
    Ok(positions as f64 / start.elapsed().as_secs_f64())
}
