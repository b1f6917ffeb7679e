//! From the records of Lc0's training data to samples.

use chess::{InputFormat, MoveIndex, Planes};
use lc0::training_data::{SearchValue, TrainingRecord};
use policy::{MovePolicy, Wdl};

use super::sample::Sample;

#[cfg(test)]
mod tests;

/// Where the planes begin that are the same for all of the history.
const REST: usize = 104;

/// A record that this network cannot learn from.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("recorded in input format {recorded}, the network has {expected}")]
pub struct RecordMismatch {
    /// Lc0's number of the record's format.
    pub recorded: u32,
    /// Lc0's number of the network's.
    pub expected: u32,
}

/// The sample of a record: the policy's target is the search's share of visits, the value's is
/// `result_ratio` times the game's result and the rest times the value of the search's best move.
///
/// # Errors
///
/// Where the record's planes are of another format than the network's.
pub fn sample_of(
    record: &TrainingRecord,
    format: InputFormat,
    result_ratio: f64,
) -> Result<Sample, RecordMismatch> {
    if record.input_format != format.id() {
        return Err(RecordMismatch { recorded: record.input_format, expected: format.id() });
    }
    let (moves, weights): (Vec<_>, Vec<_>) = (0..)
        .map_while(MoveIndex::new)
        .zip(record.probabilities.iter().map(|&probability| f64::from(probability)))
        .filter(|(_, probability)| *probability >= 0.0)
        .unzip();
    let policy = MovePolicy::from_weights(&weights).expect("a record's policy sums to 1");
    let (result, search) = (outcome(record.result), outcome(record.best));
    let mix =
        |part: fn(&Wdl) -> f64| result_ratio * part(&result) + (1.0 - result_ratio) * part(&search);
    let value = Wdl::new(mix(Wdl::win), mix(Wdl::draw), mix(Wdl::loss));
    let value = Some(value.expect("a mixture of outcomes is one"));
    Ok(Sample { planes: planes(record, format), moves, policy, value })
}

/// `W - L = q` and `D = d`, each kept in its range where rounding has led out of it.
fn outcome(value: SearchValue) -> Wdl {
    let draw = f64::from(value.d).clamp(0.0, 1.0);
    let decided = 1.0 - draw;
    let q = f64::from(value.q).clamp(-decided, decided);
    Wdl::new((decided + q) / 2.0, draw, (decided - q) / 2.0).expect("three parts of 1")
}

/// The record's planes as [`chess::encode`] would write them (LC0_FORMAT section 2).
fn planes(record: &TrainingRecord, format: InputFormat) -> Planes {
    let mut planes = Planes { masks: [0; Planes::COUNT], values: [1.0; Planes::COUNT] };
    planes.masks[..REST].copy_from_slice(&record.planes);
    let whole = |set: bool| if set { u64::MAX } else { 0 };
    let rest = &mut planes.masks[REST..];
    for (side, [us, them]) in
        [0, 1].map(|side| record.castling.map(|rights| rights[side])).into_iter().enumerate()
    {
        if format == InputFormat::Classical112 {
            (rest[side], rest[side + 2]) = (whole(us != 0), whole(them != 0));
        } else {
            rest[side] = u64::from(us) | u64::from(them) << 56;
        }
    }
    let byte = record.side_to_move_or_en_passant;
    let black_to_move = if format.is_canonical() {
        rest[4] = u64::from(byte) << 56;
        record.invariance >> 7 == 1
    } else {
        rest[4] = whole(byte != 0);
        byte != 0
    };
    rest[5] = u64::MAX;
    rest[6] = whole(format.is_armageddon() && black_to_move);
    rest[7] = u64::MAX;
    let clock = f32::from(record.half_move_clock);
    planes.values[REST + 5] = if format.clock_in_hundreds() { clock / 100.0 } else { clock };
    planes
}
