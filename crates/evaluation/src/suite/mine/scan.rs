//! Looking for mistakes.

use chess::{Game, Position};

use super::analyst::{Analyst, Prospect, Verdict};
use super::miner::{Miner, Refusal};
use super::settings::MineSettings;

impl<A: Analyst> Miner<'_, A> {
    /// The moves of `whole` that look like mistakes from which a puzzle can be made: for each, how
    /// many moves stand before it.
    pub(super) fn scan(&mut self, whole: &Game) -> Result<Vec<u32>, Refusal> {
        let mut found = Vec::new();
        let mut before: Option<Verdict> = None;
        let mut game = whole.up_to(0);
        for ply in 0..=whole.ply() {
            if let Some(&played) =
                ply.checked_sub(1).and_then(|last| whole.moves().get(last as usize))
            {
                game.play(played).expect("the moves of a game are legal");
            }
            let now = self.look(&game)?;
            if let (Some(before), Some(now)) = (before, now)
                && self.settings.is_mistake(&before, &now)
            {
                found.push(ply - 1);
            }
            before = now;
        }
        self.counts.candidates += found.len() as u64;
        Ok(found)
    }

    /// A first look; `None` where the game is over, or there is no verdict.
    fn look(&mut self, game: &Game) -> Result<Option<Verdict>, Refusal> {
        if game.position().is_game_over() {
            return Ok(None);
        }
        self.counts.positions += 1;
        match self.analyse(game, self.settings.look_nodes) {
            Ok(verdict) => Ok(Some(verdict)),
            Err(Refusal::Rejected(reason)) => {
                *self.counts.unseen.entry(reason.to_owned()).or_default() += 1;
                Ok(None)
            }
            Err(broken) => Err(broken),
        }
    }
}

impl MineSettings {
    /// Whether the move between two positions looks like a mistake that makes a puzzle, by the
    /// verdicts on the position before it, for the side that plays it, and on the one behind it, for
    /// the solver.
    fn is_mistake(&self, before: &Verdict, now: &Verdict) -> bool {
        if let Prospect::Mates(_) = now.best.prospect {
            // A mate that could not be helped any more is no news.
            let helpless = matches!(before.best.prospect, Prospect::Mated(_));
            return !helpless && now.second.is_some() && self.kind.has_mates()
                || self.wins(before, now);
        }
        self.wins(before, now)
    }

    fn wins(&self, before: &Verdict, now: &Verdict) -> bool {
        let Some(gap) = now.gap() else { return false };
        let score = now.best.prospect.expected_score();
        let jump = score - (1.0 - before.best.prospect.expected_score());
        self.kind.has_tactics()
            && score >= self.winning - MineSettings::SLACK
            && jump >= self.jump - MineSettings::SLACK
            && gap >= self.gap - MineSettings::SLACK
    }
}
