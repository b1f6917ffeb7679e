//! A recovered position, and what networks and an engine say of its candidates.

use std::path::Path;

use anyhow::bail;
use chess::{Game, Move};
use evaluation::PuzzleRecord;
use network::{Evaluation, Evaluator};
use policy::{MovePolicy, Temperature};
use report::{Arrow, Board};
use serde::Serialize;
use shakmaty::san::SanPlus;

use super::Found;

/// Moves shown of each network beside the solution.
const CANDIDATES: usize = 3;

/// Colours of the solution's arrow and of the base's move's.
const RIGHT: &str = "#15781b";
const WRONG: &str = "#b02020";

/// A recovered position. In JSON it becomes what a report draws.
#[derive(Clone, Debug, Serialize)]
pub(in crate::commands::recovery) struct RecoveredPosition {
    /// The puzzle's id.
    pub(super) puzzle: String,
    rating: Option<u32>,
    /// The network that recovers it, by its place among the networks.
    #[serde(skip)]
    pub(super) network: usize,
    /// Which of the puzzle's positions, from 1.
    pub(super) position: usize,
    fen: String,
    /// The move before it; null where it is not known.
    last_move: Option<String>,
    candidates: Vec<Candidate>,
    #[serde(skip)]
    game: Game,
    /// The base's move and the first solution.
    #[serde(skip)]
    arrows: [Move; 2],
}

/// A move that solves the position or that a network finds probable.
#[derive(Clone, Debug, Serialize)]
struct Candidate {
    #[serde(skip)]
    mv: Move,
    uci: String,
    san: String,
    solves: bool,
    /// The base, then the tuned networks.
    networks: Vec<Opinion>,
    /// Null without an engine, or where the game is over.
    engine: Option<EngineVerdict>,
    /// Why the game is over after the move; null where it goes on.
    ending: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Opinion {
    probability: f64,
    /// The mover's expected score after the move, `1 - v(s')`.
    value: f64,
}

/// What an engine says of a move, in the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::commands::recovery) enum EngineVerdict {
    Centipawns(i32),
    /// Moves to mate; below 0 where the mover is mated.
    Mate(i32),
}

impl RecoveredPosition {
    /// What everyone says of the position that `game` has reached; `verdict` asks an engine.
    pub(super) fn new(
        game: &Game,
        record: &PuzzleRecord,
        found: &Found,
        evaluators: &[Evaluator],
        mut verdict: impl FnMut(&Game) -> anyhow::Result<Option<EngineVerdict>>,
    ) -> anyhow::Result<RecoveredPosition> {
        let evaluations = evaluators
            .iter()
            .map(|evaluator| Ok(evaluator.evaluate(&[game])?.remove(0)))
            .collect::<anyhow::Result<Vec<Evaluation>>>()?;
        let policies = evaluations
            .iter()
            .map(|evaluation| Ok(evaluation.policy(Temperature::ONE)?))
            .collect::<anyhow::Result<Vec<MovePolicy>>>()?;
        // The file of results may be anybody's.
        let acceptable = &record.answers[found.position].acceptable;
        let solutions: Vec<Move> =
            acceptable.iter().map(|uci| game.parse_uci(uci)).collect::<Result<_, _>>()?;
        let &[first_solution, ..] = &solutions[..] else {
            bail!("puzzle {}: no move solves it", record.facts.id)
        };
        let mut candidates = Vec::new();
        for mv in candidate_moves(&solutions, &evaluations, &policies) {
            let mut after = game.clone();
            after.play(mv).expect("a legal move");
            let ended = after.ending(&chess::Rules::default());
            let mut networks = Vec::new();
            for (evaluator, (evaluation, policy)) in
                evaluators.iter().zip(evaluations.iter().zip(&policies))
            {
                let place = evaluation.moves.iter().position(|(_, legal)| *legal == mv);
                let value = match ended {
                    Some(ending) => match ending.outcome().winner() {
                        None => 0.5,
                        Some(winner) => f64::from(u8::from(winner == game.turn())),
                    },
                    None => 1.0 - evaluator.evaluate(&[&after])?[0].wdl().expected_score(),
                };
                let probability = place.map_or(0.0, |place| policy.probability(place));
                networks.push(Opinion { probability, value });
            }
            let mut position = game.position().clone();
            candidates.push(Candidate {
                mv,
                uci: game.uci(mv),
                san: SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string(),
                solves: solutions.contains(&mv),
                networks,
                engine: if ended.is_some() { None } else { verdict(&after)? },
                ending: ended.map(chess::Ending::reason),
            });
        }
        let last_move = game.moves().last().map(|&mv| {
            let before = game.up_to(game.ply() - 1);
            before.uci(mv)
        });
        Ok(RecoveredPosition {
            puzzle: record.facts.id.clone(),
            rating: record.facts.rating,
            network: found.network,
            position: found.position + 1,
            fen: game.fen(),
            last_move,
            candidates,
            arrows: [evaluations[0].best_move()?, first_solution],
            game: game.clone(),
        })
    }

