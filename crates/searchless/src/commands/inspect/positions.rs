//! Positions from a file of JSON lines, and their evaluations as JSON lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use chess::Game;
use network::Evaluator;
use policy::Temperature;
use serde::{Deserialize, Serialize};

use super::report::PositionReport;
use crate::errors;

/// Positions evaluated at once: bounds the memory of a long file.
const BLOCK: usize = 256;
/// Longest line, in bytes: the longest of games is far below it.
const MAXIMUM_LINE: u64 = 1 << 20;

/// A position: where the game starts, and the moves from there in UCI notation.
#[derive(Debug, Deserialize)]
struct PositionLine {
    fen: String,
    #[serde(default)]
    moves: Vec<String>,
}

#[derive(Serialize)]
struct ErrorLine {
    error: String,
}

/// Evaluates each line of the file at `path` ("-" for the standard input) and prints one line for
/// each: the report, or the error.
pub(crate) fn evaluate_file(
    path: &Path,
    evaluator: &Evaluator,
    temperature: Temperature,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let name = path.display();
    let mut input: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).with_context(|| format!("opening {name}"))?))
    };
    let mut line_number = 0;
    loop {
        let mut games = Vec::new();
        while games.len() < BLOCK
            && let Some(line) = read_line(&mut input)
                .with_context(|| format!("{name}: line {}", line_number + 1))?
        {
            line_number += 1;
            if !line.trim_ascii().is_empty() {
                games.push((line_number, parse(&line)));
            }
        }
        if games.is_empty() {
            return Ok(());
        }
        print_block(games, evaluator, temperature, output)?;
    }
}

fn print_block(
    games: Vec<(usize, anyhow::Result<Game>)>,
    evaluator: &Evaluator,
    temperature: Temperature,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let good: Vec<&Game> = games.iter().filter_map(|(_, game)| game.as_ref().ok()).collect();
    // Where the block fails, each position is tried alone, so that one that the network cannot
    // express does not take the others with it. The numbers are the same either way.
    let mut together = evaluator.evaluate(&good).ok().map(Vec::into_iter);
    for (line_number, game) in &games {
        let report = game.as_ref().map_err(|error| anyhow!("{error:#}")).and_then(|game| {
            let evaluation = match together.as_mut().and_then(Iterator::next) {
                Some(evaluation) => evaluation,
                None => evaluator.evaluate(&[game])?.swap_remove(0),
            };
            Ok(PositionReport::new(game, &evaluation, temperature)?)
        });
        let line = match report {
            Ok(report) => serde_json::to_string(&report)?,
            Err(error) => {
                let error = format!("line {line_number}: {}", errors::one_line(&error));
                serde_json::to_string(&ErrorLine { error })?
            }
        };
        writeln!(output, "{line}")?;
    }
    Ok(())
}

fn parse(line: &[u8]) -> anyhow::Result<Game> {
    let position: PositionLine =
        serde_json::from_slice(line).context("expected {\"fen\": FEN, \"moves\": [UCI, ...]}")?;
    super::game(Some(&position.fen), &position.moves)
}

/// The next line, or `None` at the end.
fn read_line(input: &mut impl BufRead) -> anyhow::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let length = input.take(MAXIMUM_LINE).read_until(b'\n', &mut line)?;
    if length as u64 == MAXIMUM_LINE && !line.ends_with(b"\n") {
        bail!("longer than {MAXIMUM_LINE} bytes");
    }
    Ok((length > 0).then_some(line))
}
