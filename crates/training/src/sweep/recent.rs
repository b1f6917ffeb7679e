//! What the last steps of a run were like.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::error::SweepError;
use crate::metrics::StepMetrics;

/// Steps that are averaged over, the last ones.
pub const RECENT_STEPS: usize = 20;

/// Bytes of a step's record, at the most.
const MAXIMUM_LINE: u64 = 1 << 20;

/// Means over the last [`RECENT_STEPS`] steps of a run, or all where there are fewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecentMetrics {
    /// Steps made.
    pub steps: u64,
    /// Entropy of pi in nats.
    pub entropy: f64,
    /// `KL(pi_base||pi)` in nats.
    pub forward_kl: f64,
    /// `KL(pi||pi_base)` in nats.
    pub reverse_kl: f64,
    /// Mean of |A|, in [0, 1].
    pub mean_absolute_advantage: f64,
    /// Entropy in nats of the openings of eight plies that self-play played (see
    /// [`OpeningDiversity`](crate::OpeningDiversity)).
    pub opening_entropy: f64,
}

impl RecentMetrics {
    /// Reads a run's metrics; `None` before its first step. A last line that is not whole is one
    /// that is being written, or that a killed process left.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, SweepError> {
        let io = |source| SweepError::Io { path: path.to_owned(), source };
        if !path.exists() {
            return Ok(None);
        }
        let mut reader = BufReader::new(File::open(path).map_err(io)?);
        let mut last: VecDeque<(u64, Vec<u8>)> = VecDeque::new();
        for number in 1.. {
            let mut line = Vec::new();
            let mut limited = reader.by_ref().take(MAXIMUM_LINE);
            limited.read_until(b'\n', &mut line).map_err(io)?;
            if !line.ends_with(b"\n") {
                if line.len() as u64 == MAXIMUM_LINE {
                    return Err(wrong(path, number, "too long"));
                }
                break;
            }
            if last.len() == RECENT_STEPS {
                last.pop_front();
            }
            last.push_back((number, line));
        }
        let mut steps = Vec::new();
        for (number, line) in last {
            let metrics: StepMetrics = serde_json::from_slice(&line)
                .map_err(|error| wrong(path, number, &error.to_string()))?;
            steps.push(metrics);
        }
        Ok(Self::of(&steps))
    }

    fn of(steps: &[StepMetrics]) -> Option<Self> {
        let last = steps.last()?;
        let mean = |value: fn(&StepMetrics) -> f64| {
            steps.iter().map(value).sum::<f64>() / steps.len() as f64
        };
        Some(Self {
            steps: last.step,
            entropy: mean(|step| step.policy.entropy),
            forward_kl: mean(|step| step.policy.forward_kl),
            reverse_kl: mean(|step| step.policy.reverse_kl),
            mean_absolute_advantage: mean(|step| step.advantage.mean_absolute),
            opening_entropy: mean(|step| step.openings.eight_plies.entropy),
        })
    }
}

fn wrong(path: &Path, line: u64, problem: &str) -> SweepError {
    SweepError::Record { path: path.to_owned(), problem: format!("line {line}: {problem}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(step: u64, entropy: f64) -> String {
        let spread = "{\"minimum\":1,\"quantile_10\":1,\"quantile_25\":1,\"median\":1,\
                      \"quantile_75\":1,\"quantile_90\":1,\"maximum\":1,\"mean\":1}";
        let opening =
            |entropy: f64| format!("{{\"games\":4,\"distinct\":2,\"entropy\":{entropy}}}");
        format!(
            "{{\"step\":{step},\"warmup_factor\":1,\"loss\":{{}},\
             \"advantage\":{{\"mean\":0,\"mean_absolute\":0.25}},\
             \"importance\":{{\"mean\":1,\"capped\":0}},\
             \"policy\":{{\"entropy\":{entropy},\"forward_kl\":0.5,\"reverse_kl\":0.75,\
             \"largest_sampling_gap\":0}},\
             \"temperature\":{spread},\"games\":{{}},\"openings\":{{\"first_move\":{},\
             \"four_plies\":{},\"eight_plies\":{}}},\"timing\":{{}}}}\n",
            opening(3.0),
            opening(2.0),
            opening(1.0)
        )
    }

    #[test]
    fn means_are_over_the_last_steps() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("metrics.jsonl");
        let read = || RecentMetrics::read(&path);
        assert_eq!(read().expect("nothing yet"), None);
        let check = |text: &str, steps: u64, entropy: f64| {
            std::fs::write(&path, text).expect("written");
            let expected = RecentMetrics {
                steps,
                entropy,
                forward_kl: 0.5,
                reverse_kl: 0.75,
                mean_absolute_advantage: 0.25,
                opening_entropy: 1.0,
            };
            assert_eq!(read().expect("metrics"), Some(expected));
        };
        check(&(line(1, 1.0) + &line(2, 2.0)), 2, 1.5);
        let text: String = (1..=25).map(|step| line(step, step as f64)).collect();
        // 6 to 25.
        check(&text, 25, 15.5);
        check(&(text + "{\"step\":26"), 25, 15.5);
        std::fs::write(&path, "{\"st").expect("written");
        assert_eq!(read().expect("no whole line"), None);
        std::fs::write(&path, line(1, 1.0) + "{}\n").expect("written");
        let error = read().expect_err("no record").to_string();
        assert!(error.contains("metrics.jsonl: line 2: missing field"), "{error}");
    }
}
