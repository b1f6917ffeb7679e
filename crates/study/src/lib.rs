//! A study: one base network, everything that was fine-tuned from it, and where all that was
//! measured of them lies.
//!
//! A study is a directory. `study.json` says what it is ([`Study`]), `selection.json` which run
//! was chosen for each arm ([`Selection`]); every measurement is one file in `measurements/`, as
//! a command of `searchless` printed it with `--json`. [`StudyDirectory`] knows the paths.

mod arm;
mod description;
mod directory;

pub use arm::{Arm, SelfPlayTemperature, Term, Variant};
pub use description::{Scale, Selection, Study, SuiteRole, SuiteUsed};
pub use directory::{ArenaKind, StudyDirectory, StudyError, StudyProblem};
