//! The files that the settings of a run name.

use std::collections::BTreeMap;
use std::sync::Arc;

use network::{HeadSelection, Network};
use training::{FinetuneConfig, Materials};

use crate::device::DeviceArguments;
use crate::files::{read_book, read_network};

/// Reads them, and puts their sums into the settings so that the run's record has them.
pub(in crate::commands) fn load(
    config: &mut FinetuneConfig,
    device: DeviceArguments,
) -> anyhow::Result<Materials> {
    let mut materials = Materials::default();
    if let Some(settings) = &mut config.opening_book {
        let book = read_book(&settings.file)?;
        settings.pin(&book)?;
        materials.opening_book = Some(Arc::new(book));
    }
    for settings in &mut config.references {
        let file = read_network(&settings.file)?;
        settings.pin(&file)?;
        let heads =
            HeadSelection { policy: settings.policy_head.parse()?, ..HeadSelection::default() };
        materials.references.push(device.engine(Network::load(&file, heads)?)?);
    }
    Ok(materials)
}

/// SHA-256 of every file that one of the settings names, by its path.
pub(in crate::commands) fn sums<'a>(
    all: impl Iterator<Item = &'a FinetuneConfig>,
) -> anyhow::Result<BTreeMap<String, String>> {
    let mut sums = BTreeMap::new();
    for config in all {
        if let Some(settings) = &config.opening_book
            && !sums.contains_key(&settings.file)
        {
            let book = read_book(&settings.file)?;
            sums.insert(settings.file.clone(), book.sha256().to_owned());
        }
        for settings in &config.references {
            if !sums.contains_key(&settings.file) {
                let file = read_network(&settings.file)?;
                sums.insert(settings.file.clone(), file.sha256().to_owned());
            }
        }
    }
    Ok(sums)
}
