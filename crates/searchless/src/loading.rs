//! From a network's file to something that evaluates games.

use std::path::Path;

use chess::HistoryFill;
use lc0::NetworkFile;
use network::{Evaluator, HeadSelection, Network};

use crate::device::DeviceArguments;
use crate::files::read_network;

/// A network that is ready to evaluate games.
pub(crate) struct LoadedNetwork {
    /// Evaluates games.
    pub(crate) evaluator: Evaluator,
    /// SHA-256 of the file, in hexadecimal.
    pub(crate) sha256: String,
}

/// Reads the network at `path` and makes it ready on `device`.
pub(crate) fn load_evaluator(
    path: &Path,
    heads: HeadSelection,
    fill: HistoryFill,
    device: DeviceArguments,
) -> anyhow::Result<LoadedNetwork> {
    let file = read_network(path)?;
    let sha256 = file.sha256().to_owned();
    evaluator(&file, heads, fill, device).map(|evaluator| LoadedNetwork { evaluator, sha256 })
}

/// Makes the network of a file that was read ready on `device`.
pub(crate) fn evaluator(
    file: &NetworkFile,
    heads: HeadSelection,
    fill: HistoryFill,
    device: DeviceArguments,
) -> anyhow::Result<Evaluator> {
    let engine = device.engine(Network::load(file, heads)?)?;
    Ok(Evaluator::new(engine, fill))
}
