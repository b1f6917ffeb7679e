//! What a GUI says, as data: the parser of the UCI protocol's input side.
//!
//! Unknown words are passed over, as the protocol asks: `joho debug on` is `debug on`. A known
//! command whose own words make no sense is an error, which the engine reports and survives.

/// A command of the GUI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// `uci`: say who you are and which options you have.
    Uci,
    /// `isready`: answer when everything before is done.
    IsReady,
    /// `ucinewgame`.
    NewGame,
    /// `setoption name NAME [value VALUE]`.
    SetOption {
        /// Name of the option, case as given.
        name: String,
        /// Value; empty where none is given, as for a button or an empty string.
        value: String,
    },
    /// `position startpos|fen FEN [moves ...]`.
    Position {
        /// FEN of the start; `None` for the standard one.
        fen: Option<String>,
        /// Moves in UCI notation.
        moves: Vec<String>,
    },
    /// `go ...`.
    Go(Go),
    /// `stop`: print the move now.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`.
    Quit,
}

/// What of a `go` command matters to a player that answers with one forward pass: not how long
/// it may think (`nodes`, `movetime`, `wtime`, `depth`, `mate` ...), which it never needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Go {
    /// `infinite`: the move may be printed only after `stop`.
    pub(crate) infinite: bool,
    /// `ponder`: the move may be printed only after `stop` or `ponderhit`.
    pub(crate) ponder: bool,
    /// `searchmoves`: play one of these, in UCI notation; empty for no restriction.
    pub(crate) search_moves: Vec<String>,
}

/// A command that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CommandError {
    /// `setoption` without a name.
    #[error("setoption: expected 'name NAME [value VALUE]'")]
    OptionWithoutName,
    /// `position` without a start.
    #[error("position: expected 'startpos' or 'fen FEN', then perhaps 'moves MOVE ...'")]
    PositionWithoutStart,
}

impl Command {
    /// Reads one line; `None` where it holds no command.
    pub(crate) fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let mut rest = line;
        loop {
            let word;
            (word, rest) = split_word(rest);
            return Ok(Some(match word {
                "" => return Ok(None),
                "uci" => Command::Uci,
                "isready" => Command::IsReady,
                "ucinewgame" => Command::NewGame,
                "setoption" => set_option(rest)?,
                "position" => position(rest)?,
                "go" => Command::Go(go(rest)),
                "stop" => Command::Stop,
                "ponderhit" => Command::PonderHit,
                "quit" => Command::Quit,
                _ => continue,
            }));
        }
    }
}

/// The first word, and what stands behind it.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once(char::is_whitespace).unwrap_or((text, ""))
}

/// Names and values may hold spaces; a value is kept as it stands, since it may be a path.
fn set_option(rest: &str) -> Result<Command, CommandError> {
    let ("name", mut rest) = split_word(rest) else {
        return Err(CommandError::OptionWithoutName);
    };
    let mut name = Vec::new();
    loop {
        let (word, behind) = split_word(rest);
        rest = behind;
        match word {
            "" | "value" => break,
            word => name.push(word),
        }
    }
    if name.is_empty() {
        return Err(CommandError::OptionWithoutName);
    }
    Ok(Command::SetOption { name: name.join(" "), value: rest.trim().to_owned() })
}

fn position(rest: &str) -> Result<Command, CommandError> {
    let (kind, rest) = split_word(rest);
    let mut words = rest.split_whitespace();
    let before_moves: Vec<&str> = words.by_ref().take_while(|word| *word != "moves").collect();
    let fen = match kind {
        "startpos" => None,
        "fen" => Some(before_moves.join(" ")),
        _ => return Err(CommandError::PositionWithoutStart),
    };
    Ok(Command::Position { fen, moves: words.map(str::to_owned).collect() })
}

fn go(rest: &str) -> Go {
    let mut go = Go::default();
    let mut in_search_moves = false;
    for word in rest.split_whitespace() {
        match word {
            "infinite" => (go.infinite, in_search_moves) = (true, false),
            "ponder" => (go.ponder, in_search_moves) = (true, false),
            "searchmoves" => in_search_moves = true,
            "wtime" | "btime" | "winc" | "binc" | "movestogo" | "depth" | "nodes" | "mate"
            | "movetime" => in_search_moves = false,
            word if in_search_moves => go.search_moves.push(word.to_owned()),
            _ => {}
        }
    }
    go
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_their_commands() {
        let check = |line: &str, expected: Option<Command>| {
            assert_eq!(Command::parse(line), Ok(expected), "{line:?}");
        };
        let option = |name: &str, value: &str| {
            Some(Command::SetOption { name: name.into(), value: value.into() })
        };
        let position = |fen: Option<&str>, moves: &[&str]| {
            let moves = moves.iter().map(|&uci| uci.to_owned()).collect();
            Some(Command::Position { fen: fen.map(str::to_owned), moves })
        };
        let go = |flag: &str, moves: &[&str]| {
            let search_moves = moves.iter().map(|&uci| uci.to_owned()).collect();
            let (infinite, ponder) = (flag == "infinite", flag == "ponder");
            Some(Command::Go(Go { infinite, ponder, search_moves }))
        };
        check("", None);
        check("   \t ", None);
        check("hello world", None);
        check("debug on", None);
        check("uci", Some(Command::Uci));
        check("  isready\r\n", Some(Command::IsReady));
        check("joho ucinewgame", Some(Command::NewGame));
        check("stop", Some(Command::Stop));
        check("ponderhit", Some(Command::PonderHit));
        check("quit", Some(Command::Quit));

        check("setoption name Threads value 2", option("Threads", "2"));
        check("setoption name Clear Hash", option("Clear Hash", ""));
        check("setoption name WeightsFile value", option("WeightsFile", ""));
        check(
            "setoption  name  WeightsFile  value /my  nets/a value.pb.gz \r\n",
            option("WeightsFile", "/my  nets/a value.pb.gz"),
        );

        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        check("position startpos", position(None, &[]));
        check("position startpos moves", position(None, &[]));
        check("position startpos moves e2e4  e7e5", position(None, &["e2e4", "e7e5"]));
        check(&format!("position fen {fen}"), position(Some(fen), &[]));
        check(&format!("position fen {fen} moves e1g1"), position(Some(fen), &["e1g1"]));

        check("go", go("", &[]));
        check("go nodes 1", go("", &[]));
        check("go wtime 1000 btime 1000 winc 10 binc 10 movestogo 40", go("", &[]));
        check("go depth 7 mate 3 movetime 100", go("", &[]));
        check("go infinite", go("infinite", &[]));
        check("go ponder wtime 1000 btime 1000", go("ponder", &[]));
        check("go searchmoves e2e4 d2d4 nodes 1", go("", &["e2e4", "d2d4"]));
        check("go searchmoves e2e4 infinite", go("infinite", &["e2e4"]));
        check("go infinite searchmoves e7e8q", go("infinite", &["e7e8q"]));
        check("go nonsense 12", go("", &[]));
    }

    #[test]
    fn lines_that_make_no_sense() {
        let check = |line: &str, expected: CommandError| {
            assert_eq!(Command::parse(line), Err(expected), "{line:?}");
        };
        check("setoption", CommandError::OptionWithoutName);
        check("setoption Threads 2", CommandError::OptionWithoutName);
        check("setoption name", CommandError::OptionWithoutName);
        check("setoption name value 2", CommandError::OptionWithoutName);
        check("position", CommandError::PositionWithoutStart);
        check("position moves e2e4", CommandError::PositionWithoutStart);
    }
}
