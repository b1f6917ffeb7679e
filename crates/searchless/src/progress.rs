//! How far a long computation is: a bar on a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::ops::Range;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Between two lines where there is no terminal: a log should not fill with them.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Reports on the standard error, which leaves the results on the standard output clean.
pub(crate) struct Progress {
    display: Display,
    what: String,
    unit: &'static str,
    total: Option<u64>,
    started: Instant,
    /// Units that were done when the clock started.
    before: u64,
}

enum Display {
    Bar(ProgressBar),
    Lines { last: Instant },
}

impl Progress {
    /// Starts reporting on `what`, counted in `unit`; without a `total` no time left is known.
    pub(crate) fn new(what: &str, unit: &'static str, total: Option<u64>) -> Progress {
        let display = if std::io::stderr().is_terminal() {
            let (bar, template) = match total {
                Some(total) => (
                    ProgressBar::new(total),
                    "{prefix} {wide_bar} {human_pos}/{human_len} {unit}, {per_second} {unit}/s, {eta} left {msg}",
                ),
                None => (
                    ProgressBar::new_spinner(),
                    "{prefix} {spinner} {human_pos} {unit}, {per_second} {unit}/s, {elapsed} {msg}",
                ),
            };
            let template = template.replace("{unit}", unit).replace("{per_second}", "{rate}");
            let style = ProgressStyle::with_template(&template)
                .expect("the template is well formed")
                .with_key(
                    "rate",
                    |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                        // A bar that cannot be drawn is no reason to stop.
                        let _ = write!(out, "{:.1}", state.per_sec());
                    },
                );
            Display::Bar(bar.with_style(style).with_prefix(what.to_owned()))
        } else {
            Display::Lines { last: Instant::now() }
        };
        Progress { display, what: what.to_owned(), unit, total, started: Instant::now(), before: 0 }
    }

    /// `done` units are done; `note` says how it stands.
    pub(crate) fn report(&mut self, done: u64, note: &str) {
        match &mut self.display {
            Display::Bar(bar) => {
                bar.set_message(note.to_owned());
                bar.set_position(done);
            }
            Display::Lines { last } => {
                if last.elapsed() >= LINE_INTERVAL {
                    *last = Instant::now();
                    eprintln!(
                        "{}",
                        line(
                            &self.what,
                            self.unit,
                            self.before..done,
                            self.total,
                            self.started.elapsed(),
                            note
                        )
                    );
                }
            }
        }
    }

    /// Starts the clock anew, with `done` units done: the time so far was spent on something else
    /// than units, or by another process.
    pub(crate) fn start_at(&mut self, done: u64) {
        self.started = Instant::now();
        self.before = done;
        if let Display::Bar(bar) = &self.display {
            bar.set_position(done);
            bar.reset_elapsed();
            bar.reset_eta();
        }
    }

    /// Says something that stays to be read.
    pub(crate) fn say(&self, message: &str) {
        match &self.display {
            Display::Bar(bar) => bar.suspend(|| eprintln!("{message}")),
            Display::Lines { .. } => eprintln!("{message}"),
        }
    }

    /// Time since the start of the clock.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Display::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }
}

/// `puzzles: 1024 of 5000, 350.2 a second, 11 s left, 24.1% solved`; the units of `done` were done
/// in the time `elapsed`, those before it earlier.
fn line(
    what: &str,
    unit: &str,
    done: Range<u64>,
    total: Option<u64>,
    elapsed: Duration,
    note: &str,
) -> String {
    let Range { start, end: done } = done;
    let new = done.saturating_sub(start);
    let rate = new as f64 / elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
    let mut line = match total {
        Some(total) => format!("{what}: {done} of {total} {unit}"),
        None => format!("{what}: {done} {unit}"),
    };
    line += &format!(", {rate:.1} a second");
    if let Some(total) = total.filter(|_| new > 0) {
        let left = total.saturating_sub(done) as f64 / rate;
        line += &format!(", {left:.0} s left");
    }
    if !note.is_empty() {
        line += &format!(", {note}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_restarted_clock_forgets_what_was_before() {
        let mut progress = Progress::new("net", "steps", Some(10));
        std::thread::sleep(Duration::from_millis(20));
        let before = progress.elapsed();
        progress.start_at(3);
        assert!(before >= Duration::from_millis(20) && progress.elapsed() < before);
    }

    #[test]
    fn lines_say_rate_and_time_left() {
        let check = |done: u64, total: Option<u64>, note: &str, expected: &str| {
            let line = line("net", "puzzles", 0..done, total, Duration::from_secs(4), note);
            assert_eq!(line, expected);
        };
        check(100, None, "", "net: 100 puzzles, 25.0 a second");
        check(100, Some(350), "", "net: 100 of 350 puzzles, 25.0 a second, 10 s left");
        check(0, Some(350), "", "net: 0 of 350 puzzles, 0.0 a second");
        check(8, None, "3 solved", "net: 8 puzzles, 2.0 a second, 3 solved");
    }

    #[test]
    fn the_rate_is_that_of_this_process() {
        let check = |done: u64, expected: &str| {
            let line = line("net", "steps", 100..done, Some(200), Duration::from_secs(4), "");
            assert_eq!(line, expected);
        };
        check(120, "net: 120 of 200 steps, 5.0 a second, 16 s left");
        check(100, "net: 100 of 200 steps, 0.0 a second");
    }
}
