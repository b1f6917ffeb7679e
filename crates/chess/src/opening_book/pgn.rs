//! Books in PGN: the main lines of its games.
//!
//! Read here word by word, as a reader that passes over words which it does not know would make
//! shorter openings of damaged ones.

use std::borrow::Cow;

use shakmaty::san::{SanError, SanPlus};
use shakmaty::{Chess, EnPassantMode, Move, Position, fen::Fen};

use super::{Fault, MOST_PLIES, Opening, OpeningProblem, add};
use crate::fen;

/// The openings of numbered lines.
pub(super) fn openings<'a>(
    lines: impl Iterator<Item = (u64, Cow<'a, str>)>,
) -> Result<Vec<Opening>, Fault> {
    let mut reader = Reader::default();
    for (number, line) in lines {
        reader.line(number, line.trim_end())?;
    }
    if let Some(line) = reader.comment {
        return Err((line, OpeningProblem::OpenComment));
    }
    reader.end_game()?;
    Ok(reader.openings)
}

/// What is known of a file so far.
#[derive(Default)]
struct Reader {
    openings: Vec<Opening>,
    game: Option<Started>,
    /// Where a comment began that is not closed yet.
    comment: Option<u64>,
    /// Where the variations began that are not closed yet, the outermost first.
    variations: Vec<u64>,
}

/// A game of which something has been read.
#[derive(Default)]
struct Started {
    line: u64,
    start: Chess,
    position: Chess,
    moves: Vec<Move>,
    /// Its moves or its result have begun, so that a tag belongs to the next game.
    in_moves: bool,
}

impl Reader {
    fn line(&mut self, number: u64, line: &str) -> Result<(), Fault> {
        let in_moves = self.game.as_ref().is_some_and(|game| game.in_moves);
        let outside = self.comment.is_none();
        if outside && line.starts_with('%') {
            return Ok(());
        }
        if outside && in_moves && (line.is_empty() || line.starts_with('[')) {
            self.end_game()?;
        }
        if outside && line.starts_with('[') {
            self.tags(number, line).map_err(|problem| (number, problem))
        } else {
            self.words(number, line)
        }
    }

    /// Reads a line of tags, `[Name "value"]`.
    fn tags(&mut self, number: u64, line: &str) -> Result<(), OpeningProblem> {
        let game = self.game.get_or_insert_with(|| Started { line: number, ..Started::default() });
        let mut rest = line;
        while !rest.is_empty() {
            let (name, value, after) = tag(rest).ok_or(OpeningProblem::Tag)?;
            match name {
                "FEN" => {
                    game.start = fen::parse(&value)?;
                    game.position = game.start.clone();
                }
                "Variant" if !is_chess(&value) => {
                    return Err(OpeningProblem::Variant { variant: value });
                }
                _ => {}
            }
            rest = after.trim_start();
        }
        Ok(())
    }

    /// Reads a line of moves, or of what stands between them.
    fn words(&mut self, number: u64, line: &str) -> Result<(), Fault> {
        let mut rest = line;
        loop {
            if self.comment.is_some() {
                let Some((_, after)) = rest.split_once('}') else { return Ok(()) };
                self.comment = None;
                rest = after;
            }
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { return Ok(()) };
            let game =
                self.game.get_or_insert_with(|| Started { line: number, ..Started::default() });
            game.in_moves = true;
            let here = |problem| (number, problem);
            let length = match first {
                ';' => return Ok(()),
                '{' => {
                    self.comment = Some(number);
                    1
                }
                '(' => {
                    self.variations.push(number);
                    1
                }
                ')' => {
                    self.variations.pop().ok_or(here(OpeningProblem::NoVariation))?;
                    1
                }
                '!' | '?' => 1,
                _ => {
                    let word = rest.split(ends_word).next().unwrap_or(rest);
                    if self.variations.is_empty() {
                        if is_result(word) {
                            self.end_game()?;
                        } else {
                            game.word(word).map_err(here)?;
                        }
                    }
                    word.len()
                }
            };
            rest = &rest[length..];
        }
    }

    /// Takes the game read so far, if there is one, as an opening.
    fn end_game(&mut self) -> Result<(), Fault> {
        if let Some(&line) = self.variations.first() {
            return Err((line, OpeningProblem::OpenVariation));
        }
        let Some(game) = self.game.take() else { return Ok(()) };
        Opening::new(game.start, game.moves, game.line)
            .and_then(|opening| add(&mut self.openings, opening))
            .map_err(|problem| (game.line, problem))
    }
}

impl Started {
    /// Reads a word of the main line: the number of a move, a move, both, or a glyph.
    fn word(&mut self, word: &str) -> Result<(), OpeningProblem> {
        let after_digits = word.trim_start_matches(|character: char| character.is_ascii_digit());
        // A move number has a point behind it, or is all of the word; "0-0" is neither.
        let san = match after_digits {
            "" => "",
            _ if after_digits.starts_with('.') => after_digits.trim_start_matches('.'),
            _ => word,
        };
        if san.is_empty() || san == "e.p." || san.starts_with('$') {
            return Ok(());
        }
        let parsed =
            SanPlus::from_ascii(san.replace("0-0", "O-O").replace("O-0", "O-O").as_bytes())
                .map_err(|_| OpeningProblem::NotAMove { word: san.to_owned() })?;
        let refused = |problem| OpeningProblem::Move {
            san: san.to_owned(),
            problem,
            fen: Fen::from_position(&self.position, EnPassantMode::Legal).to_string(),
        };
        let played = parsed.san.to_move(&self.position).map_err(|error| match error {
            SanError::AmbiguousSan => refused("ambiguous"),
            SanError::IllegalSan => refused("not legal"),
        })?;
        if self.moves.len() == MOST_PLIES {
            return Err(OpeningProblem::TooLong { limit: MOST_PLIES });
        }
        self.position.play_unchecked(played);
        self.moves.push(played);
        Ok(())
    }
}

/// The name and the value of the tag with which `text` begins, and what follows it.
fn tag(text: &str) -> Option<(&str, String, &str)> {
    let (name, quoted) = text.strip_prefix('[')?.split_once('"')?;
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    loop {
        match characters.next()? {
            (_, '\\') => value.push(characters.next()?.1),
            (end, '"') => {
                let after = quoted[end + 1..].trim_start().strip_prefix(']')?;
                return Some((name.trim(), value, after));
            }
            (_, character) => value.push(character),
        }
    }
}

/// Whether a game of this variant is a game of chess; a missing or empty tag means so too.
fn is_chess(variant: &str) -> bool {
    let plain: String = variant.chars().filter(|character| character.is_alphanumeric()).collect();
    ["", "standard", "normal", "chess", "chess960", "fischerandom", "fischerrandom", "fromposition"]
        .contains(&plain.to_lowercase().as_str())
}

fn is_result(word: &str) -> bool {
    matches!(word, "1-0" | "0-1" | "1/2-1/2" | "1/2" | "*")
}

fn ends_word(character: char) -> bool {
    character.is_whitespace() || matches!(character, '{' | '(' | ')' | ';' | '!' | '?')
}
