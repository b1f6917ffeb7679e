//! A process whose lines are awaited for a bounded time.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use crate::command::EngineCommand;
use crate::error::EngineProblem;

/// Bytes of a line that are read; what is longer comes in pieces.
const LONGEST_LINE: u64 = 1 << 16;

/// Lines that wait to be read; then the engine has to wait.
const WAITING: usize = 1 << 10;

/// Lines that an engine may write between two answers.
const MOST_LINES: usize = 1 << 20;

/// How long a process has to end by itself.
const FAREWELL: Duration = Duration::from_millis(500);

/// A running engine's two pipes.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// Of those since it was last asked.
    last_line: Option<String>,
}

impl Process {
    pub(crate) fn start(command: &EngineCommand) -> Result<Process, EngineProblem> {
        let mut child = Command::new(&command.program)
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(EngineProblem::Start)?;
        let input = child.stdin.take().expect("piped");
        let output = child.stdout.take().expect("piped");
        let (sender, lines) = sync_channel(WAITING);
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            // Ends with the process, or when nobody listens any more.
            while let Some(line) = read_line(&mut output) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Process { child, input, lines, last_line: None })
    }

    /// Writes a line.
    pub(crate) fn write(&mut self, line: &str) -> Result<(), EngineProblem> {
        let written = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        written.map_err(|_| self.ended())
    }

    /// Gives each line to `read` until it answers with something.
    pub(crate) fn await_answer<T>(
        &mut self,
        awaited: &'static str,
        patience: Duration,
        mut read: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, EngineProblem> {
        self.last_line = None;
        let begun = Instant::now();
        for _ in 0..MOST_LINES {
            match self.lines.recv_timeout(patience.saturating_sub(begun.elapsed())) {
                Ok(line) => {
                    if let Some(answer) = read(&line) {
                        return Ok(answer);
                    }
                    if !line.is_empty() {
                        self.last_line = Some(line);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(EngineProblem::Silent { awaited, patience });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            }
        }
        Err(EngineProblem::Flood { awaited, limit: MOST_LINES })
    }

    /// Why there are no more lines.
    fn ended(&mut self) -> EngineProblem {
        let status = self.end(FAREWELL).map(|status| status.to_string());
        EngineProblem::Ended { status, last_line: self.last_line.take() }
    }

    /// Waits for the process to end by itself.
    fn end(&mut self, patience: Duration) -> Option<std::process::ExitStatus> {
        let begun = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if begun.elapsed() < patience => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended, or not listen: then it is ended.
        let _ = self.write("quit");
        if self.end(FAREWELL).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// The next line without its end, or a piece of one that is too long; `None` at the end.
fn read_line(output: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let read: io::Result<usize> = output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
    match read {
        Ok(0) | Err(_) => None,
        Ok(_) => {
            let text = String::from_utf8_lossy(&line);
            Some(text.trim().to_owned())
        }
    }
}
