//! From planes to tokens (LC0_FORMAT section 5).

use network::{Embedding, Gate, PositionEncoding, SQUARES};

use crate::board::Board;
use crate::layers::Parameters;
use crate::trace::Trace;

/// Planes that `PE_DENSE` sees: the pieces of the current position.
const PIECE_PLANES: usize = 12;

pub(crate) fn embed(
    parameters: Parameters<'_>,
    embedding: &Embedding,
    planes: &Board,
    trace: &mut Trace<'_>,
) -> Board {
    let position = position_channels(parameters, &embedding.position, planes, trace);
    let tokens = Board::from_rows(|square| [planes.row(square), position.row(square)].concat());
    let mut x = parameters.dense_rows(&embedding.dense, &tokens);
    trace.board("embedding.dense_act", &x);
    if let Some(norm) = &embedding.norm {
        x = x.map_rows(|row| parameters.layer_norm(norm, row));
        trace.board("embedding.ln", &x);
    }
    if let Some(gate) = &embedding.gate {
        x = apply_gate(parameters, gate, &x);
        trace.board("embedding.gated", &x);
    }
    if let Some(feed_forward) = &embedding.feed_forward {
        x = parameters.residual_feed_forward(feed_forward, &x);
    }
    trace.board("embedding.out", &x);
    x
}

fn position_channels(
    parameters: Parameters<'_>,
    position: &PositionEncoding,
    planes: &Board,
    trace: &mut Trace<'_>,
) -> Board {
    match position {
        PositionEncoding::None => Board::from_fn(0, |_, _| 0.0),
        PositionEncoding::Map => Board::from_fn(SQUARES, position_map),
        PositionEncoding::Dense(dense) => {
            let pieces = planes.map_rows(|row| row[..PIECE_PLANES].to_vec());
            let outputs = parameters.dense(dense, pieces.values());
            let channels = outputs.len() / SQUARES;
            let board =
                Board::from_fn(channels, |square, channel| outputs[channels * square + channel]);
            trace.board("embedding.preproc", &board);
            board
        }
    }
}

/// -1 for the square itself, 1 where a queen or knight goes on an empty board, else 0.
fn position_map(from: usize, to: usize) -> f64 {
    let ranks = (from / 8).abs_diff(to / 8);
    let files = (from % 8).abs_diff(to % 8);
    match (ranks, files) {
        (0, 0) => -1.0,
        (0, _) | (_, 0) | (1, 2) | (2, 1) => 1.0,
        (ranks, files) if ranks == files => 1.0,
        _ => 0.0,
    }
}

fn apply_gate(parameters: Parameters<'_>, gate: &Gate, x: &Board) -> Board {
    let (multiply, add) = (parameters.tensor(gate.multiply), parameters.tensor(gate.add));
    let width = x.width();
    Board::from_fn(width, |square, feature| {
        let place = width * square + feature;
        x.at(square, feature) * multiply[place] + add[place]
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_position_map_is_that_of_the_engine() {
        for (from, row) in network::position_map().iter().enumerate() {
            for (to, &entry) in row.iter().enumerate() {
                assert_eq!(super::position_map(from, to), f64::from(entry), "{from} to {to}");
            }
        }
    }
}
