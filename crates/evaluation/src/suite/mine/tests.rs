use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use chess::puzzle::{Acceptance, Puzzle, PuzzleReader};
use chess::{Game, Move, MoveIndex, Orientation};
use tempfile::TempDir;

use super::*;

/// Black takes a knight that he should not: after 4. Qh5+ g6 5. Qxe5+ the rook falls.
const DAMIANO: &str = "e2e4 e7e5 g1f3 f7f6 f3e5 f6e5";
/// Black overlooks mate in one.
const SCHOLAR: &str = "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6";
/// The same position.
const SCHOLAR_LATER: &str = "e2e4 b8c6 d1h5 g8f6 f1c4 e7e5";
/// Black takes the queen and is mated in two.
const LEGAL: &str = "e2e4 e7e5 g1f3 d7d6 f1c4 c8g4 b1c3 g7g6 f3e5 g4d1";

/// What is said after these moves: the best move and its prospect, and the second's.
const VERDICTS: [(&str, &str); 8] = [
    (DAMIANO, "d1h5 0.9 d2d4 0.3"),
    ("e2e4 e7e5 g1f3 f7f6 f3e5 f6e5 d1h5", "g7g6 0.1 e8e7 0.0"),
    ("e2e4 e7e5 g1f3 f7f6 f3e5 f6e5 d1h5 g7g6", "h5e5 0.95 h5g6 0.2"),
    ("e2e4 e7e5 g1f3 f7f6 f3e5 f6e5 d1h5 g7g6 h5e5", "d8e7 0.1 g8e7 0.1"),
    ("e2e4 e7e5 g1f3 f7f6 f3e5 f6e5 d1h5 g7g6 h5e5 d8e7", "e5h8 0.92 e5e7 0.6"),
    ("e2e4 e7e5 g1f3 f7f6 f3e5 f6e5 d1h5 g7g6 h5e5 d8e7 e5h8", "e7e4 0.2 b8c6 0.1"),
    ("e2e4 e7e5 g1f3 f7f6 f3e5 f6e5 d1h5 g7g6 h5e5 d8e7 e5h8 e7e4", "e1d1 0.8 f1e2 0.7"),
    (SCHOLAR, "h5f7 #1 h5e5 0.4"),
];

pub(super) fn settings(kind: PuzzleKind) -> MineSettings {
    MineSettings {
        kind,
        nodes: 1000,
        look_nodes: 10,
        winning: 0.75,
        jump: 0.3,
        gap: 0.3,
        least_moves: 1,
        most_moves: 5,
        per_game: 1,
        node_budget: 100_000,
        seed: 0,
    }
}

/// Answers from a table by the moves of the game, and finds all else even.
#[derive(Clone, Default)]
struct Scripted {
    verdicts: HashMap<String, String>,
    /// Says nothing of a position after so many half-moves.
    silent_at: Option<u32>,
    /// Breaks at the position after so many half-moves.
    breaks_at: Option<u32>,
}

impl Scripted {
    fn new(changes: &[(&str, &str)]) -> Scripted {
        let later = [(SCHOLAR_LATER, VERDICTS[7].1), (LEGAL, "c4f7 #2 c3d1 0.5")];
        let all = VERDICTS.iter().chain(&later).chain(changes);
        let verdicts = all.map(|&(moves, said)| (moves.to_owned(), said.to_owned())).collect();
        Scripted { verdicts, ..Scripted::default() }
    }
}

