//! The numbers of one tensor: decoding and encoding (LC0_FORMAT section 1, weight encodings).

use crate::proto::{Encoding, Layer};
use half::{bf16, f16};
use rayon::prelude::*;

mod encode;

pub(crate) use encode::encode;

/// Elements that one task decodes: large enough to hide the cost of starting a task.
const CHUNK: usize = 1 << 16;

/// Steps between `min_val` and `max_val` of [`Encoding::Linear16`].
pub(crate) const LINEAR16_STEPS: f32 = 65535.0;

/// Why the numbers of a layer cannot be read or stored.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LayerError {
    /// The encoding marker has a value that the format does not define.
    #[error("its encoding is {0}, expected 1 (LINEAR16), 2 (FLOAT16), 3 (BFLOAT16) or 4 (FLOAT32)")]
    UnknownEncoding(i32),
    /// The bytes do not divide into elements.
    #[error("its {bytes} bytes are no whole number of {size}-byte elements")]
    PartialElement {
        /// Bytes present.
        bytes: usize,
        /// Bytes of one element.
        size: usize,
    },
    /// The stored shape has another number of elements than the data.
    #[error("its shape {dims:?} does not fit its {elements} elements")]
    Shape {
        /// The stored shape.
        dims: Vec<u32>,
        /// Elements present.
        elements: usize,
    },
    /// `min_val` and `max_val` are not finite numbers, or too far apart for single precision.
    #[error("its range from {minimum} to {maximum} is not finite in single precision")]
    Range {
        /// Smallest value.
        minimum: f32,
        /// Largest value.
        maximum: f32,
    },
    /// A number is infinite or not a number.
    #[error("element {element} is {value}, expected a finite number")]
    NotFinite {
        /// Index of the first such element.
        element: usize,
        /// Its value.
        value: f32,
    },
    /// A number is beyond the range of the encoding it is to be stored in.
    #[error("element {element} is {value}, beyond the range of {encoding:?}")]
    Overflow {
        /// Index of the first such element.
        element: usize,
        /// Its value.
        value: f32,
        /// The encoding.
        encoding: Encoding,
    },
    /// Another number of elements was given than the layer has.
    #[error("it has {expected} elements, {given} were given")]
    Length {
        /// Elements of the layer.
        expected: usize,
        /// Elements given.
        given: usize,
    },
}

/// How `layer` is stored; [`Encoding::Linear16`] where it does not say.
///
/// # Errors
/// [`LayerError::UnknownEncoding`].
pub fn encoding(layer: &Layer) -> Result<Encoding, LayerError> {
    match layer.encoding.map(Encoding::try_from) {
        None | Some(Ok(Encoding::Unknown)) => Ok(Encoding::Linear16),
        Some(Ok(encoding)) => Ok(encoding),
        Some(Err(prost::UnknownEnumValue(number))) => Err(LayerError::UnknownEncoding(number)),
    }
}

/// Bytes of one element.
pub(crate) fn element_size(encoding: Encoding) -> usize {
    match encoding {
        Encoding::Unknown | Encoding::Linear16 | Encoding::Float16 | Encoding::Bfloat16 => 2,
        Encoding::Float32 => 4,
    }
}

/// The number of elements of `layer`, without decoding them.
///
/// # Errors
/// Where the bytes do not divide into elements, or a stored shape has another number of them.
pub fn element_count(layer: &Layer) -> Result<usize, LayerError> {
    let size = element_size(encoding(layer)?);
    let bytes = layer.params.as_ref().map_or(0, |params| params.len());
    if !bytes.is_multiple_of(size) {
        return Err(LayerError::PartialElement { bytes, size });
    }
    let elements = bytes / size;
    if !fits(&layer.dims, elements) {
        return Err(LayerError::Shape { dims: layer.dims.clone(), elements });
    }
    Ok(elements)
}

/// Whether the shape `dims` has `elements` elements; no shape fits any number.
pub(crate) fn fits(dims: &[u32], elements: usize) -> bool {
    dims.is_empty()
        || dims.iter().try_fold(1_usize, |product, &dim| product.checked_mul(dim as usize))
            == Some(elements)
}

/// The elements of `layer`, in row-major order.
///
/// LINEAR16 step `q` is `q / 65535 * (max_val - min_val) + min_val`, each operation rounded to
/// single precision, which is lc0 0.32's arithmetic to the bit. The same bits come out whatever
/// the number of threads.
///
/// # Errors
/// Those of [`element_count`], a range that is not finite, and the first element that is not.
pub fn decode(layer: &Layer) -> Result<Vec<f32>, LayerError> {
    let count = element_count(layer)?;
    let bytes = layer.params.as_deref().unwrap_or_default();
    match encoding(layer)? {
        Encoding::Unknown | Encoding::Linear16 => {
            let (minimum, maximum) = (layer.min_val.unwrap_or(0.0), layer.max_val.unwrap_or(0.0));
            let range = maximum - minimum;
            if count > 0 && !(minimum.is_finite() && maximum.is_finite() && range.is_finite()) {
                return Err(LayerError::Range { minimum, maximum });
            }
            elements(bytes, count, |b: [u8; 2]| {
                f32::from(u16::from_le_bytes(b)) / LINEAR16_STEPS * range + minimum
            })
        }
        Encoding::Float16 => elements(bytes, count, |b: [u8; 2]| f16::from_le_bytes(b).to_f32()),
        Encoding::Bfloat16 => elements(bytes, count, |b: [u8; 2]| bf16::from_le_bytes(b).to_f32()),
        Encoding::Float32 => elements(bytes, count, f32::from_le_bytes),
    }
}

/// Decodes `count` elements of `SIZE` bytes each and checks that all are finite.
fn elements<const SIZE: usize>(
    bytes: &[u8],
    count: usize,
    value: impl Fn([u8; SIZE]) -> f32 + Sync,
) -> Result<Vec<f32>, LayerError> {
    let (encoded, _) = bytes.as_chunks::<SIZE>();
    let mut decoded = vec![0.0; count];
    let first = decoded
        .par_chunks_mut(CHUNK)
        .zip(encoded.par_chunks(CHUNK))
        .enumerate()
        .filter_map(|(chunk, (decoded, encoded))| {
            for (to, &from) in decoded.iter_mut().zip(encoded) {
                *to = value(from);
            }
            not_finite(decoded).map(|element| chunk * CHUNK + element)
        })
        .min();
    match first {
        Some(element) => Err(LayerError::NotFinite { element, value: decoded[element] }),
        None => Ok(decoded),
    }
}

/// The index of the first element that is infinite or not a number.
fn not_finite(values: &[f32]) -> Option<usize> {
    // Looking at all of them vectorises, stopping at the first does not.
    let all = values.iter().fold(true, |finite, value| finite & value.is_finite());
    if all {
        return None;
    }
    values.iter().position(|value| !value.is_finite())
}

#[cfg(test)]
mod tests;
