//! Words among the moves of a game.

use std::borrow::Cow;

use shakmaty::san::{SanError, SanPlus};
use shakmaty::{Chess, EnPassantMode, Move, fen::Fen};

use super::error::{PgnProblem, shown};
use crate::ending::Outcome;

/// The marker that ends a game: its result, or none where it is `*`.
pub(super) fn termination(word: &str) -> Option<Option<Outcome>> {
    if word == "*" { Some(None) } else { result(word).map(Some) }
}

/// A result as markers and `Result` tags have it.
pub(super) fn result(word: &str) -> Option<Outcome> {
    match word {
        "1-0" => Some(Outcome::WhiteWins),
        "0-1" => Some(Outcome::BlackWins),
        "1/2-1/2" | "1/2" => Some(Outcome::Draw),
        _ => None,
    }
}

/// Whether a word numbers the first move of a game: `1`, `1.` or `1.e4`, but not `1...e5`.
pub(super) fn is_first_number(word: &str) -> bool {
    match word.strip_prefix('1') {
        Some(rest) => rest.is_empty() || rest.starts_with('.') && !rest.starts_with(".."),
        None => false,
    }
}

/// The usual spelling of a move that may have one of the others that occur: castling with zeros,
/// promotion without its sign, two signs for a double check, "e.p." behind a capture.
fn standard(san: &str) -> Cow<'_, str> {
    let san = san.strip_suffix("e.p.").unwrap_or(san);
    let san = san.strip_suffix("++").unwrap_or(san);
    let bare = san.trim_end_matches(['+', '#']);
    let check = &san[bare.len()..];
    match bare.as_bytes() {
        [b'0' | b'O', b'-', ..] => Cow::Owned(san.replace('0', "O")),
        [.., b'1' | b'8', b'Q' | b'R' | b'B' | b'N'] => {
            let (to, promotion) = bare.split_at(bare.len() - 1);
            Cow::Owned(format!("{to}={promotion}{check}"))
        }
        _ => Cow::Borrowed(san),
    }
}

/// The move of a word that may be a move number, a move, both, or a numeric glyph; `None` where
/// it has no move.
pub(super) fn played(word: &str, position: &Chess) -> Result<Option<Move>, PgnProblem> {
    let after_digits = word.trim_start_matches(|character: char| character.is_ascii_digit());
    // A move number has a point behind it, or is all of the word; "0-0" is neither.
    let san = match after_digits {
        "" => "",
        _ if after_digits.starts_with('.') => after_digits.trim_start_matches('.'),
        _ => word,
    };
    if san.is_empty() || san == "e.p." || san.starts_with('$') {
        return Ok(None);
    }
    let parsed = SanPlus::from_ascii(standard(san).as_bytes());
    let parsed = parsed.map_err(|_| PgnProblem::NotAMove { word: shown(san) })?;
    let refused = |problem| PgnProblem::Move {
        san: shown(san),
        problem,
        fen: Fen::from_position(position, EnPassantMode::Legal).to_string(),
    };
    match parsed.san.to_move(position) {
        Ok(played) => Ok(Some(played)),
        Err(SanError::AmbiguousSan) => Err(refused("ambiguous")),
        Err(SanError::IllegalSan) => Err(refused("not legal")),
    }
}