impl Analyst for Scripted {
    fn analyse(&mut self, game: &Game, nodes: u64) -> Result<Verdict, AnalystError> {
        if self.silent_at == Some(game.ply()) {
            return Err(AnalystError::Passed("the engine fell asleep"));
        }
        if self.breaks_at == Some(game.ply()) {
            return Err(AnalystError::Broken("the engine is gone".into()));
        }
        let moves: Vec<String> = game.moves().iter().map(|&mv| game.uci(mv)).collect();
        if let Some(said) = self.verdicts.get(&moves.join(" ")) {
            let words: Vec<&str> = said.split(' ').collect();
            let choices: Vec<Choice> =
                words.chunks(2).map(|words| choice(game, words[0], words[1])).collect();
            let settled = Some(nodes / 10);
            return Ok(Verdict {
                best: choices[0],
                second: choices.get(1).copied(),
                nodes,
                settled,
            });
        }
        let mut legal: Vec<Move> = game.legal_moves().into_iter().collect();
        let orientation = Orientation::of_mover(game.turn());
        legal.sort_by_key(|&mv| MoveIndex::of(mv, orientation));
        let even = |&played: &Move| Choice { played, prospect: Prospect::Score(0.5) };
        let (best, second) = (even(&legal[0]), legal.get(1).map(even));
        Ok(Verdict { best, second, nodes, settled: None })
    }
}

fn choice(game: &Game, uci: &str, prospect: &str) -> Choice {
    let moves = |text: &str| text.parse().expect("a number of moves");
    let prospect = match (prospect.strip_prefix("-#"), prospect.strip_prefix('#')) {
        (Some(mated), _) => Prospect::Mated(moves(mated)),
        (_, Some(mates)) => Prospect::Mates(moves(mates)),
        _ => Prospect::Score(prospect.parse().expect("a score")),
    };
    Choice { played: game.parse_uci(uci).expect("a legal move"), prospect }
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A file of games, given by their moves.
    fn games(&self, name: &str, games: &[&str]) -> PathBuf {
        let mut file = Vec::new();
        for moves in games {
            let mut game = Game::new();
            moves.split(' ').for_each(|uci| game.play_uci(uci).expect("a legal move"));
            chess::pgn::write_game(&mut file, &[], &game, None).expect("written");
        }
        fs::write(self.path(name), file).expect("written");
        self.path(name)
    }

    fn mine(&self, mining: &Mining, analysts: Vec<Scripted>) -> Result<MineOutcome, MineError> {
        let never = AtomicBool::new(false);
        let engine = EngineRecord::named("Scripted");
        mining.write(&self.path("out.csv"), analysts, engine, &never, |_| {})
    }

    /// Mines anew, and reads what was mined.
    fn suite(&self, mining: &Mining, analysts: Vec<Scripted>) -> (MineManifest, Vec<Puzzle>) {
        let path = self.path("out.csv");
        let MineOutcome::Finished(manifest) = self.mine(mining, analysts).expect("mined") else {
            panic!("nobody stopped it");
        };
        let puzzles = PuzzleReader::open(&path).expect("a suite").collect::<Result<Vec<_>, _>>();
        let puzzles = puzzles.expect("every row is a puzzle");
        assert_eq!(manifest.puzzles, puzzles.len() as u64);
        let rejected: u64 = manifest.counts.rejected.values().sum();
        let candidates = manifest.counts.candidates;
        assert_eq!(candidates, manifest.puzzles + rejected, "every candidate is counted once");
        (*manifest, puzzles)
    }

    fn forget(&self) {
        fs::remove_file(work_path(&self.path("out.csv"))).expect("there was work");
    }
}

fn of(games: &[&PathBuf], settings: MineSettings) -> Mining {
    let games = games.iter().map(|&path| path.clone()).collect();
    Mining { games, exclude: Vec::new(), settings, count: None, strict: false }
}

fn line(puzzle: &Puzzle) -> String {
    let moves: Vec<String> = puzzle.line.iter().map(|&mv| puzzle.start.uci(mv)).collect();
    moves.join(" ")
}

fn words<'a>(counts: impl IntoIterator<Item = (&'a String, &'a u64)>) -> String {
    let words = counts.into_iter().map(|(name, count)| format!("{count} {name}"));
    words.collect::<Vec<_>>().join(", ")
}

