//! Where games begin.

use std::path::Path;

use anyhow::bail;
use chess::{Game, Rules};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::match_record::{MatchRecord, MatchSettings};
use crate::files::read_book;

/// The stream of the seed's generator that draws openings; games have those of their numbers,
/// which are far below it.
const OPENINGS: u64 = u64::MAX;

/// The SHA-256 of a book.
pub(super) fn sha256(path: &Path) -> anyhow::Result<String> {
    Ok(read_book(path)?.sha256().to_owned())
}

/// The openings of a match: half as many as a pair has games, drawn from the book without
/// repetition, or all in a drawn order where it has no more.
pub(super) fn openings(
    book: Option<&Path>,
    settings: &MatchSettings,
    record: &MatchRecord,
) -> anyhow::Result<Vec<Game>> {
    let Some(path) = book else { return Ok(vec![Game::new()]) };
    let book = read_book(path)?;
    if Some(book.sha256()) != record.openings.as_deref() {
        bail!("{}: not the openings that the match began with", path.display());
    }
    let mut openings: Vec<_> = book.openings().iter().collect();
    let mut generator = ChaCha8Rng::seed_from_u64(settings.seed);
    generator.set_stream(OPENINGS);
    openings.shuffle(&mut generator);
    openings.truncate((settings.games / 2) as usize);
    let rules = Rules { ply_cap: Some(settings.max_plies) };
    openings
        .into_iter()
        .map(|opening| {
            let game = opening.game();
            match game.ending(&rules) {
                None => Ok(game),
                Some(ending) => {
                    bail!("{}, line {}: the game is over: {ending}", path.display(), opening.line())
                }
            }
        })
        .collect()
}
