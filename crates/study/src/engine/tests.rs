use std::fs;

use super::*;
use crate::files::sha256;
use crate::step::{Output, Resume, Work};

/// Plays `searchless`: `print FILE...` prints a line of JSON that depends on the files, `fill FILE`
/// makes three files in `run`, one after the other, and leaves those that are there.
struct Fake<'a> {
    files: &'a StudyFiles,
    /// The steps that were run.
    runs: Vec<String>,
    /// What was said to the last of them.
    arguments: Vec<String>,
    /// The step that fails.
    failing: Option<&'static str>,
    /// The step during which somebody presses Ctrl-C.
    interrupting: Option<&'static str>,
    interrupted: bool,
}

impl<'a> Fake<'a> {
    fn new(files: &'a StudyFiles) -> Self {
        Fake {
            files,
            runs: Vec::new(),
            arguments: Vec::new(),
            failing: None,
            interrupting: None,
            interrupted: false,
        }
    }

    fn write(&self, path: impl AsRef<Path>, text: &str) -> io::Result<()> {
        self.files.write(path, text.as_bytes()).map_err(|error| error.source)
    }
}

impl Runner for Fake<'_> {
    fn run(&mut self, invocation: &Invocation<'_>) -> io::Result<Run> {
        let name = &invocation.step.name;
        self.runs.push(name.clone());
        self.arguments = invocation.arguments.to_vec();
        self.interrupted = self.interrupting == Some(name.as_str());
        let read = |path: &String| self.files.read(path).expect("an input");
        let sum = |paths: &[String]| sha256(&paths.iter().flat_map(read).collect::<Vec<u8>>());
        if self.failing == Some(name.as_str()) {
            self.write(invocation.log, "one\ntwo\nerror: three\n")?;
            return Ok(Run { failure: Some("exit code 2".to_owned()), seconds: 1.0 });
        }
        match invocation.arguments {
            [verb, paths @ ..] if verb == "print" => {
                let text = format!("\"{}\"\n", sum(paths));
                self.write(invocation.output.expect("a capture"), &text)?;
            }
            [verb, paths @ ..] if verb == "fill" || verb == "go-on" => {
                for number in 1..=3 {
                    if number == 3 && self.interrupted {
                        break;
                    }
                    let path = format!("run/{number}");
                    if !self.files.path(&path).exists() {
                        self.write(&path, &format!("{} {number}", sum(paths)))?;
                    }
                }
            }
            other => panic!("{other:?}"),
        }
        Ok(Run { failure: None, seconds: 1.0 })
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted
    }
}

fn program(name: &str, words: &[&str], inputs: &[&str], output: &str) -> Step {
    let arguments = words.iter().map(|word| Argument::from(*word)).collect();
    let captured = words[0] == "print";
    Step {
        name: name.to_owned(),
        title: name.to_owned(),
        action: Action::Program(Program {
            arguments,
            resume: (!captured).then(|| Resume {
                marker: "run/1".into(),
                arguments: vec!["go-on".into(), words[1].into()],
            }),
            capture: captured.then(|| output.into()),
            sort_games: None,
        }),
        inputs: inputs.iter().map(PathBuf::from).collect(),
        outputs: vec![Output {
            path: output.into(),
            whole: if captured { Whole::JsonLines(Some(1)) } else { Whole::Present },
        }],
        directory: (!captured).then(|| "run".into()),
        work: Work::Measuring,
        seconds: 1.0,
    }
}

/// A measurement, a run on it, a copy of its result, and a measurement of that.
fn plan() -> Vec<Step> {
    vec![
        program("first", &["print", "in"], &["in"], "first.jsonl"),
        program("run", &["fill", "first.jsonl"], &["first.jsonl"], "run/3"),
        Step {
            action: Action::Copy { from: "run/3".into(), to: "net".into(), sha256: None },
            ..program("copy", &["print"], &["run/3"], "net")
        },
        program("last", &["print", "net", "other"], &["net", "other"], "last.jsonl"),
    ]
    .into_iter()
    .map(|mut step| {
        if step.name == "copy" {
            step.outputs[0].whole = Whole::Present;
        }
        step
    })
    .collect()
}

