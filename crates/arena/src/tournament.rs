//! All games of a tournament, played side by side.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chess::{Color, Game, Rules};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use uci_engine::{EngineError, SearchLimit};

use crate::engine_pool::{Answer, EnginePool, Seat};
use crate::player::{ChoiceError, EngineLimit, NetworkPlayer, Player, PlayerKind};
use crate::record::{Fault, FaultKind, GameEnd, PlayedGame};
use crate::schedule::{GameNumber, Pairing, PlayerIndex, Schedule};

#[cfg(test)]
mod tests;

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// The rules that end games.
    pub rules: Rules,
    /// Seed of all sampled moves; each game has a generator of its own.
    pub seed: u64,
    /// Games side by side between networks, at least 1: the most that a network evaluates at once.
    pub games: NonZeroUsize,
    /// Processes of each engine.
    pub processes: NonZeroUsize,
    /// How long an engine without a clock may take for a move beyond its limit.
    pub patience: Duration,
}

/// Why a tournament broke off.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError<E> {
    /// An engine cannot be started at the beginning. (Later that forfeits games.)
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A network cannot choose a move.
    #[error("player {player}: {source}")]
    Network {
        /// Its name.
        player: String,
        /// What is wrong.
        source: ChoiceError,
    },
    /// A game cannot be recorded.
    #[error(transparent)]
    Record(E),
}

/// What an engine's clock may be overdrawn by, since it is measured from outside.
const MARGIN: Duration = Duration::from_millis(50);

/// How often to look whether to stop while only engines think.
const GLANCE: Duration = Duration::from_millis(100);

/// Plays those games of the schedule that `is_done` does not know, and gives each to `record` as
/// it ends. Games between networks depend on their number and the seed alone, not on what is
/// played beside them. Once `stop` is true, games under way are given up.
///
/// # Errors
///
/// [`TournamentError`]. What an engine does during a game is none: it forfeits the game.
pub fn play<E>(
    players: &[Player],
    schedule: &Schedule,
    conditions: &Conditions,
    is_done: impl Fn(GameNumber) -> bool,
    stop: &AtomicBool,
    mut record: impl FnMut(PlayedGame) -> Result<(), E>,
) -> Result<(), TournamentError<E>> {
    let engines: Vec<_> = players
        .iter()
        .enumerate()
        .filter_map(|(index, player)| {
            player.engine().map(|engine| (PlayerIndex(index), &engine.command))
        })
        .collect();
    std::thread::scope(|scope| {
        let pool = EnginePool::start(&engines, conditions.processes, scope)?;
        let mut table = Table { players, schedule, conditions, pool, live: BTreeMap::new() };
        let mut waiting: Vec<Pairing> =
            schedule.pairings().filter(|pairing| !is_done(pairing.number)).collect();
        // Taken from the end.
        waiting.reverse();
        loop {
            table.begin(&mut waiting);
            if table.live.is_empty() || stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let moved = table.networks_move()?;
            table.ask_engines();
            table.engines_move(if moved { Duration::ZERO } else { GLANCE });
            for played in table.ended() {
                record(played).map_err(TournamentError::Record)?;
            }
        }
    })
}

/// Games under way.
struct Table<'a> {
    players: &'a [Player],
    schedule: &'a Schedule,
    conditions: &'a Conditions,
    pool: EnginePool,
    live: BTreeMap<GameNumber, LiveGame>,
}

/// A game under way.
struct LiveGame {
    pairing: Pairing,
    game: Game,
    generator: ChaCha8Rng,
    /// What plays for White and for Black, where it is an engine.
    seats: [Option<Seat>; 2],
    /// Whether each seat knows the game.
    introduced: [bool; 2],
    /// What each side has left, where it has a clock.
    clocks: [Option<Duration>; 2],
    /// Whether an engine has been asked.
    asked: bool,
    end: Option<GameEnd>,
}

