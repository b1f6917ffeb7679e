//! Which games a tournament has.

use chess::{Color, Game};

#[cfg(test)]
mod tests;

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first player plays everybody else.
    Gauntlet,
}

/// All games of a tournament, numbered. The same openings are played by every pair, each twice
/// with colours reversed.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairs: Vec<[PlayerIndex; 2]>,
    games_per_pair: u32,
    openings: Vec<Game>,
}

/// A player by its place in the list of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerIndex(pub usize);

/// A game by its place in the schedule, which also is the stream of its generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameNumber(pub u64);

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Its number.
    pub number: GameNumber,
    /// Who has White.
    pub white: PlayerIndex,
    /// Who has Black.
    pub black: PlayerIndex,
    /// The opening, from 0.
    pub opening: usize,
    /// 0 for the first game of the opening, 1 for that with colours reversed.
    pub turn: u32,
}

/// A tournament that has no games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// Nobody to play against.
    #[error("a tournament needs two players or more, {0} given")]
    Players(usize),
    /// An odd number of games.
    #[error(
        "{0} games a pair: openings are played with both colours, so the number must be even and at least 2"
    )]
    Games(u32),
    /// No openings.
    #[error("no openings to play from")]
    Openings,
}

impl Schedule {
    /// The games of `players` players. Openings are used in their order, and again from the first
    /// when there are fewer than half of `games_per_pair`.
    ///
    /// # Errors
    ///
    /// [`ScheduleError`].
    pub fn new(
        players: usize,
        format: Format,
        games_per_pair: u32,
        openings: Vec<Game>,
    ) -> Result<Schedule, ScheduleError> {
        if players < 2 {
            return Err(ScheduleError::Players(players));
        }
        if games_per_pair == 0 || !games_per_pair.is_multiple_of(2) {
            return Err(ScheduleError::Games(games_per_pair));
        }
        if openings.is_empty() {
            return Err(ScheduleError::Openings);
        }
        let first = match format {
            Format::RoundRobin => players - 1,
            Format::Gauntlet => 1,
        };
        let pairs = (0..first)
            .flat_map(|one| (one + 1..players).map(move |two| [one, two].map(PlayerIndex)))
            .collect();
        Ok(Schedule { pairs, games_per_pair, openings })
    }

    /// Who meets whom.
    pub fn pairs(&self) -> &[[PlayerIndex; 2]] {
        &self.pairs
    }

    /// How many games.
    pub fn games(&self) -> u64 {
        self.pairs.len() as u64 * u64::from(self.games_per_pair)
    }

    /// The games in an order in which all pairs advance alike, so that a table in the middle is
    /// one over the same openings.
    pub fn pairings(&self) -> impl Iterator<Item = Pairing> + '_ {
        let rounds = 0..u64::from(self.games_per_pair);
        rounds.flat_map(move |round| {
            (0..self.pairs.len() as u64).map(move |pair| {
                self.pairing(GameNumber(pair * u64::from(self.games_per_pair) + round))
            })
        })
    }

    /// The game of a number below [`Schedule::games`].
    pub fn pairing(&self, number: GameNumber) -> Pairing {
        let games = u64::from(self.games_per_pair);
        let [one, two] = self.pairs[(number.0 / games) as usize];
        let game = (number.0 % games) as u32;
        let turn = game % 2;
        let [white, black] = if turn == 0 { [one, two] } else { [two, one] };
        let opening = (game / 2) as usize % self.openings.len();
        Pairing { number, white, black, opening, turn }
    }

    /// The game of two players in a round as [`Schedule::round`] writes it.
    pub fn find(&self, white: PlayerIndex, black: PlayerIndex, round: &str) -> Option<Pairing> {
        let (opening, turn) = round.split_once('.')?;
        let opening: u32 = opening.parse().ok()?;
        let turn: u32 = turn.parse().ok()?;
        let (opening, turn) = (opening.checked_sub(1)?, turn.checked_sub(1)?);
        let game = opening.checked_mul(2)?.checked_add(turn)?;
        let mut pairs = self.pairs.iter();
        let pair = pairs.position(|pair| *pair == [white, black] || *pair == [black, white])?;
        if turn > 1 || game >= self.games_per_pair {
            return None;
        }
        let number = GameNumber(pair as u64 * u64::from(self.games_per_pair) + u64::from(game));
        Some(self.pairing(number)).filter(|pairing| pairing.white == white)
    }

    /// Where a game begins.
    pub fn start(&self, pairing: &Pairing) -> &Game {
        &self.openings[pairing.opening]
    }

    /// A game's round: the place of its opening among the pair's, a point, and 1 or 2 for its turn.
    pub fn round(&self, pairing: &Pairing) -> String {
        let game = pairing.number.0 % u64::from(self.games_per_pair);
        format!("{}.{}", game / 2 + 1, pairing.turn + 1)
    }
}

impl Pairing {
    /// Who has `color`.
    pub fn player(&self, color: Color) -> PlayerIndex {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}
