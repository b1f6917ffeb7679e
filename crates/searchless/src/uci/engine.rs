//! The engine behind the protocol: takes commands, keeps the game, answers with one forward pass.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use chess::{Game, HistoryFill, InputFormat, Move, Position};
use network::{Evaluation, Evaluator, HeadSelection};
use policy::Temperature;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::{ThreadPool, ThreadPoolBuilder};
use shakmaty::uci::UciMove;

use super::command::{Command, Go};
use super::options::{OptionName, Options};
use super::score::{centipawns, per_mille};
use crate::errors;
use crate::loading::load_evaluator;

/// A UCI engine that writes its answers to `W`.
pub(crate) struct Engine<W> {
    output: W,
    options: Options,
    threads: ThreadPool,
    player: Option<Player>,
    /// `None` after a `position` command that could not be followed.
    game: Option<Game>,
    /// Runs on across games: starting afresh in each would play the same game again and again.
    generator: ChaCha8Rng,
    held: Option<HeldMove>,
}

/// A network, and what it was made from.
struct Player {
    evaluator: Evaluator,
    source: PlayerSource,
}

#[derive(PartialEq)]
struct PlayerSource {
    file: PathBuf,
    heads: HeadSelection,
    fill: HistoryFill,
}

/// The answer to `go infinite` or `go ponder`, which waits for the GUI.
struct HeldMove {
    line: String,
    until_stop: bool,
}

/// Whether to read on.
#[derive(PartialEq, Eq)]
enum Flow {
    Continue,
    Quit,
}

impl<W: Write> Engine<W> {
    /// An engine in the start position; the network is loaded when it is first needed.
    pub(crate) fn new(output: W, options: Options) -> anyhow::Result<Self> {
        Ok(Engine {
            output,
            threads: thread_pool(&options)?,
            generator: ChaCha8Rng::seed_from_u64(options.seed),
            options,
            player: None,
            game: Some(Game::new()),
            held: None,
        })
    }

    /// Loads the network that is set, unless it is loaded.
    pub(crate) fn load(&mut self) -> anyhow::Result<()> {
        let Some(file) = self.options.weights_file.clone() else {
            bail!("no network; set the option WeightsFile to an Lc0 network file");
        };
        let source =
            PlayerSource { file, heads: self.options.heads, fill: self.options.history_fill };
        if self.player.as_ref().is_none_or(|player| player.source != source) {
            self.player = None;
            let device = self.options.device;
            let load = || load_evaluator(&source.file, source.heads, source.fill, device);
            let evaluator = self.threads.install(load)?.evaluator;
            self.player = Some(Player { evaluator, source });
            self.warn_of_chess960()?;
        }
        Ok(())
    }

    /// Says at once that the network cannot play what the GUI is about to ask of it; the positions
    /// themselves are refused one by one.
    fn warn_of_chess960(&mut self) -> io::Result<()> {
        let Some(player) = &self.player else { return Ok(()) };
        let format = player.evaluator.engine().architecture().input_format;
        if self.options.chess960 && format == InputFormat::Classical112 {
            writeln!(
                self.output,
                "info string the network's input format 1 cannot express the castling rights of \
                 Chess960; positions that have them are refused"
            )?;
        }
        Ok(())
    }

    /// Answers commands until `quit` or the end of the input.
    pub(crate) fn run(&mut self, mut input: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        while input.read_until(b'\n', &mut line)? > 0 {
            let flow = match Command::parse(&String::from_utf8_lossy(&line)) {
                Ok(None) => Flow::Continue,
                Ok(Some(command)) => self.answer(command)?,
                Err(error) => {
                    self.report(&error.into())?;
                    Flow::Continue
                }
            };
            self.output.flush()?;
            if flow == Flow::Quit {
                break;
            }
            line.clear();
        }
        Ok(())
    }

