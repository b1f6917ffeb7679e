//! The games of a file, token by token.
//!
//! Read here and not by a crate, as a reader that passes over words which it does not know would
//! make shorter games of damaged ones.

use std::mem;
use std::sync::Arc;

use super::error::{PgnError, PgnProblem};
use super::started::Started;
use super::{LONGEST_LINE, PgnGame, movetext, tag};
use crate::fen;
use crate::lines::{LineError, Lines};

/// Tags that a game may have.
const MOST_TAGS: usize = 1_024;
/// How the first tag of a game begins: inside of a comment it tells that the comment was never
/// closed.
const FIRST_TAG: &str = "[Event \"";

/// How a file is read.
#[derive(Clone, Copy)]
pub(super) struct Options {
    /// Whether moves and start positions are read, or passed over.
    pub(super) plays: bool,
    /// Whether any blank line behind its moves ends a game, or only one before move number 1.
    pub(super) blank_line_ends_game: bool,
    /// Half-moves that a game may have.
    pub(super) most_plies: usize,
}

/// A file that is read as far as `at` bytes into the line `text`.
pub(super) struct Games {
    file: Arc<str>,
    lines: Lines,
    options: Options,
    text: String,
    at: usize,
    /// Where a comment began that is not closed yet.
    comment: Option<u64>,
    /// A blank line stood behind the last word.
    after_blank: bool,
    game: Option<Started>,
    ended: bool,
}

impl Games {
    pub(super) fn new(name: &str, lines: Lines, options: Options) -> Games {
        Games {
            file: name.into(),
            lines,
            options,
            text: String::new(),
            at: 0,
            comment: None,
            after_blank: false,
            game: None,
            ended: false,
        }
    }

    /// The next game, or `None` after the last one.
    pub(super) fn next(&mut self) -> Option<Result<PgnGame, PgnError>> {
        while !self.ended {
            let game = if self.at < self.text.len() { self.token() } else { self.line() };
            if game.is_some() {
                return game;
            }
        }
        None
    }

    /// Goes on to the next line; the game, if that ends one.
    fn line(&mut self) -> Option<Result<PgnGame, PgnError>> {
        self.text.clear();
        self.at = 0;
        match self.lines.next() {
            Some(Ok(line)) => decode(line.bytes, &mut self.text),
            Some(Err(LineError::TooLong)) => {
                self.comment = None;
                // Without tags before it, it is taken for moves: tags behind it are another's.
                let in_tags = self.game.as_ref().is_some_and(|game| !game.in_moves);
                self.fail(self.lines.number(), PgnProblem::LongLine { limit: LONGEST_LINE });
                self.started(0).in_moves = !in_tags;
                return None;
            }
            Some(Err(LineError::Read(source))) => {
                self.ended = true;
                let line = self.lines.number();
                return Some(Err(PgnError::Read { file: Arc::clone(&self.file), line, source }));
            }
            None => {
                self.ended = true;
                if let Some(begun) = self.comment.take() {
                    self.fail(begun, PgnProblem::OpenComment);
                }
                return self.end_game();
            }
        }
        if let Some(begun) = self.comment {
            if !self.text.starts_with(FIRST_TAG) {
                return None;
            }
            self.comment = None;
            self.fail(begun, PgnProblem::OpenComment);
            return self.end_game();
        }
        let in_moves = self.game.as_ref().is_some_and(|game| game.in_moves);
        match self.text.as_bytes().first() {
            Some(b'%') => self.at = self.text.len(),
            Some(b'[') if in_moves => return self.end_game(),
            None if in_moves && self.options.blank_line_ends_game => return self.end_game(),
            None => self.after_blank = true,
            _ => {}
        }
        None
    }

    /// Reads one token of the line; the game, if that ends one.
    fn token(&mut self) -> Option<Result<PgnGame, PgnError>> {
        let text = mem::take(&mut self.text);
        let game = self.token_of(&text);
        self.text = text;
        game
    }

