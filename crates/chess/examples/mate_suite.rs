//! Solves positions of a Lichess puzzle file, prints the answers and how long they took.
//!
//! `mate_suite PUZZLES [MOST_MOVES [LIMIT [NODE_BUDGET [THREADS]]]]`; by default mates up to 4, all
//! puzzles, 20,000,000 nodes, 2 threads. Build it with `--release`.
//!
//! Of a puzzle with a theme `mateIn<n>`, n up to MOST_MOVES, every position of the marked line in
//! which the solver is to move is solved, up to the moves that the line still has; LIMIT is for each
//! n. Of other puzzles only the first position is, up to MOST_MOVES. Standard output gets a row for
//! each position, in the file's order, with tabs between: puzzle, FEN, moves asked for, the smallest
//! number of moves or "none" or "unproved", the moves that keep it, nodes. Standard error gets
//! the summary.

use std::error::Error;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use chess::Game;
use chess::mate::{MateSearch, MateSolver};
use chess::puzzle::{Puzzle, PuzzleReader};

/// A position to solve.
struct Task {
    puzzle: String,
    game: Game,
    moves: u8,
    /// The puzzle marks a mate in as many moves.
    marked: bool,
}

struct Answer {
    task: usize,
    search: MateSearch,
    time: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |at: usize, default: u64| arguments.get(at).map_or(Ok(default), |text| text.parse());
    let path = arguments.first().ok_or("expected a file of puzzles")?;
    let most_moves = u8::try_from(number(1, 4)?)?;
    let (limit, budget, threads) = (number(2, u64::MAX)?, number(3, 20_000_000)?, number(4, 2)?);

    let tasks = read(path, most_moves, limit)?;
    let started = Instant::now();
    let answers = solve(&tasks, budget, threads);
    let wall = started.elapsed();

    for answer in &answers {
        println!("{}", row(&tasks[answer.task], &answer.search));
    }
    for marked in [true, false] {
        for moves in 1..=most_moves {
            let of = |answer: &&Answer| {
                tasks[answer.task].moves == moves && tasks[answer.task].marked == marked
            };
            summarise(moves, marked, answers.iter().filter(of).collect());
        }
    }
    eprintln!("{} positions, {threads} threads: {:.1} s", answers.len(), wall.as_secs_f64());
    Ok(())
}

fn read(path: &str, most_moves: u8, limit: u64) -> Result<Vec<Task>, Box<dyn Error>> {
    let mut counts = vec![0; usize::from(most_moves) + 1];
    let mut tasks = Vec::new();
    for puzzle in PuzzleReader::open(path.as_ref())? {
        let puzzle = puzzle?;
        let marked = marked_mate(&puzzle);
        if marked.is_some_and(|moves| moves > most_moves) {
            continue;
        }
        let count = &mut counts[usize::from(marked.unwrap_or(0))];
        if *count == limit {
            continue;
        }
        *count += 1;
        let mut task = |game, moves| {
            let puzzle = puzzle.id.clone();
            tasks.push(Task { puzzle, game, moves, marked: marked.is_some() });
        };
        match marked {
            None => task(puzzle.start.clone(), most_moves),
            Some(moves) => {
                let mut game = puzzle.start.clone();
                for (left, pair) in (1..=moves).rev().zip(puzzle.line.chunks(2)) {
                    task(game.clone(), left);
                    pair.iter().try_for_each(|&mv| game.play(mv))?;
                }
            }
        }
    }
    Ok(tasks)
}

/// The n of the theme `mateIn<n>`, where the line has as many moves.
fn marked_mate(puzzle: &Puzzle) -> Option<u8> {
    let moves = u8::try_from(puzzle.line.len().div_ceil(2)).ok()?;
    puzzle.themes.contains(&format!("mateIn{moves}")).then_some(moves)
}

fn solve(tasks: &[Task], budget: u64, threads: u64) -> Vec<Answer> {
    let (next, answers) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut solver = MateSolver::new(budget);
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(at) else { break };
                    let started = Instant::now();
                    let search = solver.solve(task.game.position(), task.moves);
                    let answer = Answer { task: at, search, time: started.elapsed() };
                    answers.lock().expect("no thread panicked").push(answer);
                }
            });
        }
    });
    let mut answers = answers.into_inner().expect("no thread panicked");
    answers.sort_by_key(|answer| answer.task);
    answers
}

fn nodes(search: &MateSearch) -> u64 {
    match search {
        MateSearch::Mate(mate) => mate.nodes,
        MateSearch::NoMate { nodes } | MateSearch::Unproved { nodes } => *nodes,
    }
}

fn row(task: &Task, search: &MateSearch) -> String {
    let (text, keeping) = match search {
        MateSearch::Mate(mate) => (mate.moves.to_string(), mate.keeping.as_slice()),
        MateSearch::NoMate { .. } => ("none".to_owned(), [].as_slice()),
        MateSearch::Unproved { .. } => ("unproved".to_owned(), [].as_slice()),
    };
    let keeping: Vec<String> = keeping.iter().map(|&mv| task.game.uci(mv)).collect();
    let Task { puzzle, game, moves, .. } = task;
    format!("{puzzle}\t{}\t{moves}\t{text}\t{}\t{}", game.fen(), keeping.join(" "), nodes(search))
}

fn summarise(moves: u8, marked: bool, answers: Vec<&Answer>) {
    if answers.is_empty() {
        return;
    }
    let count = |wanted: fn(&MateSearch, u8) -> bool| {
        answers.iter().filter(|answer| wanted(&answer.search, moves)).count()
    };
    let exact = count(|search, moves| matches!(search, MateSearch::Mate(m) if m.moves == moves));
    let shorter = count(|search, moves| matches!(search, MateSearch::Mate(m) if m.moves < moves));
    let several = count(|search, _| matches!(search, MateSearch::Mate(m) if m.keeping.len() > 1));
    let none = count(|search, _| matches!(search, MateSearch::NoMate { .. }));
    let unproved = count(|search, _| matches!(search, MateSearch::Unproved { .. }));

    let mut times: Vec<f64> =
        answers.iter().map(|answer| answer.time.as_secs_f64() * 1e3).collect();
    times.sort_by(f64::total_cmp);
    let part = |numerator: usize| times[(times.len() - 1) * numerator / 100];
    let nodes = answers.iter().map(|answer| nodes(&answer.search)).sum::<u64>();
    eprintln!(
        "{} in {moves}: {} positions, {exact} exact, {shorter} shorter, {none} none, {unproved} \
         unproved, {several} with several moves; mean {:.3} ms, median {:.3}, 99% {:.3}, longest \
         {:.1}; mean nodes {}",
        if marked { "marked mate" } else { "other, asked for mate" },
        times.len(),
        times.iter().sum::<f64>() / times.len() as f64,
        part(50),
        part(99),
        part(100),
        nodes / times.len() as u64,
    );
}
