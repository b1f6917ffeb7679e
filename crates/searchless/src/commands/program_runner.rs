//! Running ourselves for a step.

use std::env;
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use study::{Invocation, Run, Runner, StudyLock, quoted};

/// Between two looks at whether the program has ended, and what it said.
const POLL: Duration = Duration::from_millis(20);

/// Runs this program.
pub(super) struct ProgramRunner<'a> {
    program: PathBuf,
    threads: NonZeroUsize,
    lock: &'a StudyLock,
    stop: &'a AtomicBool,
    /// Whether what it says is shown as well as kept.
    is_shown: bool,
}

impl<'a> ProgramRunner<'a> {
    pub(super) fn new(
        threads: NonZeroUsize,
        lock: &'a StudyLock,
        stop: &'a AtomicBool,
    ) -> anyhow::Result<Self> {
        let program = env::current_exe().context("finding this program")?;
        Ok(Self { program, threads, lock, stop, is_shown: io::stderr().is_terminal() })
    }
}

impl Runner for ProgramRunner<'_> {
    fn run(&mut self, invocation: &Invocation<'_>) -> io::Result<Run> {
        let mut log = OpenOptions::new().create(true).append(true).open(invocation.log)?;
        let words: Vec<String> = invocation.arguments.iter().map(|word| quoted(word)).collect();
        writeln!(log, "$ searchless {}", words.join(" "))?;
        let mut shown = Shown::after(invocation.log)?;
        let output = match invocation.output {
            Some(path) => File::create(path)?,
            None => log.try_clone()?,
        };
        let started = Instant::now();
        // It writes to files, not to us: where we are killed, it ends in order, and the lock that it
        // holds says that it is still there.
        let mut child = Command::new(&self.program)
            .args(["--threads", &self.threads.to_string()])
            .args(invocation.arguments)
            .current_dir(invocation.directory)
            .stdin(Stdio::from(self.lock.for_program()?))
            .stdout(Stdio::from(output))
            .stderr(Stdio::from(log))
            .spawn()?;
        let status = loop {
            let status = child.try_wait()?;
            if self.is_shown {
                shown.show()?;
            }
            match status {
                Some(status) => break status,
                None => thread::sleep(POLL),
            }
        };
        let failure = (!status.success()).then(|| status.to_string());
        Ok(Run { failure, seconds: started.elapsed().as_secs_f64() })
    }

    fn is_interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// What was shown of a log.
struct Shown {
    log: File,
    /// The beginning of a line.
    rest: Vec<u8>,
}

impl Shown {
    /// Shows what comes after what is there.
    fn after(log: &Path) -> io::Result<Self> {
        let mut log = File::open(log)?;
        log.seek(SeekFrom::End(0))?;
        Ok(Self { log, rest: Vec::new() })
    }

    /// Shows the lines that are new.
    fn show(&mut self) -> io::Result<()> {
        self.log.read_to_end(&mut self.rest)?;
        let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') else { return Ok(()) };
        let lines: Vec<u8> = self.rest.drain(..=end).collect();
        for line in String::from_utf8_lossy(&lines).lines() {
            eprintln!("  {line}");
        }
        Ok(())
    }
}
