//! Rounds of one batch and number of threads.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use chess::{Game, HistoryFill, Planes};
use network::{EncodedPosition, Evaluation, Evaluator, sample_games};
use policy::Temperature;
use serde::Serialize;

/// Rounds timed at the least: with fewer, a median and a deviation say nothing.
const ROUNDS: usize = 3;

/// Where the time of one round went.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    encode: Duration,
    forward: Duration,
    decode: Duration,
}

impl Round {
    fn total(&self) -> Duration {
        self.encode + self.forward + self.decode
    }
}

/// The rounds of one measurement.
#[derive(Debug)]
pub(super) struct Timings {
    rounds: Vec<Round>,
}

/// One measurement as it is printed.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Measurement {
    pub(super) threads: NonZeroUsize,
    pub(super) batch: NonZeroUsize,
    pub(super) rounds: usize,
    /// Mean of the rounds' positions per second.
    pub(super) mean: f64,
    /// Median of the same.
    pub(super) median: f64,
    /// Standard deviation of the same, over a sample.
    pub(super) standard_deviation: f64,
    /// Share of the time from games to planes and numbered legal moves, in [0, 1].
    pub(super) encode_share: f64,
    /// Share of the time from planes to logits.
    pub(super) forward_share: f64,
    /// Share of the time from logits to the legal moves' probabilities and the outcome's.
    pub(super) decode_share: f64,
}

/// Times rounds of `batch` positions for `seconds`, on the current pool of threads.
pub(super) fn measure(
    evaluator: &Evaluator,
    fill: HistoryFill,
    batch: usize,
    seconds: Duration,
) -> anyhow::Result<Timings> {
    let games = sample_games(batch);
    // Fills caches and buffers.
    round(evaluator, fill, &games)?;
    let start = Instant::now();
    let mut rounds = Vec::new();
    while rounds.len() < ROUNDS || start.elapsed() < seconds {
        rounds.push(round(evaluator, fill, &games)?);
    }
    Ok(Timings { rounds })
}

/// The steps of [`Evaluator::evaluate`] and what callers do with its result, each timed.
fn round(evaluator: &Evaluator, fill: HistoryFill, games: &[Game]) -> anyhow::Result<Round> {
    let engine = evaluator.engine();
    let start = Instant::now();
    let positions = EncodedPosition::batch(games, engine.architecture().input_format, fill)?;
    let planes: Vec<Planes> = positions.iter().map(|position| position.planes.clone()).collect();
    let encoded = Instant::now();
    let outputs = engine.evaluate(&planes);
    let computed = Instant::now();
    for (row, position) in positions.into_iter().enumerate() {
        let evaluation = Evaluation::from_outputs(position, &outputs, row)?;
        let probabilities = evaluation.policy(Temperature::ONE)?.probabilities();
        std::hint::black_box((probabilities, evaluation.wdl()));
    }
    Ok(Round { encode: encoded - start, forward: computed - encoded, decode: computed.elapsed() })
}

impl Timings {
    /// What is printed of them.
    pub(super) fn summary(&self, threads: NonZeroUsize, batch: NonZeroUsize) -> Measurement {
        let rate = |round: &Round| batch.get() as f64 / round.total().as_secs_f64();
        let rates: Vec<f64> = self.rounds.iter().map(rate).collect();
        let sum = |part: fn(&Round) -> Duration| {
            self.rounds.iter().map(part).sum::<Duration>().as_secs_f64()
        };
        let total = sum(Round::total);
        let mean = mean(&rates);
        Measurement {
            threads,
            batch,
            rounds: rates.len(),
            mean,
            standard_deviation: standard_deviation(&rates, mean),
            median: median(rates),
            encode_share: sum(|round| round.encode) / total,
            forward_share: sum(|round| round.forward) / total,
            decode_share: sum(|round| round.decode) / total,
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Of a sample: divided by one less than its size.
fn standard_deviation(values: &[f64], mean: f64) -> f64 {
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len() as f64 - 1.0)).sqrt()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let (low, high) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_summed_up() {
        let milliseconds = |encode, forward, decode| Round {
            encode: Duration::from_millis(encode),
            forward: Duration::from_millis(forward),
            decode: Duration::from_millis(decode),
        };
        let check = |rounds: Vec<Round>, expected: [f64; 6]| {
            let (threads, batch) = (NonZeroUsize::MIN, NonZeroUsize::new(12).unwrap());
            let count = rounds.len();
            let seen = Timings { rounds }.summary(threads, batch);
            let numbers = [
                seen.mean,
                seen.median,
                seen.standard_deviation,
                seen.encode_share,
                seen.forward_share,
                seen.decode_share,
            ];
            assert_eq!(seen.rounds, count);
            for (number, expected) in numbers.into_iter().zip(expected) {
                assert!((number - expected).abs() < 1e-9, "{numbers:?}");
            }
        };
        // 120, 60 and 30 positions a second.
        let three =
            vec![milliseconds(0, 100, 0), milliseconds(20, 180, 0), milliseconds(15, 300, 85)];
        let (encode, forward, decode) = (35.0 / 700.0, 580.0 / 700.0, 85.0 / 700.0);
        check(three.clone(), [70.0, 60.0, 2100.0_f64.sqrt(), encode, forward, decode]);
        let two = three[1..].to_vec();
        let (encode, forward, decode) = (35.0 / 600.0, 480.0 / 600.0, 85.0 / 600.0);
        check(two, [45.0, 45.0, 450.0_f64.sqrt(), encode, forward, decode]);
    }
}