    fn token_of(&mut self, text: &str) -> Option<Result<PgnGame, PgnError>> {
        let number = self.lines.number();
        if self.comment.is_some() {
            let end = text[self.at..].find('}');
            if end.is_some() {
                self.comment = None;
            }
            self.at = end.map_or(text.len(), |end| self.at + end + 1);
            return None;
        }
        let rest = text[self.at..].trim_start();
        let at_start = rest.len() == text.len();
        self.at = text.len() - rest.len();
        let in_variation = self.game.as_ref().is_some_and(|game| game.variations > 0);
        match rest.chars().next() {
            None => {}
            Some(';') => self.at = text.len(),
            Some('{') => {
                self.comment = Some(number);
                self.at += 1;
            }
            Some('(') => {
                self.started(number).open_variation(number);
                self.at += 1;
            }
            Some(')') => {
                self.started(number).close_variation(number);
                self.at += 1;
            }
            Some('!' | '?') => self.at += 1,
            Some('[') if at_start || !in_variation && tag::read(rest).is_ok() => {
                let after_blank = mem::take(&mut self.after_blank);
                if self.game.as_ref().is_some_and(|game| game.ends_before(rest, after_blank)) {
                    return self.end_game();
                }
                self.at = match self.tag(number, rest) {
                    Ok(length) => self.at + length,
                    Err(problem) => {
                        self.fail(number, problem);
                        text.len()
                    }
                };
            }
            Some(first) => {
                // A bracket that begins no tag is a word, so that reading goes on.
                let after = &rest[first.len_utf8()..];
                let word = &rest[..first.len_utf8() + after.find(ends_word).unwrap_or(after.len())];
                return self.word(number, word);
            }
        }
        None
    }

    /// Reads a tag, and returns the bytes that it takes.
    fn tag(&mut self, number: u64, rest: &str) -> Result<usize, PgnProblem> {
        let plays = self.options.plays;
        let game = self.started(number);
        let (name, value, length) = tag::read(rest)?;
        match name {
            "FEN" if plays => {
                game.start = fen::parse(&value)?;
                game.position = game.start.clone();
            }
            "Variant" => tag::check_variant(&value)?,
            _ => {}
        }
        if game.tags.len() == MOST_TAGS {
            return Err(PgnProblem::TooManyTags { limit: MOST_TAGS });
        }
        game.tags.push((name.to_owned(), value));
        Ok(length)
    }

    /// Reads a word behind the tags; the game, if it ends one.
    fn word(&mut self, number: u64, word: &str) -> Option<Result<PgnGame, PgnError>> {
        let after_blank = mem::take(&mut self.after_blank);
        let Options { plays, most_plies, .. } = self.options;
        let game = self.started(number);
        if game.variations == 0 {
            if after_blank && game.in_moves && movetext::is_first_number(word) {
                return self.end_game();
            }
            game.in_moves = true;
            game.termination = movetext::termination(word);
            if game.termination.is_some() {
                self.at += word.len();
                return self.end_game();
            }
            if plays && game.fault.is_none() {
                game.fault = game.play(word, most_plies).err().map(|problem| (number, problem));
            }
        }
        self.at += word.len();
        None
    }

    /// The game that is being read, which begins on this line if there is none yet.
    fn started(&mut self, number: u64) -> &mut Started {
        self.game.get_or_insert_with(|| Started { line: number, ..Started::default() })
    }

    fn fail(&mut self, number: u64, problem: PgnProblem) {
        self.started(number).fail(number, problem);
    }

    /// What was read of a game, if there is one.
    fn end_game(&mut self) -> Option<Result<PgnGame, PgnError>> {
        self.after_blank = false;
        let game = self.game.take()?.finish();
        Some(game.map_err(|(line, problem)| PgnError::Game {
            file: Arc::clone(&self.file),
            line,
            problem,
        }))
    }
}

/// Appends a line without the spaces at its end.
fn decode(bytes: &[u8], text: &mut String) {
    match str::from_utf8(bytes) {
        Ok(utf8) => text.push_str(utf8.trim_end()),
        Err(_) => {
            text.extend(bytes.iter().map(|&byte| char::from(byte)));
            text.truncate(text.trim_end().len());
        }
    }
}

fn ends_word(character: char) -> bool {
    character.is_whitespace() || matches!(character, '{' | '(' | ')' | '[' | ';' | '!' | '?')
}
