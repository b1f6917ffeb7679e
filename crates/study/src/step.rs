//! A step of a study's plan.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Something to be done once, and again where what it depends on has changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Unique in the plan, of letters that a file's name may have.
    pub name: String,
    /// What it does, as the end of "now: ".
    pub title: String,
    /// How.
    pub action: Action,
    /// The files that its results depend on, relative to the study's directory.
    pub inputs: Vec<PathBuf>,
    /// The files that it makes, relative to the study's directory.
    pub outputs: Vec<Output>,
    /// The directory that it makes and in which it goes on where it was interrupted. Put aside where
    /// the step has to be done anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    /// What most of its time goes into.
    pub work: Work,
    /// About how long it takes.
    pub seconds: f64,
}

/// What a step's time goes into. Where some of a kind are done, the estimates of the others follow
/// what they took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Learning.
    Training,
    /// Games.
    Playing,
    /// Evaluating given positions.
    Measuring,
    /// Files.
    Writing,
}

/// How a step is done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// By `searchless` itself, in the study's directory.
    Program(Program),
    /// By copying a file.
    Copy {
        /// Relative to the study's directory, or absolute.
        from: PathBuf,
        /// Relative to the study's directory.
        to: PathBuf,
        /// What the file must be, where it is not one of the study's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sha256: Option<String>,
    },
    /// By choosing the network that stands for each variant.
    Select(SelectionRule),
    /// By making a book of openings of games that were cut off.
    Openings {
        /// The games.
        from: PathBuf,
        /// The book.
        to: PathBuf,
    },
    /// By choosing a game to look at, and writing its moves.
    Game {
        /// The games.
        from: PathBuf,
        /// One line: the moves in UCI notation.
        to: PathBuf,
        /// A player of the game.
        player: String,
    },
}

/// A run of `searchless`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Its arguments where it goes on, if they are others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume: Option<Resume>,
    /// The file that receives its standard output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture: Option<PathBuf>,
    /// A file of games to put in the order of their numbers: they stand in it in the order in which
    /// they ended, which may be another one after an interruption.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort_games: Option<PathBuf>,
}

/// How a program goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resume {
    /// The file that says that there is something to go on with.
    pub marker: PathBuf,
    /// The arguments.
    pub arguments: Vec<Argument>,
}

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Argument {
    /// As it is.
    Text(String),
    /// What stands in a file of the study.
    Contents {
        /// The file.
        contents_of: PathBuf,
    },
}

/// What a step makes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// The file.
    pub path: PathBuf,
    /// What it must be for the step to be done. A program that was told to stop ends without an
    /// error.
    pub whole: Whole,
}

/// When a file is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Whole {
    /// When it is there.
    Present,
    /// When it is one document of JSON.
    Json,
    /// When it has so many lines of JSON; `None` for any number of at least one.
    JsonLines(Option<u64>),
    /// When it has so many games of chess.
    Games(u64),
}

/// How the network that stands for each variant is chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelectionRule {
    /// The variants and their candidates, in the order of the tables; a candidate's own name is its
    /// cell's.
    pub variants: Vec<Candidates>,
    /// The networks' scores, as `searchless evaluate --json` writes them; none where there is no
    /// suite to choose by, and each variant has one candidate.
    pub scores: Option<PathBuf>,
    /// What is chosen.
    pub to: PathBuf,
}

/// What may stand for a variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidates {
    /// Where the chosen network is copied to; none where it lies there already.
    pub copy_to: Option<PathBuf>,
    /// At least one.
    pub arms: Vec<crate::arm::Arm>,
}

impl Step {
    /// The step as a line of a shell, or as words where it is none. What it does is the same where
    /// this is the same.
    pub fn command(&self) -> String {
        match &self.action {
            Action::Program(program) => program.command(&program.arguments),
            Action::Copy { from, to, .. } => {
                format!("cp {} {}", quoted_path(from), quoted_path(to))
            }
            Action::Select(rule) => {
                let by = rule.scores.as_ref().map(|scores| format!(" by {}", scores.display()));
                format!("choose networks{}", by.unwrap_or_default())
            }
            Action::Openings { from, to } => {
                format!("write the openings of {} to {}", from.display(), to.display())
            }
            Action::Game { from, to, player } => {
                format!("write a game of {player} in {} to {}", from.display(), to.display())
            }
        }
    }

    /// What the step does, to the last setting: a stamp of another one is not valid.
    pub fn fingerprint(&self) -> String {
        match &self.action {
            Action::Program(_) => self.command(),
            action => serde_json::to_string(action).expect("strings and numbers are JSON"),
        }
    }
}

impl Program {
    /// The program with these arguments as a line of a shell.
    pub(crate) fn command(&self, arguments: &[Argument]) -> String {
        let words = arguments.iter().map(|argument| match argument {
            Argument::Text(text) => quoted(text),
            Argument::Contents { contents_of } => {
                format!("\"$(cat {})\"", quoted_path(contents_of))
            }
        });
        let mut line = ["searchless".to_owned()].into_iter().chain(words).collect::<Vec<_>>();
        if let Some(capture) = &self.capture {
            line.extend([">".to_owned(), quoted_path(capture)]);
        }
        line.join(" ")
    }
}

impl Output {
    /// A file that is whole where it is there.
    pub fn present(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), whole: Whole::Present }
    }
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Argument {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

fn quoted_path(path: &Path) -> String {
    quoted(&path.display().to_string())
}

/// A word of a shell's command.
pub fn quoted(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+=:,@%".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
