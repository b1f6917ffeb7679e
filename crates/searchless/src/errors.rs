//! Errors as a user reads them.

/// The error and its causes in one line.
///
/// A cause is left out where the message before it already says it: many of our errors quote
/// their cause to be complete on their own.
pub(crate) fn one_line(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain() {
        let message = cause.to_string();
        if line.is_empty() {
            line = message;
        } else if !line.contains(&message) {
            line += ": ";
            line += &message;
        }
    }
    // A line break would end an `info string` of the UCI protocol early.
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the reader of our output went away, as in `searchless ... | head`.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_said_once() {
        let check = |messages: &[&'static str], expected: &str| {
            let mut messages = messages.iter();
            let innermost = anyhow::Error::msg(*messages.next().expect("a message"));
            let error = messages.fold(innermost, |error, message| error.context(*message));
            assert_eq!(one_line(&error), expected);
        };
        check(&["no such file"], "no such file");
        check(&["no such file", "reading a.csv"], "reading a.csv: no such file");
        check(&["no such file", "a.csv: no such file"], "a.csv: no such file");
        check(&["two\nlines"], "two lines");
    }

    #[test]
    fn closed_pipes_are_recognised_below_context() {
        let closed = std::io::Error::from(std::io::ErrorKind::BrokenPipe);
        assert!(is_closed_pipe(&anyhow::Error::from(closed).context("printing")));
        let other = std::io::Error::from(std::io::ErrorKind::NotFound);
        assert!(!is_closed_pipe(&anyhow::Error::from(other)));
    }
}
