//! The order in which the gradients of a batch are summed.

use std::ops::Range;

use network::EngineError;
use rayon::prelude::*;

use super::ELEMENTS;
use crate::huge_pages;
use crate::kernels::{InstructionSet, add_assign};

/// Positions of one lane, at the least.
const LANE_POSITIONS: usize = 16;

/// Lanes of a batch, at the most: bounds the vectors to sum, and the threads that can help.
const MAX_LANES: usize = 16;

/// A lane is a run of chunks whose gradients are summed into one vector; lanes are summed in their
/// order. As they are cut by the batch's size alone, the sum has the same bits for any number of
/// threads.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    positions: Range<usize>,
    chunk: usize,
}

impl Lane {
    /// Cuts a batch that goes through the layers in chunks.
    pub(super) fn of_batch(positions: usize, chunk: usize) -> Vec<Self> {
        let lanes = (positions / LANE_POSITIONS).clamp(1, MAX_LANES);
        let length = positions.div_ceil(chunk).div_ceil(lanes).max(1) * chunk;
        let starts = (0..positions).step_by(length);
        starts
            .map(|start| Self { positions: start..positions.min(start + length), chunk })
            .collect()
    }

    /// The positions of each chunk, in order.
    pub(super) fn chunks(&self) -> impl ExactSizeIterator<Item = Range<usize>> + use<> {
        let Self { positions, chunk } = self.clone();
        positions.clone().step_by(chunk).map(move |start| start..positions.end.min(start + chunk))
    }
}

/// The sum over lanes, and a vector for each lane under way but the first.
#[derive(Debug)]
pub(super) struct LaneSum {
    total: Vec<f32>,
    under_way: Vec<Vec<f32>>,
}

impl LaneSum {
    pub(super) fn zeros(len: usize) -> Self {
        Self { total: huge_pages::zeros(len), under_way: Vec::new() }
    }

    pub(super) fn total(&self) -> &[f32] {
        &self.total
    }

    /// Starts anew and sums what `write` puts for each of `lanes` in place of anything.
    pub(super) fn sum<T: Send>(
        &mut self,
        set: InstructionSet,
        lanes: Vec<T>,
        write: impl Fn(T, &mut [f32]) -> Result<(), EngineError> + Sync,
    ) -> Result<(), EngineError> {
        let Self { total, under_way } = self;
        let mut lanes = lanes.into_iter().peekable();
        let mut first = true;
        if lanes.peek().is_none() {
            total.fill(0.0);
        }
        while lanes.peek().is_some() {
            let wave: Vec<T> = lanes.by_ref().take(rayon::current_num_threads()).collect();
            // The first lane of all goes into the total itself.
            let partial = wave.len() - usize::from(first);
            if under_way.len() < partial {
                under_way.resize_with(partial, || huge_pages::zeros(total.len()));
            }
            let mut targets: Vec<&mut Vec<f32>> = Vec::with_capacity(wave.len());
            targets.extend(first.then_some(&mut *total));
            targets.extend(&mut under_way[..partial]);
            let written = targets.into_par_iter().zip(wave);
            let written = written.map(|(target, lane)| write(lane, target));
            written.collect::<Vec<_>>().into_iter().collect::<Result<(), _>>()?;
            total.par_chunks_mut(ELEMENTS).enumerate().for_each(|(part, total)| {
                let start = part * ELEMENTS;
                for partial in &under_way[..partial] {
                    add_assign(set, total, &partial[start..start + total.len()]);
                }
            });
            first = false;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_cover_a_batch_in_whole_chunks() {
        for (positions, chunk, lanes) in
            [(0, 8, 0), (1, 8, 1), (8, 8, 1), (63, 8, 3), (64, 8, 4), (65, 8, 3), (1024, 16, 16)]
        {
            let cut = Lane::of_batch(positions, chunk);
            assert_eq!(cut.len(), lanes, "{positions} positions");
            let chunks: Vec<_> = cut.iter().flat_map(Lane::chunks).collect();
            let all = chunks.iter().cloned().flatten().collect::<Vec<_>>();
            assert_eq!(all, (0..positions).collect::<Vec<_>>());
            let whole = chunks.iter().rev().skip(1);
            assert!(whole.into_iter().all(|range| range.len() == chunk), "{chunks:?}");
        }
    }

    #[test]
    fn a_sum_starts_anew_and_keeps_the_order_of_lanes() {
        let set = InstructionSet::detect();
        let mut sum = LaneSum::zeros(1);
        // In any other order, or from an old value, the small numbers would be lost or kept.
        for lanes in [vec![1e8_f32, 1.0, -1e8, 1.0], vec![1.0, 1.0, 1e8, -1e8], vec![]] {
            let expected: f32 = lanes.iter().sum();
            let write = |lane: f32, target: &mut [f32]| {
                target[0] = lane;
                Ok(())
            };
            sum.sum(set, lanes, write).expect("nothing fails");
            assert_eq!(sum.total(), [expected + 0.0]);
        }
    }

    #[test]
    fn a_failing_lane_fails_the_sum() {
        let mut sum = LaneSum::zeros(1);
        let write = |lane: usize, _: &mut [f32]| match lane {
            3 => Err(EngineError::NoForwardPass),
            _ => Ok(()),
        };
        let failed = sum.sum(InstructionSet::detect(), (0..8).collect(), write);
        assert_eq!(failed, Err(EngineError::NoForwardPass));
    }
}
