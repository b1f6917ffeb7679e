//! Games in which a network draws its moves against itself.

#[cfg(test)]
mod tests;

use std::num::NonZeroU32;

use chess::{Ending, Game, OpeningBook, Rules};
use network::{Evaluation, EvaluationError, Evaluator};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::Sampling;

/// Games played side by side: bounds the memory of many games.
const SIDE_BY_SIDE: usize = 256;

/// Which games are played.
#[derive(Clone, Copy, Debug)]
pub struct SampledPlay<'a> {
    /// How both sides draw their moves.
    pub sampling: Sampling,
    /// How many.
    pub games: NonZeroU32,
    /// Plies played in a game after which it is a draw; those of an opening do not count.
    pub ply_cap: NonZeroU32,
    /// Openings, of which each game draws one; `None` for the initial position.
    pub openings: Option<&'a OpeningBook>,
    /// Seed of all draws. Each game has its own stream of random numbers, from which it draws its
    /// opening first: the n-th game has the same opening whoever plays it.
    pub seed: u64,
}

/// A position in which a move is to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a> {
    /// The number of the game, from 0.
    pub number: usize,
    /// The game so far.
    pub game: &'a Game,
    /// What the network says of the position.
    pub evaluation: &'a Evaluation,
}

/// A game that was played to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// Plies that were played; those of the opening do not count.
    pub plies: u32,
    /// Why it is over.
    pub ending: Ending,
}

struct LiveGame {
    number: usize,
    game: Game,
    opening_plies: u32,
    generator: ChaCha8Rng,
}

impl SampledPlay<'_> {
    /// Plays the games and returns them in their order.
    ///
    /// Before moves are drawn, `visit` sees the positions of all games that are under way. How
    /// games are put together there is not specified, but nothing of a game depends on it.
    ///
    /// # Errors
    ///
    /// Where the network cannot evaluate a position, and those of `visit`.
    pub fn play<E: From<EvaluationError>>(
        &self,
        evaluator: &Evaluator,
        mut visit: impl FnMut(&[Visit<'_>]) -> Result<(), E>,
    ) -> Result<Vec<FinishedGame>, E> {
        let games = self.games.get() as usize;
        let mut waiting = (0..games).map(|number| self.start(number));
        let mut live: Vec<LiveGame> = waiting.by_ref().take(SIDE_BY_SIDE).collect();
        let mut finished = vec![None; games];
        while !live.is_empty() {
            let positions: Vec<&Game> = live.iter().map(|live| &live.game).collect();
            let evaluations = evaluator.evaluate(&positions)?;
            let visits: Vec<Visit<'_>> = live
                .iter()
                .zip(&evaluations)
                .map(|(LiveGame { number, game, .. }, evaluation)| Visit {
                    number: *number,
                    game,
                    evaluation,
                })
                .collect();
            visit(&visits)?;
            for (game, (live, evaluation)) in live.iter_mut().zip(&evaluations).enumerate() {
                let policy = self
                    .sampling
                    .policy(evaluation)
                    .map_err(|source| EvaluationError::NonFinite { game, source })?;
                let (_, drawn) = evaluation.moves[policy.sample(&mut live.generator)];
                live.game.play(drawn).expect("the moves of an evaluation are legal");
                finished[live.number] = self.finished(live);
            }
            live.retain(|live| finished[live.number].is_none());
            live.extend(waiting.by_ref().take(SIDE_BY_SIDE - live.len()));
        }
        Ok(finished.into_iter().map(|game| game.expect("all games are played")).collect())
    }

    fn start(&self, number: usize) -> LiveGame {
        let mut generator = ChaCha8Rng::seed_from_u64(self.seed);
        generator.set_stream(number as u64);
        let game = self.openings.map_or_else(Game::new, |book| book.sample(&mut generator).game());
        LiveGame { number, opening_plies: game.ply(), game, generator }
    }

    fn finished(&self, live: &LiveGame) -> Option<FinishedGame> {
        let ply_cap = live.opening_plies.saturating_add(self.ply_cap.get());
        let ending = live.game.ending(&Rules { ply_cap: Some(ply_cap) })?;
        Some(FinishedGame { plies: live.game.ply() - live.opening_plies, ending })
    }
}
