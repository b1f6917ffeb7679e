//! `arena --verify`.

use std::io::Write;
use std::path::Path;

use anyhow::bail;
use arena::verify as play_again;
use chess::Rules;
use chess::pgn::PgnReader;

/// Games shown of those that are wrong.
const SHOWN: usize = 20;

/// Plays the games of a file again; an error where one is wrong.
pub(super) fn verify(games: &Path, rules: Rules, output: &mut impl Write) -> anyhow::Result<()> {
    let verification = play_again(PgnReader::open(games)?, &rules)?;
    writeln!(output, "{} games", verification.games())?;
    writeln!(output, "  {} end by a rule, with its result", verification.confirmed)?;
    writeln!(output, "  {} end by a forfeit, which no game shows", verification.claimed)?;
    writeln!(output, "  {} are wrong", verification.wrong.len())?;
    for wrong in verification.wrong.iter().take(SHOWN) {
        writeln!(output, "  {}, line {}: {}", games.display(), wrong.line, wrong.problem)?;
    }
    if verification.wrong.len() > SHOWN {
        writeln!(output, "  ...")?;
    }
    if verification.games() == 0 {
        bail!("{}: holds no game", games.display());
    }
    if !verification.wrong.is_empty() {
        output.flush()?;
        bail!("{} of {} games are wrong", verification.wrong.len(), verification.games());
    }
    Ok(())
}
