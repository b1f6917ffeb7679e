//! Forced mates, proved.

use chess::mate::{ForcedMate, MateSearch};
use chess::{Game, Move, MoveIndex, Orientation};

use super::analyst::{Analyst, Prospect, Verdict};
use super::miner::{Miner, Refusal, Solution};
use super::settings::MineSettings;

/// The half-move clock up to which the fifty-move rule cannot save the side that is mated: see
/// [`chess::mate`].
const MOST_CLOCK: u32 = 89;

impl<A: Analyst> Miner<'_, A> {
    /// The line of the shortest mate from `start`, where `first` announces one in `moves`.
    pub(super) fn mate(
        &mut self,
        start: &Game,
        first: &Verdict,
        moves: u32,
    ) -> Result<Solution, Refusal> {
        let most = u8::try_from(moves).ok().filter(|&most| most <= MineSettings::LONGEST_MATE);
        let Some(most) = most else {
            return Err(Refusal::Rejected("a mate in more than five moves"));
        };
        if start.half_move_clock() > MOST_CLOCK {
            return Err(Refusal::Rejected("a mate that the fifty-move rule may stop"));
        }
        let Some(mut mate) = self.shortest(start, most)? else {
            return Err(Refusal::Rejected("a mate that is not proved"));
        };
        let prospect = Prospect::Mates(u32::from(mate.moves));
        let (mut game, mut verdict) = (start.clone(), *first);
        let (mut line, mut effort) = (Vec::new(), 0);
        loop {
            let best = verdict.best.played;
            let marked = match mate.keeping.contains(&best) {
                true => best,
                false => lowest(&game, &mate.keeping),
            };
            effort += verdict.effort(marked);
            line.push(marked);
            play(&mut game, marked);
            if mate.moves == 1 {
                return Ok(Solution { line, effort, prospect });
            }
            let (reply, rest) = self.longest_defence(&game, mate.moves - 1)?;
            line.push(reply);
            play(&mut game, reply);
            mate = rest;
            verdict = self.analyse(&game, self.settings.nodes)?;
        }
    }

    /// The reply after which the mate still takes `moves` moves and the fewest moves keep it, and
    /// that mate; of several the one of the lowest index.
    fn longest_defence(&mut self, game: &Game, moves: u8) -> Result<(Move, ForcedMate), Refusal> {
        let mut replies: Vec<Move> = game.legal_moves().into_iter().collect();
        let orientation = Orientation::of_mover(game.turn());
        replies.sort_by_key(|&reply| MoveIndex::of(reply, orientation));
        let mut hardest: Option<(Move, ForcedMate)> = None;
        for reply in replies {
            let mut after = game.clone();
            play(&mut after, reply);
            let Some(mate) = self.shortest(&after, moves)? else { continue };
            let is_harder = hardest
                .as_ref()
                .is_none_or(|(_, hardest)| mate.keeping.len() < hardest.keeping.len());
            if mate.moves == moves && is_harder {
                hardest = Some((reply, mate));
            }
        }
        hardest.ok_or(Refusal::Rejected("a mate that is not proved"))
    }

    /// The shortest mate in at most `most` moves.
    fn shortest(&mut self, game: &Game, most: u8) -> Result<Option<ForcedMate>, Refusal> {
        match self.solver.solve(game.position(), most) {
            MateSearch::Mate(mate) => Ok(Some(mate)),
            MateSearch::NoMate { .. } => Ok(None),
            MateSearch::Unproved { .. } => Err(Refusal::Rejected("a mate that is not proved")),
        }
    }
}

fn lowest(game: &Game, moves: &[Move]) -> Move {
    let orientation = Orientation::of_mover(game.turn());
    let lowest = moves.iter().min_by_key(|&&mv| MoveIndex::of(mv, orientation));
    *lowest.expect("a mate is kept by at least one move")
}

fn play(game: &mut Game, played: Move) {
    game.play(played).expect("a legal move");
}

// The mating move comes on the hundredth half-move at the latest.
const _: () = assert!(MOST_CLOCK + 2 * MineSettings::LONGEST_MATE as u32 - 1 <= 100);
