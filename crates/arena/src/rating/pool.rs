//! Results as the model sees them.

use std::collections::HashMap;

use super::results::Results;
use super::score::Score;

/// Players by name, and for each its opponents.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    /// Sorted, so that nothing depends on the order of the games.
    pub(super) names: Vec<String>,
    /// By player; opponents ascend.
    pub(super) opponents: Vec<Vec<Opponent>>,
}

/// The games of a player against one opponent.
#[derive(Clone, Debug)]
pub(super) struct Opponent {
    pub(super) player: usize,
    /// What was played, with both colours, as the player sees it.
    pub(super) score: Score,
    /// The games in which the player has White, the prior's included.
    pub(super) white: Counts,
    /// The games in which the player has Black, the prior's included.
    pub(super) black: Counts,
}

/// Results as White and Black have them, fractions of virtual games included.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) white_wins: f64,
    pub(super) draws: f64,
    pub(super) black_wins: f64,
}

impl Pool {
    /// The results, with the virtual draws of the prior.
    pub(super) fn new(results: &Results, prior_draws: f64) -> Pool {
        let names: Vec<String> = results.names().into_iter().map(str::to_owned).collect();
        let index: HashMap<&str, usize> =
            names.iter().enumerate().map(|(index, name)| (name.as_str(), index)).collect();
        let mut met: Vec<HashMap<usize, Opponent>> = vec![HashMap::new(); names.len()];
        for (white, black, score) in results.pairings() {
            let (white, black) = (index[white], index[black]);
            let counts = Counts {
                white_wins: score.wins as f64,
                draws: score.draws as f64,
                black_wins: score.losses as f64,
            };
            let of_white = met[white].entry(black).or_insert_with(|| Opponent::new(black));
            of_white.white = counts;
            of_white.score += score;
            let of_black = met[black].entry(white).or_insert_with(|| Opponent::new(white));
            of_black.black = counts;
            of_black.score += score.reversed();
        }
        let sorted = |opponents: HashMap<usize, Opponent>| {
            let mut opponents: Vec<Opponent> = opponents.into_values().collect();
            opponents.sort_unstable_by_key(|opponent| opponent.player);
            opponents
        };
        let mut pool = Pool { opponents: met.into_iter().map(sorted).collect(), names };
        pool.add_prior(prior_draws);
        pool
    }

    /// The games of a player against all of its opponents.
    pub(super) fn score(&self, player: usize) -> Score {
        let mut total = Score::default();
        self.opponents[player].iter().for_each(|opponent| total += opponent.score);
        total
    }

    /// Each player plays half of the virtual draws, half of these with each colour, against its
    /// opponents in proportion to their games.
    fn add_prior(&mut self, prior_draws: f64) {
        let games: Vec<u64> =
            (0..self.names.len()).map(|player| self.score(player).games()).collect();
        for (player, opponents) in self.opponents.iter_mut().enumerate() {
            for opponent in opponents {
                let share = |of: usize| opponent.score.games() as f64 / games[of] as f64;
                let draws = prior_draws / 4.0 * (share(player) + share(opponent.player));
                opponent.white.draws += draws;
                opponent.black.draws += draws;
            }
        }
    }
}

impl Opponent {
    fn new(player: usize) -> Opponent {
        let (white, black) = (Counts::default(), Counts::default());
        Opponent { player, score: Score::default(), white, black }
    }
}
