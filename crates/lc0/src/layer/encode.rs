//! Storing the numbers of one tensor.

use super::{CHUNK, LINEAR16_STEPS, LayerError, not_finite};
use crate::proto::{Encoding, Layer};
use half::{bf16, f16};
use rayon::prelude::*;

/// `values` stored in `encoding`, with neither shape nor encoding marker.
///
/// [`Encoding::Linear16`] spans the smallest to the largest value. Decoding gives every value
/// back to within half a step, `(max - min) / 65535 / 2`, plus single-precision rounding: three
/// operations whose results are at most `m = max(|min|, |max|, max - min)` in size, each rounded
/// by at most `m * 2^-24`, so `4 m * 2^-24` covers them and the rounding of the range. Equal
/// values come back exactly. The 16-bit floats round to nearest, ties to even.
///
/// # Errors
/// The first value that is not finite or is beyond the encoding's range.
pub(crate) fn encode(values: &[f32], encoding: Encoding) -> Result<Layer, LayerError> {
    if let Some(element) = not_finite(values) {
        return Err(LayerError::NotFinite { element, value: values[element] });
    }
    let params = match encoding {
        Encoding::Unknown | Encoding::Linear16 => return linear16(values),
        Encoding::Float16 => {
            within(values, encoding, |value| f16::from_f32(value).is_finite())?;
            bytes(values, |value| f16::from_f32(value).to_le_bytes())
        }
        Encoding::Bfloat16 => {
            within(values, encoding, |value| bf16::from_f32(value).is_finite())?;
            bytes(values, |value| bf16::from_f32(value).to_le_bytes())
        }
        Encoding::Float32 => bytes(values, f32::to_le_bytes),
    };
    Ok(Layer { params: Some(params.into()), ..Layer::default() })
}

fn linear16(values: &[f32]) -> Result<Layer, LayerError> {
    let (minimum, maximum) = match values {
        [] => (0.0, 0.0),
        [first, ..] => values
            .iter()
            .fold((*first, *first), |(low, high), &value| (low.min(value), high.max(value))),
    };
    if !(maximum - minimum).is_finite() {
        return Err(LayerError::Range { minimum, maximum });
    }
    let range = f64::from(maximum) - f64::from(minimum);
    let scale = if range > 0.0 { f64::from(LINEAR16_STEPS) / range } else { 0.0 };
    let params = bytes(values, |value| {
        // Within 0..=65535 up to rounding, and the conversion saturates.
        let step = ((f64::from(value) - f64::from(minimum)) * scale).round();
        (step as u16).to_le_bytes()
    });
    Ok(Layer {
        min_val: Some(minimum),
        max_val: Some(maximum),
        params: Some(params.into()),
        ..Layer::default()
    })
}

/// The encoded values, one after the other.
fn bytes<const SIZE: usize>(values: &[f32], encoded: impl Fn(f32) -> [u8; SIZE] + Sync) -> Vec<u8> {
    let mut bytes = vec![0; values.len() * SIZE];
    let (elements, _) = bytes.as_chunks_mut::<SIZE>();
    elements.par_chunks_mut(CHUNK).zip(values.par_chunks(CHUNK)).for_each(|(to, from)| {
        for (to, &from) in to.iter_mut().zip(from) {
            *to = encoded(from);
        }
    });
    bytes
}

fn within(
    values: &[f32],
    encoding: Encoding,
    representable: impl Fn(f32) -> bool,
) -> Result<(), LayerError> {
    match values.iter().position(|&value| !representable(value)) {
        Some(element) => Err(LayerError::Overflow { element, value: values[element], encoding }),
        None => Ok(()),
    }
}
