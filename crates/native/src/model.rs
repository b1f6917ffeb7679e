//! A whole network ready for products: its layers with packed weights.

use std::ops::Range;

use chess::{MoveIndex, Planes};
use network::{Architecture, OutputGradients, Outputs, SQUARES, ValueKind};
use rayon::prelude::*;

use crate::kernels::{Arithmetic, Precision, add_assign};
use crate::layers::{
    BoardHead, BoardHeadTape, Body, BodyTape, Gradient, Pass, PolicyHead, PolicyHeadTape, Purpose,
    Source,
};
use crate::pool::{Buffer, Pool};

/// Bytes that one activation matrix of a chunk should take at most, so that a layer's inputs and
/// outputs stay in the second-level cache. A training chunk is larger, so that the gradient of all
/// parameters is read and written for fewer of them.
const fn chunk_bytes(purpose: Purpose) -> usize {
    match purpose {
        Purpose::Inference => 256 << 10,
        Purpose::Training => 512 << 10,
    }
}

/// Bounds of a chunk's positions: fewer starve the products of rows, more gain nothing.
const CHUNK_POSITIONS: Range<usize> = 2..16;

/// The most positions of a chunk that a transformer is trained on: what its attention keeps for the
/// backward pass is several times as large as an activation matrix.
const ATTENTION_TRAINING_POSITIONS: usize = 4;

pub(crate) struct Model {
    body: Body,
    policy: PolicyHead,
    value: BoardHead,
    value_kind: ValueKind,
    moves_left: Option<BoardHead>,
    chunk: usize,
    arithmetic: Arithmetic,
}

/// What the backward pass of one chunk needs.
pub(crate) struct Tape {
    body: BodyTape,
    features: Buffer,
    policy: PolicyHeadTape,
    value: BoardHeadTape,
    moves_left: Option<BoardHeadTape>,
}

/// Where the outputs of one chunk go.
pub(crate) struct OutputRows<'a> {
    pub(crate) policy: &'a mut [f32],
    pub(crate) value: &'a mut [f32],
    pub(crate) moves_left: &'a mut [f32],
}

impl<'a> OutputRows<'a> {
    /// All rows of `outputs`, as of one chunk.
    pub(crate) fn of(outputs: &'a mut Outputs) -> Self {
        let Outputs { policy, value, moves_left, .. } = outputs;
        Self { policy, value, moves_left }
    }
}

impl Model {
    pub(crate) fn new(
        architecture: &Architecture,
        parameters: &[f32],
        purpose: Purpose,
        arithmetic: Arithmetic,
    ) -> Self {
        let source = Source { layout: &architecture.layout, parameters, purpose, arithmetic };
        // In bfloat16 a 3x3 convolution sees nine values where a dense layer sees one.
        let width = match (&architecture.body, arithmetic.precision()) {
            (network::Body::Residual(_), Precision::Bfloat16) => 9 * architecture.body.width(),
            _ => architecture.body.width(),
        };
        let fitting = chunk_bytes(purpose) / (SQUARES * width * size_of::<f32>());
        let most = match (&architecture.body, purpose) {
            (network::Body::Attention(_), Purpose::Training) => ATTENTION_TRAINING_POSITIONS,
            _ => CHUNK_POSITIONS.end,
        };
        let moves_left = architecture.moves_left.as_ref();
        Self {
            body: Body::new(&architecture.body, source),
            policy: PolicyHead::new(&architecture.policy, source),
            value: BoardHead::new(&architecture.value.layers, source),
            value_kind: architecture.value.kind,
            moves_left: moves_left.map(|head| BoardHead::new(&head.layers, source)),
            chunk: fitting.clamp(CHUNK_POSITIONS.start, most),
            arithmetic,
        }
    }

    /// Takes changed parameters over.
    pub(crate) fn refresh(&mut self, architecture: &Architecture, parameters: &[f32]) {
        let purpose = Purpose::Training;
        let (layout, arithmetic) = (&architecture.layout, self.arithmetic);
        let source = Source { layout, parameters, purpose, arithmetic };
        let Self { body, policy, value, moves_left, .. } = self;
        rayon::scope(|scope| {
            scope.spawn(|_| policy.refresh(source));
            scope.spawn(|_| value.refresh(source));
            if let Some(head) = moves_left {
                scope.spawn(|_| head.refresh(source));
            }
            body.refresh(source);
        });
    }

