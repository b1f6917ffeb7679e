//! Policy shape: how concentrated a network is in the positions that it reaches, and how far it is
//! from its base there (paper, Section 3.4 and Table 5).

#[cfg(test)]
mod tests;

use std::sync::Arc;

use chess::{Move, MoveIndex};
use network::{Evaluation, EvaluationError, Evaluator};
use policy::{MovePolicy, PolicyError, Temperature, adaptive_temperature, forward_kl, reverse_kl};

use crate::play::{FinishedGame, SampledPlay, Visit};
use crate::{Cluster, Estimate};

/// Moves of the base whose mass is looked at: the paper's `cov_5`.
pub const TOP_MOVES: usize = 5;

/// Games start in positions in which they are not over, and there is at least one.
const EVERY_GAME_HAS_A_MOVE: &str = "every game has a move";

/// Shape of a distribution `p` over moves, as means over positions. Standard errors take the
/// positions of a game to depend on each other, and games not to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyShape {
    /// `H(p)` in nats.
    pub entropy: Estimate,
    /// `KL(base||p)` in nats.
    ///
    /// Infinite where `p` gives no probability to a move of the base. A tempered policy does so at
    /// temperature 0, and near it the divergence grows like 1/tau without bound: a few decided
    /// positions make up the mean, which the median is not moved by.
    pub forward_kl: Estimate,
    /// The median of `KL(base||p)` over all positions.
    pub median_forward_kl: f64,
    /// `KL(p||base)` in nats.
    pub reverse_kl: Estimate,
    /// The mass that `p` puts on the [`TOP_MOVES`] moves most probable to the base, in `[0, 1]`.
    pub top_five: Estimate,
}

/// The shape of a network in the positions that it reaches when it plays itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Positions in which a move was drawn.
    pub positions: u64,
    /// The distribution from which moves were drawn: what the paper's Table 5 shows.
    pub played: PolicyShape,
    /// The network's raw policy in the same positions; `played` itself where that was drawn from.
    pub raw: PolicyShape,
    /// The entropy of the network's outcome in nats, at which the tempered policy is sampled, in
    /// `[0, ln 3]`.
    pub temperature: Estimate,
    /// The games.
    pub games: Vec<FinishedGame>,
}

/// Measures the shape of `player` in the positions that it reaches in `play`, against the raw
/// policy of `base`. `observe` is told how many positions are done.
///
/// # Errors
///
/// Where one of the two networks cannot evaluate a position.
pub fn shape(
    base: &Evaluator,
    player: &Evaluator,
    play: &SampledPlay<'_>,
    mut observe: impl FnMut(u64),
) -> Result<Shape, EvaluationError> {
    let mut sums = vec![GameSums::default(); play.games.get() as usize];
    let mut positions = 0;
    let is_base = Arc::ptr_eq(base.engine(), player.engine());
    let games = play.play(player, |visits: &[Visit<'_>]| {
        let games: Vec<_> = visits.iter().map(|visit| visit.game).collect();
        // The base playing itself is not asked twice.
        let of_base = if is_base { None } else { Some(base.evaluate(&games)?) };
        for (game, visit) in visits.iter().enumerate() {
            let base = of_base.as_ref().map_or(visit.evaluation, |all| &all[game]);
            sums[visit.number]
                .add(base, visit.evaluation, play)
                .map_err(|source| EvaluationError::NonFinite { game, source })?;
        }
        positions += visits.len() as u64;
        observe(positions);
        Ok::<(), EvaluationError>(())
    })?;
    let temperatures = sums.iter().map(|game| game.temperature);
    Ok(Shape {
        positions,
        played: PolicyShape::of(sums.iter().map(|game| &game.played)),
        raw: PolicyShape::of(sums.iter().map(|game| &game.raw)),
        temperature: Estimate::of_clusters(temperatures).expect(EVERY_GAME_HAS_A_MOVE),
        games,
    })
}

impl PolicyShape {
    fn of<'a>(games: impl Iterator<Item = &'a PolicySums> + Clone) -> Self {
        let estimate = |of: fn(&PolicySums) -> Cluster| {
            Estimate::of_clusters(games.clone().map(of)).expect(EVERY_GAME_HAS_A_MOVE)
        };
        Self {
            entropy: estimate(|game| game.entropy),
            forward_kl: estimate(|game| game.forward_kl),
            median_forward_kl: median(games.clone().flat_map(|game| &game.forward_kls)),
            reverse_kl: estimate(|game| game.reverse_kl),
            top_five: estimate(|game| game.top_five),
        }
    }
}

/// Sums over the positions of a game.
#[derive(Clone, Debug, Default)]
struct GameSums {
    played: PolicySums,
    raw: PolicySums,
    temperature: Cluster,
}

#[derive(Clone, Debug, Default)]
struct PolicySums {
    entropy: Cluster,
    forward_kl: Cluster,
    /// Each of them, for the median.
    forward_kls: Vec<f64>,
    reverse_kl: Cluster,
    top_five: Cluster,
}

impl GameSums {
    fn add(
        &mut self,
        base: &Evaluation,
        player: &Evaluation,
        play: &SampledPlay<'_>,
    ) -> Result<(), PolicyError> {
        let logits = logits_in_order_of(base, player);
        let policy = |temperature| MovePolicy::from_logits(&logits, temperature);
        let base = base.policy(Temperature::ONE)?;
        self.played.add(&base, &policy(play.sampling.temperature(player))?);
        self.raw.add(&base, &policy(Temperature::ONE)?);
        self.temperature.add(adaptive_temperature(&player.wdl()).get());
        Ok(())
    }
}

impl PolicySums {
    fn add(&mut self, base: &MovePolicy, policy: &MovePolicy) {
        let forward = forward_kl(base, policy);
        self.entropy.add(policy.entropy());
        self.forward_kl.add(forward);
        self.forward_kls.push(forward);
        self.reverse_kl.add(reverse_kl(base, policy));
        let top = base.top(TOP_MOVES).into_iter();
        self.top_five.add(top.map(|index| policy.probability(index)).sum::<f64>().min(1.0));
    }
}

/// The player's logits in the order in which the base lists the legal moves: networks of input
/// formats that turn the board differ in the indices of moves, and so in their order.
fn logits_in_order_of(base: &Evaluation, player: &Evaluation) -> Vec<f32> {
    let same = |((_, base), (_, player)): (&(_, Move), &(_, Move))| base == player;
    if base.moves.iter().zip(&player.moves).all(same) {
        return player.logits.clone();
    }
    let logit = |&(_, wanted): &(MoveIndex, Move)| {
        let place = player.moves.iter().position(|(_, listed)| *listed == wanted);
        player.logits[place.expect("both list the legal moves of one position")]
    };
    base.moves.iter().map(logit).collect()
}

/// The middle value, or the mean of the two in the middle.
fn median<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    let mut values: Vec<f64> = values.copied().collect();
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values[middle]
    } else {
        f64::midpoint(values[middle - 1], values[middle])
    }
}
