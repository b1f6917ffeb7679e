//! Which puzzles a suite takes.

use std::fmt;
use std::str::FromStr;

use chess::puzzle::Puzzle;
use serde::Serialize;

/// Which puzzles a suite takes: those that pass all that is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Filter {
    /// Ratings; `None` takes puzzles without a rating too.
    pub rating: Option<RatingRange>,
    /// Themes of which a puzzle needs one; none takes all.
    pub themes: Vec<String>,
    /// Lengths of mates ([`mate_depth`]) of which a puzzle needs one; none takes all.
    pub mate_depths: Vec<usize>,
}

/// A range of ratings, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RatingRange {
    /// The lowest; `None` has no lower end.
    pub low: Option<u32>,
    /// The highest; `None` has no upper end.
    pub high: Option<u32>,
}

/// A text that is no range of ratings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no range of ratings; expected MIN..MAX, MIN.. or ..MAX, both ends included")]
pub struct RatingRangeError(String);

impl Filter {
    /// Why `puzzle` is not taken, if it is not.
    pub(super) fn refuse(&self, puzzle: &Puzzle) -> Option<&'static str> {
        if let Some(range) = self.rating {
            match puzzle.rating {
                None => return Some("no rating"),
                Some(rating) if !range.contains(rating) => return Some("other rating"),
                Some(_) => {}
            }
        }
        if !self.themes.is_empty() && !puzzle.themes.iter().any(|theme| self.themes.contains(theme))
        {
            return Some("other themes");
        }
        if !self.mate_depths.is_empty()
            && !mate_depth(puzzle).is_some_and(|depth| self.mate_depths.contains(&depth))
        {
            return Some("other mate depth");
        }
        None
    }
}

/// How many moves the solver needs to mate: exactly as many as the marked line has where it ends
/// in mate, else the N of a theme `mateInN`; `None` where neither is there.
///
/// The line goes first because Lichess calls everything from five moves up `mateIn5`.
pub fn mate_depth(puzzle: &Puzzle) -> Option<usize> {
    let by_theme = || {
        let mut depths = puzzle.themes.iter().filter_map(|theme| theme.strip_prefix("mateIn"));
        depths.find_map(|depth| depth.parse().ok())
    };
    puzzle.marked_mate().or_else(by_theme)
}

impl RatingRange {
    /// Whether `rating` lies in it.
    pub fn contains(self, rating: u32) -> bool {
        self.low.is_none_or(|low| low <= rating) && self.high.is_none_or(|high| rating <= high)
    }
}

impl FromStr for RatingRange {
    type Err = RatingRangeError;

    fn from_str(text: &str) -> Result<RatingRange, RatingRangeError> {
        let wrong = || RatingRangeError(text.to_owned());
        let (low, high) = text.split_once("..").ok_or_else(wrong)?;
        let end = |text: &str| match text.trim() {
            "" => Ok(None),
            number => number.parse().map(Some).map_err(|_| wrong()),
        };
        let range = RatingRange { low: end(low)?, high: end(high)? };
        let empty = range.low.zip(range.high).is_some_and(|(low, high)| low > high);
        let open = range.low.is_none() && range.high.is_none();
        if empty || open { Err(wrong()) } else { Ok(range) }
    }
}

impl fmt::Display for RatingRange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |end: Option<u32>| end.map(|end| end.to_string()).unwrap_or_default();
        write!(formatter, "{}..{}", end(self.low), end(self.high))
    }
}
