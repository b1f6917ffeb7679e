use super::*;
use crate::StudyReport;

fn synthetic() -> StudyReport {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let directory = fixtures::write_study(folder.path()).expect("written");
    StudyReport::of(&directory).expect("a report")
}

#[test]
fn everything_is_shown_and_nothing_is_fetched() {
    let report = synthetic();
    let html = report.html();
    if let Some(out) = std::env::var_os("REPORT_OUT") { report.write(std::path::Path::new(&out)).unwrap(); }
    assert_eq!(report.missing(), Vec::<&str>::new());
}
