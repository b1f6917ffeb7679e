//! A study: one base network, everything that was fine-tuned from it, and where all that was
//! measured of them lies.
//!
//! A study is a directory. `study.json` says what it is ([`Study`]), `selection.json` which run
//! was chosen for each arm ([`Selection`]); every measurement is one file in `measurements/`, as
//! a command of `searchless` printed it with `--json`. [`StudyDirectory`] knows the paths.
//!
//! How a study comes about is a [`Plan`] of [`Step`]s, most of them runs of `searchless`:
//! [`Plan::new`] says what the paper did, as large as a [`Request`] asks for, and [`carry_out`] does
//! what is not done yet. What a step depended on and what it made is in its stamp,
//! `steps/NAME.json`: a step whose command or inputs have changed since, or whose outputs are not
//! what it made, is done again.

mod arm;
mod budget;
mod cost;
mod demo;
mod description;
mod directory;
mod engine;
mod files;
mod games;
mod plan;
mod request;
mod script;
mod selection;
mod sizes;
mod stamp;
mod step;
mod steps;
mod table;

pub use arm::{Arm, SelfPlayTemperature, Term, Variant};
pub use demo::Demonstration;
pub use description::{Scale, Selection, Study, SuiteRole, SuiteUsed};
pub use directory::{ArenaKind, StudyDirectory, StudyError, StudyProblem};
pub use engine::{
    Ending, EngineError, Event, InternalError, Invocation, Run, Runner, carry_out, standings,
};
pub use files::{FileError, FileSum, StudyFiles, StudyLock, sha256};
pub use games::GamesError;
pub use plan::Plan;
pub use request::{Given, GivenFile, GivenSuite, Request};
pub use selection::SelectionError;
pub use stamp::Standing;
pub use step::{
    Action, Argument, Candidates, Output, Program, Resume, SelectionRule, Step, Whole, Work, quoted,
};
pub use steps::Facts;
pub use table::{Pace, duration, table};
