//! One position of a self-play game, version 6.

#[cfg(test)]
mod tests;

/// Entries of the policy.
pub const MOVES: usize = 1858;

/// Planes of pieces and repetitions: eight positions of thirteen.
const PLANES: usize = 104;

/// The version of the records.
const VERSION: u32 = 6;

/// What a search, a move or the game's end says of a position, in the mover's view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchValue {
    /// Wins less losses, in [-1, 1].
    pub q: f32,
    /// Draws, in [0, 1].
    pub d: f32,
    /// Plies to the end of the game.
    pub m: f32,
}

/// What self-play recorded of one position.
///
/// Little-endian on disk, in the order of the fields here. Planes and policy stand in the mover's
/// view, turned as the input format says.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingRecord {
    /// Lc0's number of the input format.
    pub input_format: u32,
    /// The search's share of visits for each move; -1 where the move is not legal.
    pub probabilities: Box<[f32; MOVES]>,
    /// The squares of the planes of pieces and repetitions, bit 0 the mover's a1.
    pub planes: [u64; PLANES],
    /// The mover's right to castle on the queen's and on the king's side, then the opponent's. In
    /// format 1 each is 0 or 1, in later ones the files of the rook as bits.
    pub castling: [[u8; 2]; 2],
    /// In canonical formats the file of an en-passant capture as a bit, else 1 if Black moves.
    pub side_to_move_or_en_passant: u8,
    /// The half-move clock, in plies.
    pub half_move_clock: u8,
    /// In canonical formats how the board was turned, bit 7 if Black moves; bits 3 to 6 say what a
    /// rescorer found.
    pub invariance: u8,
    /// Not used.
    pub reserved_byte: u8,
    /// The search's value of the position.
    pub root: SearchValue,
    /// The search's value of its best move.
    pub best: SearchValue,
    /// Plies that the game went on for.
    pub plies_left: f32,
    /// The game's result; its `m` is not recorded and 0.
    pub result: SearchValue,
    /// The search's value of the move played.
    pub played: SearchValue,
    /// The network's value of the position; NaN where it was not known.
    pub original: SearchValue,
    /// Visits of the search.
    pub visits: u32,
    /// The move played, as a place in the policy.
    pub played_index: u16,
    /// The search's best move.
    pub best_index: u16,
    /// KL divergence of the visits from the network's policy.
    pub policy_kld: f32,
    /// Not used.
    pub reserved: u32,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordProblem {
    /// Not the version that is read here.
    #[error("version {found}, expected {VERSION}")]
    Version {
        /// What the record says.
        found: u32,
    },
    /// A share of visits that is none.
    #[error("the policy of move {index} is {value}, expected -1 or a number from 0 to 1")]
    Probability {
        /// Its place.
        index: usize,
        /// What stands there.
        value: f32,
    },
    /// The shares of visits are not those of a search.
    #[error("the policy sums to {sum}, expected 1")]
    Sum {
        /// Over all legal moves.
        sum: f64,
    },
    /// A value that is none.
    #[error("{what} is {value}, expected {expected}")]
    Value {
        /// Which.
        what: &'static str,
        /// What stands there.
        value: f32,
        /// What may stand there.
        expected: &'static str,
    },
}

/// How far a policy's sum may be from 1: each of its numbers was rounded.
const SUM_TOLERANCE: f64 = 1e-2;

impl TrainingRecord {
    /// Bytes of a record.
    pub const BYTES: usize = 8356;

