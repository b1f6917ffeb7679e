//! Results as text.

use std::fmt::Write as _;
use std::io::{self, Write};

use arena::{PlayerIndex, Standings};

/// Players, who beat whom, and how games ended.
pub(super) fn write(
    standings: &Standings,
    players: &[String],
    names: &[&str],
    output: &mut impl Write,
) -> io::Result<()> {
    for player in players {
        writeln!(output, "{player}")?;
    }
    writeln!(output)?;
    write!(output, "{}", text(standings, names))?;
    if standings.games > 0 {
        writeln!(output, "\nhow {} games ended", standings.games)?;
        for (reason, count) in &standings.reasons {
            writeln!(output, "{count:8}  {reason}")?;
        }
        let length = standings.plies as f64 / standings.games as f64;
        writeln!(output, "{length:8.1}  plies on average")?;
    }
    Ok(())
}

/// Every player's record, against all and against each.
pub(super) fn text(standings: &Standings, names: &[&str]) -> String {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = String::new();
    let line = |text: &mut String, player: &str, opponent: &str, score: arena::rating::Score| {
        let mean = score.mean().map_or("-".to_owned(), |mean| format!("{:.1}%", 100.0 * mean));
        let los = match score.games() {
            0 => "-".to_owned(),
            _ => format!("{:.1}%", 100.0 * score.superiority()),
        };
        let record = format!("{}-{}-{}", score.wins, score.draws, score.losses);
        writeln!(
            text,
            "{player:<width$}  {opponent:<width$}  {:>6}  {record:>14}  {mean:>6}  {los:>6}",
            score.games()
        )
    };
    writeln!(
        text,
        "{:<width$}  {:<width$}  {:>6}  {:>14}  {:>6}  {:>6}",
        "player", "against", "games", "W-D-L", "score", "LOS"
    )
    .expect("a string");
    for (index, name) in names.iter().enumerate() {
        let score = standings.player(PlayerIndex(index));
        line(&mut text, name, "all", score).expect("a string");
        if let Some(forfeits) = standings.forfeits.get(&PlayerIndex(index)) {
            writeln!(text, "{:<width$}  forfeited {forfeits}", "").expect("a string");
        }
    }
    if names.len() > 2 {
        for (pair, score) in &standings.pairs {
            line(&mut text, names[pair[0].0], names[pair[1].0], *score).expect("a string");
        }
    }
    text
}