fn study() -> (tempfile::TempDir, StudyFiles) {
    let folder = tempfile::tempdir().expect("a folder");
    let files = StudyFiles::new(folder.path());
    files.write("in", b"input").expect("written");
    files.write("other", b"other").expect("written");
    (folder, files)
}

fn go(files: &StudyFiles) -> Vec<String> {
    let mut runner = Fake::new(files);
    let mut begun = Vec::new();
    let ending = carry_out(&plan(), files, &mut runner, |event| {
        if let Event::Begins { step, .. } = event {
            begun.push(step.name.clone());
        }
    });
    assert_eq!(ending.expect("done"), Ending::Finished);
    assert!(
        standings(&plan(), files)
            .expect("stamps")
            .iter()
            .all(|standing| matches!(standing, Standing::Done { .. }))
    );
    begun
}

/// All that a plan makes.
fn results(files: &StudyFiles) -> Vec<Vec<u8>> {
    ["first.jsonl", "run/1", "run/2", "run/3", "net", "last.jsonl"]
        .map(|path| files.read(path).expect(path))
        .to_vec()
}

#[test]
fn what_is_done_is_not_done_again() {
    let (_folder, files) = study();
    assert_eq!(go(&files), ["first", "run", "copy", "last"]);
    let before = results(&files);
    assert_eq!(go(&files), [""; 0]);
    assert_eq!(results(&files), before);
}

#[test]
fn killed_between_any_two_writes_it_ends_the_same() {
    let (_folder, whole) = study();
    go(&whole);
    let mut kills = 0;
    loop {
        let (_folder, files) = study();
        files.writes_left.set(Some(kills));
        let mut runner = Fake::new(&files);
        let ended = carry_out(&plan(), &files, &mut runner, |_| {});
        files.writes_left.set(None);
        if ended.is_ok() {
            break;
        }
        go(&files);
        assert_eq!(results(&files), results(&whole), "killed before write {kills}");
        assert!(!files.path("outdated").exists(), "killed before write {kills}");
        kills += 1;
    }
    // Begun and done for each of four steps, three outputs of programs and two names for them, and
    // three files of the run beside the copy.
    assert_eq!(kills, 8 + 2 + 2 + 3 + 1);

    // And killed again and again.
    let (_folder, files) = study();
    let mut starts = 0;
    loop {
        starts += 1;
        files.writes_left.set(Some(4));
        if carry_out(&plan(), &files, &mut Fake::new(&files), |_| {}).is_ok() {
            break;
        }
    }
    assert!(starts > 3, "{starts}");
    files.writes_left.set(None);
    assert_eq!(results(&files), results(&whole));
}

#[test]
fn a_change_redoes_what_depends_on_it() {
    let (_folder, files) = study();
    go(&files);
    files.write("other", b"another").expect("written");
    assert_eq!(go(&files), ["last"]);
    files.write("in", b"another").expect("written");
    assert_eq!(go(&files), ["first", "run", "copy", "last"]);
    // The run of the other input was put aside.
    assert!(files.path("outdated/run.1/3").is_file());

    let (_folder, fresh) = study();
    files.write("in", b"input").expect("written");
    files.write("other", b"other").expect("written");
    go(&files);
    go(&fresh);
    assert_eq!(results(&files), results(&fresh));

    // Only the time of change is another.
    let bytes = files.read("in").expect("read");
    fs::remove_file(files.path("in")).expect("removed");
    files.write("in", &bytes).expect("written");
    assert_eq!(go(&files), [""; 0]);
}

#[test]
fn a_missing_or_changed_output_is_made_again() {
    let (_folder, files) = study();
    go(&files);
    let before = results(&files);
    fs::remove_file(files.path("last.jsonl")).expect("removed");
    assert_eq!(go(&files), ["last"]);
    // What is left of a run is gone on with; what somebody changed is not.
    fs::remove_file(files.path("run/3")).expect("removed");
    let second = fs::metadata(files.path("run/2")).and_then(|data| data.modified());
    assert_eq!(go(&files), ["run"]);
    let again = fs::metadata(files.path("run/2")).and_then(|data| data.modified());
    assert_eq!(again.expect("a time"), second.expect("a time"));
    assert!(!files.path("outdated").exists());
    files.write("run/3", b"changed").expect("written");
    assert_eq!(go(&files), ["run"]);
    assert_eq!(files.read("outdated/run.1/3").expect("read"), b"changed");
    assert_eq!(results(&files), before);
}

