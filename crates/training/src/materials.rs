//! What a run is given beside its two networks.

use std::sync::Arc;

use chess::OpeningBook;
use network::Engine;

/// The files that the settings name, loaded. None of it changes in a run.
#[derive(Clone, Default)]
pub struct Materials {
    /// The book of `opening_book`.
    pub opening_book: Option<Arc<OpeningBook>>,
    /// The networks of `references`, in their order.
    pub references: Vec<Arc<dyn Engine>>,
}

/// A file that is not the one of the settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file} has the SHA-256 {found}, expected {expected}")]
pub struct FileMismatch {
    /// The file.
    pub file: String,
    /// What it has.
    pub found: String,
    /// What the settings have.
    pub expected: String,
}

/// Sees that a file has the sum given, or remembers its sum where none is.
pub(crate) fn same_file(
    file: &str,
    given: &mut Option<String>,
    found: &str,
) -> Result<(), FileMismatch> {
    match given {
        Some(expected) if !expected.eq_ignore_ascii_case(found) => Err(FileMismatch {
            file: file.to_owned(),
            found: found.to_owned(),
            expected: expected.clone(),
        }),
        _ => {
            *given = Some(found.to_owned());
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_remembered_and_recognised() {
        let mut sum = None;
        assert_eq!(same_file("a.epd", &mut sum, "ab12"), Ok(()));
        assert_eq!(sum.as_deref(), Some("ab12"));
        sum = Some("AB12".to_owned());
        assert_eq!(same_file("a.epd", &mut sum, "ab12"), Ok(()));
        let error = same_file("a.epd", &mut sum, "cd34").expect_err("another file").to_string();
        assert_eq!(error, "a.epd has the SHA-256 cd34, expected ab12");
    }
}