impl Table<'_> {
    /// Begins games while there is place for them.
    fn begin(&mut self, waiting: &mut Vec<Pairing>) {
        let most = self.conditions.games.get();
        let mut passed_over = Vec::new();
        let mut between_networks = self.live.values().filter(|live| !live.has_engine()).count();
        // When no process is free there is no place for any game with an engine.
        while let Some(pairing) = waiting.pop() {
            let engines: Vec<PlayerIndex> = [pairing.white, pairing.black]
                .into_iter()
                .filter(|player| self.players[player.0].engine().is_some())
                .collect();
            let seats = if engines.is_empty() {
                (between_networks < most).then(Vec::new)
            } else {
                self.pool.take(&engines)
            };
            match seats {
                Some(seats) => {
                    between_networks += usize::from(seats.is_empty());
                    let live = self.new_game(pairing, &seats);
                    self.live.insert(live.pairing.number, live);
                }
                None => passed_over.push(pairing),
            }
            let no_place = between_networks >= most && !self.pool.has_free();
            if no_place || passed_over.len() > LOOKED_AT {
                break;
            }
        }
        waiting.extend(passed_over.into_iter().rev());
    }

    fn new_game(&self, pairing: Pairing, seats: &[Seat]) -> LiveGame {
        let mut generator = ChaCha8Rng::seed_from_u64(self.conditions.seed);
        generator.set_stream(pairing.number.0);
        let mut seats = seats.iter().copied();
        let players = [pairing.white, pairing.black];
        let engines = players.map(|player| self.players[player.0].engine());
        LiveGame {
            end: self.schedule.start(&pairing).ending(&self.conditions.rules).map(GameEnd::Rule),
            game: self.schedule.start(&pairing).clone(),
            generator,
            seats: engines.map(|engine| engine.and_then(|_| seats.next())),
            introduced: [false; 2],
            clocks: engines.map(|engine| match engine?.limit {
                EngineLimit::Move(_) => None,
                EngineLimit::Clock { base, .. } => Some(base),
            }),
            asked: false,
            pairing,
        }
    }

    /// Lets every network move in all games in which it is to move; whether any was.
    fn networks_move<E>(&mut self) -> Result<bool, TournamentError<E>> {
        let mut moved = false;
        for (index, player) in self.players.iter().enumerate() {
            let PlayerKind::Network(NetworkPlayer { evaluator, choice }) = &player.kind else {
                continue;
            };
            let mut to_move: Vec<&mut LiveGame> = self
                .live
                .values_mut()
                .filter(|live| live.end.is_none() && live.to_move() == PlayerIndex(index))
                .collect();
            if to_move.is_empty() {
                continue;
            }
            moved = true;
            let (games, mut generators): (Vec<&Game>, Vec<&mut ChaCha8Rng>) = to_move
                .iter_mut()
                .map(|live| {
                    let LiveGame { game, generator, .. } = &mut **live;
                    (&*game, generator)
                })
                .unzip();
            let moves =
                choice.choose(evaluator, &games, &mut generators, &self.conditions.rules).map_err(
                    |source| TournamentError::Network { player: player.name.clone(), source },
                )?;
            for (live, played) in to_move.into_iter().zip(moves) {
                live.game.play(played).expect("networks choose among the legal moves");
                live.end = live.game.ending(&self.conditions.rules).map(GameEnd::Rule);
            }
        }
        Ok(moved)
    }

    /// Asks the engines that are to move and have not been asked.
    fn ask_engines(&mut self) {
        for live in self.live.values_mut() {
            let side = usize::from(live.game.turn().is_black());
            let Some(seat) = live.seats[side].filter(|_| !live.asked && live.end.is_none()) else {
                continue;
            };
            let player = &self.players[live.to_move().0];
            let engine = player.engine().expect("only engines have seats");
            let margin = self.conditions.patience;
            let (limit, patience) = match engine.limit {
                EngineLimit::Move(SearchLimit::MoveTime(time)) => {
                    (SearchLimit::MoveTime(time), time + margin)
                }
                EngineLimit::Move(limit) => (limit, margin),
                EngineLimit::Clock { increment, .. } => {
                    // An opponent without a clock is shown as having one like this.
                    let own = live.clocks[side].expect("a player with a clock");
                    let [white, black] = live.clocks.map(|clock| clock.unwrap_or(own));
                    (SearchLimit::Clock { white, black, increment }, own + margin)
                }
            };
            let is_new = !std::mem::replace(&mut live.introduced[side], true);
            self.pool.ask(seat, live.pairing.number, is_new, &live.game, limit, patience);
            live.asked = true;
        }
    }

    /// Plays the moves that engines have answered with.
    fn engines_move(&mut self, patience: Duration) {
        if !self.live.values().any(|live| live.asked) {
            return;
        }
        let mut patience = patience;
        while let Some(Answer { number, played }) = self.pool.answer(patience) {
            patience = Duration::ZERO;
            let live = self.live.get_mut(&number).expect("a game lives while it is asked about");
            live.asked = false;
            let loser = live.game.turn();
            let increment =
                self.players[live.to_move().0].engine().and_then(|engine| match engine.limit {
                    EngineLimit::Move(_) => None,
                    EngineLimit::Clock { increment, .. } => Some(increment),
                });
            let played = played.and_then(|(played, time)| {
                live.spend(loser, time, increment)?;
                Ok(played)
            });
            live.end = match played {
                Err(fault) => Some(GameEnd::Forfeit { loser, fault }),
                Ok(played) => {
                    live.game.play(played).expect("engines' moves are checked");
                    live.game.ending(&self.conditions.rules).map(GameEnd::Rule)
                }
            };
        }
    }

    /// Takes away the games that are over.
    fn ended(&mut self) -> Vec<PlayedGame> {
        let over: Vec<GameNumber> = self
            .live
            .iter()
            .filter(|(_, live)| live.end.is_some())
            .map(|(number, _)| *number)
            .collect();
        over.into_iter()
            .map(|number| {
                let live = self.live.remove(&number).expect("just found");
                live.seats.into_iter().flatten().for_each(|seat| self.pool.give_back(seat));
                let end = live.end.expect("just found");
                PlayedGame { pairing: live.pairing, game: live.game, end }
            })
            .collect()
    }
}

/// Games that are passed over in the search for one that there is place for.
const LOOKED_AT: usize = 4096;

impl LiveGame {
    fn has_engine(&self) -> bool {
        self.seats.iter().any(Option::is_some)
    }

    fn to_move(&self) -> PlayerIndex {
        self.pairing.player(self.game.turn())
    }

    /// Takes the time of a move from a clock.
    fn spend(
        &mut self,
        color: Color,
        time: Duration,
        increment: Option<Duration>,
    ) -> Result<(), Fault> {
        let side = usize::from(color.is_black());
        let (Some(clock), Some(increment)) = (self.clocks[side], increment) else { return Ok(()) };
        if time > clock + MARGIN {
            let words = format!(
                "took {:.2} s with {:.2} s on the clock",
                time.as_secs_f64(),
                clock.as_secs_f64()
            );
            return Err(Fault { kind: FaultKind::Time, words });
        }
        self.clocks[side] = Some(clock.saturating_sub(time) + increment);
        Ok(())
    }
}
