//! The files that the binary carries, so that it does its main job where there is nothing else: a
//! base network, openings out of that network's play, and puzzles out of its games.
//! `nets/RECIPE.md` and `suites/README.md` say how they were made.

/// A file within the binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmbeddedFile {
    /// Its name, when it is written out.
    pub name: &'static str,
    /// Its contents.
    pub bytes: &'static [u8],
    /// What it is, for people.
    pub about: &'static str,
}

/// The base network: an Lc0 file, compressed with gzip.
pub const BASE_NETWORK: EmbeddedFile = EmbeddedFile {
    name: "base.pb.gz",
    bytes: include_bytes!("../../../nets/base.pb.gz"),
    about: "base network, 128 wide and 4 layers deep, trained on what a search says of positions",
};

/// Openings for matches, as PGN.
pub const OPENINGS: EmbeddedFile = EmbeddedFile {
    name: "openings.pgn",
    bytes: include_bytes!("../../../suites/openings.pgn"),
    about: "balanced openings out of the base's own play",
};

/// Puzzles to choose coefficients by.
pub const SELECTION: EmbeddedFile = EmbeddedFile {
    name: "selection.csv.zst",
    bytes: include_bytes!("../../../suites/selection.csv.zst"),
    about: "puzzles to choose by, out of games of our own",
};

/// Puzzles to measure with; none of [`SELECTION`].
pub const UNIFORM: EmbeddedFile = EmbeddedFile {
    name: "uniform.csv.zst",
    bytes: include_bytes!("../../../suites/uniform.csv.zst"),
    about: "puzzles to measure with, out of games of our own",
};

/// The hardest of the puzzles to measure with; none of [`SELECTION`].
pub const HARD: EmbeddedFile = EmbeddedFile {
    name: "hard.csv.zst",
    bytes: include_bytes!("../../../suites/hard.csv.zst"),
    about: "puzzles that took their engine long, out of games of our own",
};

/// Forced mates.
pub const MATES: EmbeddedFile = EmbeddedFile {
    name: "mates.csv.zst",
    bytes: include_bytes!("../../../suites/mates.csv.zst"),
    about: "proved mates, out of games of our own",
};

/// All of them. Their names are those that a study looks for in a folder of suites.
pub const ALL: [EmbeddedFile; 6] = [BASE_NETWORK, OPENINGS, SELECTION, UNIFORM, HARD, MATES];
