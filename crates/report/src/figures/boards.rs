//! Figure 9: boards of exclusive recoveries.

use std::path::Path;

use chess::{Chess, Game, Move};

use super::{Content, Figure};
use crate::board::{Arrow, Board};
use crate::documents::{BoardCandidate, Documents, EngineVerdict, RecoveredBoard};
use crate::names;
use crate::numbers::percent;

/// Colours of the solution's arrow and of the base's move's; told apart by lightness too.
const RIGHT: &str = "#15781b";
const WRONG: &str = "#c0392b";

/// A recovered position with what everyone says of its candidates.
#[derive(Clone, Debug)]
pub(crate) struct BoardPicture {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    pub(crate) board: Board,
    /// Short names of the networks, the base first.
    pub(crate) networks: Vec<String>,
    pub(crate) candidates: Vec<BoardCandidate>,
    /// Whether an engine gave verdicts.
    pub(crate) engine: bool,
}

pub(super) fn figure(documents: &Documents) -> Figure {
    let boards: Vec<BoardPicture> = documents
        .recovery
        .iter()
        .flat_map(|document| document.boards.iter().filter_map(|board| picture(documents, board)))
        .collect();
    let missing = match &documents.recovery {
        None => vec!["recovery.json"],
        Some(_) => vec![],
    };
    Figure {
        slug: "figure-09",
        name: "Figure 9",
        title: "Puzzles that one network alone recovers",
        caption: "Seen from the side to move. The red arrow is the base's move, the green one the \
                  solution, each with the base's probability. For every candidate p is a network's \
                  probability and v its expected score after the move, 1 − v(s′); ✓ marks solutions."
            .to_owned(),
        missing,
        content: Content::Boards(boards),
    }
}

fn picture(documents: &Documents, found: &RecoveredBoard) -> Option<BoardPicture> {
    let game = Game::from_fen(&found.fen).expect("checked when it was read");
    let position: Chess = game.position().clone();
    let mut board = Board::new(position, "");
    let parse = |uci: &str| -> Option<Move> { game.parse_uci(uci).ok() };
    let probability = |candidate: &BoardCandidate| {
        candidate.networks.first().map_or(0.0, |opinion| opinion.probability)
    };
    let best = found
        .candidates
        .iter()
        .max_by(|one, other| probability(one).total_cmp(&probability(other)));
    let solution = found.candidates.iter().find(|candidate| candidate.solves);
    for (candidate, colour) in [(best, WRONG), (solution, RIGHT)] {
        let Some(candidate) = candidate else { continue };
        let Some(played) = parse(&candidate.uci) else { continue };
        let label = format!("{}%", percent(probability(candidate), 0));
        board = board.with_arrow(Arrow { played, colour, label });
    }
    if let Some(last) = &found.last_move {
        board = board.with_last_move(last);
    }
    let recovery = documents.recovery.as_ref()?;
    let networks = [&recovery.base]
        .into_iter()
        .chain(recovery.tuned.iter().map(|of| &of.network))
        .map(|network| short(&names::network(documents, network)))
        .collect();
    let rating = found.rating.map_or(String::new(), |rating| format!(", rated {rating}"));
    Some(BoardPicture {
        title: format!("Puzzle {}{rating}", found.puzzle),
        subtitle: format!("recovered by {}", names::network(documents, &found.network)),
        board,
        networks,
        candidates: found.candidates.clone(),
        engine: found.candidates.iter().any(|candidate| candidate.engine.is_some()),
    })
}

/// A network's name without what all have in common; of a file its last part.
fn short(name: &str) -> String {
    match name {
        "Frozen base" => "Base".to_owned(),
        name => match name.strip_suffix(", adaptive") {
            Some(term) => term.to_owned(),
            None => Path::new(name)
                .file_name()
                .map_or_else(|| name.to_owned(), |file| file.to_string_lossy().into_owned()),
        },
    }
}

impl BoardPicture {
    /// A whole SVG document with the candidates below the board.
    pub(crate) fn svg(&self) -> String {
        let mut board = self.board.clone().titled(&self.title).with_line(self.subtitle.clone());
        for (number, network) in self.networks.iter().enumerate() {
            board = board.with_line(format!("{}: {network}", number + 1));
        }
        let heads = (1..=self.networks.len())
            .map(|number| format!("  {:>6} {:>5}", format!("p{number}"), format!("v{number}")));
        let engine = if self.engine { "  engine" } else { "" };
        board = board.with_line(format!("{:<10}{}{engine}", "", heads.collect::<String>()));
        for candidate in &self.candidates {
            let mark = if candidate.solves { "*" } else { " " };
            let opinions = candidate.networks.iter().map(|opinion| {
                format!("  {:>5}% {:>5.2}", percent(opinion.probability, 1), opinion.value)
            });
            let verdict =
                verdict(candidate).map_or(String::new(), |verdict| format!("  {verdict}"));
            board = board.with_line(format!(
                "{mark}{:<9}{}{verdict}",
                candidate.san,
                opinions.collect::<String>()
            ));
        }
        board.with_line("* solves the position").svg()
    }
}

/// What an engine says of a move, or why the game is over.
pub(crate) fn verdict(candidate: &BoardCandidate) -> Option<String> {
    if let Some(ending) = &candidate.ending {
        return Some(ending.clone());
    }
    Some(match candidate.engine? {
        EngineVerdict::Centipawns(centipawns) => {
            crate::numbers::decimal(f64::from(centipawns) / 100.0, 2, true)
        }
        EngineVerdict::Mate(moves) if moves < 0 => format!("−#{}", moves.unsigned_abs()),
        EngineVerdict::Mate(moves) => format!("#{moves}"),
    })
}
