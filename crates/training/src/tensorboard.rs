//! Metrics as TensorBoard reads them.
//!
//! An event file is a row of records (see [`framing`]), each a protocol-buffer message (see
//! [`message`]). Every run of the program opens a file of its own; TensorBoard joins the files of
//! a folder in the order of their names.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use prost::Message;
use serde_json::Value;

use self::message::{
    Event, SessionLog, SessionStatus, Summary, SummaryValue, event, summary_value,
};
use crate::metrics::StepRecord;

mod framing;
mod message;
#[cfg(test)]
mod tests;

/// How TensorBoard knows a file of its own.
const PREFIX: &str = "events.out.tfevents.";

/// Writes one event file.
#[derive(Debug)]
pub(crate) struct EventWriter {
    path: PathBuf,
    file: File,
}

impl EventWriter {
    /// Opens a new file in `folder`, behind those that are there. From step `first` on it stands
    /// for the earlier files too.
    pub(crate) fn create(folder: &Path, first: u64) -> io::Result<Self> {
        let path = folder.join(format!("{PREFIX}{:06}.searchless", next_number(folder)?));
        let file = OpenOptions::new().append(true).create_new(true).open(&path)?;
        let mut writer = Self { path, file };
        writer.write(0, event::What::FileVersion("brain.Event:2".to_owned()))?;
        let status = SessionStatus::Start.into();
        writer.write(step_number(first), event::What::SessionLog(SessionLog { status }))?;
        Ok(writer)
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends all numbers of a step.
    pub(crate) fn append(&mut self, metrics: &impl StepRecord) -> io::Result<()> {
        let value = |(tag, value): (String, f64)| SummaryValue {
            tag,
            value: Some(summary_value::Value::SimpleValue(value as f32)),
        };
        let summary = Summary { value: scalars(metrics).into_iter().map(value).collect() };
        self.write(step_number(metrics.step()), event::What::Summary(summary))
    }

    fn write(&mut self, step: i64, what: event::What) -> io::Result<()> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let event = Event { wall_time: since.as_secs_f64(), step, what: Some(what) };
        // At once, so that a process that is killed leaves at most the last record incomplete,
        // which TensorBoard skips.
        self.file.write_all(&framing::record(&event.encode_to_vec()))
    }
}

/// All numbers of a step by their tags: `loss/total`, `policy/entropy` and so on, as in the
/// record's fields. What a step does not have, such as the mean length of no games, has no tag.
pub(crate) fn scalars(metrics: &impl StepRecord) -> Vec<(String, f64)> {
    let mut scalars = Vec::new();
    if let Value::Object(fields) = serde_json::to_value(metrics).expect("numbers and names") {
        for (name, value) in fields.into_iter().filter(|(name, _)| name != "step") {
            flatten(name, &value, &mut scalars);
        }
    }
    scalars
}

fn flatten(tag: String, value: &Value, scalars: &mut Vec<(String, f64)>) {
    match value {
        Value::Number(number) => scalars.extend(number.as_f64().map(|number| (tag, number))),
        Value::Bool(flag) => scalars.push((tag, f64::from(u8::from(*flag)))),
        Value::Object(fields) => {
            for (name, value) in fields {
                flatten(format!("{tag}/{name}"), value, scalars);
            }
        }
        Value::Array(values) => {
            for (number, value) in values.iter().enumerate() {
                flatten(format!("{tag}/{number}"), value, scalars);
            }
        }
        Value::Null | Value::String(_) => {}
    }
}

fn step_number(step: u64) -> i64 {
    i64::try_from(step).unwrap_or(i64::MAX)
}

/// One more than the highest number of the files that are there.
fn next_number(folder: &Path) -> io::Result<u64> {
    let mut next = 1;
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('.').next());
        if let Some(number) = number.and_then(|number| number.parse::<u64>().ok()) {
            next = next.max(number.saturating_add(1));
        }
    }
    Ok(next)
}
