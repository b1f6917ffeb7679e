//! Lines in which one move wins.

use chess::{Game, Position, Rules};

use super::analyst::{Analyst, Verdict};
use super::miner::{Miner, Refusal, Solution};
use super::settings::MineSettings;

impl<A: Analyst> Miner<'_, A> {
    /// The line that solves `start`, of which the verdict is `first` and no mate.
    pub(super) fn tactic(&mut self, start: &Game, first: &Verdict) -> Result<Solution, Refusal> {
        let settings = self.settings;
        let least = settings.winning - MineSettings::SLACK;
        if first.best.prospect.expected_score() < settings.winning {
            return Err(Refusal::Rejected("not winning with more nodes"));
        }
        if !settings.is_only_move(first) {
            return Err(Refusal::Rejected("several good moves"));
        }
        let (mut game, mut verdict) = (start.clone(), *first);
        let (mut line, mut efforts) = (Vec::new(), Vec::new());
        // Moves of the line up to the last of the solver's that is not the only legal one.
        let mut length = 0;
        loop {
            let best = verdict.best.played;
            let is_forced = game.legal_moves().len() == 1;
            play(&mut game, best);
            // A line that ends in mate would be taken for a forced mate, and this one is not proved.
            if game.position().is_checkmate() {
                break;
            }
            line.push(best);
            efforts.push(verdict.effort(best));
            if !is_forced {
                length = line.len();
            }
            if game.ending(&Rules::default()).is_some() {
                break;
            }
            let reply = self.analyse(&game, settings.nodes)?;
            if 1.0 - reply.best.prospect.expected_score() < least {
                return Err(Refusal::Rejected("refuted by a reply"));
            }
            if efforts.len() == settings.most_moves {
                break;
            }
            line.push(reply.best.played);
            play(&mut game, reply.best.played);
            if game.ending(&Rules::default()).is_some() {
                break;
            }
            verdict = self.analyse(&game, settings.nodes)?;
            let score = verdict.best.prospect.expected_score();
            if score < least {
                return Err(Refusal::Rejected("refuted by a reply"));
            }
            let is_forced = game.legal_moves().len() == 1;
            if !is_forced && (score < settings.winning || !settings.is_only_move(&verdict)) {
                break;
            }
        }
        line.truncate(length);
        let solver_moves = length.div_ceil(2);
        efforts.truncate(solver_moves);
        if solver_moves == 1 && is_recapture(start, line[0]) {
            return Err(Refusal::Rejected("a recapture"));
        }
        if solver_moves < settings.least_moves {
            return Err(Refusal::Rejected("too short"));
        }
        Ok(Solution { line, effort: efforts.iter().sum(), prospect: first.best.prospect })
    }
}

impl MineSettings {
    /// Whether the second move is far worse than the best.
    fn is_only_move(&self, verdict: &Verdict) -> bool {
        verdict.gap().is_some_and(|gap| gap >= self.gap)
    }
}

fn play(game: &mut Game, played: chess::Move) {
    game.play(played).expect("a verdict has legal moves");
}

/// Whether `solution` takes what the last move of `start` took with.
fn is_recapture(start: &Game, solution: chess::Move) -> bool {
    let last = start.moves().last();
    solution.is_capture()
        && last.is_some_and(|last| last.is_capture() && last.to() == solution.to())
}
