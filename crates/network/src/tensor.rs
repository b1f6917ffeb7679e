//! Named parameter tensors in one flat vector.
//!
//! Optimiser, average, checkpoints and finiteness checks see one slice of `f32`; layers find
//! their part of it through a [`TensorId`].

use std::ops::Range;

/// Names one tensor of a [`Layout`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TensorId(usize);

/// Part of the network that has a learning rate of its own (paper, Table 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Everything that is in no other group.
    Backbone,
    /// The last encoder, or the last residual block.
    FinalBlock,
    /// The policy head.
    PolicyHead,
    /// The value head.
    ValueHead,
    /// The moves-left head, which no objective of ours trains.
    MovesLeftHead,
}

impl Group {
    /// All groups, in the order of their declaration.
    pub const ALL: [Self; 5] =
        [Self::Backbone, Self::FinalBlock, Self::PolicyHead, Self::ValueHead, Self::MovesLeftHead];
}

/// Order of a tensor's elements in the file, where it differs from ours.
///
/// Layers want the axis that they sum over, or vectorise along, innermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileOrder {
    /// The same order.
    Same,
    /// The file holds `outer` matrices of `rows x columns`; we hold each one transposed.
    Transposed {
        /// Number of matrices.
        outer: usize,
        /// Rows of each in the file.
        rows: usize,
        /// Columns of each in the file.
        columns: usize,
    },
}

impl FileOrder {
    /// Elements in our order, from the file's.
    pub fn from_file(self, values: Vec<f32>) -> Vec<f32> {
        match self {
            Self::Same => values,
            Self::Transposed { rows, columns, .. } => transpose(&values, rows, columns),
        }
    }

    /// Elements in the file's order, from ours.
    pub fn to_file(self, values: &[f32]) -> Vec<f32> {
        match self {
            Self::Same => values.to_vec(),
            Self::Transposed { rows, columns, .. } => transpose(values, columns, rows),
        }
    }
}

fn transpose(values: &[f32], rows: usize, columns: usize) -> Vec<f32> {
    let mut transposed = Vec::with_capacity(values.len());
    for matrix in values.chunks_exact(rows * columns) {
        for column in 0..columns {
            transposed.extend((0..rows).map(|row| matrix[row * columns + column]));
        }
    }
    transposed
}

/// Where a tensor stands in an Lc0 file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A layer of its own, by its path below `weights`.
    Layer(String),
    /// Weights of the convolution block at this path, with its batch normalisation folded in.
    ConvolutionWeights(String),
    /// Bias of the convolution block at this path, with its batch normalisation folded in.
    ConvolutionBias(String),
}

/// One named tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorInfo {
    /// Lc0's name, such as `encoder.0.mha.q_w`.
    pub name: String,
    /// Sizes of the axes in our order, outermost first.
    pub shape: Vec<usize>,
    /// Learning-rate group.
    pub group: Group,
    /// Order of the elements in the file.
    pub file_order: FileOrder,
    /// Place in the file.
    pub source: Source,
    offset: usize,
}

impl TensorInfo {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// True for a tensor without elements, which no loaded network has.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Place in the flat vector.
    pub fn range(&self) -> Range<usize> {
        self.offset..self.offset + self.len()
    }
}

/// All tensors of a network and their places in the flat vector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    tensors: Vec<TensorInfo>,
    len: usize,
}

impl Layout {
    /// Appends a tensor behind the last.
    pub(crate) fn push(
        &mut self,
        name: String,
        shape: Vec<usize>,
        group: Group,
        file_order: FileOrder,
        source: Source,
    ) -> TensorId {
        let info = TensorInfo { name, shape, group, file_order, source, offset: self.len };
        self.len += info.len();
        self.tensors.push(info);
        TensorId(self.tensors.len() - 1)
    }

    /// Number of elements of all tensors.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True for a network without parameters.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The tensors in the order of their places.
    pub fn tensors(&self) -> &[TensorInfo] {
        &self.tensors
    }

    /// The tensor named by `id`.
    pub fn info(&self, id: TensorId) -> &TensorInfo {
        &self.tensors[id.0]
    }

    /// The tensor that holds element `index` of the flat vector.
    pub fn tensor_at(&self, index: usize) -> Option<&TensorInfo> {
        self.tensors.iter().find(|tensor| tensor.range().contains(&index))
    }

    /// The tensors that have elements among the `len` of the flat vector from `start` on, with the
    /// places of these, counted from `start`.
    pub fn pieces(
        &self,
        start: usize,
        len: usize,
    ) -> impl Iterator<Item = (&TensorInfo, Range<usize>)> {
        let end = start + len;
        let first = self.tensors.partition_point(|tensor| tensor.range().end <= start);
        let tensors = self.tensors[first..].iter().take_while(move |tensor| tensor.offset < end);
        tensors.map(move |tensor| {
            let range = tensor.range();
            (tensor, range.start.max(start) - start..range.end.min(end) - start)
        })
    }

    /// Place of `id` in the flat vector.
    pub fn range(&self, id: TensorId) -> Range<usize> {
        self.info(id).range()
    }

    /// The part of a flat vector of this layout that belongs to `id`.
    pub fn slice<'a>(&self, flat: &'a [f32], id: TensorId) -> &'a [f32] {
        &flat[self.range(id)]
    }

    /// The part of a flat vector of this layout that belongs to `id`.
    pub fn slice_mut<'a>(&self, flat: &'a mut [f32], id: TensorId) -> &'a mut [f32] {
        &mut flat[self.range(id)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposition_is_undone_by_its_inverse() {
        let order = FileOrder::Transposed { outer: 2, rows: 2, columns: 3 };
        let file: Vec<f32> = (0..12).map(|value| value as f32).collect();
        let ours = order.from_file(file.clone());
        assert_eq!(ours, [0., 3., 1., 4., 2., 5., 6., 9., 7., 10., 8., 11.]);
        assert_eq!(order.to_file(&ours), file);
    }

    #[test]
    fn tensors_follow_each_other_without_gaps() {
        let mut layout = Layout::default();
        let source = || Source::Layer(String::new());
        let first = layout.push("a".into(), vec![2, 3], Group::Backbone, FileOrder::Same, source());
        let second = layout.push("b".into(), vec![4], Group::ValueHead, FileOrder::Same, source());
        assert_eq!(layout.range(first), 0..6);
        assert_eq!(layout.range(second), 6..10);
        assert_eq!(layout.len(), 10);
        assert_eq!(layout.tensor_at(7).map(|tensor| tensor.name.as_str()), Some("b"));
        assert_eq!(layout.tensor_at(10), None);

        let check = |start, len, expected: &[(&str, Range<usize>)]| {
            let pieces: Vec<_> = layout.pieces(start, len).collect();
            let pieces = pieces.iter().map(|(tensor, place)| (tensor.name.as_str(), place.clone()));
            assert_eq!(pieces.collect::<Vec<_>>(), expected, "{len} from {start}");
        };
        check(0, 10, &[("a", 0..6), ("b", 6..10)]);
        check(0, 4, &[("a", 0..4)]);
        check(4, 4, &[("a", 0..2), ("b", 2..4)]);
        check(6, 4, &[("b", 0..4)]);
        check(8, 2, &[("b", 0..2)]);
        check(10, 0, &[]);
    }
}
