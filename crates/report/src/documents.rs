//! The measurements of a study, read back from what commands printed with `--json`.
//!
//! Types here hold the fields that a report uses; others are passed over, so that a command may
//! print more than it did. A file that is not there is a measurement that was not made; one that
//! does not hold what it should is an error with its name and line.

mod calibration;
mod collection;
mod coverage;
mod directions;
mod error;
mod evaluation;
mod game;
mod metrics;
mod ratings;
mod read;
mod recovery;
mod shape;
#[cfg(test)]
mod tests;

pub use calibration::{CalibrationLine, Ranged, ReliabilityBin};
pub use collection::{Configuration, Documents};
pub use coverage::{CoverageLine, CoverageSample, Likeliest};
pub use directions::{DirectionsDocument, SuccessorMove};
pub use error::{DocumentError, DocumentProblem};
pub use evaluation::{EvaluationLine, Group, Measures, PairedDifference, Versus};
pub use game::{GameLine, GameMove};
pub use metrics::{AdvantageMetrics, MetricsLine, OpeningMetrics, OpeningWindow, PolicyMetrics};
pub use ratings::{DirectRecord, EloDifference, RatedPlayer, RatingsDocument};
pub use read::{read_curves, read_document, read_lines, read_metrics};
pub use recovery::{
    BoardCandidate, BoardOpinion, EngineVerdict, ExclusiveDocument, ExclusivePuzzles,
    PositionGroup, PuzzleChanges, PuzzleGroup, RateBin, RecoveredBoard, RecoveryDocument,
    TunedRecovery,
};
pub use shape::{MeanAndError, PolicyShape, ShapeLine};

/// Name by which measurements know the raw policy pi.
pub const RAW: &str = "raw";
/// Name by which measurements know the tempered policy mu.
pub const TEMPERED: &str = "tempered";