#[test]
fn what_was_not_begun_by_the_plan_is_not_gone_on_with() {
    let (_folder, files) = study();
    files.write("run/1", b"foreign").expect("written");
    go(&files);
    assert_eq!(files.read("outdated/run.1/1").expect("read"), b"foreign");
}

#[test]
fn a_failure_names_step_and_command_and_repeats_what_was_said() {
    let (_folder, files) = study();
    let mut runner = Fake { failing: Some("run"), ..Fake::new(&files) };
    let error = carry_out(&plan(), &files, &mut runner, |_| {}).expect_err("it fails");
    assert_eq!(error.to_string(), "step run failed (exit code 2): searchless fill first.jsonl");
    assert_eq!(error.tail(), "one\ntwo\nerror: three");
    assert_eq!(go(&files), ["run", "copy", "last"]);

    fs::remove_file(files.path("other")).expect("removed");
    let error = carry_out(&plan(), &files, &mut Fake::new(&files), |_| {}).expect_err("no input");
    assert_eq!(error.to_string(), "step last needs other, which is not there");
}

#[test]
fn an_interrupted_step_goes_on() {
    let (_folder, files) = study();
    let mut runner = Fake { interrupting: Some("run"), ..Fake::new(&files) };
    let ending = carry_out(&plan(), &files, &mut runner, |_| {}).expect("no error");
    assert_eq!((ending, runner.runs.len()), (Ending::Interrupted, 2));
    assert_eq!(standings(&plan(), &files).expect("stamps")[1], Standing::Begun);
    let mut runner = Fake::new(&files);
    carry_out(&plan()[..2], &files, &mut runner, |_| {}).expect("no error");
    assert_eq!(runner.runs, ["run"]);
    assert_eq!(runner.arguments, ["go-on", "first.jsonl"]);
    // Both starts are in its time.
    assert_eq!(standings(&plan(), &files).expect("stamps")[1], Standing::Done { seconds: 2.0 });
}

#[test]
fn what_a_program_made_must_be_whole() {
    let (_folder, files) = study();
    let check = |whole: Whole, contents: &str, expected: &str| {
        files.write("file", contents.as_bytes()).expect("written");
        let found = check(&files, Path::new("file"), whole).expect("read");
        assert_eq!(found.err().unwrap_or_default(), expected, "{contents}");
    };
    check(Whole::Present, "", "");
    check(Whole::Json, "{\"a\": 1}\n", "");
    check(Whole::Json, "{\"a\": 1", "is not JSON");
    check(Whole::Json, "{}\n{}\n", "is not JSON");
    check(Whole::JsonLines(Some(2)), "{}\n{}\n", "");
    check(Whole::JsonLines(Some(3)), "{}\n{}\n", "has 2 lines, expected 3");
    check(Whole::JsonLines(None), "{}\n{}\n", "");
    check(Whole::JsonLines(None), "", "has 0 lines, expected one or more");
    check(Whole::JsonLines(Some(2)), "{}\nstopped\n", "has a line that is not JSON");
    check(Whole::Games(1), "[Event \"x\"]\n\n1. e4 *\n\n", "");
    check(Whole::Games(2), "[Event \"x\"]\n\n1. e4 *\n\n", "has 1 games, expected 2");
    let absent = super::check(&files, Path::new("absent"), Whole::Present).expect("no error");
    assert_eq!(absent, Err("is not there".to_owned()));

    let mut steps = plan();
    steps[0].outputs[0].whole = Whole::JsonLines(Some(2));
    let error = carry_out(&steps, &files, &mut Fake::new(&files), |_| {}).expect_err("too short");
    assert_eq!(
        error.to_string(),
        "step first ended, but first.jsonl has 1 lines, expected 2: searchless print in > first.jsonl"
    );
    assert!(!files.path("first.jsonl").exists());
}

#[test]
fn another_command_is_another_step() {
    let (_folder, files) = study();
    go(&files);
    let mut steps = plan();
    if let Action::Program(program) = &mut steps[1].action {
        program.arguments.push("other".into());
    }
    let standing = &standings(&steps, &files).expect("stamps")[1];
    let expected = Standing::ToRedo { reason: "its command has changed".to_owned(), afresh: true };
    assert_eq!(*standing, expected);
}
