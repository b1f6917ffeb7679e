//! Reading a message into a tree, trusting nothing.

use super::{Content, Leaf, Message, Node, Part};
use crate::proto::{Field, Kind, Layer, Structure};
use bytes::Bytes;
use prost::Message as _;
use std::ops::Range;

/// The most messages and layers in one file. BT4 has about 700; each may take some kilobytes of
/// memory however few bytes it has in the file, so that an unbounded number could exhaust it.
const MAXIMUM_MESSAGES: usize = 1 << 15;

/// The most dimensions of one layer.
const MAXIMUM_DIMENSIONS: usize = 16;

/// Field number of a layer's shape.
const DIMS: u32 = 5;

/// A fault in the bytes of a message.
#[derive(Debug)]
pub(in crate::network_file) struct Malformed {
    /// Offset from the start of the outermost message.
    pub(in crate::network_file) offset: usize,
    /// Names of the fields around the fault, innermost first.
    pub(in crate::network_file) fields: Vec<String>,
    pub(in crate::network_file) problem: String,
}

/// Reads the message `bytes`.
pub(in crate::network_file) fn read(
    structure: &'static Structure,
    bytes: Bytes,
) -> Result<Message, Malformed> {
    let end = bytes.len();
    let mut reader = Reader { bytes, messages: 0 };
    reader.message(structure, 0..end)
}

/// Numbers and extents, keys included, of the fields of a message that [`read`] has accepted.
pub(super) fn fields(message: &Bytes) -> impl Iterator<Item = (u32, Range<usize>)> {
    let reader = Reader { bytes: message.clone(), messages: 0 };
    let mut position = 0;
    std::iter::from_fn(move || {
        let start = position;
        if start == reader.bytes.len() {
            return None;
        }
        let wire = reader.field(start, reader.bytes.len()).expect("the message was accepted");
        position = wire.value.end;
        Some((wire.number, start..position))
    })
}

struct Reader {
    bytes: Bytes,
    /// Messages and layers so far.
    messages: usize,
}

/// One field as it is in the bytes.
struct Wire {
    number: u32,
    /// Where the value is; for a length-delimited field, without its length.
    value: Range<usize>,
    is_delimited: bool,
}

impl Reader {
    fn message(
        &mut self,
        structure: &'static Structure,
        range: Range<usize>,
    ) -> Result<Message, Malformed> {
        let mut message = Message { structure, parts: Vec::new() };
        let mut occurrences = vec![0; structure.fields.len()];
        let mut raw = range.start;
        let mut position = range.start;
        while position < range.end {
            let start = position;
            let wire = self.field(start, range.end)?;
            position = wire.value.end;
            let (slot, field) = match structure.by_number(wire.number) {
                Some((slot, field)) if !matches!(field.kind, Kind::Scalar) => (slot, field),
                _ => continue,
            };
            let index = occurrences[slot];
            occurrences[slot] += 1;
            let within = |mut fault: Malformed| {
                if matches!(field.kind, Kind::Many(_)) {
                    fault.fields.push(index.to_string());
                }
                fault.fields.push(field.name.to_owned());
                fault
            };
            let node = self.node(field, start..wire.value.start, &wire, index).map_err(within)?;
            if raw < start {
                message.parts.push(Part::Raw(self.bytes.slice(raw..start)));
            }
            message.parts.push(Part::Node(node));
            raw = position;
        }
        if raw < range.end {
            message.parts.push(Part::Raw(self.bytes.slice(raw..range.end)));
        }
        Ok(message)
    }

    fn node(
        &mut self,
        field: &'static Field,
        header: Range<usize>,
        wire: &Wire,
        index: usize,
    ) -> Result<Node, Malformed> {
        if !wire.is_delimited {
            return Err(fault(header.start, "a number where a message was expected"));
        }
        // Protocol buffers would merge the two; no network has it and paths would be ambiguous.
        if index > 0 && !matches!(field.kind, Kind::Many(_)) {
            return Err(fault(header.start, "it is there a second time, expected at most one"));
        }
        self.messages += 1;
        if self.messages > MAXIMUM_MESSAGES {
            return Err(fault(
                header.start,
                format!("more than {MAXIMUM_MESSAGES} messages, more than any network has"),
            ));
        }
        let content = match field.kind {
            Kind::Layer => Content::Layer(self.leaf(wire.value.clone())?),
            Kind::One(structure) | Kind::Many(structure) => {
                Content::Message(self.message(structure, wire.value.clone())?)
            }
            Kind::Scalar => unreachable!("scalars are no nodes"),
        };
        Ok(Node { field, header: self.bytes.slice(header), declared: wire.value.len(), content })
    }

    fn leaf(&self, range: Range<usize>) -> Result<Leaf, Malformed> {
        let mut dimensions = 0;
        let mut position = range.start;
        while position < range.end {
            let wire = self.field(position, range.end)?;
            if wire.number == DIMS {
                // Packed numbers take at least a byte each.
                dimensions += if wire.is_delimited { wire.value.len().div_ceil(5) } else { 1 };
                if dimensions > MAXIMUM_DIMENSIONS {
                    return Err(fault(
                        position,
                        format!("a shape of more than {MAXIMUM_DIMENSIONS} dimensions"),
                    ));
                }
            }
            position = wire.value.end;
        }
        let bytes = self.bytes.slice(range.clone());
        let layer =
            Layer::decode(bytes.clone()).map_err(|error| fault(range.start, error.to_string()))?;
        Ok(Leaf { bytes, layer })
    }

    /// The field that starts at `start` of a message that ends at `end`.
    fn field(&self, start: usize, end: usize) -> Result<Wire, Malformed> {
        let (key, position) = self.varint(start, end)?;
        let number = u32::try_from(key >> 3).ok().filter(|&number| number > 0);
        let Some(number) = number.filter(|&number| number < 1 << 29) else {
            return Err(fault(start, format!("field number {}, expected 1 to 2^29 - 1", key >> 3)));
        };
        let (first, length, is_delimited) = match key & 7 {
            0 => (position, self.varint(position, end)?.1 - position, false),
            1 => (position, 8, false),
            2 => {
                let (length, first) = self.varint(position, end)?;
                // A length beyond the address space is beyond the end as well.
                (first, usize::try_from(length).unwrap_or(usize::MAX), true)
            }
            5 => (position, 4, false),
            kind => {
                return Err(fault(
                    start,
                    format!("field {number} has wire type {kind}, expected 0, 1, 2 or 5"),
                ));
            }
        };
        if length > end - first {
            return Err(fault(
                start,
                format!("field {number} of {length} bytes where only {} are left", end - first),
            ));
        }
        Ok(Wire { number, value: first..first + length, is_delimited })
    }

    /// The number at `start`, and where it ends.
    fn varint(&self, start: usize, end: usize) -> Result<(u64, usize), Malformed> {
        let mut value = 0_u64;
        for (index, &byte) in self.bytes[start..end].iter().take(10).enumerate() {
            // The tenth byte holds the 64th bit alone.
            if index == 9 && byte > 1 {
                break;
            }
            value |= u64::from(byte & 0x7f) << (7 * index);
            if byte < 0x80 {
                return Ok((value, start + index + 1));
            }
        }
        let problem = if end - start < 10 {
            "the message ends inside a number"
        } else {
            "a number of more than 64 bits"
        };
        Err(fault(start, problem))
    }
}

fn fault(offset: usize, problem: impl Into<String>) -> Malformed {
    Malformed { offset, fields: Vec::new(), problem: problem.into() }
}
