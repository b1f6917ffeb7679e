//! How a match goes.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use arena::{PlayerIndex, Standings};

use super::table;
use crate::progress::Progress;

/// Between two tables.
const REFRESH: Duration = Duration::from_secs(5);

/// Progress with the running score; tables where they are wanted.
pub(super) struct Live {
    progress: Progress,
    tables: bool,
    last_table: Option<Instant>,
}

impl Live {
    /// Of `games` in all, of which so many were played before.
    pub(super) fn new(games: u64, before: u64, tables: bool) -> Live {
        let mut progress = Progress::new("arena", "games", Some(games));
        progress.start_at(before);
        Live { progress, tables, last_table: None }
    }

    /// Shows how it stands.
    pub(super) fn show(&mut self, standings: &Standings, names: &[&str]) {
        self.progress.report(standings.games, &leader(standings, names));
        let is_due = self.last_table.is_none_or(|last| last.elapsed() >= REFRESH);
        if self.tables && is_due {
            self.last_table = Some(Instant::now());
            // On a terminal each table takes the place of the one before.
            let clear = if std::io::stderr().is_terminal() { "\x1b[2J\x1b[H" } else { "" };
            self.progress.say(&format!("{clear}{}", table::text(standings, names)));
        }
    }

    /// The time since the first game.
    pub(super) fn elapsed(&self) -> Duration {
        self.progress.elapsed()
    }
}

/// The first player's score of a match of two, else the leader's.
fn leader(standings: &Standings, names: &[&str]) -> String {
    let score = |index: usize| standings.player(PlayerIndex(index));
    let shown = if names.len() == 2 {
        Some(0)
    } else {
        let mean = |index: &usize| score(*index).mean().unwrap_or(0.0);
        // The first of several that are equal.
        (0..names.len()).rev().max_by(|one, two| mean(one).total_cmp(&mean(two)))
    };
    shown.map_or(String::new(), |index| {
        let score = score(index);
        format!("{} {}-{}-{}", names[index], score.wins, score.draws, score.losses)
    })
}
