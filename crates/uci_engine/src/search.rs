//! What is asked of an engine, and what it answers.

use std::time::Duration;

use chess::Move;

use crate::score::{Bound, Score};

/// When an engine has to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchLimit {
    /// After so many nodes.
    Nodes(u64),
    /// At this depth.
    Depth(u32),
    /// After this time.
    MoveTime(Duration),
    /// Its clock runs.
    Clock {
        /// What White has left.
        white: Duration,
        /// What Black has left.
        black: Duration,
        /// What each gains by a move.
        increment: Duration,
    },
}

/// An engine's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The move it plays; legal.
    pub best: Move,
    /// Its principal variations, best first, each at the last depth for which it was given; empty
    /// for an engine that says nothing.
    pub variations: Vec<Variation>,
    /// Nodes, where it counts them.
    pub nodes: Option<u64>,
    /// Nodes at which it came upon `best` and stayed with it: at the first of the lines without
    /// another first move of the best variation behind it. `None` where it does not count them, or
    /// plays another move than that of its best variation.
    pub settled: Option<u64>,
}

/// One of the lines of an engine that shows several (`MultiPV`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// Its first move; legal.
    pub first: Move,
    /// How good it is.
    pub score: Score,
    /// Whether that is only a bound.
    pub bound: Bound,
    /// Wins, draws and losses in a thousand, from the mover's view, where the engine says so
    /// (`UCI_ShowWDL`).
    pub wdl: Option<[u16; 3]>,
    /// Plies to which it was searched.
    pub depth: u32,
}

impl SearchLimit {
    /// The command that begins a search.
    pub(crate) fn go(self) -> String {
        match self {
            SearchLimit::Nodes(nodes) => format!("go nodes {nodes}"),
            SearchLimit::Depth(depth) => format!("go depth {depth}"),
            SearchLimit::MoveTime(time) => format!("go movetime {}", time.as_millis()),
            SearchLimit::Clock { white, black, increment } => {
                let [white, black, increment] =
                    [white, black, increment].map(|time| time.as_millis());
                format!("go wtime {white} btime {black} winc {increment} binc {increment}")
            }
        }
    }
}
