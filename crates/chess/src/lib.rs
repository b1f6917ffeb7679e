//! Chess as a network sees it: games with their history, Lc0's input planes and its 1858 policy
//! entries, the rules by which a game ends, games in PGN, Lichess puzzle files and books of openings.
//!
//! The rules of chess come from [`shakmaty`]; this crate adds what a network needs and knows
//! neither tensors nor network files. "LC0_FORMAT" in its documentation names the project's
//! description of Lc0's formats.
//!
//! A [`Game`] carries every position since its start. A position without a past is a game
//! without moves, so one type serves self-play, matches and puzzles:
//!
//! ```
//! use chess::{Ending, Game, HistoryFill, InputFormat, MoveIndex, Outcome, Rules, encode};
//!
//! let mut game = Game::new();
//! for uci in ["f2f3", "e7e5", "g2g4"] {
//!     game.play_uci(uci)?;
//! }
//!
//! // What the network is shown: 112 planes of 64 squares from the mover's side.
//! let encoding = encode(&game, InputFormat::Classical112, HistoryFill::FenOnly)?;
//! let mut dense = [0.0; chess::Planes::LEN];
//! encoding.planes.write_by_plane(&mut dense);
//!
//! // What it answers: one of 1858 numbered moves, read in the same orientation.
//! let mate = game.parse_uci("d8h4")?;
//! let index = MoveIndex::of(mate, encoding.orientation);
//! assert_eq!(index.to_move(&game, encoding.orientation), Some(mate));
//!
//! game.play(mate)?;
//! let ending = game.ending(&Rules::default()).expect("fool's mate");
//! assert_eq!(ending.to_string(), "Black gives checkmate");
//! assert_eq!(ending.outcome(), Outcome::BlackWins);
//! # assert!(matches!(ending, Ending::Checkmate { winner: chess::Color::Black }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compression;
mod encode;
mod ending;
mod fen;
mod game;
mod input_format;
mod lines;
pub mod mate;
mod move_index;
mod opening_book;
mod orientation;
pub mod pgn;
mod planes;
pub mod puzzle;

pub use encode::{Encoding, EncodingError, encode};
pub use ending::{Ending, Outcome, Rules};
pub use fen::{FenError, FenProblem};
pub use game::{Game, IllegalMoveError, MoveProblem};
pub use input_format::{HistoryFill, InputFormat};
pub use move_index::{MoveIndex, MoverMove, MoverPromotion};
pub use opening_book::{Opening, OpeningBook, OpeningBookError, OpeningProblem};
pub use orientation::{MoverSquare, Orientation};
pub use planes::Planes;
pub use shakmaty::{Chess, Color, Move, MoveList, Position, Role, Square};
