//! Themes that can be told from a puzzle itself.

use chess::puzzle::Puzzle;
use chess::{Move, Position, Role};

use super::analyst::Prospect;

#[cfg(test)]
mod tests;

/// Expected score from which on an advantage is crushing: that of 600 centipawns on the curve of
/// Lichess.
const CRUSHING: f64 = 0.901;
/// Expected score from which on there is an advantage: that of 200 centipawns.
const ADVANTAGE: f64 = 0.676;
/// Half-moves of a game that are its opening: ten moves of each side.
const OPENING: usize = 20;
/// Pieces other than kings and pawns, of both sides together, from which on down it is an endgame.
const ENDGAME_PIECES: usize = 6;

/// The themes of a puzzle by Lichess's names, in alphabetical order, `prospect` being that of the
/// solver's first move.
///
/// | theme | when |
/// |---|---|
/// | `mate`, `mateIn1` .. `mateIn5` | the line ends in mate, with so many moves of the solver |
/// | `crushing`, `advantage`, `equality` | it does not; the solver's expected score is 0.901 or more (600 centipawns), 0.676 or more (200), or less |
/// | `oneMove`, `short`, `long`, `veryLong` | the solver has 1, 2, 3, or more moves to find |
/// | `endgame` | the position to solve has six pieces or fewer besides kings and pawns |
/// | `opening` | it is no endgame, and the game's first ten moves are not over |
/// | `middlegame` | else |
/// | `pawnEndgame`, `knightEndgame`, `bishopEndgame`, `rookEndgame`, `queenEndgame` | besides kings and pawns there are only such pieces |
/// | `promotion`, `underPromotion` | a move of the solver promotes a pawn; to no queen |
/// | `castling`, `enPassant` | a move of the solver is one |
/// | `doubleCheck` | a move of the solver gives check with two pieces |
pub fn themes(puzzle: &Puzzle, prospect: Prospect) -> Vec<String> {
    let mut themes = vec![phase(puzzle), length(puzzle)];
    themes.extend(single_piece(puzzle));
    match puzzle.marked_mate() {
        Some(moves) => themes.extend(["mate".to_owned(), format!("mateIn{moves}")]),
        None => themes.push(worth(prospect.expected_score()).to_owned()),
    }
    let positions = puzzle.solver_positions();
    let moves: Vec<Move> = positions.iter().map(|(_, marked)| *marked).collect();
    let promotions = || moves.iter().filter_map(|mv| mv.promotion());
    let double_check = positions.into_iter().any(|(mut game, marked)| {
        game.play(marked).expect("a line is legal");
        game.position().checkers().count() > 1
    });
    for (theme, has) in [
        ("promotion", promotions().next().is_some()),
        ("underPromotion", promotions().any(|role| role != Role::Queen)),
        ("castling", moves.iter().any(|mv| mv.is_castle())),
        ("enPassant", moves.iter().any(|mv| mv.is_en_passant())),
        ("doubleCheck", double_check),
    ] {
        if has {
            themes.push(theme.to_owned());
        }
    }
    themes.sort();
    themes
}

fn worth(score: f64) -> &'static str {
    if score >= CRUSHING {
        "crushing"
    } else if score >= ADVANTAGE {
        "advantage"
    } else {
        "equality"
    }
}

fn length(puzzle: &Puzzle) -> String {
    let name = match puzzle.line.len().div_ceil(2) {
        1 => "oneMove",
        2 => "short",
        3 => "long",
        _ => "veryLong",
    };
    name.to_owned()
}

fn phase(puzzle: &Puzzle) -> String {
    let board = puzzle.start.position().board();
    let pieces = (board.occupied() & !board.pawns() & !board.kings()).count();
    let name = if pieces <= ENDGAME_PIECES {
        "endgame"
    } else if puzzle.start.moves().len() <= OPENING {
        "opening"
    } else {
        "middlegame"
    };
    name.to_owned()
}

/// The theme of an endgame with pieces of one kind.
fn single_piece(puzzle: &Puzzle) -> Option<String> {
    let board = puzzle.start.position().board();
    let pieces = board.occupied() & !board.pawns() & !board.kings();
    if pieces.count() > ENDGAME_PIECES {
        return None;
    }
    let name = if pieces.is_empty() {
        "pawnEndgame"
    } else if pieces == board.knights() {
        "knightEndgame"
    } else if pieces == board.bishops() {
        "bishopEndgame"
    } else if pieces == board.rooks() {
        "rookEndgame"
    } else if pieces == board.queens() {
        "queenEndgame"
    } else {
        return None;
    };
    Some(name.to_owned())
}
