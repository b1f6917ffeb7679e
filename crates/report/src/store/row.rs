//! Answers as rows.

use chess::puzzle::Acceptance;
use evaluation::{Answer, ByRule, PuzzleFacts, PuzzleRecord};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::{Measurement, StoreProblem, StoredSolutions};

/// How far above 0 rounding may take the logarithm of a sum of probabilities.
const ROUNDING: f64 = 1e-9;

/// Inserts the answers to the puzzles that follow those of `measurement`.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    measurement: &Measurement,
    records: &[PuzzleRecord],
) -> Result<(), StoreProblem> {
    let mut insert_answer = transaction.prepare_cached(
        "INSERT INTO answer (measurement, puzzle, ply, played, strict, immediate_mate,
             multi_solution, log_p_strict, log_p_immediate_mate, log_p_multi_solution,
             log_p_marked, marked_rank, accepted_rank, p_played, p_runner_up, win, draw, loss)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
    )?;
    for (number, record) in (measurement.puzzles..).zip(records) {
        insert_puzzle(transaction, measurement.suite, number, record)?;
        for answer in &record.answers {
            let Answer { accepted, log_mass, wdl: [win, draw, loss], .. } = answer;
            insert_answer.execute(params![
                measurement.id,
                number,
                answer.ply,
                answer.played,
                accepted.strict,
                accepted.immediate_mate,
                accepted.multi_solution,
                log_mass.strict,
                log_mass.immediate_mate,
                log_mass.multi_solution,
                answer.marked_log_probability,
                answer.marked_rank,
                answer.accepted_rank,
                answer.played_probability,
                answer.runner_up_probability,
                win,
                draw,
                loss,
            ])?;
        }
    }
    Ok(())
}

/// Inserts what the suite says of a puzzle, or sees that it is already there.
fn insert_puzzle(
    transaction: &Transaction<'_>,
    suite: i64,
    number: u64,
    record: &PuzzleRecord,
) -> Result<(), StoreProblem> {
    let PuzzleFacts { id, fen, line, rating, themes, mate_depth } = &record.facts;
    let line = line.join(" ");
    let known: Option<(String, String, String)> = transaction
        .prepare_cached("SELECT id, fen, line FROM puzzle WHERE suite = ?1 AND puzzle = ?2")?
        .query_row(params![suite, number], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    if let Some((known_id, known_fen, known_line)) = known {
        return if (&known_id, &known_fen, &known_line) == (id, fen, &line) {
            Ok(())
        } else {
            Err(StoreProblem::OtherPuzzle { number, id: id.clone() })
        };
    }
    transaction
        .prepare_cached(
            "INSERT INTO puzzle (suite, puzzle, id, fen, line, rating, themes, mate_depth,
                 acceptance)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            suite,
            number,
            id,
            fen,
            line,
            rating,
            themes.join(" "),
            mate_depth,
            record.acceptance.name(),
        ])?;
    let mut insert_position = transaction.prepare_cached(
        "INSERT INTO position (suite, puzzle, ply, acceptable) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for answer in &record.answers {
        let acceptable = answer.acceptable.join(" ");
        insert_position.execute(params![suite, number, answer.ply, acceptable])?;
    }
    Ok(())
}

/// Shows the answers to the first `puzzles` puzzles.
pub(super) fn for_each(
    connection: &Connection,
    measurement: &Measurement,
    puzzles: u64,
    mut see: impl FnMut(PuzzleRecord),
) -> Result<(), StoreProblem> {
    let mut statement = connection.prepare(
        "SELECT answer.puzzle, answer.ply, id, fen, line, rating, themes, mate_depth, acceptance,
             acceptable, played, strict, immediate_mate, multi_solution, log_p_strict, log_p_immediate_mate,
             log_p_multi_solution, log_p_marked, marked_rank, accepted_rank, p_played, p_runner_up,
             win, draw, loss
         FROM answer
         JOIN puzzle ON puzzle.suite = ?2 AND puzzle.puzzle = answer.puzzle
         JOIN position ON position.suite = ?2 AND position.puzzle = answer.puzzle
             AND position.ply = answer.ply
         WHERE answer.measurement = ?1 AND answer.puzzle < ?3
         ORDER BY answer.puzzle, answer.ply",
    )?;
    let mut rows = statement.query(params![measurement.id, measurement.suite, puzzles])?;
    for expected in 0..puzzles {
        let mut record: Option<PuzzleRecord> = None;
        // The line says how many positions follow the first.
        while record.as_ref().is_none_or(|record| !is_whole(record)) {
            let row = rows.next()?.ok_or_else(|| missing(expected))?;
            let number: u64 = row.get("puzzle")?;
            let answer = answer(row)?;
            let so_far = record.as_ref().map_or(0, |record| record.answers.len());
            if number != expected || answer.ply as usize != 2 * so_far {
                return Err(missing(expected));
            }
            match &mut record {
                Some(record) => record.answers.push(answer),
                None => {
                    record = Some(PuzzleRecord {
                        facts: facts(row)?,
                        acceptance: acceptance(row)?,
                        answers: vec![answer],
                    });
                }
            }
        }
        see(record.expect("at least one position"));
    }
    match rows.next()? {
        None => Ok(()),
        Some(_) => Err(StoreProblem::Contents("positions that no puzzle has".to_owned())),
    }
}

