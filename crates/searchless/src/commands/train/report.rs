//! What was read of the files, as a person reads it.

use std::fmt::Write;

use training::supervised::DataCounts;

/// `data: 600 samples, read through 3 times, 2 puzzles excluded`, and a line for each reason for
/// which something was passed over.
pub(super) fn report(counts: &DataCounts) -> String {
    let DataCounts { epochs, samples, excluded, skipped } = counts;
    let mut text = match epochs {
        0 => format!("data: {samples} samples so far, not read through yet"),
        1 => format!("data: {samples} samples, read through once"),
        _ => format!("data: {samples} samples, read through {epochs} times"),
    };
    let said = match excluded {
        0 => Ok(()),
        1 => write!(text, ", 1 puzzle excluded"),
        _ => write!(text, ", {excluded} puzzles excluded"),
    };
    let said = skipped.iter().fold(said, |said, (reason, (count, example))| {
        said.and_then(|()| write!(text, "\n  {count} {reason}, the first: {example}"))
    });
    said.expect("text can be written to");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_has_a_line() {
        let check = |epochs, excluded, skipped: &[(&'static str, u64, &str)], expected: &str| {
            let skipped = skipped.iter();
            let skipped =
                skipped.map(|&(reason, count, first)| (reason, (count, first.to_owned())));
            let counts = DataCounts { epochs, samples: 9, excluded, skipped: skipped.collect() };
            assert_eq!(report(&counts), expected);
        };
        check(0, 0, &[], "data: 9 samples so far, not read through yet");
        check(1, 1, &[], "data: 9 samples, read through once, 1 puzzle excluded");
        check(
            3,
            2,
            &[("rows are no puzzles", 4, "a.csv, line 2: no move")],
            "data: 9 samples, read through 3 times, 2 puzzles excluded\n  \
             4 rows are no puzzles, the first: a.csv, line 2: no move",
        );
    }
}
