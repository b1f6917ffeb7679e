//! Opening positions at which coverage is measured beside the initial position.

use std::fmt;
use std::str::FromStr;

use chess::Game;

/// The well-known opening positions of the paper's Figure 10 (Appendix H).
///
/// The paper names them and gives no moves. These are the lines to which the Encyclopaedia of Chess
/// Openings gives those names, in their usual order, up to the move that gives the name; for the
/// Ruy Lopez main line up to 9.h3, from which its named systems branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tabiya {
    /// Ruy Lopez, Closed (C92): open, classical. Black to move.
    RuyLopez,
    /// Sicilian, Najdorf, English Attack (B90): sharp, asymmetric. Black to move.
    NajdorfEnglishAttack,
    /// Queen's Gambit Declined, Tartakower Defence (D58): closed, positional. White to move.
    QgdTartakower,
}

/// A name that no tabiya has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no tabiya; expected ruy-lopez, najdorf-english-attack or qgd-tartakower")]
pub struct UnknownTabiya(String);

impl Tabiya {
    /// All, in the paper's order.
    pub const ALL: [Tabiya; 3] =
        [Tabiya::RuyLopez, Tabiya::NajdorfEnglishAttack, Tabiya::QgdTartakower];

    /// The name by which people choose it and reports name it.
    pub fn name(self) -> &'static str {
        match self {
            Tabiya::RuyLopez => "ruy-lopez",
            Tabiya::NajdorfEnglishAttack => "najdorf-english-attack",
            Tabiya::QgdTartakower => "qgd-tartakower",
        }
    }

    /// The moves from the initial position, in UCI notation.
    pub fn moves(self) -> &'static str {
        match self {
            // 1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3
            Tabiya::RuyLopez => {
                "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 \
                 h2h3"
            }
            // 1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6 6.Be3
            Tabiya::NajdorfEnglishAttack => {
                "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1e3"
            }
            // 1.d4 d5 2.c4 e6 3.Nc3 Nf6 4.Bg5 Be7 5.e3 O-O 6.Nf3 h6 7.Bh4 b6
            Tabiya::QgdTartakower => {
                "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8 g1f3 h7h6 g5h4 b7b6"
            }
        }
    }

    /// The game that has come to it, with its history.
    pub fn game(self) -> Game {
        let mut game = Game::new();
        for uci in self.moves().split(' ') {
            game.play_uci(uci).expect("the moves of a tabiya are legal");
        }
        game
    }
}

impl fmt::Display for Tabiya {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Tabiya {
    type Err = UnknownTabiya;

    fn from_str(name: &str) -> Result<Tabiya, UnknownTabiya> {
        let found = Tabiya::ALL.into_iter().find(|tabiya| tabiya.name() == name);
        found.ok_or_else(|| UnknownTabiya(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for tabiya in Tabiya::ALL {
            assert_eq!(tabiya.to_string().parse(), Ok(tabiya));
        }
        let error = "latvian".parse::<Tabiya>().expect_err("no such tabiya").to_string();
        for tabiya in Tabiya::ALL {
            assert!(error.contains(tabiya.name()), "{error}");
        }
    }

    #[test]
    fn positions_and_their_history() {
        let check = |tabiya: Tabiya, plies: u32, fen: &str| {
            let game = tabiya.game();
            assert_eq!((game.ply(), game.fen().as_str()), (plies, fen), "{tabiya}");
        };
        let ruy_lopez = "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9";
        check(Tabiya::RuyLopez, 17, ruy_lopez);
        let najdorf = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N1B3/PPP2PPP/R2QKB1R b KQkq - 1 6";
        check(Tabiya::NajdorfEnglishAttack, 11, najdorf);
        let tartakower = "rnbq1rk1/p1p1bpp1/1p2pn1p/3p4/2PP3B/2N1PN2/PP3PPP/R2QKB1R w KQ - 0 8";
        check(Tabiya::QgdTartakower, 14, tartakower);
    }
}
