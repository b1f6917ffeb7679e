//! Naming the intermediate tensors.

use network::SQUARES;

use crate::board::Board;

/// Takes the name, the shape and the elements of a stage.
pub(crate) type Observer<'a> = dyn FnMut(&str, &[usize], &[f64]) + 'a;

/// Where intermediate tensors are shown.
pub(crate) struct Trace<'a>(pub(crate) &'a mut Observer<'a>);

impl Trace<'_> {
    pub(crate) fn stage(&mut self, name: &str, shape: &[usize], values: &[f64]) {
        (self.0)(name, shape, values);
    }

    pub(crate) fn board(&mut self, name: &str, board: &Board) {
        self.stage(name, &[SQUARES, board.width()], board.values());
    }
}