    /// Reads a record and checks its policy and its values.
    ///
    /// # Errors
    ///
    /// Where it is of another version, or a number that one would learn from is out of its range.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Result<Self, RecordProblem> {
        let mut fields = Fields { bytes };
        let version = u32::from_le_bytes(fields.take());
        if version != VERSION {
            return Err(RecordProblem::Version { found: version });
        }
        let input_format = u32::from_le_bytes(fields.take());
        let mut probabilities = Box::new([0.0; MOVES]);
        probabilities.iter_mut().for_each(|value| *value = fields.float());
        // The bits of each byte stand in reverse: the file a is the highest.
        let planes =
            [(); PLANES].map(|()| u64::from_le_bytes(fields.take()).reverse_bits().swap_bytes());
        let castling = [fields.take(), fields.take()];
        let [side_to_move_or_en_passant, half_move_clock, invariance, reserved_byte] =
            fields.take();
        let [root_q, best_q, root_d, best_d, root_m, best_m] = [(); 6].map(|()| fields.float());
        let record = Self {
            input_format,
            probabilities,
            planes,
            castling,
            side_to_move_or_en_passant,
            half_move_clock,
            invariance,
            reserved_byte,
            root: SearchValue { q: root_q, d: root_d, m: root_m },
            best: SearchValue { q: best_q, d: best_d, m: best_m },
            plies_left: fields.float(),
            result: SearchValue { q: fields.float(), d: fields.float(), m: 0.0 },
            played: fields.value(),
            original: fields.value(),
            visits: u32::from_le_bytes(fields.take()),
            played_index: u16::from_le_bytes(fields.take()),
            best_index: u16::from_le_bytes(fields.take()),
            policy_kld: fields.float(),
            reserved: u32::from_le_bytes(fields.take()),
        };
        record.checked()
    }

    fn checked(self) -> Result<Self, RecordProblem> {
        let mut sum = 0.0;
        for (index, &value) in self.probabilities.iter().enumerate() {
            if value == -1.0 {
                continue;
            }
            if !(0.0..=1.0).contains(&value) {
                return Err(RecordProblem::Probability { index, value });
            }
            sum += f64::from(value);
        }
        if (sum - 1.0).abs() > SUM_TOLERANCE {
            return Err(RecordProblem::Sum { sum });
        }
        for (what, value) in [("root", self.root), ("best", self.best), ("result", self.result)] {
            // Rounding may lead a little out of the range.
            if !(-1.001..=1.001).contains(&value.q) {
                return Err(RecordProblem::Value {
                    what,
                    value: value.q,
                    expected: "q from -1 to 1",
                });
            }
            if !(-0.001..=1.001).contains(&value.d) {
                return Err(RecordProblem::Value {
                    what,
                    value: value.d,
                    expected: "d from 0 to 1",
                });
            }
        }
        Ok(self)
    }

    /// The bytes that [`from_bytes`](Self::from_bytes) reads.
    pub fn to_bytes(&self) -> Box<[u8; Self::BYTES]> {
        let mut out = Vec::with_capacity(Self::BYTES);
        out.extend(VERSION.to_le_bytes());
        out.extend(self.input_format.to_le_bytes());
        let floats = |out: &mut Vec<u8>, values: &[f32]| {
            out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        };
        floats(&mut out, &self.probabilities[..]);
        out.extend(
            self.planes.iter().flat_map(|plane| plane.swap_bytes().reverse_bits().to_le_bytes()),
        );
        out.extend(self.castling.as_flattened());
        out.extend([self.side_to_move_or_en_passant, self.half_move_clock]);
        out.extend([self.invariance, self.reserved_byte]);
        let Self { root, best, result, played, original, .. } = self;
        floats(&mut out, &[root.q, best.q, root.d, best.d, root.m, best.m, self.plies_left]);
        floats(&mut out, &[result.q, result.d, played.q, played.d, played.m]);
        floats(&mut out, &[original.q, original.d, original.m]);
        out.extend(self.visits.to_le_bytes());
        out.extend(self.played_index.to_le_bytes());
        out.extend(self.best_index.to_le_bytes());
        floats(&mut out, &[self.policy_kld]);
        out.extend(self.reserved.to_le_bytes());
        Box::new(out.try_into().expect("the lengths of the fields are constant"))
    }
}

/// What is left of a record.
struct Fields<'a> {
    bytes: &'a [u8],
}

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (field, rest) = self.bytes.split_first_chunk().expect("the lengths of the fields");
        self.bytes = rest;
        *field
    }

    fn float(&mut self) -> f32 {
        f32::from_le_bytes(self.take())
    }

    fn value(&mut self) -> SearchValue {
        SearchValue { q: self.float(), d: self.float(), m: self.float() }
    }
}
