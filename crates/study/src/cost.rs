//! About how long the parts of a study take.

/// Positions that a step of training learns from in the time in which one forward pass evaluates
/// 100: measured with a transformer of 2.3 million weights on two cores, about 1,500 and 400 a
/// second.
const TRAINING_SHARE: f64 = 0.27;
/// Positions of a puzzle in which the solver is to move (the paper's uniform suite has 231,739 in
/// 100,000 puzzles; mates and hard puzzles have more).
const POSITIONS_OF_A_PUZZLE: f64 = 2.5;
/// Plies of a game by argmax.
const PLIES_OF_A_GAME: f64 = 120.0;
/// Plies of a game of sampled moves.
const PLIES_OF_A_SAMPLED_GAME: f64 = 150.0;
/// Plies that a game is played ahead before the first step, on average.
const PLIES_OF_A_WARM_START: f64 = 60.0;
/// Legal moves of a position in a tabiya.
const MOVES_OF_A_TABIYA: f64 = 35.0;
/// Sequences of 0, 1, 2 and 3 moves from the initial position.
const INITIAL_SEQUENCES: [f64; 4] = [1.0, 20.0, 400.0, 8_902.0];
/// Seconds for starting a program and reading a network.
const START: f64 = 0.2;
/// Seconds of the proof of a mate, on average over its lengths.
const PROOF: f64 = 0.02;

/// How fast a network is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// Positions that it evaluates in a second.
    pub(crate) rate: f64,
}

impl Cost {
    /// Starting a program that reads so many networks.
    pub(crate) fn start(networks: usize) -> f64 {
        START * (networks + 1) as f64
    }

    /// Runs of self-play: a forward pass of the trained network, one of its average, one pass of
    /// learning.
    pub(crate) fn self_play(self, runs: usize, steps: u64, games: u64) -> f64 {
        let learnt = (steps * games) as f64;
        let warm_start = games as f64 * PLIES_OF_A_WARM_START / self.rate;
        runs as f64 * (learnt * (2.0 / self.rate + 1.0 / self.training_rate()) + warm_start)
    }

    /// A run of supervised training.
    pub(crate) fn supervised(self, steps: u64, batch: u64) -> f64 {
        (steps * batch) as f64 / self.training_rate()
    }

    /// Puzzles.
    pub(crate) fn puzzles(self, networks: usize, puzzles: u64) -> f64 {
        networks as f64 * puzzles as f64 * POSITIONS_OF_A_PUZZLE / self.rate
    }

    /// Proofs of all moves that keep a mate, of so many puzzles.
    pub(crate) fn mates(puzzles: u64) -> f64 {
        puzzles as f64 * PROOF
    }

    /// Trajectories from the initial position and some tabiyas.
    pub(crate) fn coverage(self, networks: usize, tabiyas: usize, depth: u64) -> f64 {
        let depth = depth.min(INITIAL_SEQUENCES.len() as u64) as usize;
        let initial: f64 = INITIAL_SEQUENCES[..depth].iter().sum();
        let tabiya: f64 = (0..depth as i32).map(|moves| MOVES_OF_A_TABIYA.powi(moves)).sum();
        networks as f64 * (initial + tabiyas as f64 * tabiya) / self.rate
    }

    /// Games by argmax.
    pub(crate) fn games(self, games: u64) -> f64 {
        games as f64 * PLIES_OF_A_GAME / self.rate
    }

    /// Games of sampled moves.
    pub(crate) fn sampled_games(self, games: u64) -> f64 {
        games as f64 * PLIES_OF_A_SAMPLED_GAME / self.rate
    }

    /// Single positions.
    pub(crate) fn positions(self, positions: u64) -> f64 {
        positions as f64 / self.rate
    }

    fn training_rate(self) -> f64 {
        TRAINING_SHARE * self.rate
    }
}
