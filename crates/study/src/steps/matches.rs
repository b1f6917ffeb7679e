//! Matches, what is measured of their games, and the report.

use std::path::{Path, PathBuf};

use super::builder::{Builder, Command, WRITING, network, words};
use crate::arm::{SelfPlayTemperature, Variant};
use crate::cost::Cost;
use crate::directory::ArenaKind;
use crate::step::{Action, Argument, Output, Program, Resume, Step, Whole, Work};

/// Half-moves of an opening.
const OPENING_PLIES: u64 = 8;
/// Positions of a game in which calibration is measured: the command's default.
const POSITIONS_OF_A_GAME: u64 = 4;

impl Builder<'_> {
    /// Openings, ladders, and the matches against the base.
    pub(super) fn matches(&mut self) {
        let book = self.openings();
        let named = |variant: Variant| format!("{},name={variant}", network(variant).display());
        let control = self.has_control().then_some(Variant::PuzzleTuned);
        let variants = [Variant::Base].into_iter().chain(self.self_play()).chain(control);
        let players: Vec<String> = variants.map(named).collect();
        let networks = self.selected();
        self.arena(
            ["arena-argmax", "rate-argmax"],
            ArenaKind::Argmax,
            "play the argmax ladder",
            &players,
            &networks,
            &book,
        );
        self.arena(
            ["arena-against-base", "rate-against-base"],
            ArenaKind::AgainstBase,
            "play everyone against the base",
            &players,
            &networks,
            &book,
        );
        let sampled = |variant: Variant| {
            let play = match variant {
                Variant::SelfPlay { temperature: SelfPlayTemperature::Adaptive, .. } => "adaptive",
                _ => "sampled",
            };
            format!("{},play={play},name={variant}", network(variant).display())
        };
        let base = self.base();
        let tempered = format!("{},play=adaptive,name=base-mu", base.display());
        let players: Vec<String> = [sampled(Variant::Base), tempered]
            .into_iter()
            .chain(self.self_play().into_iter().map(sampled))
            .collect();
        let networks = self.exploring();
        self.arena(
            ["arena-sampled", "rate-sampled"],
            ArenaKind::Sampled,
            "play the ladder of sampled moves",
            &players,
            &networks,
            &book,
        );
    }

    /// The book of openings: as given, or first moves that the base plays itself.
    fn openings(&mut self) -> PathBuf {
        let folder = Path::new("openings");
        if let Some(given) = &self.request.openings {
            let name = given.path.file_name().unwrap_or_default().to_string_lossy();
            let end = name.split_once('.').map_or_else(String::new, |(_, end)| format!(".{end}"));
            let book = folder.join(format!("book{end}"));
            let title = "copy the openings".to_owned();
            self.given("openings", title, &given.path, &given.sha256, &book);
            return book;
        }
        let most = [self.sizes.ladder_games, self.sizes.base_games, self.sizes.sampled_games];
        let needed = most.into_iter().max().unwrap_or_default() / 2;
        // Some are the same, some are over before they end.
        let drawn = (2 * needed + 20).next_multiple_of(2);
        let base = self.base();
        let directory = folder.join("games");
        let games = directory.join("games.pgn");
        let mut arguments = words(["arena"]);
        for name in ["one", "other"] {
            let player = format!("{},play=sampled,name={name}", base.display());
            arguments.extend(words(["--player", &player]));
        }
        arguments.extend(words([Path::new("--out"), &directory]));
        arguments.extend(words(["--games", &drawn.to_string()]));
        arguments.extend(words(["--max-plies", &OPENING_PLIES.to_string()]));
        arguments.extend(self.seed());
        arguments.extend(self.device());
        let program = self.resumable(&directory);
        self.program(
            Command {
                name: "opening-games",
                title: "let the base play openings".to_owned(),
                arguments,
                inputs: vec![base],
                outputs: vec![Output { path: games.clone(), whole: Whole::Games(drawn) }],
                work: Work::Playing,
                seconds: self.cost.positions(drawn * OPENING_PLIES) + Cost::start(2),
            },
            program,
            Some(directory),
        );
        let book = folder.join("book.pgn");
        self.steps.push(Step {
            name: "openings".to_owned(),
            title: "make a book of the openings".to_owned(),
            action: Action::Openings { from: games.clone(), to: book.clone() },
            inputs: vec![games],
            outputs: vec![Output::present(&book)],
            directory: None,
            work: Work::Writing,
            seconds: WRITING,
        });
        book
    }

    /// A match and its ratings.
    fn arena(
        &mut self,
        [name, rating]: [&'static str; 2],
        kind: ArenaKind,
        title: &str,
        players: &[String],
        networks: &[PathBuf],
        book: &Path,
    ) {
        let games_of_a_pair = match kind {
            ArenaKind::Argmax => self.sizes.ladder_games,
            ArenaKind::AgainstBase => self.sizes.base_games,
            ArenaKind::Sampled => self.sizes.sampled_games,
        };
        if games_of_a_pair == 0 {
            return;
        }
        let others = players.len() as u64 - 1;
        let pairs = match kind {
            ArenaKind::AgainstBase => others,
            ArenaKind::Argmax | ArenaKind::Sampled => others * (others + 1) / 2,
        };
        let total = pairs * games_of_a_pair;
        let directory = self.place.arena(kind);
        let games = directory.join("games.pgn");
        let mut arguments = words(["arena"]);
        for player in players {
            arguments.extend(words(["--player", player]));
        }
        if kind == ArenaKind::AgainstBase {
            arguments.push("--gauntlet".into());
        }
        arguments.extend(words([Path::new("--out"), &directory]));
        arguments.extend(words(["--games", &games_of_a_pair.to_string()]));
        arguments.extend(words([Path::new("--openings"), book]));
        arguments.extend(self.seed());
        arguments.extend(self.device());
        let seconds = match kind {
            ArenaKind::Sampled => self.cost.sampled_games(total),
            ArenaKind::Argmax | ArenaKind::AgainstBase => self.cost.games(total),
        };
        let program = self.resumable(&directory);
        self.program(
            Command {
                name,
                title: format!("{title} ({total} games)"),
                arguments,
                inputs: networks.iter().cloned().chain([book.to_owned()]).collect(),
                outputs: vec![Output { path: games.clone(), whole: Whole::Games(total) }],
                work: Work::Playing,
                seconds: seconds + Cost::start(players.len()),
            },
            program,
            Some(directory),
        );
        let mut arguments = words([Path::new("rate"), &games]);
        arguments.extend(words(["--anchor", "base=0", "--versus", "base", "--json"]));
        self.capture(Command {
            name: rating,
            title: format!("rate the players of {}", games.display()),
            arguments,
            inputs: vec![games],
            outputs: vec![Output { path: self.place.ratings(kind), whole: Whole::Json }],
            work: Work::Writing,
            seconds: Cost::start(0),
        });
    }

    /// How a match goes on, and that its games are put in order.
    fn resumable(&self, directory: &Path) -> Program {
        let mut arguments = words([Path::new("arena"), Path::new("--resume"), directory]);
        arguments.extend(self.device());
        Program {
            resume: Some(Resume { marker: directory.join("arena.toml"), arguments }),
            sort_games: Some(directory.join("games.pgn")),
            ..Program::default()
        }
    }

    /// What is measured of the argmax ladder's games.
    pub(super) fn games(&mut self) {
        let games = self.place.arena(ArenaKind::Argmax).join("games.pgn");
        if self.sizes.calibration {
            self.calibration(&games);
        }
        let moves = self.place.measurement("game-moves.txt");
        self.steps.push(Step {
            name: "game-moves".to_owned(),
            title: "choose a game of the base".to_owned(),
            action: Action::Game {
                from: games.clone(),
                to: moves.clone(),
                player: Variant::Base.key(),
            },
            inputs: vec![games],
            outputs: vec![Output::present(&moves)],
            directory: None,
            work: Work::Writing,
            seconds: WRITING,
        });
        let base = self.base();
        let mut arguments = words([Path::new("inspect"), &base, Path::new("--moves")]);
        arguments.push(Argument::Contents { contents_of: moves.clone() });
        arguments.extend(words(["--each-ply", "--json"]));
        arguments.extend(self.device());
        let to = self.place.measurement("game.jsonl");
        self.capture(Command {
            name: "game",
            title: "look at each position of the game".to_owned(),
            arguments,
            inputs: vec![base, moves],
            outputs: vec![Output { path: to, whole: Whole::JsonLines(None) }],
            work: Work::Measuring,
            seconds: self.cost.games(1) + Cost::start(1),
        });
    }

    fn calibration(&mut self, games: &Path) {
        let networks = self.selected();
        let mut arguments = words(["calibration"]);
        arguments.extend(words(&networks));
        arguments.extend(words([Path::new("--games"), games]));
        arguments.extend(self.seed());
        arguments.push("--json".into());
        arguments.extend(self.device());
        let lines = networks.len() as u64;
        let pairs = lines * (lines - 1) / 2;
        let positions = lines * pairs * self.sizes.ladder_games * POSITIONS_OF_A_GAME;
        self.capture(Command {
            name: "calibration",
            title: "measure the value heads' calibration".to_owned(),
            arguments,
            outputs: vec![Output {
                path: self.place.calibration(),
                whole: Whole::JsonLines(Some(lines)),
            }],
            work: Work::Measuring,
            seconds: self.cost.positions(positions) + Cost::start(networks.len()),
            inputs: networks.into_iter().chain([games.to_owned()]).collect(),
        });
    }

    /// All tables and figures.
    pub(super) fn report(&mut self) {
        let is_measured = |path: &&PathBuf| {
            path.starts_with("measurements")
                || **path == self.place.selection()
                || path.ends_with("metrics.jsonl")
        };
        let made = self.steps.iter().flat_map(|step| &step.outputs).map(|output| &output.path);
        let mut inputs: Vec<PathBuf> = made.filter(is_measured).cloned().collect();
        inputs.push(self.place.description());
        self.program(
            Command {
                name: "report",
                title: "write the report".to_owned(),
                arguments: words(["report", "."]),
                inputs,
                outputs: vec![Output::present(self.place.report().join("index.html"))],
                work: Work::Writing,
                seconds: 5.0,
            },
            Program::default(),
            None,
        );
    }
}
