//! Results from PGN files, and what could not be used of them.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use arena::rating::{PairedGame, Pentanomial, Results, pair_up};
use chess::Outcome;
use chess::pgn::{PgnError, PgnHeader, PgnHeaderReader};

/// Places that a report names for each reason.
const PLACES_SHOWN: usize = 5;

/// The games of some files.
pub(super) struct Games {
    files: Vec<String>,
    results: Results,
    games: Vec<Game>,
    skipped: Skipped,
}

/// What direct comparisons need of a game.
struct Game {
    white: Rc<str>,
    black: Rc<str>,
    outcome: Outcome,
    round: Option<Box<str>>,
    fen: Option<Box<str>>,
}

/// Games that were not rated, by reason.
#[derive(Default)]
pub(super) struct Skipped(BTreeMap<&'static str, Places>);

/// Games that were not rated for one reason.
#[derive(Default)]
pub(super) struct Places {
    pub(super) count: u64,
    /// The first of them, as FILE:LINE.
    pub(super) first: Vec<String>,
    /// What is wrong with the first one, where the reason does not say it.
    pub(super) example: Option<String>,
}

impl Games {
    /// Reads the files one after the other.
    pub(super) fn read(files: &[PathBuf]) -> Result<Games, PgnError> {
        let mut games = Games {
            files: files.iter().map(|path| path.display().to_string()).collect(),
            results: Results::new(),
            games: Vec::new(),
            skipped: Skipped::default(),
        };
        let mut names = HashMap::new();
        for path in files {
            games.read_file(path, &mut names)?;
        }
        Ok(games)
    }

    fn read_file(
        &mut self,
        path: &Path,
        names: &mut HashMap<String, Rc<str>>,
    ) -> Result<(), PgnError> {
        let file = path.display();
        for header in PgnHeaderReader::open(path)? {
            let header = match header {
                Ok(header) => header,
                Err(PgnError::Game { line, problem, .. }) => {
                    let example = Some(problem.to_string());
                    self.skipped.add("unreadable", format!("{file}:{line}"), example);
                    continue;
                }
                Err(error) => return Err(error),
            };
            if let Err(reason) = self.add(&header, names) {
                self.skipped.add(reason, format!("{file}:{}", header.line), None);
            }
        }
        Ok(())
    }

    /// Adds a game, or says why it cannot be rated.
    fn add(
        &mut self,
        header: &PgnHeader,
        names: &mut HashMap<String, Rc<str>>,
    ) -> Result<(), &'static str> {
        let player = |tag| header.tag(tag).filter(|name| !matches!(*name, "" | "?"));
        let (white, black) = player("White").zip(player("Black")).ok_or("without players")?;
        let outcome = header.result.ok_or("without a result")?;
        self.results.add(white, black, outcome).map_err(|_| "of a player against itself")?;
        let mut shared = |name: &str| match names.get(name) {
            Some(known) => Rc::clone(known),
            None => {
                let new: Rc<str> = name.into();
                names.insert(name.to_owned(), Rc::clone(&new));
                new
            }
        };
        self.games.push(Game {
            white: shared(white),
            black: shared(black),
            outcome,
            round: header.tag("Round").map(Into::into),
            fen: header.tag("FEN").map(Into::into),
        });
        Ok(())
    }

    /// The names of the files.
    pub(super) fn files(&self) -> &[String] {
        &self.files
    }

    /// The games that can be rated.
    pub(super) fn results(&self) -> &Results {
        &self.results
    }

    /// The games that cannot.
    pub(super) fn skipped(&self) -> &Skipped {
        &self.skipped
    }

    /// Pairs of games between two players, and games without a partner.
    pub(super) fn pairs(&self, player: &str, opponent: &str) -> (Pentanomial, u64) {
        let games = self.games.iter().map(|game| PairedGame {
            white: &game.white,
            black: &game.black,
            outcome: game.outcome,
            round: game.round.as_deref(),
            fen: game.fen.as_deref(),
        });
        pair_up(games, player, opponent)
    }
}

impl Skipped {
    fn add(&mut self, reason: &'static str, place: String, example: Option<String>) {
        let places = self.0.entry(reason).or_default();
        places.count += 1;
        if places.first.len() < PLACES_SHOWN {
            places.first.push(place);
        }
        places.example = places.example.take().or(example);
    }

    /// All games that were not rated.
    pub(super) fn count(&self) -> u64 {
        self.0.values().map(|places| places.count).sum()
    }

    /// By reason.
    pub(super) fn by_reason(&self) -> impl Iterator<Item = (&'static str, &Places)> {
        self.0.iter().map(|(reason, places)| (*reason, places))
    }

    /// The reasons, in a line.
    pub(super) fn in_a_line(&self) -> String {
        let reasons = self.by_reason().map(|(reason, places)| {
            format!("{} {reason}, first at {}", places.count, places.first[0])
        });
        format!("games skipped: {}", reasons.collect::<Vec<_>>().join("; "))
    }
}
