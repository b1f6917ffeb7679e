//! Bytes in shared pieces.

use bytes::{Buf, Bytes};
use std::collections::VecDeque;
use std::io::{self, Write};

/// A sequence of bytes in pieces that share their memory with their owners.
///
/// `prost` decodes a message from it without copying the tensors, each of which is one piece.
#[derive(Clone, Debug, Default)]
pub(in crate::network_file) struct Rope {
    pieces: VecDeque<Bytes>,
    remaining: usize,
}

impl Rope {
    pub(super) fn push(&mut self, piece: Bytes) {
        // `Buf::chunk` may be empty only at the end.
        if !piece.is_empty() {
            self.remaining += piece.len();
            self.pieces.push_back(piece);
        }
    }

    pub(in crate::network_file) fn write_to(&self, target: &mut impl Write) -> io::Result<()> {
        self.pieces.iter().try_for_each(|piece| target.write_all(piece))
    }
}

impl Buf for Rope {
    fn remaining(&self) -> usize {
        self.remaining
    }

    fn chunk(&self) -> &[u8] {
        self.pieces.front().map_or(&[], |piece| piece)
    }

    fn advance(&mut self, mut count: usize) {
        assert!(count <= self.remaining, "advance by {count} of {} bytes", self.remaining);
        self.remaining -= count;
        while count > 0 {
            let front = &mut self.pieces[0];
            if count < front.len() {
                front.advance(count);
                return;
            }
            count -= front.len();
            self.pieces.pop_front();
        }
    }

    fn copy_to_bytes(&mut self, count: usize) -> Bytes {
        assert!(count <= self.remaining, "copy of {count} of {} bytes", self.remaining);
        match self.pieces.front() {
            Some(front) if count <= front.len() => {
                let copied = front.slice(..count);
                self.advance(count);
                copied
            }
            _ => {
                let mut copied = vec![0; count];
                self.copy_to_slice(&mut copied);
                copied.into()
            }
        }
    }
}
