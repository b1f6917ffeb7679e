//! Positions from Forsyth-Edwards notation.

use shakmaty::{CastlingMode, Chess, PositionError, PositionErrorKinds, fen::Fen};

/// A FEN that is not a chess position, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("FEN \"{fen}\": {problem}")]
pub struct FenError {
    /// The FEN as it was given.
    pub fen: String,
    /// What is wrong with it.
    pub problem: FenProblem,
}

/// What is wrong with a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenProblem {
    /// A FEN has six fields, of which the last two, the clocks, may be missing.
    #[error(
        "expected board, side, castling, en passant and at most two clocks, found {found} fields"
    )]
    FieldCount {
        /// Fields found.
        found: usize,
    },
    /// A field cannot be read.
    #[error("{0}")]
    Syntax(String),
    /// Pockets or a check count: notation of another game.
    #[error("this is a position of a chess variant")]
    Variant,
    /// The fields can be read, but no game of chess reaches the position.
    #[error("impossible position: {}", .0.join(", "))]
    Impossible(Vec<&'static str>),
}

/// The position of `fen`, with its raw en-passant square.
///
/// Castling rights that king e-file, rooks a- and h-file cannot express make it a Chess960
/// position (X-FEN and Shredder-FEN are both read). Missing clocks are "0 1", as in EPD.
pub(crate) fn parse(fen: &str) -> Result<Chess, FenError> {
    let failed = |problem| FenError { fen: fen.to_owned(), problem };
    let fields: Vec<&str> = fen.split_ascii_whitespace().take(7).collect();
    if !(4..=6).contains(&fields.len()) {
        let found = fen.split_ascii_whitespace().count();
        return Err(failed(FenProblem::FieldCount { found }));
    }
    let setup = Fen::from_ascii(fields.join(" ").as_bytes())
        .map_err(|error| failed(FenProblem::Syntax(error.to_string())))?
        .into_setup();
    if setup.pockets.is_some() || setup.remaining_checks.is_some() {
        return Err(failed(FenProblem::Variant));
    }
    let mode = CastlingMode::detect(&setup);
    setup.position(mode).map_err(|error| failed(FenProblem::Impossible(reasons(&error))))
}

fn reasons(error: &PositionError<Chess>) -> Vec<&'static str> {
    const REASONS: [(PositionErrorKinds, &str); 10] = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (PositionErrorKinds::TOO_MANY_KINGS, "a side has more than one king"),
        (PositionErrorKinds::PAWNS_ON_BACKRANK, "a pawn stands on the first or last rank"),
        (
            PositionErrorKinds::INVALID_CASTLING_RIGHTS,
            "a castling right lacks its king or rook on the home rank",
        ),
        (
            PositionErrorKinds::INVALID_EP_SQUARE,
            "no pawn can just have passed the en-passant square",
        ),
        (PositionErrorKinds::OPPOSITE_CHECK, "the side not to move is in check"),
        (PositionErrorKinds::IMPOSSIBLE_CHECK, "no move can have given this check"),
        (PositionErrorKinds::TOO_MUCH_MATERIAL, "more pieces than promotion allows"),
        (PositionErrorKinds::VARIANT, "a variant's rule is broken"),
    ];
    let kinds = error.kinds();
    REASONS.iter().filter(|(kind, _)| kinds.contains(*kind)).map(|(_, reason)| *reason).collect()
}
