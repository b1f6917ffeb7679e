//! From a network's file to something that evaluates games.

use std::path::Path;
use std::sync::Arc;

use chess::HistoryFill;
use lc0::NetworkFile;
use native::NativeEngine;
use network::{Evaluator, HeadSelection, Network};

/// A network that is ready to evaluate games.
pub(crate) struct LoadedNetwork {
    /// Evaluates games.
    pub(crate) evaluator: Evaluator,
    /// SHA-256 of the file, in hexadecimal.
    pub(crate) sha256: String,
}

/// Reads the network at `path` and makes it ready on the CPU.
pub(crate) fn load_evaluator(
    path: &Path,
    heads: HeadSelection,
    fill: HistoryFill,
) -> anyhow::Result<LoadedNetwork> {
    let file = NetworkFile::read(path)?;
    let sha256 = file.sha256().to_owned();
    evaluator(&file, heads, fill).map(|evaluator| LoadedNetwork { evaluator, sha256 })
}

/// Makes the network of a file that was read ready on the CPU.
pub(crate) fn evaluator(
    file: &NetworkFile,
    heads: HeadSelection,
    fill: HistoryFill,
) -> anyhow::Result<Evaluator> {
    let engine = NativeEngine::new(Network::load(file, heads)?);
    Ok(Evaluator::new(Arc::new(engine), fill))
}
