//! A description as lines of text.

use super::{Description, Encoder, Tower};
use std::fmt::{self, Display, Formatter};

/// Width of the column of labels.
const LABEL: usize = 20;

impl Display for Description {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        line(f, "file", &self.name)?;
        line(f, "size", format_args!("{} bytes", self.size))?;
        line(f, "sha256", &self.sha256)?;
        line(f, "license", self.license.as_deref().unwrap_or("none given"))?;
        line(f, "min_version", self.min_version.as_deref().unwrap_or("none given"))?;
        if self.onnx {
            line(f, "body", "ONNX model")?;
        }
        if let Some(tower) = &self.tower {
            tower_lines(f, tower)?;
        }
        if let Some(encoder) = &self.encoder {
            encoder_lines(f, encoder)?;
        }
        for (label, heads) in
            [("policy heads", &self.policy_heads), ("value heads", &self.value_heads)]
        {
            if !heads.is_empty() {
                line(f, label, heads.join(", "))?;
            }
        }
        for (name, value) in &self.markers {
            line(f, name, value)?;
        }
        line(f, "layers", self.layers)?;
        line(f, "parameters", self.parameters)?;
        for (encoding, layers) in &self.encodings {
            line(f, "encoding", format_args!("{encoding} ({layers} of {} layers)", self.layers))?;
        }
        if let Some(training) = &self.training {
            let numbers = [
                ("training steps", training.steps.map(|steps| steps.to_string())),
                ("learning rate", training.learning_rate.map(|rate| rate.to_string())),
                ("value loss", training.value_loss.map(|loss| loss.to_string())),
                ("policy loss", training.policy_loss.map(|loss| loss.to_string())),
                ("policy accuracy", training.accuracy.map(|accuracy| accuracy.to_string())),
            ];
            for (label, number) in numbers {
                if let Some(number) = number {
                    line(f, label, number)?;
                }
            }
        }
        Ok(())
    }
}

fn line(f: &mut Formatter<'_>, label: &str, value: impl Display) -> fmt::Result {
    writeln!(f, "{label:<LABEL$}{value}")
}

fn tower_lines(f: &mut Formatter<'_>, tower: &Tower) -> fmt::Result {
    let squeeze = tower.squeeze.map_or(String::new(), |squeeze| format!(", squeeze to {squeeze}"));
    let filters = Size(tower.filters);
    line(f, "body", format_args!("{} blocks of {filters} filters{squeeze}", tower.blocks))
}

fn encoder_lines(f: &mut Formatter<'_>, encoder: &Encoder) -> fmt::Result {
    let Encoder { layers, gating, .. } = encoder;
    let heads = Size(encoder.heads);
    line(f, "body", format_args!("{layers} encoder layers of {heads} heads"))?;
    line(f, "embedding", Size(encoder.embedding))?;
    line(f, "d_model", Size(encoder.d_model))?;
    line(f, "dff", Size(encoder.dff))?;
    if encoder.position_channels.is_some() {
        line(f, "position channels", Size(encoder.position_channels))?;
        line(f, "embedding dff", Size(encoder.embedding_dff))?;
    }
    line(f, "gating", if *gating { "yes" } else { "no" })?;
    match &encoder.smolgen {
        None => line(f, "smolgen", "no"),
        Some(smolgen) => line(
            f,
            "smolgen",
            format_args!(
                "compress {}, hidden {}, generated {} a head",
                Size(smolgen.compress),
                Size(smolgen.hidden),
                Size(smolgen.generated)
            ),
        ),
    }
}

/// A size that may be unknown.
struct Size(Option<usize>);

impl Display for Size {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(size) => write!(f, "{size}"),
            None => f.write_str("unknown"),
        }
    }
}
