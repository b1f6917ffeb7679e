//! Samples in random order, with bounded memory.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[cfg(test)]
mod tests;

/// A buffer out of which items are drawn at random, each replaced by the next of a stream.
///
/// An item waits for as many draws as the buffer is large, on average, so that neighbours in a file
/// are spread over about as many draws.
#[derive(Debug)]
pub struct Shuffle<T> {
    buffer: Vec<T>,
    capacity: usize,
    generator: ChaCha8Rng,
}

impl<T> Shuffle<T> {
    /// An empty buffer for `capacity` items, at least 1.
    pub fn new(capacity: usize, seed: u64) -> Self {
        let capacity = capacity.max(1);
        Self { buffer: Vec::new(), capacity, generator: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// Whether it takes items before one is drawn.
    pub fn wants_more(&self) -> bool {
        self.buffer.len() < self.capacity
    }

    /// Takes an item.
    pub fn push(&mut self, item: T) {
        self.buffer.push(item);
    }

    /// Is content with what it has: the stream has come round to its beginning.
    pub fn close(&mut self) {
        self.capacity = self.capacity.min(self.buffer.len().max(1));
    }

    /// Draws an item.
    pub fn draw(&mut self) -> Option<T> {
        if self.buffer.is_empty() {
            return None;
        }
        let index = self.generator.random_range(0..self.buffer.len());
        Some(self.buffer.swap_remove(index))
    }
}
