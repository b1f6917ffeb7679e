//! The files that the settings of a run name.

use std::path::Path;
use std::sync::Arc;

use chess::OpeningBook;
use lc0::NetworkFile;
use network::{HeadSelection, Network};
use training::{FinetuneConfig, Materials};

use crate::device::DeviceArguments;

/// Reads them, and puts their sums into the settings so that the run's record has them.
pub(super) fn load(
    config: &mut FinetuneConfig,
    device: DeviceArguments,
) -> anyhow::Result<Materials> {
    let mut materials = Materials::default();
    if let Some(settings) = &mut config.opening_book {
        let book = OpeningBook::read(Path::new(&settings.file))?;
        settings.pin(&book)?;
        materials.opening_book = Some(Arc::new(book));
    }
    for settings in &mut config.references {
        let file = NetworkFile::read(&settings.file)?;
        settings.pin(&file)?;
        let heads =
            HeadSelection { policy: settings.policy_head.parse()?, ..HeadSelection::default() };
        materials.references.push(device.engine(Network::load(&file, heads)?)?);
    }
    Ok(materials)
}
