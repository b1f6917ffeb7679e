//! How far a sweep is.

use std::collections::BTreeMap;

use crate::progress::Progress;

/// All steps of all cells, and the cells that are running.
pub(super) struct SweepProgress {
    display: Progress,
    cells: usize,
    finished: usize,
    /// Steps of the cells that are not running.
    steps: u64,
    /// Steps made and to be made of those that are.
    running: BTreeMap<String, (u64, u64)>,
}

impl SweepProgress {
    /// Of `cells` cells with `total` steps, `finished` and `steps` of which are done.
    pub(super) fn new(cells: usize, total: u64, finished: usize, steps: u64) -> Self {
        let mut display = Progress::new("sweep", "steps", Some(total));
        display.start_at(steps);
        Self { display, cells, finished, steps, running: BTreeMap::new() }
    }

    /// A cell is being worked on, which has made `made` of its `total` steps.
    pub(super) fn report(&mut self, cell: &str, made: u64, total: u64) {
        self.running.insert(cell.to_owned(), (made, total));
        let steps = self.steps + self.running.values().map(|(made, _)| made).sum::<u64>();
        let note = self.note();
        self.display.report(steps, &note);
    }

    /// A cell begins, whose steps so far are counted among all.
    pub(super) fn begin(&mut self, cell: &str, made: u64, total: u64) {
        self.steps = self.steps.saturating_sub(made);
        self.report(cell, made, total);
    }

    /// A cell ended, as `how` says.
    pub(super) fn end(&mut self, cell: &str, is_finished: bool, how: &str) {
        let (made, _) = self.running.remove(cell).unwrap_or_default();
        self.steps += made;
        self.finished += usize::from(is_finished);
        self.say(&format!("{cell}: {how}; {} of {} cells", self.finished, self.cells));
    }

    /// Says something that stays to be read.
    pub(super) fn say(&self, message: &str) {
        self.display.say(message);
    }

    fn note(&self) -> String {
        let running =
            self.running.iter().map(|(cell, (made, total))| format!("{cell} {made}/{total}"));
        let running = running.collect::<Vec<_>>().join(", ");
        format!("{} of {} cells done, running: {running}", self.finished, self.cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_says_what_is_done_and_what_runs() {
        let mut progress = SweepProgress::new(4, 40, 1, 13);
        progress.begin("b", 3, 10);
        progress.begin("a", 0, 10);
        progress.report("b", 4, 10);
        assert_eq!(progress.note(), "1 of 4 cells done, running: a 0/10, b 4/10");
        assert_eq!(progress.steps, 10);
        progress.end("b", true, "finished");
        assert_eq!(progress.note(), "2 of 4 cells done, running: a 0/10");
        assert_eq!(progress.steps, 14);
    }
}