#[test]
fn a_tactic_goes_on_while_one_move_wins() {
    let check = |change: &dyn Fn(&mut MineSettings), verdicts: &[(&str, &str)], expected: &str| {
        let folder = Folder::new();
        let mut settings = settings(PuzzleKind::Both);
        change(&mut settings);
        let mining = of(&[&folder.games("g.pgn", &[DAMIANO])], settings);
        let found = match folder.mine(&mining, vec![Scripted::new(verdicts)]) {
            Ok(_) => line(&folder.suite(&mining, Vec::new()).1[0]),
            Err(MineError::NoPuzzles { reasons, .. }) => reasons,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(found, expected, "{verdicts:?}");
    };
    let same = |_: &mut MineSettings| {};
    let [taken, check_given, interposed, ..] = VERDICTS.map(|(moves, _)| moves);
    check(&same, &[], "d1h5 g7g6 h5e5 d8e7 e5h8");
    check(&|settings| settings.most_moves = 2, &[], "d1h5 g7g6 h5e5");
    check(&|settings| settings.least_moves = 4, &[], "1 too short");
    // The second move at the third position is too good.
    check(&same, &[(VERDICTS[4].0, "e5h8 0.92 e5e7 0.7")], "d1h5 g7g6 h5e5");
    check(&same, &[(interposed, "h5e5 0.95 h5g6 0.9")], "d1h5");
    // Enough to go on with, and not enough to be a move to find.
    check(&same, &[(interposed, "h5e5 0.7 h5g6 0.1")], "d1h5");
    check(&same, &[(interposed, "h5e5 0.6 h5g6 0.1")], "1 refuted by a reply");
    check(&same, &[(check_given, "g7g6 0.4 e8e7 0.0")], "1 refuted by a reply");
    // No candidates at all.
    check(&same, &[(taken, "d1h5 0.6 d2d4 0.1")], "");
    check(&same, &[(taken, "d1h5 0.9 d2d4 0.8")], "");
    check(&same, &[(taken, "d1h5 0.9")], "");
    let known = "e2e4 e7e5 g1f3 f7f6 f3e5";
    check(&same, &[(known, "d8e7 0.2 a7a6 0.1")], "");
    // Candidates that a closer look does not confirm.
    check(&same, &[(taken, "d1h5 0.72 d2d4 0.3")], "1 not winning with more nodes");
    check(&same, &[(taken, "d1h5 0.9 d2d4 0.65")], "1 several good moves");
    check(&|settings| settings.kind = PuzzleKind::Mates, &[], "");
}

#[test]
fn a_recapture_is_no_puzzle() {
    let folder = Folder::new();
    let exchange = "e2e4 d7d5 b1c3 d5e4";
    let file = folder.games("g.pgn", &[exchange]);
    let recaptured = "e2e4 d7d5 b1c3 d5e4 c3e4";
    let analyst = Scripted::new(&[
        (exchange, "c3e4 0.9 a2a3 0.2"),
        (recaptured, "e7e5 0.1 a7a6 0.1"),
        ("e2e4 d7d5 b1c3 d5e4 c3e4 e7e5", "a2a3 0.8 b2b3 0.8"),
    ]);
    let mining = of(&[&file], settings(PuzzleKind::Both));
    let error = folder.mine(&mining, vec![analyst]).expect_err("no puzzle").to_string();
    assert_eq!(error, "no puzzle was found in 1 games, 1 candidates: 1 a recapture");
}

#[test]
fn mates_are_proved_and_go_on_to_the_end() {
    let check = |game: &str, verdicts: &[(&str, &str)], kind, expected: &str| {
        let folder = Folder::new();
        let mining = of(&[&folder.games("g.pgn", &[game])], settings(kind));
        let found = match folder.mine(&mining, vec![Scripted::new(verdicts)]) {
            Ok(_) => {
                let (_, puzzles) = folder.suite(&mining, Vec::new());
                assert_eq!(puzzles[0].acceptance, Some(Acceptance::Proved));
                format!("{}: {}", line(&puzzles[0]), puzzles[0].themes.join(" "))
            }
            Err(MineError::NoPuzzles { reasons, .. }) => reasons,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(found, expected, "{game}");
    };
    use PuzzleKind::{Both, Mates, Tactics};
    check(SCHOLAR, &[], Both, "h5f7: mate mateIn1 oneMove opening");
    check(LEGAL, &[], Mates, "c4f7 e8e7 c3d5: mate mateIn2 opening short");
    // The solver knows a shorter mate than the engine.
    check(
        LEGAL,
        &[(LEGAL, "c3d1 #3 c4f7 #4")],
        Mates,
        "c4f7 e8e7 c3d5: mate mateIn2 opening short",
    );
    check(SCHOLAR, &[], Tactics, "1 a mate");
    check(SCHOLAR, &[(SCHOLAR, "h5f7 #6 h5e5 0.4")], Mates, "1 a mate in more than five moves");
    check(LEGAL, &[(LEGAL, "c4f7 #1 c3d1 0.5")], Mates, "1 a mate that is not proved");
    // Black was lost whatever he played.
    let before = "e2e4 e7e5 f1c4 b8c6 d1h5";
    check(SCHOLAR, &[(before, "a7a6 -#1 g8f6 -#1")], Mates, "");
    check(DAMIANO, &[], Mates, "");
}

#[test]
fn puzzles_have_all_columns() {
    let folder = Folder::new();
    let file = folder.games("my games.pgn", &[DAMIANO]);
    let mining = of(&[&file], settings(PuzzleKind::Both));
    let (manifest, puzzles) = folder.suite(&mining, vec![Scripted::new(&[])]);
    let puzzle = &puzzles[0];
    let moves =
        |game: &Game| game.moves().iter().map(|&mv| game.uci(mv)).collect::<Vec<_>>().join(" ");
    assert_eq!(moves(&puzzle.start), DAMIANO);
    assert_eq!(puzzle.start.start_fen(), Game::new().start_fen());
    assert_eq!(puzzle.fen(), "rnbqkbnr/pppp2pp/5p2/4N3/4P3/8/PPPP1PPP/RNBQKB1R b KQkq - 0 3");
    assert!(puzzle.id.len() == 8 && puzzle.id.chars().all(|c| c.is_ascii_alphanumeric()));
    // Three moves of the solver, each settled after a tenth of 1,000 nodes.
    assert_eq!(puzzle.rating, Some(difficulty(300)));
    assert_eq!(puzzle.themes.join(" "), "advantage long opening");
    assert_eq!(puzzle.game_url.as_deref(), Some("my_games.pgn/1#6"));
    assert_eq!(puzzle.acceptance, Some(Acceptance::Marked));
    let acceptable = puzzle.acceptable.as_ref().expect("moves");
    assert_eq!(acceptable.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 1]);
    assert_eq!((puzzle.rating_deviation, puzzle.plays), (None, None));
    assert_eq!(words(&manifest.themes), "1 advantage, 1 long, 1 opening");
    // Seven positions were looked at, and six looked into.
    assert_eq!((manifest.counts.positions, manifest.counts.nodes), (7, 7 * 10 + 7 * 1000));
}

#[test]
fn the_same_suite_whatever_the_engines_and_interruptions() {
    let folder = Folder::new();
    let games = [DAMIANO, SCHOLAR, LEGAL, SCHOLAR_LATER, "e2e4 e7e5", "d2d4", "g1f3 g8f6 f3g1"];
    let file = folder.games("a.pgn", &games[..4]);
    let more = folder.games("b.pgn", &[&games[4..], &games[..1]].concat());
    let mining = of(&[&file, &more], settings(PuzzleKind::Both));
    let out = folder.path("out.csv");
    let analysts = |count: usize| vec![Scripted::new(&[]); count];
    let (manifest, puzzles) = folder.suite(&mining, analysts(1));
    assert_eq!(puzzles.len(), 3);
    assert_eq!(words(&manifest.counts.rejected), "1 the position of an earlier one");
    assert_eq!(manifest.games[1].skipped.by_reason().len(), 1, "the second Damiano");
    let suite = fs::read(&out).expect("a suite");
    let work = fs::read(work_path(&out)).expect("work");
    for engines in [2, 3, 9] {
        folder.forget();
        let again = folder.suite(&mining, analysts(engines));
        assert_eq!((&again.0, fs::read(&out).expect("a suite")), (&manifest, suite.clone()));
    }
    // Killed at any moment: work of which any part is there, even a game at the end.
    for length in (0..work.len()).step_by(97) {
        fs::write(work_path(&out), &work[..length]).expect("written");
        let again = folder.suite(&mining, analysts(2));
        assert_eq!((&again.0, fs::read(&out).expect("a suite")), (&manifest, suite.clone()));
    }
    // All is done: nobody is asked.
    assert_eq!(folder.suite(&mining, Vec::new()).0, manifest);
    // Another seed has another order.
    folder.forget();
    let orders: Vec<Vec<String>> = (0..8)
        .map(|seed| {
            let settings = MineSettings { seed, ..settings(PuzzleKind::Both) };
            let (_, puzzles) = folder.suite(&of(&[&file, &more], settings), analysts(1));
            folder.forget();
            puzzles.iter().map(line).collect()
        })
        .collect();
    assert!(orders.iter().any(|order| *order != orders[0]), "{orders:?}");
}

#[test]
fn enough_is_enough() {
    let folder = Folder::new();
    let file = folder.games("a.pgn", &[DAMIANO, SCHOLAR, LEGAL, "e2e4 e7e5", "d2d4"]);
    let mut mining = of(&[&file], settings(PuzzleKind::Both));
    let (_, all) = folder.suite(&mining, vec![Scripted::new(&[])]);
    folder.forget();
    mining.count = Some(2);
    for engines in [1, 4] {
        let (manifest, some) = folder.suite(&mining, vec![Scripted::new(&[]); engines]);
        let first: Vec<&str> = all[..2].iter().map(|puzzle| puzzle.id.as_str()).collect();
        assert_eq!(some.iter().map(|puzzle| puzzle.id.as_str()).collect::<Vec<_>>(), first);
        assert!(manifest.counts.games <= 4, "the order of games ends with a puzzle or before");
        folder.forget();
    }
    // More is gone on with.
    folder.suite(&mining, vec![Scripted::new(&[])]);
    mining.count = Some(3);
    let (_, more) = folder.suite(&mining, vec![Scripted::new(&[])]);
    assert_eq!(more.len(), 3);
}

#[test]
fn several_of_a_game_and_none_of_other_suites() {
    let folder = Folder::new();
    // Mate in one is overlooked, and again.
    let twice = format!("{SCHOLAR} a2a3 a7a6");
    let file = folder.games("a.pgn", &[&twice]);
    let analyst = || vec![Scripted::new(&[(&twice, "h5f7 #1 h5e5 0.4")])];
    let mut mining = of(&[&file], settings(PuzzleKind::Both));
    let (manifest, puzzles) = folder.suite(&mining, analyst());
    assert_eq!(puzzles.len(), 1);
    assert_eq!(words(&manifest.counts.rejected), "1 more than asked for of a game");
    fs::rename(folder.path("out.csv"), folder.path("known.csv")).expect("renamed");
    folder.forget();
    mining.settings.per_game = 2;
    assert_eq!(folder.suite(&mining, analyst()).1.len(), 2);
    folder.forget();
    mining.exclude.push(folder.path("known.csv"));
    let (manifest, others) = folder.suite(&mining, analyst());
    assert_eq!(words(&manifest.counts.rejected), "1 in a suite to exclude");
    assert_eq!((others.len(), manifest.excluded[0].puzzles), (1, 1));
    assert_ne!(others[0].id, puzzles[0].id);
}

#[test]
fn a_position_without_a_verdict_is_passed_over() {
    let folder = Folder::new();
    let file = folder.games("a.pgn", &[DAMIANO, SCHOLAR]);
    let mining = of(&[&file], settings(PuzzleKind::Both));
    let silent = |ply| Scripted { silent_at: Some(ply), ..Scripted::new(&[]) };
    // Not to be seen: the second position of both games.
    let (manifest, puzzles) = folder.suite(&mining, vec![silent(1)]);
    assert_eq!(words(&manifest.counts.unseen), "2 the engine fell asleep");
    assert_eq!(puzzles.len(), 2);
    folder.forget();
    // On the way of the tactic.
    let (manifest, puzzles) = folder.suite(&mining, vec![silent(8)]);
    assert_eq!(words(&manifest.counts.rejected), "1 the engine fell asleep");
    assert_eq!(puzzles.iter().map(line).collect::<Vec<_>>(), ["h5f7"]);
}

#[test]
fn what_cannot_be_mined_is_an_error() {
    let folder = Folder::new();
    let file = folder.games("a.pgn", &[DAMIANO, SCHOLAR]);
    let check = |mining: &Mining, analyst: Scripted, expected: &str| {
        let error = folder.mine(mining, vec![analyst]).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
        assert!(!folder.path("out.csv").exists());
    };
    let good = || of(&[&file], settings(PuzzleKind::Both));
    let broken = Scripted { breaks_at: Some(5), ..Scripted::new(&[]) };
    check(&good(), broken, "the engine is gone");
    folder.forget();
    let with = |change: &dyn Fn(&mut Mining)| {
        let mut mining = good();
        change(&mut mining);
        mining
    };
    let script = Scripted::default;
    check(&with(&|mining| mining.settings.nodes = 0), script(), "nodes is 0, expected 1 or more");
    check(&with(&|mining| mining.settings.winning = 0.5), script(), "winning is 0.5");
    check(&with(&|mining| mining.settings.gap = f64::NAN), script(), "gap is NaN");
    check(&with(&|mining| mining.settings.jump = 1.5), script(), "jump is 1.5");
    check(&with(&|mining| mining.settings.most_moves = 0), script(), "most-moves is 0");
    let nowhere = PathBuf::from("nowhere.pgn");
    check(&with(&|mining| mining.games = vec![nowhere.clone()]), script(), "nowhere.pgn: ");
    check(&with(&|mining| mining.exclude = vec![nowhere.clone()]), script(), "nowhere.pgn: ");
    check(&good(), script(), "no puzzle was found in 2 games, 0 candidates");
    folder.forget();
    let text = "[FEN \"8/8/8/8/8/k7/8/K6R w - - 0 1\"]\n\n1. Rh2 *\n\n*\n\n1. Ke2 *\n";
    fs::write(folder.path("b.pgn"), text).expect("written");
    let odd = folder.path("b.pgn");
    let odd = with(&|mining| mining.games = vec![odd.clone()]);
    let expected = "no game that can be mined: 1 game from another position, 1 game without moves, \
                    1 unreadable game";
    check(&odd, script(), expected);
    check(&Mining { strict: true, ..odd }, script(), "b.pgn, line 7");
}

#[test]
fn work_can_be_stopped() {
    let folder = Folder::new();
    let file = folder.games("a.pgn", &[DAMIANO, SCHOLAR, LEGAL]);
    let mining = of(&[&file], settings(PuzzleKind::Both));
    let out: &Path = &folder.path("out.csv");
    let stop = AtomicBool::new(false);
    let observe = |progress: MineProgress| {
        if let MineProgress::Mined { done: 1, .. } = progress {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let engine = EngineRecord::named("Scripted");
    let outcome = mining.write(out, vec![Scripted::new(&[])], engine, &stop, observe);
    match outcome.expect("no error") {
        // The second game may have begun before.
        MineOutcome::Stopped { done, counts } => assert!(done <= 2 && counts.games == done),
        MineOutcome::Finished(_) => panic!("one analyst cannot have begun the last game"),
    }
    assert!(!out.exists());
    assert_eq!(folder.suite(&mining, vec![Scripted::new(&[])]).1.len(), 3);
}
