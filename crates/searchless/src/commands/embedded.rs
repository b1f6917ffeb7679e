//! `searchless embedded`: the files within the program.

use std::io::Write;
use std::path::PathBuf;

use ::embedded::EmbeddedFile;
use anyhow::Context;

use crate::files::write_embedded;

/// Shows the files within the program, and writes them out.
///
/// Commands take `embedded` for the name of a network, and of openings, to use them where they are.
#[derive(Debug, clap::Args)]
pub(crate) struct EmbeddedArguments {
    /// Directory for the files, made where there is none; files of their names are overwritten
    #[arg(long, value_name = "DIRECTORY")]
    out: Option<PathBuf>,
}

impl EmbeddedArguments {
    /// Lists or writes them.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        if let Some(directory) = &self.out {
            write_embedded(directory)
                .with_context(|| format!("writing to {}", directory.display()))?;
        }
        for EmbeddedFile { name, bytes, about } in ::embedded::ALL {
            writeln!(output, "{name:<18}  {:>8} bytes  {about}", bytes.len())?;
        }
        Ok(())
    }
}
