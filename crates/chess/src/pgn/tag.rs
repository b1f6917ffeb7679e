//! The tags before a game's moves, `[Name "value"]`.

use super::error::{PgnProblem, shown};

/// Bytes that the name and the value of a tag may have together.
const LONGEST: usize = 16 << 10;

/// The value of the last tag called `name`.
pub(super) fn find<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// The name and the value of the tag with which `text` begins, and the bytes that it takes.
pub(super) fn read(text: &str) -> Result<(&str, String, usize), PgnProblem> {
    let (name, value, length) = escaped(text).or_else(|| bare(text)).ok_or(PgnProblem::Tag)?;
    if name.len() + value.len() > LONGEST {
        return Err(PgnProblem::LongTag { limit: LONGEST });
    }
    Ok((name, value, length))
}

/// A tag as PGN has it: a backslash stands before quotation marks and backslashes of the value.
fn escaped(text: &str) -> Option<(&str, String, usize)> {
    let (name, quoted) = opened(text)?;
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    loop {
        match characters.next()? {
            (_, '\\') => value.push(characters.next()?.1),
            (end, '"') => {
                let after = quoted[end + 1..].trim_start().strip_prefix(']')?;
                return Some((name, value, text.len() - after.len()));
            }
            (_, character) => value.push(character),
        }
    }
}

/// A tag alone on its line, the value of which has quotation marks without backslashes, as many
/// programs write it.
fn bare(text: &str) -> Option<(&str, String, usize)> {
    let (name, quoted) = opened(text)?;
    let value = quoted.trim_end().strip_suffix(']')?.trim_end().strip_suffix('"')?;
    Some((name, value.to_owned(), text.len()))
}

/// The name, and what follows the first quotation mark.
fn opened(text: &str) -> Option<(&str, &str)> {
    let (name, quoted) = text.strip_prefix('[')?.split_once('"')?;
    let name = name.trim();
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    is_name.then_some((name, quoted))
}

/// Refuses a game of other rules; a missing or empty `Variant` tag means chess.
pub(super) fn check_variant(variant: &str) -> Result<(), PgnProblem> {
    const CHESS: [&str; 8] = [
        "",
        "standard",
        "normal",
        "chess",
        "chess960",
        "fischerandom",
        "fischerrandom",
        "fromposition",
    ];
    let plain: String = variant.chars().filter(|character| character.is_alphanumeric()).collect();
    if CHESS.contains(&plain.to_lowercase().as_str()) {
        return Ok(());
    }
    Err(PgnProblem::Variant { variant: shown(variant) })
}
