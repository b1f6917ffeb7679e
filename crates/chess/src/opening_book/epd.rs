//! Books in EPD: a position a line.

use std::borrow::Cow;

use super::{Fault, Opening, OpeningProblem, add};
use crate::fen;

/// Whether a word is the first field of a position.
pub(super) fn is_board(word: &str) -> bool {
    word.bytes().filter(|&byte| byte == b'/').count() == 7
}

/// The openings of numbered lines.
pub(super) fn openings<'a>(
    lines: impl Iterator<Item = (u64, Cow<'a, str>)>,
) -> Result<Vec<Opening>, Fault> {
    let mut openings = Vec::new();
    for (number, line) in lines {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = opening(line, number).and_then(|opening| add(&mut openings, opening));
        opening.map_err(|problem| (number, problem))?;
    }
    Ok(openings)
}

fn opening(line: &str, number: u64) -> Result<Opening, OpeningProblem> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (position, rest) = words.split_at(words.len().min(4));
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    // Behind the four fields a FEN has its clocks, an EPD its operations.
    let mut clocks: Vec<&str> = rest.iter().copied().take(2).take_while(is_number).collect();
    let operations = rest.join(" ");
    if clocks.is_empty() && position.len() == 4 {
        let half_moves = clock(&operations, "hmvc")?.unwrap_or("0");
        clocks = vec![half_moves, clock(&operations, "fmvn")?.unwrap_or("1")];
    }
    let fen = [position, &clocks].concat().join(" ");
    Opening::new(fen::parse(&fen)?, Vec::new(), number)
}

/// The number that `operation` gives, where it is there.
fn clock<'a>(
    operations: &'a str,
    operation: &'static str,
) -> Result<Option<&'a str>, OpeningProblem> {
    let mut quoted = false;
    let mut found = operations.split(|character| {
        quoted ^= character == '"';
        character == ';' && !quoted
    });
    let Some(value) = found.find_map(|text| text.trim().strip_prefix(operation)) else {
        return Ok(None);
    };
    let value = value.trim();
    if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(OpeningProblem::Clock { operation, found: value.to_owned() });
    }
    Ok(Some(value))
}