    /// Positions that go through the layers together.
    pub(crate) fn chunk(&self) -> usize {
        self.chunk
    }

    /// A pass with this model's arithmetic.
    pub(crate) fn pass<'a>(&self, pool: &'a Pool, keep: bool) -> Pass<'a> {
        let arithmetic = self.arithmetic;
        Pass { set: arithmetic.instruction_set(), arithmetic, pool, keep }
    }

    /// Zeros of the shape of this network's outputs.
    pub(crate) fn outputs(&self, positions: usize) -> Outputs {
        Outputs::zeros(positions, self.value_kind, self.moves_left.is_some())
    }

    /// The outputs of each `chunk` positions, in order.
    pub(crate) fn rows<'a>(
        &self,
        outputs: &'a mut Outputs,
        chunk: usize,
    ) -> impl IndexedParallelIterator<Item = OutputRows<'a>> {
        let width = self.value_kind.width();
        let chunks = outputs.positions().div_ceil(chunk);
        let moves_left: Vec<&mut [f32]> = match outputs.moves_left.is_empty() {
            true => (0..chunks).map(|_| [].as_mut_slice()).collect(),
            false => outputs.moves_left.chunks_mut(chunk).collect(),
        };
        let policy = outputs.policy.par_chunks_mut(chunk * MoveIndex::COUNT);
        let value = outputs.value.par_chunks_mut(chunk * width);
        policy.zip(value).zip(moves_left).map(|((policy, value), moves_left)| OutputRows {
            policy,
            value,
            moves_left,
        })
    }

    /// Outputs of each position, chunks spread over the threads.
    pub(crate) fn evaluate(&self, pool: &Pool, planes: &[Planes]) -> Outputs {
        let mut outputs = self.outputs(planes.len());
        let pass = self.pass(pool, false);
        // A small batch is for all threads too.
        let chunk = planes.len().div_ceil(rayon::current_num_threads()).clamp(1, self.chunk);
        self.rows(&mut outputs, chunk).zip(planes.par_chunks(chunk)).for_each(|(rows, planes)| {
            self.forward(pass, planes, rows);
        });
        outputs
    }

    /// One chunk through all layers.
    pub(crate) fn forward(&self, pass: Pass<'_>, planes: &[Planes], rows: OutputRows<'_>) -> Tape {
        let (features, body) = self.body.forward(pass, planes);
        let policy = self.policy.forward(pass, &features, rows.policy);
        let (logits, value) = self.value.forward(pass, &features);
        rows.value.copy_from_slice(&logits);
        let moves_left = self.moves_left.as_ref().map(|head| {
            let (plies, tape) = head.forward(pass, &features);
            rows.moves_left.copy_from_slice(&plies);
            tape
        });
        Tape { body, features, policy, value, moves_left }
    }

    /// Adds the parameters' gradient for `positions`, one chunk, to `gradient`.
    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        tape: Tape,
        gradients: &OutputGradients,
        positions: Range<usize>,
        gradient: &mut Gradient<'_>,
    ) {
        let features = &tape.features;
        let rows = |width: usize| positions.start * width..positions.end * width;
        let dlogits = &gradients.policy[rows(MoveIndex::COUNT)];
        let mut dx = self.policy.backward(pass, features, tape.policy, dlogits, gradient);
        let mut dvalue = pass.pool.copy(&gradients.value[rows(self.value_kind.width())]);
        let from_value = self.value.backward(pass, features, &tape.value, &mut dvalue, gradient);
        add_assign(pass.set, &mut dx, &from_value);
        if let (Some(head), Some(kept)) = (&self.moves_left, &tape.moves_left)
            && !gradients.moves_left.is_empty()
        {
            let mut dplies = pass.pool.copy(&gradients.moves_left[positions]);
            let from_plies = head.backward(pass, features, kept, &mut dplies, gradient);
            add_assign(pass.set, &mut dx, &from_plies);
        }
        self.body.backward(pass, tape.body, dx, gradient);
    }
}
