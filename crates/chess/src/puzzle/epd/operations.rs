//! The operations behind a position: names and values, each ended by a semicolon.

use super::super::error::RowProblem;
use super::EpdProblem;

/// The operations of a line.
pub(super) struct Operations<'a> {
    /// Names and values, these without their quotation marks.
    all: Vec<(&'a str, &'a str)>,
}

impl<'a> Operations<'a> {
    /// Reads the operations of `text`; the semicolon behind the last one may be missing.
    pub(super) fn parse(text: &'a str) -> Result<Operations<'a>, RowProblem> {
        let mut all = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (operation, after) = split_operation(rest)?;
            let operation = operation.trim();
            if !operation.is_empty() {
                let (name, value) =
                    operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
                let value = value.trim();
                let inside = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
                all.push((name, inside.unwrap_or(value)));
            }
            rest = after.trim_start();
        }
        Ok(Operations { all })
    }

    /// The value of an operation, `None` where it is not there.
    pub(super) fn value(&self, operation: &'static str) -> Result<Option<&'a str>, EpdProblem> {
        let mut found = self.all.iter().filter(|(name, _)| *name == operation);
        let value = found.next().map(|(_, value)| *value);
        match found.next() {
            Some(_) => Err(EpdProblem::Twice { operation }),
            None => Ok(value),
        }
    }

    /// The number that an operation gives, else `missing`.
    pub(super) fn clock(&self, operation: &'static str, missing: u32) -> Result<u32, EpdProblem> {
        self.value(operation)?.map_or(Ok(missing), |value| {
            value.parse().map_err(|_| EpdProblem::Clock { operation, found: value.to_owned() })
        })
    }
}

/// The text up to a semicolon outside of quotation marks, and what follows it.
fn split_operation(text: &str) -> Result<(&str, &str), RowProblem> {
    let mut quoted = false;
    for (place, character) in text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            ';' if !quoted => return Ok((&text[..place], &text[place + 1..])),
            _ => {}
        }
    }
    if quoted { Err(RowProblem::OpenQuote) } else { Ok((text, "")) }
}