    /// The network that recovers it, by its place among the networks.
    pub(in crate::commands::recovery) fn network(&self) -> usize {
        self.network
    }

    /// The picture, with a line for each candidate; `paths` are those of the networks.
    pub(super) fn board(&self, paths: &[&Path]) -> Board {
        let rating = self.rating.map_or(String::new(), |rating| format!(", rated {rating}"));
        let title = format!("puzzle {}{rating}", self.puzzle);
        let mut board = Board::new(self.game.position().clone(), title);
        if let Some(last) = &self.last_move {
            board = board.with_last_move(last);
        }
        for (played, colour) in self.arrows.into_iter().zip([WRONG, RIGHT]) {
            let found = self.candidates.iter().find(|candidate| candidate.mv == played);
            let probability = found.map_or(0.0, |candidate| candidate.networks[0].probability);
            let label = format!("{:.0}%", 100.0 * probability);
            board = board.with_arrow(Arrow { played, colour, label });
        }
        for (number, path) in paths.iter().enumerate() {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            let what = if number == 0 { "base" } else { "tuned" };
            board = board.with_line(format!("{}: {what} {file}", number + 1));
        }
        board =
            board.with_line("p: probability of the move; v: expected score after it, 1 - v(s')");
        let mut heading = format!("{:<9}", "");
        for number in 1..=paths.len() {
            heading += &format!("  {:>6} {:>5}", format!("p{number}"), format!("v{number}"));
        }
        board = board.with_line(heading + "  engine");
        for candidate in &self.candidates {
            board = board.with_line(candidate.line());
        }
        board.with_line("* solves the position")
    }
}

impl Candidate {
    fn line(&self) -> String {
        let mark = if self.solves { "*" } else { " " };
        let mut line = format!("{mark}{:<8}", self.san);
        for Opinion { probability, value } in &self.networks {
            line += &format!("  {:5.1}% {value:5.2}", 100.0 * probability);
        }
        let said = match (self.ending, self.engine) {
            (Some(ending), _) => ending.to_owned(),
            (None, None) => "-".to_owned(),
            (None, Some(EngineVerdict::Centipawns(centipawns))) => {
                format!("{:+.2}", f64::from(centipawns) / 100.0)
            }
            (None, Some(EngineVerdict::Mate(moves))) if moves < 0 => {
                format!("-#{}", moves.unsigned_abs())
            }
            (None, Some(EngineVerdict::Mate(moves))) => format!("#{moves}"),
        };
        format!("{line}  {said}")
    }
}

/// The solutions, then the most probable moves of each network, none twice.
fn candidate_moves(
    solutions: &[Move],
    evaluations: &[Evaluation],
    policies: &[MovePolicy],
) -> Vec<Move> {
    let mut moves = solutions.to_vec();
    for (evaluation, policy) in evaluations.iter().zip(policies) {
        for place in policy.top(CANDIDATES) {
            let mv = evaluation.moves[place].1;
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
    }
    moves
}
