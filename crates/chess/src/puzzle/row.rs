//! Rows of a puzzle file: their fields, and the columns these belong to.

use std::str::FromStr;

use csv_core::{ReadRecordResult, Terminator};

use super::Puzzle;
use super::error::{HeaderError, RowProblem};

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
        Ok(Puzzle {
            rating: number("Rating", field(self.rating))?,
            rating_deviation: number("RatingDeviation", field(self.rating_deviation))?,
            popularity: number("Popularity", field(self.popularity))?,
            plays: number("NbPlays", field(self.plays))?,
            themes: words(self.themes),
            game_url: field(self.game_url).map(str::to_owned),
            opening_tags: words(self.opening_tags),
            ..Puzzle::new(id, fields[self.fen], fields[self.moves])?
        })
    }
}

fn number<N: FromStr>(column: &'static str, text: Option<&str>) -> Result<Option<N>, RowProblem> {
    text.map(|text| {
        text.parse().map_err(|_| RowProblem::NotANumber { column, found: text.to_owned() })
    })
    .transpose()
}
