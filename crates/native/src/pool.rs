//! Recycled buffers for activations.
//!
//! Activations come and go by the hundred in every chunk; taking them from the allocator would
//! map and zero fresh pages each time.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

/// Buffers that are free at the moment, by length.
#[derive(Debug, Default)]
struct Shelf {
    free: HashMap<usize, Vec<Vec<f32>>>,
    /// Elements in all buffers handed out at the moment.
    outstanding: usize,
}

/// Hands out buffers and takes them back when they are dropped.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    shelf: Arc<Mutex<Shelf>>,
}

impl Pool {
    /// A buffer of `len` elements with arbitrary (but initialised) contents.
    pub(crate) fn take(&self, len: usize) -> Buffer {
        let recycled = {
            let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
            shelf.outstanding += len;
            shelf.free.get_mut(&len).and_then(Vec::pop)
        };
        let values = recycled.unwrap_or_else(|| vec![0.0; len]);
        Buffer { values, shelf: Arc::clone(&self.shelf) }
    }

    /// A buffer of `len` zeros.
    pub(crate) fn zeros(&self, len: usize) -> Buffer {
        let mut buffer = self.take(len);
        buffer.fill(0.0);
        buffer
    }

    /// A copy of `values`.
    pub(crate) fn copy(&self, values: &[f32]) -> Buffer {
        let mut buffer = self.take(values.len());
        buffer.copy_from_slice(values);
        buffer
    }

    /// Bytes in all buffers that are handed out at the moment.
    pub(crate) fn outstanding_bytes(&self) -> usize {
        let shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.outstanding * size_of::<f32>()
    }
}

/// A slice of `f32` that goes back to its pool when dropped.
#[derive(Debug)]
pub(crate) struct Buffer {
    values: Vec<f32>,
    shelf: Arc<Mutex<Shelf>>,
}

impl Deref for Buffer {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.values
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let values = std::mem::take(&mut self.values);
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.outstanding -= values.len();
        shelf.free.entry(values.len()).or_default().push(values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_used_again() {
        let pool = Pool::default();
        let first = pool.copy(&[1.0, 2.0, 3.0]);
        let address = first.as_ptr();
        assert_eq!(pool.outstanding_bytes(), 12);
        drop(first);
        assert_eq!(pool.outstanding_bytes(), 0);
        let second = pool.zeros(3);
        assert_eq!(second.as_ptr(), address);
        assert_eq!(&second[..], [0.0; 3]);
    }
}