/// The solutions of the puzzles known from `first` on, at most `count`.
pub(super) fn solutions(
    connection: &Connection,
    measurement: &Measurement,
    first: u64,
    count: u64,
) -> Result<Vec<StoredSolutions>, StoreProblem> {
    let mut statement = connection.prepare_cached(
        "SELECT puzzle, ply, acceptance, acceptable FROM position JOIN puzzle USING (suite, puzzle)
         WHERE suite = ?1 AND puzzle >= ?2 AND puzzle < ?3 ORDER BY puzzle, ply",
    )?;
    // The largest number of SQLite.
    let end = first.saturating_add(count).min(i64::MAX as u64);
    let mut rows = statement.query(params![measurement.suite, first, end])?;
    let mut puzzles: Vec<StoredSolutions> = Vec::new();
    while let Some(row) = rows.next()? {
        let (number, ply): (u64, u64) = (row.get("puzzle")?, row.get("ply")?);
        if ply == 0 {
            let acceptance = acceptance(row)?;
            puzzles.push(StoredSolutions { acceptance, positions: Vec::new() });
        }
        let known = first + puzzles.len() as u64;
        let last = puzzles.last_mut().filter(|puzzle| puzzle.positions.len() as u64 * 2 == ply);
        match last {
            Some(last) if number + 1 == known => last.positions.push(words(row, "acceptable")?),
            _ => return Err(missing(known)),
        }
    }
    Ok(puzzles)
}

fn is_whole(record: &PuzzleRecord) -> bool {
    record.answers.len() == record.facts.line.len().div_ceil(2)
}

fn missing(number: u64) -> StoreProblem {
    StoreProblem::Contents(format!("answers to puzzle {number} are missing"))
}

fn facts(row: &Row<'_>) -> Result<PuzzleFacts, StoreProblem> {
    Ok(PuzzleFacts {
        id: row.get("id")?,
        fen: row.get("fen")?,
        line: words(row, "line")?,
        rating: row.get("rating")?,
        themes: words(row, "themes")?,
        mate_depth: row.get("mate_depth")?,
    })
}

fn acceptance(row: &Row<'_>) -> Result<Acceptance, StoreProblem> {
    let name: String = row.get("acceptance")?;
    Acceptance::by_name(&name)
        .ok_or_else(|| StoreProblem::Contents(format!("there is no acceptance {name:?}")))
}

fn answer(row: &Row<'_>) -> Result<Answer, StoreProblem> {
    let bad = |name: &str, value: String| -> Result<StoreProblem, StoreProblem> {
        let (puzzle, ply): (i64, i64) = (row.get("puzzle")?, row.get("ply")?);
        Ok(StoreProblem::Contents(format!("{name} = {value} at puzzle {puzzle}, ply {ply}")))
    };
    let number = |name: &str, low: f64, high: f64| -> Result<f64, StoreProblem> {
        let value: f64 = row.get(name)?;
        let sound = value.is_finite() && low <= value && value <= high;
        if sound { Ok(value) } else { Err(bad(name, value.to_string())?) }
    };
    let flag = |name: &str| -> Result<bool, StoreProblem> {
        match row.get::<_, i64>(name)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(bad(name, other.to_string())?),
        }
    };
    let probability = |name: &str| number(name, 0.0, 1.0);
    let log = |name: &str| number(name, f64::NEG_INFINITY, ROUNDING);
    let acceptable = words(row, "acceptable")?;
    Ok(Answer {
        ply: row.get("ply")?,
        marked: acceptable.first().cloned().unwrap_or_default(),
        acceptable,
        played: row.get("played")?,
        accepted: ByRule {
            strict: flag("strict")?,
            immediate_mate: flag("immediate_mate")?,
            multi_solution: flag("multi_solution")?,
        },
        log_mass: ByRule {
            strict: log("log_p_strict")?,
            immediate_mate: log("log_p_immediate_mate")?,
            multi_solution: log("log_p_multi_solution")?,
        },
        marked_log_probability: log("log_p_marked")?,
        marked_rank: row.get("marked_rank")?,
        accepted_rank: row.get("accepted_rank")?,
        played_probability: probability("p_played")?,
        runner_up_probability: probability("p_runner_up")?,
        wdl: [probability("win")?, probability("draw")?, probability("loss")?],
    })
}

fn words(row: &Row<'_>, column: &str) -> Result<Vec<String>, StoreProblem> {
    let text: String = row.get(column)?;
    Ok(text.split_ascii_whitespace().map(str::to_owned).collect())
}
