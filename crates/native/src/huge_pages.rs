//! Long vectors in memory that the system may map in pages of two megabytes.
//!
//! The vectors of a training step are each far longer than what the processor keeps addresses of in
//! pages of four kilobytes, so that most rows of a weight matrix begin with a walk through page
//! tables. Large pages make a step some percent quicker, and never change its numbers.

/// Bytes below which a vector cannot hold a large page for sure.
const WORTHWHILE: usize = 4 << 20;

/// `length` zeros.
pub(crate) fn zeros(length: usize) -> Vec<f32> {
    let mut vector = with_capacity(length);
    vector.resize(length, 0.0);
    vector
}

/// A copy of `values`.
pub(crate) fn copy(values: &[f32]) -> Vec<f32> {
    let mut vector = with_capacity(values.len());
    vector.extend_from_slice(values);
    vector
}

/// Asks before anything is written: pages are mapped when they are first touched.
fn with_capacity(length: usize) -> Vec<f32> {
    let mut vector = Vec::with_capacity(length);
    if size_of::<f32>() * length >= WORTHWHILE {
        advise(vector.spare_capacity_mut());
    }
    vector
}

/// Asks the system for large pages. It is free to refuse: nothing but speed depends on it.
#[cfg(target_os = "linux")]
fn advise<T>(memory: &mut [T]) {
    /// Large enough for the ordinary pages of any processor, and small enough to leave no more than
    /// the ends out.
    const ALIGNMENT: usize = 64 << 10;
    let range = memory.as_mut_ptr_range();
    let start = range.start.addr().next_multiple_of(ALIGNMENT);
    let end = range.end.addr() / ALIGNMENT * ALIGNMENT;
    if start < end {
        // SAFETY: the bytes lie within `memory`, and the advice does not change them.
        unsafe {
            let start = range.start.with_addr(start).cast();
            libc::madvise(start, end - start.addr(), libc::MADV_HUGEPAGE);
        }
    }
}

/// Other systems decide by themselves.
#[cfg(not(target_os = "linux"))]
fn advise<T>(_memory: &mut [T]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_hold_what_they_should_whatever_their_length() {
        for length in [0, 1, WORTHWHILE / 4 - 1, WORTHWHILE / 4, WORTHWHILE + 3] {
            let mut vector = zeros(length);
            assert_eq!((vector.len(), vector.iter().all(|&x| x == 0.0)), (length, true));
            vector.iter_mut().zip(1..).for_each(|(x, index)| *x = (index % 1000) as f32);
            assert_eq!(copy(&vector), vector);
        }
    }
}
