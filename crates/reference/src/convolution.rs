//! Convolutions and the residual tower (LC0_FORMAT section 6).

use network::{Convolution, ResidualBlock, ResidualTower, SQUARES, SqueezeExcitation};

use crate::activation::{activate, sigmoid};
use crate::board::Board;
use crate::layers::{Parameters, dot};
use crate::trace::Trace;

/// `activation(W * x + b)`, zero beyond the edge of the board.
pub(crate) fn convolve(parameters: Parameters<'_>, layer: &Convolution, x: &Board) -> Board {
    assert_eq!(x.width(), layer.inputs);
    let (weight, bias) = (parameters.tensor(layer.weight), parameters.tensor(layer.bias));
    let Convolution { inputs, kernel, .. } = *layer;
    let output = |square: usize, channel: usize| {
        let mut sum = bias[channel];
        for kernel_rank in 0..kernel {
            for kernel_file in 0..kernel {
                let rank = (square / 8 + kernel_rank).checked_sub(kernel / 2);
                let file = (square % 8 + kernel_file).checked_sub(kernel / 2);
                if let (Some(rank @ 0..8), Some(file @ 0..8)) = (rank, file) {
                    let place = (channel * kernel + kernel_rank) * kernel + kernel_file;
                    sum += dot(&weight[place * inputs..][..inputs], x.row(8 * rank + file));
                }
            }
        }
        sum
    };
    Board::from_fn(layer.outputs, output).map_rows(|row| activate(layer.activation, row))
}

pub(crate) fn tower(
    parameters: Parameters<'_>,
    tower: &ResidualTower,
    planes: &Board,
    trace: &mut Trace<'_>,
) -> Board {
    let mut x = convolve(parameters, &tower.input, planes);
    trace.board("tower.input", &x);
    for (index, block) in tower.blocks.iter().enumerate() {
        x = residual_block(parameters, block, &x);
        trace.board(&format!("block{index}.out"), &x);
    }
    x
}

fn residual_block(parameters: Parameters<'_>, block: &ResidualBlock, x: &Board) -> Board {
    let y = convolve(parameters, &block.conv2, &convolve(parameters, &block.conv1, x));
    let y = match &block.squeeze_excitation {
        Some(unit) => squeeze_excitation(parameters, unit, &y),
        None => y,
    };
    let sum =
        Board::from_fn(x.width(), |square, channel| y.at(square, channel) + x.at(square, channel));
    sum.map_rows(|row| activate(block.activation, row))
}

fn squeeze_excitation(parameters: Parameters<'_>, unit: &SqueezeExcitation, y: &Board) -> Board {
    let channels = y.width();
    let mean =
        |channel| (0..SQUARES).map(|square| y.at(square, channel)).sum::<f64>() / SQUARES as f64;
    let means: Vec<f64> = (0..channels).map(mean).collect();
    let s = parameters.dense(&unit.expand, &parameters.dense(&unit.reduce, &means));
    let (scales, shifts) = s.split_at(channels);
    Board::from_fn(channels, |square, channel| {
        sigmoid(scales[channel]) * y.at(square, channel) + shifts[channel]
    })
}
