//! The lines `info ...` in which an engine says how its search goes.

use chess::{Game, Move};

use crate::score::{Bound, Score};
use crate::search::Variation;

#[cfg(test)]
mod tests;

/// Variations that are remembered: no position has more legal moves.
const MOST_VARIATIONS: usize = 256;

/// What an engine has said of a search so far.
#[derive(Debug, Default)]
pub(crate) struct Information {
    /// By their rank, which counts from 1.
    variations: Vec<Option<Variation>>,
    nodes: Option<u64>,
    /// The first move of the best variation, and the nodes when it was first named.
    leader: Option<(Move, Option<u64>)>,
}

impl Information {
    /// Takes in a line behind the word `info`. What cannot be read is passed over: engines may say
    /// more than the protocol knows.
    pub(crate) fn read(&mut self, line: &str, game: &Game) {
        let mut words = line.split_ascii_whitespace();
        let (mut rank, mut depth, mut score, mut bound, mut wdl) = (1, 0, None, Bound::Exact, None);
        while let Some(word) = words.next() {
            match word {
                // Free text to the end of the line.
                "string" => return,
                "multipv" => rank = number(&mut words).unwrap_or(0),
                "depth" => depth = number(&mut words).unwrap_or(0),
                "nodes" => self.nodes = number(&mut words).or(self.nodes),
                "score" => {
                    let (kind, value) = (words.next(), words.next());
                    score = kind.zip(value).and_then(|(kind, value)| Score::parse(kind, value));
                }
                "lowerbound" => bound = Bound::Lower,
                "upperbound" => bound = Bound::Upper,
                "wdl" => {
                    let parts = [(); 3].map(|()| number::<u16>(&mut words));
                    let parts = parts.iter().copied().collect::<Option<Vec<u16>>>();
                    // They are parts of a thousand, or nothing.
                    wdl =
                        parts.and_then(|parts| <[u16; 3]>::try_from(parts).ok()).filter(|parts| {
                            parts.iter().map(|&part| u32::from(part)).sum::<u32>() == 1000
                        });
                }
                "pv" => {
                    let first = words.next().and_then(|first| game.parse_uci(first).ok());
                    let (Some(first), Some(score)) = (first, score) else { return };
                    if rank == 1 && self.leader.is_none_or(|(leader, _)| leader != first) {
                        self.leader = Some((first, self.nodes));
                    }
                    self.keep(rank, Variation { first, score, bound, wdl, depth });
                    return;
                }
                _ => {}
            }
        }
    }

    fn keep(&mut self, rank: usize, variation: Variation) {
        let Some(place) = rank.checked_sub(1).filter(|&place| place < MOST_VARIATIONS) else {
            return;
        };
        if self.variations.len() <= place {
            self.variations.resize(place + 1, None);
        }
        let kept = &mut self.variations[place];
        // A bound of a search that goes on says less than a score of the same line before.
        let is_news = variation.bound == Bound::Exact
            || kept.as_ref().is_none_or(|kept| kept.first != variation.first);
        if is_news {
            *kept = Some(variation);
        }
    }

    /// Nodes since which the best variation has begun with `best` and no other move.
    pub(crate) fn settled(&self, best: Move) -> Option<u64> {
        self.leader.filter(|(leader, _)| *leader == best)?.1
    }

    /// All that was said: variations by their rank, of each move only the deepest, and of two of
    /// the same depth the one of the higher rank. (A search that is cut off has told of the next
    /// depth for some ranks only, so that a move may stand at two of them.)
    pub(crate) fn finish(self) -> (Vec<Variation>, Option<u64>) {
        let said: Vec<Variation> = self.variations.into_iter().flatten().collect();
        let mut variations: Vec<Variation> = Vec::with_capacity(said.len());
        for variation in said {
            match variations.iter_mut().find(|known| known.first == variation.first) {
                Some(known) if known.depth < variation.depth => *known = variation,
                Some(_) => {}
                None => variations.push(variation),
            }
        }
        (variations, self.nodes)
    }
}

fn number<'a, T: std::str::FromStr>(words: &mut impl Iterator<Item = &'a str>) -> Option<T> {
    words.next().and_then(|word| word.parse().ok())
}
