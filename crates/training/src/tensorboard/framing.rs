//! The framing of TFRecord files: length, its sum, data, its sum.

use crc::{CRC_32_ISCSI, Crc};

/// CRC32C.
const CRC32C: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);

/// The sum of `data` as the files have it: rotated and shifted, since sums of data that hold sums
/// themselves are weak.
pub(super) fn masked_sum(data: &[u8]) -> u32 {
    CRC32C.checksum(data).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// One record.
pub(super) fn record(data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u64).to_le_bytes();
    let mut record = Vec::with_capacity(data.len() + 16);
    record.extend_from_slice(&length);
    record.extend_from_slice(&masked_sum(&length).to_le_bytes());
    record.extend_from_slice(data);
    record.extend_from_slice(&masked_sum(data).to_le_bytes());
    record
}
