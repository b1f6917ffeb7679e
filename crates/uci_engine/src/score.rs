//! An engine's score of a move.

/// How good the engine finds a line, from the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns.
    Centipawns(i32),
    /// The mover mates in so many of its own moves, at least 1.
    Mates(u32),
    /// The mover is mated in so many of the opponent's moves; 0 where it stands mated.
    Mated(u32),
}

/// How a score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Bound {
    /// It is the score.
    #[default]
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

impl Score {
    /// The score that `cp N` or `mate N` says.
    pub(crate) fn parse(kind: &str, number: &str) -> Option<Score> {
        let number: i32 = number.parse().ok()?;
        match kind {
            "cp" => Some(Score::Centipawns(number)),
            "mate" if number > 0 => Some(Score::Mates(number.unsigned_abs())),
            "mate" => Some(Score::Mated(number.unsigned_abs())),
            _ => None,
        }
    }

    /// Expected score in [0, 1] by the logistic curve with which Lichess draws its graphs,
    /// `1 / (1 + exp(-0.00368208 cp))`, fitted to games between people; a mate counts 1 or 0.
    pub fn expected_score(self) -> f64 {
        match self {
            Score::Centipawns(centipawns) => {
                1.0 / (1.0 + (-0.003_682_08 * f64::from(centipawns)).exp())
            }
            Score::Mates(_) => 1.0,
            Score::Mated(_) => 0.0,
        }
    }
}
