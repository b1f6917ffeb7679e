//! What is known of a step that was begun or done: `steps/NAME.json`.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::files::{FileError, FileSum, StudyFiles};
use crate::step::Step;

/// A step as it was begun, or done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stamp {
    /// [`Step::fingerprint`].
    pub(crate) fingerprint: String,
    /// The files that it depends on.
    pub(crate) inputs: BTreeMap<PathBuf, FileSum>,
    /// The files that it made; none as long as it is not done.
    pub(crate) outputs: Option<BTreeMap<PathBuf, FileSum>>,
    /// How long it took, all its starts together.
    pub(crate) seconds: f64,
}

/// How a step stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    /// Done, and nothing has changed since.
    Done {
        /// How long it took.
        seconds: f64,
    },
    /// Never begun.
    ToDo,
    /// Begun, and to go on.
    Begun,
    /// Done or begun, and to be done again.
    ToRedo {
        /// Why, as the end of "because".
        reason: String,
        /// Whether its directory is of no use.
        afresh: bool,
    },
}

impl Stamp {
    /// Reads that of a step; `None` where it was never begun.
    pub(crate) fn read(files: &StudyFiles, name: &str) -> Result<Option<Self>, FileError> {
        let relative = path(name);
        match files.read(&relative) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| FileError {
                path: files.path(&relative),
                source: io::Error::new(io::ErrorKind::InvalidData, error),
            }),
            Err(error) if error.source.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes it.
    pub(crate) fn write(&self, files: &StudyFiles, name: &str) -> Result<(), FileError> {
        let text = serde_json::to_string_pretty(self).expect("strings and numbers are JSON") + "\n";
        files.write(path(name), text.as_bytes())
    }

    /// The sums of the inputs of a step as they are now. A missing file has none.
    pub(crate) fn inputs(
        files: &StudyFiles,
        step: &Step,
        known: Option<&Self>,
    ) -> Result<BTreeMap<PathBuf, FileSum>, FileError> {
        let mut sums = BTreeMap::new();
        for path in &step.inputs {
            let known = known.and_then(|stamp| stamp.inputs.get(path));
            if let Some(sum) = files.sum(path, known)? {
                sums.insert(path.clone(), sum);
            }
        }
        Ok(sums)
    }
}

/// How a step stands.
pub(crate) fn standing(files: &StudyFiles, step: &Step) -> Result<Standing, FileError> {
    let Some(stamp) = Stamp::read(files, &step.name)? else { return Ok(Standing::ToDo) };
    let redo = |reason: String, afresh| Ok(Standing::ToRedo { reason, afresh });
    if stamp.fingerprint != step.fingerprint() {
        return redo("its command has changed".to_owned(), true);
    }
    let inputs = Stamp::inputs(files, step, Some(&stamp))?;
    for path in step.inputs.iter().chain(stamp.inputs.keys()) {
        let (now, then) = (inputs.get(path), stamp.inputs.get(path));
        if now.map(|sum| &sum.sha256) != then.map(|sum| &sum.sha256) {
            let what = if now.is_some() { "has changed" } else { "is missing" };
            return redo(format!("{} {what}", path.display()), true);
        }
    }
    let Some(outputs) = &stamp.outputs else { return Ok(Standing::Begun) };
    let mut missing = None;
    for output in &step.outputs {
        let path = &output.path;
        let then = outputs.get(path);
        let now = files.sum(path, then)?;
        match (now, then) {
            (None, _) | (_, None) => missing = missing.or(Some(path)),
            (Some(now), Some(then)) if now.sha256 != then.sha256 => {
                return redo(format!("{} has changed", path.display()), true);
            }
            _ => {}
        }
    }
    match missing {
        Some(path) => redo(format!("{} is missing", path.display()), false),
        None => Ok(Standing::Done { seconds: stamp.seconds }),
    }
}

fn path(name: &str) -> PathBuf {
    PathBuf::from("steps").join(format!("{name}.json"))
}
