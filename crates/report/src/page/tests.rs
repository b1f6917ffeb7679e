use super::*;

fn synthetic() -> (tempfile::TempDir, StudyReport) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let directory = fixtures::write_study(folder.path()).expect("written");
    let report = StudyReport::of(&directory).expect("a report");
    (folder, report)
}

#[test]
fn everything_is_shown_and_nothing_is_fetched() {
    let (_folder, report) = synthetic();
    let html = report.html();
    assert_eq!(report.missing(), Vec::<&str>::new());
    for finding in &report.findings {
        assert_eq!(html.matches(&format!("id=\"finding-{}\"", finding.slug)).count(), 1);
        assert!(html.contains(&escaped(&finding.sentence)), "{}", finding.slug);
    }
    for table in &report.tables {
        assert!(html.contains(&table.html()), "{}", table.slug);
    }
    for figure in &report.figures {
        assert_eq!(html.matches(&format!("id=\"{}-drawn\"", figure.slug)).count(), 1);
        assert!(html.contains(&escaped(&figure.caption)), "{}", figure.slug);
    }
    for outside in ["<script", "<link rel=\"stylesheet", "src=", "url(", "@import", "<iframe"] {
        assert!(!html.contains(outside), "{outside}");
    }
    // The only address is the name of SVG's language.
    assert_eq!(html.matches("http").count(), html.matches("http://www.w3.org/2000/svg").count());
}

#[test]
fn names_from_files_are_escaped() {
    let (_folder, report) = synthetic();
    let html = report.html();
    assert!(html.contains("a base &lt;net&gt; &amp; &quot;more&quot;.pb.gz"));
    assert!(html.contains("hard &lt;2400 &amp; up&gt;.csv.gz"));
    assert!(html.contains("ab&lt;0&gt;&amp;"));
    for raw in ["<net>", "<2400", "ab<0>", "<to fit>"] {
        assert!(!html.contains(raw), "{raw}");
    }
}

#[test]
fn a_study_that_was_just_begun_shows_what_is_to_be_done() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let directory = fixtures::write_study(folder.path()).expect("written");
    std::fs::remove_dir_all(directory.measurement("")).expect("removed");
    std::fs::remove_file(directory.selection()).expect("removed");
    let report = StudyReport::of(&directory).expect("a report");
    let html = report.html();
    assert!(report.findings.iter().all(|finding| finding.verdict == Verdict::Undecided));
    for file in report.missing() {
        assert!(html.contains(&format!("<code>{file}</code>")), "{file}");
    }
    assert!(html.contains("Not measured: run <code>searchless reproduce</code>"));
    assert!(html.contains("No coefficients are selected yet"));
}

#[test]
fn the_same_measurements_give_the_same_files() {
    let (folder, report) = synthetic();
    let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
    report.write(&one).expect("written");
    StudyReport::of(&study::StudyDirectory::new(folder.path()))
        .expect("a report")
        .write(&other)
        .expect("written");
    // A second time over what is there.
    report.write(&one).expect("written");
    for part in ["", "tables", "figures"] {
        let names = |root: &std::path::Path| {
            let entries = std::fs::read_dir(root.join(part)).expect("a folder");
            let files = entries.map(|entry| entry.expect("an entry").path());
            let mut files: Vec<_> = files.filter(|path| path.is_file()).collect();
            files.sort();
            files
        };
        let (one, other) = (names(&one), names(&other));
        assert_eq!(one.len(), other.len());
        for (one, other) in one.iter().zip(&other) {
            assert_eq!(one.file_name(), other.file_name());
            let (one, other) =
                (std::fs::read(one).expect("read"), std::fs::read(other).expect("read"));
            assert!(one == other, "the same bytes");
        }
    }
}
