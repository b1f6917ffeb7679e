//! A folder with small random networks and puzzles, and the binary run in it.

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use lc0::NetworkFile;
use lc0::random::{Preset, random_network};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::Value;
use tempfile::TempDir;

/// Name of a small attention network in the folder.
pub(crate) const ATTENTION: &str = "attention.pb.gz";
/// Name of a small residual tower, whose value is one number, in the folder.
pub(crate) const CLASSICAL: &str = "classical.pb.gz";
/// Name of a suite in the folder.
pub(crate) const SUITE: &str = "puzzles.csv";

/// Promotion, castling, Black to move over two positions, and two rows that are no puzzles.
const PUZZLES: &str = "PuzzleId,FEN,Moves,Rating,Themes
promo,6k1/1P3ppp/8/8/8/8/8/6K1 b - - 0 1,g8h8 b7b8q,800,mate mateIn1
castl,4k3/7p/8/8/8/8/7P/4K2R b K - 0 1,h7h6 e1g1,900,castling
black,8/8/8/8/8/k7/4p3/6K1 w - - 0 1,g1g2 e2e1n g2f1 e1c2,1200,underPromotion
short,6k1/1P3ppp/8/8/8/8/8/6K1 b - - 0 1,g8h8,800,mate
wrong,6k1/1P3ppp/8/8/8/8/8/6K1 b - - 0 1,g8h8 b7b6,800,mate
";

/// The folder.
pub(crate) struct Workspace {
    folder: TempDir,
}

impl Workspace {
    /// A new folder with the files above.
    pub(crate) fn new() -> Workspace {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, preset) in [(ATTENTION, Preset::Smallest), (CLASSICAL, Preset::TowerClassical)] {
            let mut generator = ChaCha8Rng::seed_from_u64(7);
            let net = random_network(&preset.specification(), &mut generator);
            let file = NetworkFile::new(name, net).expect("a network");
            file.write(folder.path().join(name)).expect("written");
        }
        std::fs::write(folder.path().join(SUITE), PUZZLES).expect("written");
        Workspace { folder }
    }

    /// The folder's path.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs the binary in the folder with `arguments` and `input`.
    pub(crate) fn run(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = Command::cargo_bin("searchless").expect("the binary is built");
        command.current_dir(self.path()).args(arguments).write_stdin(input);
        command.output().expect("the binary runs")
    }

    /// What the binary prints; it must succeed.
    pub(crate) fn print(&self, arguments: &[&str], input: &str) -> String {
        let output = self.run(arguments, input);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {errors}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// What the binary prints as its error; it must end with exit code 2 and print nothing else.
    pub(crate) fn refuse(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments, "");
        let errors = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{arguments:?}");
        errors
    }
}

/// `text` without SHA-256 sums and sizes of files, which depend on the compressor's version.
pub(crate) fn without_sums(text: &str) -> String {
    let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
    let is_sum = |word: &str| word.len() == 64 && word.chars().all(|c| c.is_ascii_hexdigit());
    let replace = |word: &str| {
        let core = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        if is_sum(core) { word.replace(core, "SHA256") } else { word.to_owned() }
    };
    let text: String = words.map(replace).collect();
    let sized = |line: &str| {
        if line.starts_with("size ") {
            "size                BYTES".to_owned()
        } else {
            line.to_owned()
        }
    };
    text.lines().map(sized).collect::<Vec<_>>().join("\n")
}

/// Lines of JSON with their fractions rounded to nine digits: the last bits of a logarithm are the
/// platform's.
pub(crate) fn rounded(lines: &str) -> String {
    fn round(value: &mut Value) {
        match value {
            Value::Number(number) if number.is_f64() => {
                let digits = number.as_f64().map(|number| format!("{number:.9}"));
                *value = digits.and_then(|digits| digits.parse::<f64>().ok()).into();
            }
            Value::Array(values) => values.iter_mut().for_each(round),
            Value::Object(fields) => fields.values_mut().for_each(round),
            _ => {}
        }
    }
    let line = |line: &str| {
        let mut value = serde_json::from_str(line).expect("JSON");
        round(&mut value);
        value.to_string()
    };
    lines.lines().map(line).collect::<Vec<_>>().join("\n")
}
