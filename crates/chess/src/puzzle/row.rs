//! Rows of a puzzle file: their fields, and the columns these belong to.

#[cfg(test)]
mod tests;

use std::str::FromStr;

use csv_core::{ReadRecordResult, Terminator};

use super::error::{HeaderError, RowProblem};
use super::{Acceptance, FirstMove, Puzzle, acceptable, history};
use crate::game::Game;

/// Fields that a line may have; Lichess has 10.
const MOST_FIELDS: usize = 256;

/// Splits lines into fields.
pub(super) struct Splitter {
    csv: csv_core::Reader,
    input: Vec<u8>,
    output: Vec<u8>,
    ends: [usize; MOST_FIELDS],
}

impl Splitter {
    pub(super) fn new() -> Splitter {
        // The only line end that reaches the splitter is the one it adds.
        let csv = csv_core::ReaderBuilder::new().terminator(Terminator::Any(b'\n')).build();
        Splitter { csv, input: Vec::new(), output: Vec::new(), ends: [0; MOST_FIELDS] }
    }

    /// The fields of `line`, without their quotation marks.
    pub(super) fn split(&mut self, line: &str) -> Result<Vec<&str>, RowProblem> {
        if line.is_empty() {
            return Ok(vec![""]);
        }
        self.input.clear();
        self.input.extend_from_slice(line.as_bytes());
        self.input.push(b'\n');
        // Fields together are never longer than the line that holds them.
        self.output.resize(self.input.len(), 0);
        self.csv.reset();
        let (result, _, written, fields) =
            self.csv.read_record(&self.input, &mut self.output, &mut self.ends);
        match result {
            ReadRecordResult::Record => {}
            ReadRecordResult::OutputEndsFull => return Err(RowProblem::TooManyFields),
            // The line end was taken for text.
            ReadRecordResult::InputEmpty | ReadRecordResult::OutputFull | ReadRecordResult::End => {
                return Err(RowProblem::OpenQuote);
            }
        }
        let text = str::from_utf8(&self.output[..written]).map_err(|_| RowProblem::NotText)?;
        let starts = std::iter::once(0).chain(self.ends);
        Ok(starts.zip(&self.ends[..fields]).map(|(start, &end)| &text[start..end]).collect())
    }
}

/// Where a file has what a puzzle needs.
pub(super) struct Columns {
    count: usize,
    id: usize,
    fen: usize,
    moves: usize,
    rating: Option<usize>,
    rating_deviation: Option<usize>,
    popularity: Option<usize>,
    plays: Option<usize>,
    themes: Option<usize>,
    game_url: Option<usize>,
    opening_tags: Option<usize>,
    pgn: Option<usize>,
    first_move: Option<usize>,
    history: Option<usize>,
    acceptable: Option<usize>,
    acceptance: Option<usize>,
}

impl Columns {
    /// The columns that the first line of a file names, in any order.
    pub(super) fn of_header(file: &str, names: &[&str]) -> Result<Columns, HeaderError> {
        let optional = |column: &'static str| {
            let mut places = (0..names.len()).filter(|&place| names[place].trim() == column);
            let place = places.next();
            if places.next().is_some() {
                return Err(HeaderError::DuplicateColumn { file: file.to_owned(), column });
            }
            Ok(place)
        };
        let required = |column| {
            optional(column)?.ok_or_else(|| HeaderError::MissingColumn {
                file: file.to_owned(),
                column,
                found: names.join(","),
            })
        };
        Ok(Columns {
            count: names.len(),
            id: required("PuzzleId")?,
            fen: required("FEN")?,
            moves: required("Moves")?,
            rating: optional("Rating")?,
            rating_deviation: optional("RatingDeviation")?,
            popularity: optional("Popularity")?,
            plays: optional("NbPlays")?,
            themes: optional("Themes")?,
            game_url: optional("GameUrl")?,
            opening_tags: optional("OpeningTags")?,
            pgn: optional("PGN")?,
            first_move: optional("FirstMove")?,
            history: optional("History")?,
            acceptable: optional("Acceptable")?,
            acceptance: optional("Acceptance")?,
        })
    }

    /// The puzzle of a row.
    pub(super) fn puzzle(&self, fields: &[&str]) -> Result<Puzzle, RowProblem> {
        if fields.len() != self.count {
            return Err(RowProblem::FieldCount { expected: self.count, found: fields.len() });
        }
        let field = |place: Option<usize>| {
            place.map(|place| fields[place].trim()).filter(|text| !text.is_empty())
        };
        let words = |place| -> Vec<String> {
            field(place).into_iter().flat_map(str::split_whitespace).map(str::to_owned).collect()
        };
        let id = field(Some(self.id)).ok_or(RowProblem::NoId)?;
        let first_move = match field(self.first_move) {
            None => FirstMove::default(),
            Some(name) => FirstMove::by_name(name)
                .ok_or_else(|| RowProblem::FirstMove { found: name.to_owned() })?,
        };
        let game = game(fields[self.fen], field(self.history))?;
        let mut puzzle = Puzzle {
            rating: number("Rating", field(self.rating))?,
            rating_deviation: number("RatingDeviation", field(self.rating_deviation))?,
            popularity: number("Popularity", field(self.popularity))?,
            plays: number("NbPlays", field(self.plays))?,
            themes: words(self.themes),
            game_url: field(self.game_url).map(str::to_owned),
            opening_tags: words(self.opening_tags),
            pgn: field(self.pgn).map(str::to_owned),
            ..Puzzle::of_game(id, game, first_move, fields[self.moves])?
        };
        let acceptable = field(self.acceptable).map(|text| acceptable::parse(&puzzle, text));
        puzzle.acceptable = acceptable.transpose()?;
        puzzle.acceptance = acceptance(field(self.acceptance), puzzle.acceptable.is_some())?;
        Ok(puzzle)
    }
}

/// The game before the row's moves.
fn game(fen: &str, history: Option<&str>) -> Result<Game, RowProblem> {
    let Some(history) = history else { return Ok(Game::from_fen(fen)?) };
    let mut game = Game::new();
    for uci in history.split_ascii_whitespace() {
        game.play_uci(uci).map_err(RowProblem::HistoryMove)?;
    }
    if history::reaches(&game, fen)? {
        Ok(game)
    } else {
        Err(RowProblem::HistoryElsewhere { reached: game.fen(), fen: fen.to_owned() })
    }
}

fn acceptance(text: Option<&str>, has_moves: bool) -> Result<Option<Acceptance>, RowProblem> {
    let Some(name) = text else { return Ok(None) };
    let found = || name.to_owned();
    match Acceptance::by_name(name) {
        None => Err(RowProblem::Acceptance { found: found() }),
        Some(_) if !has_moves => Err(RowProblem::AcceptanceAlone { found: found() }),
        acceptance => Ok(acceptance),
    }
}

fn number<N: FromStr>(column: &'static str, text: Option<&str>) -> Result<Option<N>, RowProblem> {
    text.map(|text| {
        text.parse().map_err(|_| RowProblem::NotANumber { column, found: text.to_owned() })
    })
    .transpose()
}