    fn answer(&mut self, command: Command) -> io::Result<Flow> {
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady => {
                // Loaded here, the network does not cost the first move's time. Without one an
                // engine is ready all the same: the GUI may set it later.
                if self.options.weights_file.is_some()
                    && let Err(error) = self.load()
                {
                    self.report(&error)?;
                }
                writeln!(self.output, "readyok")?;
            }
            Command::NewGame => self.game = Some(Game::new()),
            Command::SetOption { name, value } => {
                if let Err(error) = self.set_option(&name, &value) {
                    self.report(&error)?;
                }
            }
            Command::Position { fen, moves } => {
                let game = game(fen.as_deref(), &moves);
                if let Err(error) = &game {
                    self.report(error)?;
                }
                self.game = game.ok();
            }
            Command::Go(go) => self.go(&go)?,
            Command::Stop => self.release()?,
            Command::PonderHit => {
                if self.held.as_ref().is_some_and(|held| !held.until_stop) {
                    self.release()?;
                }
            }
            Command::Quit => return Ok(Flow::Quit),
        }
        Ok(Flow::Continue)
    }

    fn introduce(&mut self) -> io::Result<()> {
        writeln!(self.output, "id name Searchless {}", env!("CARGO_PKG_VERSION"))?;
        writeln!(self.output, "id author the Searchless authors")?;
        for declaration in self.options.declarations() {
            writeln!(self.output, "{declaration}")?;
        }
        writeln!(self.output, "uciok")
    }

    fn set_option(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        let mut options = self.options.clone();
        match options.set(name, value)? {
            OptionName::Threads => self.threads = thread_pool(&options)?,
            OptionName::Seed => self.generator = ChaCha8Rng::seed_from_u64(options.seed),
            _ => {}
        }
        let turned_on = options.chess960 && !self.options.chess960;
        self.options = options;
        if turned_on {
            self.warn_of_chess960()?;
        }
        Ok(())
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        // Every `go` is owed one `bestmove`, even by a GUI that forgot to say `stop`.
        self.release()?;
        let best = match self.think(go) {
            Ok(best) => best,
            Err(error) => {
                self.report(&error)?;
                None
            }
        };
        let line = format!("bestmove {}", best.as_deref().unwrap_or("(none)"));
        self.held = Some(HeldMove { line, until_stop: go.infinite });
        if go.infinite || go.ponder { Ok(()) } else { self.release() }
    }

    /// Prints what the network says and returns the move to play; `None` where there is none.
    fn think(&mut self, go: &Go) -> anyhow::Result<Option<String>> {
        let game = self.game.clone().ok_or_else(|| {
            anyhow!("there is no position to play in, since the last 'position' was refused")
        })?;
        if game.legal_moves().is_empty() {
            let score = if game.position().is_check() { "mate 0" } else { "cp 0" };
            writeln!(self.output, "info depth 0 score {score}")?;
            return Ok(None);
        }
        let allowed = self.allowed_moves(&game, go)?;
        self.load()?;
        let Some(player) = &self.player else { bail!("the network was not loaded") };
        let evaluated = self.threads.install(|| player.evaluator.evaluate(&[&game]));
        let evaluation = evaluated.with_context(|| format!("in {}", game.fen()))?.swap_remove(0);
        let candidates = self.candidates(&evaluation, &allowed)?;
        self.show(&game, &evaluation, &candidates)?;
        let best = candidates.first().map(|candidate| self.uci(&game, candidate.mv));
        Ok(best)
    }

    /// The moves of `searchmoves` that are legal; empty for all.
    fn allowed_moves(&mut self, game: &Game, go: &Go) -> io::Result<Vec<Move>> {
        let mut allowed = Vec::new();
        for uci in &go.search_moves {
            match game.parse_uci(uci) {
                Ok(mv) => allowed.push(mv),
                Err(error) => self.report(&error.into())?,
            }
        }
        if allowed.is_empty() && !go.search_moves.is_empty() {
            writeln!(self.output, "info string no move of searchmoves is legal; all are allowed")?;
        }
        Ok(allowed)
    }

    /// The moves to show: first the one to play, then the others by probability.
    fn candidates(
        &mut self,
        evaluation: &Evaluation,
        allowed: &[Move],
    ) -> anyhow::Result<Vec<Candidate>> {
        let raw = evaluation.policy(Temperature::ONE)?;
        let mut ranked: Vec<usize> = raw.top(raw.move_count());
        ranked.retain(|&row| allowed.is_empty() || allowed.contains(&evaluation.moves[row].1));
        if self.options.temperature > Temperature::ZERO {
            let logits: Vec<f32> = ranked.iter().map(|&row| evaluation.logits[row]).collect();
            let behaviour = policy::MovePolicy::from_logits(&logits, self.options.temperature)?;
            let drawn = ranked.remove(behaviour.sample(&mut self.generator));
            ranked.insert(0, drawn);
        }
        let candidate = |row: usize| Candidate {
            mv: evaluation.moves[row].1,
            probability: raw.probability(row),
        };
        Ok(ranked.into_iter().map(candidate).collect())
    }

    /// One line for each of the first MultiPV moves. All have the same score: a network that does
    /// not search has one value for the position and none for its moves.
    fn show(
        &mut self,
        game: &Game,
        evaluation: &Evaluation,
        candidates: &[Candidate],
    ) -> io::Result<()> {
        let outcome = evaluation.wdl();
        let mut score = format!("cp {}", centipawns(outcome.q()));
        if self.options.show_wdl {
            let [win, draw, loss] = per_mille(&outcome);
            score += &format!(" wdl {win} {draw} {loss}");
        }
        let shown = &candidates[..self.options.lines.min(candidates.len())];
        let mut raw_policy = String::new();
        for (line, candidate) in shown.iter().enumerate() {
            let uci = self.uci(game, candidate.mv);
            let number = line + 1;
            writeln!(
                self.output,
                "info depth 1 seldepth 1 multipv {number} score {score} nodes 1 pv {uci}"
            )?;
            raw_policy += &format!(" {uci} {:.2}%", candidate.probability * 100.0);
        }
        writeln!(self.output, "info string policy{raw_policy}")
    }

    fn uci(&self, game: &Game, mv: Move) -> String {
        if self.options.chess960 { UciMove::from_chess960(mv).to_string() } else { game.uci(mv) }
    }

    fn release(&mut self) -> io::Result<()> {
        match self.held.take() {
            Some(held) => writeln!(self.output, "{}", held.line),
            None => Ok(()),
        }
    }

    fn report(&mut self, error: &anyhow::Error) -> io::Result<()> {
        writeln!(self.output, "info string error: {}", errors::one_line(error))
    }
}

/// A move that may be played.
struct Candidate {
    mv: Move,
    /// At temperature 1, among all legal moves.
    probability: f64,
}

fn thread_pool(options: &Options) -> anyhow::Result<ThreadPool> {
    let threads = options.threads.get();
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.with_context(|| format!("starting {threads} threads"))
}

fn game(fen: Option<&str>, moves: &[String]) -> anyhow::Result<Game> {
    let mut game = match fen {
        Some(fen) => Game::from_fen(fen)?,
        None => Game::new(),
    };
    for uci in moves {
        game.play_uci(uci)?;
    }
    Ok(game)
}
