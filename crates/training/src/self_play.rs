//! The games that self-play plays side by side.

use chess::{EncodingError, Ending, Game, HistoryFill, InputFormat, Outcome, Planes, Rules};
use network::{EncodedPosition, Outputs};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::config::{FinetuneConfig, PlyCapOutcome};
use crate::start::Start;

mod record;

pub(crate) use record::GameRecord;

/// One of the games played side by side; it starts anew whenever it ends.
#[derive(Clone, Debug)]
pub(crate) struct LiveGame {
    /// The game, which is not over.
    pub(crate) game: Game,
    /// Its first plies that were not played but drawn from a book.
    pub(crate) opening_plies: u32,
    /// Its position, as the network sees it.
    pub(crate) position: EncodedPosition,
    /// All randomness of this game and of those that follow in its place. As no other game draws
    /// from it, its moves do not depend on the order in which games are served.
    pub(crate) generator: ChaCha8Rng,
    /// Plies that are still to be played ahead, before the first step.
    pub(crate) warm_start_plies: u32,
}

/// What a move led to.
#[derive(Clone, Debug)]
pub(crate) enum Successor {
    /// The game goes on from here.
    Live(Box<Planes>),
    /// The game is over.
    Ended(Box<FinishedGame>),
    /// The game is cut off here, although it could go on.
    Cut(Box<Planes>, Box<FinishedGame>),
}

/// A game that has come to its end.
#[derive(Clone, Debug)]
pub(crate) struct FinishedGame {
    /// All of it.
    pub(crate) game: Game,
    /// Its first plies that were not played but drawn from a book.
    pub(crate) opening_plies: u32,
    /// Why it is over.
    pub(crate) ending: Ending,
    /// Its result; none where it was cut off.
    pub(crate) outcome: Option<Outcome>,
}

/// What all games have in common.
#[derive(Clone, Debug)]
pub(crate) struct PoolRules {
    rules: Rules,
    ply_cap_outcome: PlyCapOutcome,
    start: Start,
    format: InputFormat,
    fill: HistoryFill,
}

/// N games side by side.
#[derive(Clone, Debug)]
pub(crate) struct GamePool {
    games: Vec<LiveGame>,
    rules: PoolRules,
}

impl PoolRules {
    /// The rules of a run.
    pub(crate) fn new(config: &FinetuneConfig, start: Start, format: InputFormat) -> Self {
        Self {
            rules: config.rules(),
            ply_cap_outcome: config.ply_cap_outcome,
            start,
            format,
            fill: config.history_fill,
        }
    }

    /// Where games start.
    pub(crate) fn start(&self) -> &Start {
        &self.start
    }

    /// Why a game is over now, or `None` if it goes on.
    pub(crate) fn ending(&self, game: &Game) -> Option<Ending> {
        game.ending(&self.rules)
    }

    /// A game's position, as the network sees it.
    pub(crate) fn encode(&self, game: &Game) -> Result<EncodedPosition, EncodingError> {
        EncodedPosition::new(game, self.format, self.fill)
    }

    /// The result of a game that is over by `ending`, unless it is only cut off.
    fn outcome(&self, ending: Ending) -> Option<Outcome> {
        match (ending, self.ply_cap_outcome) {
            (Ending::PlyCap, PlyCapOutcome::Bootstrap) => None,
            _ => Some(ending.outcome()),
        }
    }
}

impl Successor {
    /// What the network sees where the move is worth what it makes of it, not a result.
    pub(crate) fn planes(&self) -> Option<&Planes> {
        match self {
            Self::Live(planes) | Self::Cut(planes, _) => Some(planes),
            Self::Ended(_) => None,
        }
    }

    /// The game that came to its end.
    pub(crate) fn finished(&self) -> Option<&FinishedGame> {
        match self {
            Self::Live(_) => None,
            Self::Ended(finished) | Self::Cut(_, finished) => Some(finished),
        }
    }
}

impl GamePool {
    /// Games at their start, with their warm starts drawn but not played.
    pub(crate) fn new(config: &FinetuneConfig, rules: PoolRules) -> Result<Self, EncodingError> {
        let games = (0..config.games as u64).into_par_iter().map(|number| {
            let mut generator = ChaCha8Rng::seed_from_u64(config.seed);
            generator.set_stream(number);
            let warm_start_plies = 2 * generator.random_range(0..=config.warm_start_moves);
            let game = rules.start.draw(&mut generator);
            let position = rules.encode(&game)?;
            let opening_plies = game.ply();
            Ok(LiveGame { game, opening_plies, position, generator, warm_start_plies })
        });
        Ok(Self { games: games.collect::<Result<_, _>>()?, rules })
    }

    /// The games.
    pub(crate) fn games(&self) -> &[LiveGame] {
        &self.games
    }

    /// The games, to draw from their generators.
    pub(crate) fn games_mut(&mut self) -> &mut [LiveGame] {
        &mut self.games
    }

    /// Input planes of all games' positions.
    pub(crate) fn planes(&self) -> Vec<Planes> {
        self.games.iter().map(|live| live.position.planes.clone()).collect()
    }

    /// Plays one move in each game, given as indices among the legal moves, and says what became
    /// of it. A game that ends starts anew.
    pub(crate) fn play(&mut self, actions: &[usize]) -> Result<Vec<Successor>, EncodingError> {
        assert_eq!(actions.len(), self.games.len(), "one move for each game");
        let rules = &self.rules;
        let games = self.games.par_iter_mut().zip(actions);
        games.map(|(live, &action)| live.play(action, rules)).collect()
    }

    /// The longest warm start that is left, in plies.
    pub(crate) fn warm_start_plies(&self) -> u32 {
        self.games.iter().map(|live| live.warm_start_plies).max().unwrap_or(0)
    }

    /// The games whose warm start is not over, and the rules to play them by.
    pub(crate) fn in_warm_start(&mut self) -> (Vec<&mut LiveGame>, &PoolRules) {
        let games = self.games.iter_mut().filter(|live| live.warm_start_plies > 0);
        (games.collect(), &self.rules)
    }
}

impl LiveGame {
    /// The legal moves' logits out of row `row` of a network's outputs.
    pub(crate) fn logits(&self, outputs: &Outputs, row: usize) -> Vec<f32> {
        let policy = outputs.policy_of(row);
        self.position.moves.iter().map(|(index, _)| policy[index.get()]).collect()
    }

    /// Plays a legal move, given by its index among them. A game that ends starts anew.
    pub(crate) fn play(
        &mut self,
        action: usize,
        rules: &PoolRules,
    ) -> Result<Successor, EncodingError> {
        let (_, chosen) = self.position.moves[action];
        self.game.play(chosen).expect("the encoded moves are the legal ones");
        let Some(ending) = rules.ending(&self.game) else {
            self.position = rules.encode(&self.game)?;
            return Ok(Successor::Live(Box::new(self.position.planes.clone())));
        };
        let outcome = rules.outcome(ending);
        let cut_off = match outcome {
            None => Some(Box::new(rules.encode(&self.game)?.planes)),
            Some(_) => None,
        };
        let game = std::mem::replace(&mut self.game, rules.start.draw(&mut self.generator));
        let opening_plies = std::mem::replace(&mut self.opening_plies, self.game.ply());
        self.position = rules.encode(&self.game)?;
        let finished = Box::new(FinishedGame { game, opening_plies, ending, outcome });
        Ok(match cut_off {
            Some(planes) => Successor::Cut(planes, finished),
            None => Successor::Ended(finished),
        })
    }
}
