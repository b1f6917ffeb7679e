//! Which games are the two of a pair.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use chess::Outcome;

use super::pentanomial::Pentanomial;

/// A game of a match, with what tells the opening from which it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairedGame<'a> {
    /// The player with White.
    pub white: &'a str,
    /// The player with Black.
    pub black: &'a str,
    /// How it ended.
    pub outcome: Outcome,
    /// The `Round` tag.
    pub round: Option<&'a str>,
    /// The `FEN` tag.
    pub fen: Option<&'a str>,
}

/// What two games must have in common to be a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Opening<'a> {
    /// The pair's number: what stands before the last point of `Round`.
    Pair(&'a str),
    Fen(&'a str),
    Unknown,
}

/// The pairs of `player` against `opponent`, as `player` sees them, and the number of their games
/// that have no partner. Other players' games are passed over.
///
/// Two games with colours reversed are a pair where both have a `Round` "N.K" with the same N; where
/// there is no such `Round` but a `FEN`, with the same FEN; and where there is neither, one right
/// after the other among the games of the two players. Where several games could be a game's
/// partner it is the earliest. Games that are taken for a pair without having an opening in common
/// do no harm: independent games may be put into pairs in any way.
pub fn pair_up<'a>(
    games: impl IntoIterator<Item = PairedGame<'a>>,
    player: &str,
    opponent: &str,
) -> (Pentanomial, u64) {
    let mut pairs = Pentanomial::default();
    // Half points of games that wait for a partner, by opening and by whether the player has White.
    let mut waiting: HashMap<(Opening<'a>, bool), Vec<usize>> = HashMap::new();
    let mut last_unknown: Option<(bool, usize)> = None;
    let mut unpaired = 0;
    for game in games {
        let has_white = (game.white, game.black) == (player, opponent);
        if !has_white && (game.white, game.black) != (opponent, player) {
            continue;
        }
        let half_points = match (game.outcome, has_white) {
            (Outcome::Draw, _) => 1,
            (Outcome::WhiteWins, true) | (Outcome::BlackWins, false) => 2,
            (Outcome::WhiteWins, false) | (Outcome::BlackWins, true) => 0,
        };
        let opening = opening(game);
        let partner = if opening == Opening::Unknown {
            match last_unknown.take() {
                Some((colour, partner)) if colour != has_white => Some(partner),
                other => {
                    unpaired += u64::from(other.is_some());
                    last_unknown = Some((has_white, half_points));
                    None
                }
            }
        } else {
            let partners = waiting.entry((opening, !has_white)).or_default();
            // The earliest; there are few.
            (!partners.is_empty()).then(|| partners.remove(0)).or_else(|| {
                waiting.entry((opening, has_white)).or_default().push(half_points);
                None
            })
        };
        if let Some(partner) = partner {
            pairs.pairs[partner + half_points] += 1;
        }
    }
    unpaired += u64::from(last_unknown.is_some());
    unpaired += waiting.values().map(|games| games.len() as u64).sum::<u64>();
    (pairs, unpaired)
}

fn opening(game: PairedGame<'_>) -> Opening<'_> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match game.round.and_then(|round| round.rsplit_once('.')) {
        Some((pair, number)) if is_number(number) => Opening::Pair(pair),
        _ => game.fen.map_or(Opening::Unknown, Opening::Fen),
    }
}
