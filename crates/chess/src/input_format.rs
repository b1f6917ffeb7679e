//! The layouts of input planes that Lc0 networks are trained on.

/// What a network's 112 input planes hold, with Lc0's number for it (LC0_FORMAT sections 1, 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputFormat {
    /// 1: castling rights as four whole planes, the colour to move, the raw half-move clock.
    Classical112,
    /// 2: castling rights as rook squares, which holds Chess960.
    CastlingPlane,
    /// 3: an en-passant plane instead of the colour; the board turned into a canonical form.
    Canonicalization,
    /// 4: as 3, the half-move clock divided by 100.
    CanonicalizationHectoplies,
    /// 132: as 4, with a plane that tells Black from White for armageddon games.
    CanonicalizationHectopliesArmageddon,
    /// 5: as 4, keeping of the earlier positions only those that repeat an earlier one.
    CanonicalizationV2,
    /// 133: as 5, with the armageddon plane.
    CanonicalizationV2Armageddon,
}

impl InputFormat {
    /// All formats, in the order of the LC0_FORMAT table.
    pub const ALL: [InputFormat; 7] = [
        InputFormat::Classical112,
        InputFormat::CastlingPlane,
        InputFormat::Canonicalization,
        InputFormat::CanonicalizationHectoplies,
        InputFormat::CanonicalizationHectopliesArmageddon,
        InputFormat::CanonicalizationV2,
        InputFormat::CanonicalizationV2Armageddon,
    ];

    /// The format of Lc0's number, or `None` if no format has it.
    pub fn from_id(id: u32) -> Option<InputFormat> {
        InputFormat::ALL.into_iter().find(|format| format.id() == id)
    }

    /// Lc0's number of the format.
    pub fn id(self) -> u32 {
        match self {
            InputFormat::Classical112 => 1,
            InputFormat::CastlingPlane => 2,
            InputFormat::Canonicalization => 3,
            InputFormat::CanonicalizationHectoplies => 4,
            InputFormat::CanonicalizationHectopliesArmageddon => 132,
            InputFormat::CanonicalizationV2 => 5,
            InputFormat::CanonicalizationV2Armageddon => 133,
        }
    }

    /// Whether the board is turned into a canonical form and history ends where it is cut off
    /// from the position.
    pub fn is_canonical(self) -> bool {
        !matches!(self, InputFormat::Classical112 | InputFormat::CastlingPlane)
    }

    pub(crate) fn keeps_only_repetitions(self) -> bool {
        matches!(self, InputFormat::CanonicalizationV2 | InputFormat::CanonicalizationV2Armageddon)
    }

    /// Whether the half-move clock's plane holds hundreds of plies.
    pub fn clock_in_hundreds(self) -> bool {
        self.is_canonical() && self != InputFormat::Canonicalization
    }

    /// Whether there is a plane that tells Black from White.
    pub fn is_armageddon(self) -> bool {
        matches!(
            self,
            InputFormat::CanonicalizationHectopliesArmageddon
                | InputFormat::CanonicalizationV2Armageddon
        )
    }
}

/// What stands in the history planes before a game's first position (LC0_FORMAT section 2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HistoryFill {
    /// The first position again, unless it is the standard start. Lc0's default.
    #[default]
    FenOnly,
    /// Nothing, except the one position that an en-passant square proves.
    No,
    /// The first position again, the standard start too.
    Always,
}
